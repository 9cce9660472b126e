#include "silt/surface/balls.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace silt {
namespace {

/// Corners on a sphere of radius 1: an icosahedron, each triangle split into four.
struct RoundMesh {
  std::vector<Vec3d> corners;
  std::vector<Int3> triangles;
  double volume = 0;

  RoundMesh() {
    const double g = 0.5 * (1 + std::sqrt(5.0));
    for (int a = 0; a < 3; ++a)
      for (const double s : {-1.0, 1.0})
        for (const double t : {-g, g}) {
          Vec3d x;
          x[a] = s, x[(a + 1) % 3] = t;
          corners.push_back(normalized(x));
        }
    const double edge = length(corners[0] - Vec3d{corners[0].x * -1, corners[0].y, corners[0].z}) * 1.01;
    std::vector<Int3> coarse;
    const auto near = [&](int i, int j) { return length(corners[std::size_t(i)] - corners[std::size_t(j)]) < edge; };
    for (int i = 0; i < 12; ++i)
      for (int j = i + 1; j < 12; ++j)
        for (int k = j + 1; k < 12; ++k)
          if (near(i, j) && near(j, k) && near(k, i)) coarse.push_back(outwards({i, j, k}));
    std::map<std::pair<int, int>, int> middles;
    for (const Int3& t : coarse) {
      const int m[3] = {middle(t.x, t.y, middles), middle(t.y, t.z, middles), middle(t.z, t.x, middles)};
      triangles.insert(triangles.end(), {{t.x, m[0], m[2]}, {m[0], t.y, m[1]}, {m[2], m[1], t.z}, {m[0], m[1], m[2]}});
    }
    for (const Int3& t : triangles) volume += triple(t) / 6;
    assert(corners.size() == ball_corners);
  }

 private:
  double triple(const Int3& t) const {
    return dot(corners[std::size_t(t.x)], cross(corners[std::size_t(t.y)], corners[std::size_t(t.z)]));
  }
  Int3 outwards(const Int3& t) const { return triple(t) > 0 ? t : Int3{t.x, t.z, t.y}; }
  int middle(int i, int j, std::map<std::pair<int, int>, int>& middles) {
    const auto [found, added] = middles.try_emplace({std::min(i, j), std::max(i, j)}, int(corners.size()));
    if (added) corners.push_back(normalized(corners[std::size_t(i)] + corners[std::size_t(j)]));
    return found->second;
  }
};

}  // namespace

void add_balls(const std::vector<Ball>& balls, const Lattice& voxels, Mesh& mesh) {
  if (balls.empty()) return;
  static const RoundMesh round;
  constexpr double pi = 3.14159265358979323846;
  const double stretch = std::cbrt(4 * pi / 3 / round.volume);
  for (const Ball& ball : balls) {
    const int first = int(mesh.positions.size());
    for (const Vec3d& x : round.corners) {
      mesh.positions.push_back(
          (voxels.origin + (ball.middle.as<double>() + x * (stretch * ball.radius)) * voxels.h).as<float>());
      mesh.normals.push_back(x.as<float>());
      mesh.velocities.push_back(ball.velocity);
    }
    for (const Int3& t : round.triangles) mesh.triangles.push_back(t + Int3{first, first, first});
  }
}

void add_balls(const std::vector<Ball>& balls, BlockField& field) {
  for (const Ball& ball : balls) {
    const auto down = [](float x) { return int(std::floor(x / BlockField::side)); };
    const float reach = ball.radius + 2;
    const Vec3f lo = ball.middle - Vec3f{reach, reach, reach}, hi = ball.middle + Vec3f{reach, reach, reach};
    for (int z = down(lo.z); z <= down(hi.z); ++z)
      for (int y = down(lo.y); y <= down(hi.y); ++y)
        for (int x = down(lo.x); x <= down(hi.x); ++x) {
          const int slot = field.find({x, y, z});
          if (slot < 0) continue;
          float* phi = field.block(slot);
          for (int v = 0; v < BlockField::volume; ++v) {
            const Int3 voxel = Int3{x, y, z} * BlockField::side + Int3{v % 8, v / 8 % 8, v / 64};
            const Vec3f at = voxel.as<float>() + Vec3f{0.5f, 0.5f, 0.5f};
            phi[v] = std::min(phi[v], length(at - ball.middle) - ball.radius);
          }
        }
  }
}

}  // namespace silt
