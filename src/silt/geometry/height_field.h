#pragma once

#include "silt/geometry/triangle_mesh.h"

namespace silt {

/// Heights on a grid of points, row by row; the first row is the one at the highest y, as in a picture.
struct HeightField {
  int columns = 0, rows = 0;
  std::vector<float> heights;  ///< 0 at the lowest, 1 at the highest

  float at(int column, int row) const { return heights[std::size_t(row) * columns + column]; }
};

/// The means of squares of `by` x `by` points; of what is left over at the edges, of smaller ones.
HeightField averaged(const HeightField& field, int by);

/// Its one row in the middle.
HeightField middle_row(const HeightField& field);

/// The solid below it, closed: points from `lowest` to `highest` along x and y, heights from lowest.z to highest.z, and
/// `depth` of ground below lowest.z [m]. Needs two columns and two rows.
TriangleMesh height_field_mesh(const HeightField& field, const Vec3d& lowest, const Vec3d& highest, double depth);

}  // namespace silt
