#pragma once

#include <limits>

#include "silt/fields/cut_cells.h"
#include "silt/fields/face_corners.h"

namespace silt {

/// The faces across one axis as unknowns: which of them move freely, and what lies between two of them.
struct FaceSites {
  int axis;
  FaceCorners corners;
  int first, last;  ///< indices of the domain's boundary faces along `axis`; out of reach when it is periodic
  Box inside;       ///< faces that exist; on periodic axes everything counts as inside
  View<const float> distance, grip;
  MacView<const float> open;
  View<const float> solid_velocity;

  /// From the nearest solid's surface to the face's centre [m].
  SILT_HD double distance_at(Cell c) const { return corners.mean(distance, c); }
  /// Whether fluid sticks to the solid nearest to the face.
  SILT_HD bool sticks(Cell c) const { return corners.mean(grip, c) >= 0.5; }
  SILT_HD bool exists(Cell c) const { return inside.contains(c); }
  SILT_HD bool on_boundary(Cell c) const { return c[axis] == first || c[axis] == last; }
  SILT_HD bool moves(Cell c) const {
    if (!exists(c)) return false;
    if (on_boundary(c) || !sticks(c)) return open[axis](c) > 0;
    return distance_at(c) > 0;
  }
  /// From the centre of face c, outside a solid, towards that of face n inside it: the part of the way that is outside.
  SILT_HD double way_to_solid(Cell c, Cell n) const {
    constexpr double nearest =
        1e-3;  // a surface nearer than this counts as that far: the matrix stays well-conditioned
    const double here = distance_at(c), there = distance_at(n);
    const double theta = there < here ? here / (here - there) : 1;
    return theta < nearest ? nearest : theta > 1 ? 1 : theta;
  }
  /// The solid's velocity where its surface is, `theta` of the way from c to n.
  SILT_HD double surface_velocity(Cell c, Cell n, double theta) const {
    return (1 - theta) * solid_velocity(c) + theta * solid_velocity(n);
  }
  /// Open fraction of the square between c and the face before it along `b`.
  SILT_HD double passage(int b, Cell c) const {
    const Cell before = c - unit(b == axis ? b : axis);
    return 0.5 * (double(open[b](c)) + open[b](before));
  }
};

inline FaceSites face_sites(const Exec& exec, const Domain& domain, const CutCells& cut, int axis) {
  constexpr int nowhere = std::numeric_limits<int>::min(), everywhere = std::numeric_limits<int>::max();
  const Box faces = domain.faces(axis);
  const Int3 active = domain.lattice.active;
  Box inside = faces;
  for (int a = 0; a < 3; ++a)
    if (active[a] && domain.periodic(a)) inside.lo[a] = nowhere, inside.hi[a] = everywhere;
  const bool periodic = domain.periodic(axis);
  return {axis,
          {axis, active},
          periodic ? nowhere : faces.lo[axis],
          periodic ? nowhere : faces.hi[axis] - 1,
          inside,
          cut.distance.read(exec),
          cut.grip.read(exec),
          cut.open.read(exec),
          cut.solid_velocity[axis].read(exec)};
}

}  // namespace silt
