#include "silt/geometry/height_field.h"

#include <algorithm>
#include <cassert>

namespace silt {

HeightField averaged(const HeightField& field, int by) {
  HeightField out{(field.columns + by - 1) / by, (field.rows + by - 1) / by, {}};
  for (int r = 0; r < out.rows; ++r)
    for (int c = 0; c < out.columns; ++c) {
      double sum = 0;
      int count = 0;
      for (int y = r * by; y < std::min(field.rows, (r + 1) * by); ++y)
        for (int x = c * by; x < std::min(field.columns, (c + 1) * by); ++x) sum += field.at(x, y), ++count;
      out.heights.push_back(float(sum / count));
    }
  return out;
}

HeightField middle_row(const HeightField& field) {
  const auto first = field.heights.begin() + std::ptrdiff_t(field.rows / 2) * field.columns;
  return {field.columns, 1, {first, first + field.columns}};
}

TriangleMesh height_field_mesh(const HeightField& field, const Vec3d& lowest, const Vec3d& highest, double depth) {
  assert(field.columns > 1 && field.rows > 1);
  const int nx = field.columns, ny = field.rows;
  const Vec3d size = highest - lowest;
  TriangleMesh out;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      out.vertices.push_back({lowest.x + size.x * i / (nx - 1), lowest.y + size.y * j / (ny - 1),
                              lowest.z + size.z * field.at(i, ny - 1 - j)});
  for (int j = 0; j + 1 < ny; ++j)
    for (int i = 0; i + 1 < nx; ++i) {
      const int a = j * nx + i, b = a + 1, c = b + nx, d = a + nx;
      out.triangles.push_back({a, b, c});
      out.triangles.push_back({a, c, d});
    }
  // Round the rim, anticlockwise from above: the same points on the ground, sides, and a floor about its middle.
  std::vector<int> rim;
  for (int i = 0; i + 1 < nx; ++i) rim.push_back(i);
  for (int j = 0; j + 1 < ny; ++j) rim.push_back(j * nx + nx - 1);
  for (int i = nx - 1; i > 0; --i) rim.push_back((ny - 1) * nx + i);
  for (int j = ny - 1; j > 0; --j) rim.push_back(j * nx);
  const int n = int(rim.size()), foot = int(out.vertices.size());
  for (const int v : rim) out.vertices.push_back({out.vertices[v].x, out.vertices[v].y, lowest.z - depth});
  out.vertices.push_back({lowest.x + 0.5 * size.x, lowest.y + 0.5 * size.y, lowest.z - depth});
  for (int i = 0; i < n; ++i) {
    const int a = rim[i], b = rim[(i + 1) % n], low_a = foot + i, low_b = foot + (i + 1) % n;
    out.triangles.push_back({a, low_a, low_b});
    out.triangles.push_back({a, low_b, b});
    out.triangles.push_back({low_b, low_a, foot + n});
  }
  return out;
}

}  // namespace silt
