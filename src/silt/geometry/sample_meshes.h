#pragma once

/// Meshes whose answers are known.

#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "silt/geometry/triangle_mesh.h"

namespace silt {

/// A ball: an icosahedron whose triangles are split in four `splits` times, vertices on the sphere.
inline TriangleMesh ball_mesh(const Vec3d& centre, double radius, int splits) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  TriangleMesh m;
  m.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  m.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                 {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                 {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int s = 0; s < splits; ++s) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [at, fresh] = middles.try_emplace({std::min(a, b), std::max(a, b)}, int(m.vertices.size()));
      if (fresh) m.vertices.push_back(normalized(m.vertices[a]) + normalized(m.vertices[b]));
      return at->second;
    };
    std::vector<Int3> finer;
    for (const Int3& t : m.triangles) {
      const int a = middle(t.x, t.y), b = middle(t.y, t.z), c = middle(t.z, t.x);
      for (const Int3& f : {Int3{t.x, a, c}, Int3{t.y, b, a}, Int3{t.z, c, b}, Int3{a, b, c}}) finer.push_back(f);
    }
    m.triangles = std::move(finer);
  }
  for (Vec3d& v : m.vertices) v = centre + normalized(v) * radius;
  return m;
}

/// A grid of n x m quadrilaterals that closes on itself both ways (a torus), split in two each.
inline TriangleMesh torus_mesh(double radius, double tube, int n, int m) {
  constexpr double pi = 3.14159265358979323846;
  TriangleMesh out;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const double u = 2 * pi * i / n, v = 2 * pi * j / m, rho = radius + tube * std::cos(v);
      out.vertices.push_back({rho * std::cos(u), rho * std::sin(u), tube * std::sin(v)});
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const int a = i * m + j, b = (i + 1) % n * m + j, c = (i + 1) % n * m + (j + 1) % m, d = i * m + (j + 1) % m;
      out.triangles.push_back({a, b, c});
      out.triangles.push_back({a, c, d});
    }
  return out;
}

/// A box along the axes, every side split into n x n squares of two triangles, vertices shared.
inline TriangleMesh box_mesh(const Vec3d& lowest, const Vec3d& highest, int n) {
  TriangleMesh out;
  std::map<std::array<int, 3>, int> known;
  const auto vertex = [&](const Int3& c) {
    const auto [at, fresh] = known.try_emplace({c.x, c.y, c.z}, int(out.vertices.size()));
    if (fresh) out.vertices.push_back(lowest + (highest - lowest) * (c.as<double>() / double(n)));
    return at->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int end = 0; end < 2; ++end)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const Int3 s = unit((axis + 1) % 3), t = unit((axis + 2) % 3), o = unit(axis) * (end * n) + s * i + t * j;
          const int a = vertex(o), b = vertex(o + s), c = vertex(o + s + t), d = vertex(o + t);
          if (end) {
            out.triangles.push_back({a, b, c});
            out.triangles.push_back({a, c, d});
          } else {
            out.triangles.push_back({a, c, b});
            out.triangles.push_back({a, d, c});
          }
        }
  return out;
}

/// Two meshes as one, nothing joined.
inline TriangleMesh together(TriangleMesh a, const TriangleMesh& b) {
  const int n = int(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Int3& t : b.triangles) a.triangles.push_back(t + Int3{n, n, n});
  return a;
}

}  // namespace silt
