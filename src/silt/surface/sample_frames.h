#pragma once

// Frames with particles in known places, for tests and benchmarks.

#include <functional>

#include "silt/fields/frame.h"
#include "silt/fields/seed_places.h"

namespace silt::test {

/// A box of n^3 cells of side 1/n from the origin, with walls.
inline Frame empty_frame(int n) {
  Frame frame;
  frame.domain.lattice = {{0, 0, 0}, 1.0 / n, {1, 1, 1}};
  frame.domain.cells = Cells(Box{{0, 0, 0}, {n, n, n}});
  return frame;
}

/// Eight particles a cell, as tanks are filled with, where `inside(x)`; velocities from `velocity(x)`.
inline Frame filled_frame(int n, const std::function<bool(Vec3d)>& inside, double jitter = usual_jitter,
                          const std::function<Vec3d(Vec3d)>& velocity = {}) {
  Frame frame = empty_frame(n);
  Points& points = frame.points.emplace_back();
  points.material = "water";
  points.radius = float(0.5 / n);
  const Lattice& lattice = frame.domain.lattice;
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        for (int part = 0; part < 8; ++part) {
          const Cell c{x, y, z};
          const Vec3f offset = random_place(lattice.active, 1, c, part, jitter);
          const Vec3d at = (c.as<double>() + offset.as<double>()) * lattice.h;
          if (!inside(at)) continue;
          points.id.push_back(points.positions.size());
          points.positions.push_back(at);
          points.velocities.push_back(velocity ? velocity(at).as<float>() : Vec3f{});
        }
  return frame;
}

inline double volume_of(const Mesh& mesh) {
  double volume = 0;
  for (const Int3& t : mesh.triangles) {
    const Vec3d a = mesh.positions[std::size_t(t.x)].as<double>(), b = mesh.positions[std::size_t(t.y)].as<double>(),
                c = mesh.positions[std::size_t(t.z)].as<double>();
    volume += dot(a, cross(b, c)) / 6;
  }
  return volume;
}

}  // namespace silt::test
