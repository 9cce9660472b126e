#pragma once

#include <cmath>

#include "silt/core/box.h"

namespace silt {

/// Cells have integer indices on one infinite lattice of cubes of side `h` [m]; cell c covers origin + c h to origin +
/// (c+1) h. A flat axis (active = 0) has one cell, index 0, no faces, no halo and no derivative: 2D is x-y, 1D is x.
struct Lattice {
  Vec3d origin{};
  double h = 1;
  Int3 active{1, 1, 1};

  SILT_HD constexpr int dims() const { return active.x + active.y + active.z; }
  SILT_HD constexpr Vec3d centre(Cell c) const { return origin + (c.as<double>() + Vec3d{0.5, 0.5, 0.5}) * h; }
  /// Centre of the face between cell c and its lower neighbour along `axis`.
  SILT_HD constexpr Vec3d face_centre(int axis, Cell c) const {
    Vec3d x = centre(c);
    x[axis] -= 0.5 * h;
    return x;
  }
  /// Lowest corner of cell c; on a flat axis its middle, where everything in a plane lives.
  SILT_HD constexpr Vec3d corner(Cell c) const {
    return origin + (c.as<double>() + Vec3d{0.5, 0.5, 0.5} * Vec3d{1.0 - active.x, 1.0 - active.y, 1.0 - active.z}) * h;
  }
  /// Position in cells: cell c covers [c, c + 1).
  SILT_HD constexpr Vec3d to_cells(const Vec3d& x) const { return (x - origin) * (1 / h); }
  /// Volume of a cell [m^3]: per metre of depth along a flat axis.
  SILT_HD constexpr double cell_volume() const { return (active.x ? h : 1) * (active.y ? h : 1) * (active.z ? h : 1); }
  friend constexpr bool operator==(const Lattice&, const Lattice&) = default;
};

}  // namespace silt
