#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/open_square.h"

/// For KERNELS sources.
namespace silt {

/// Faces that a thin plate leaves open on both sides, of which one counts (see cut_cells.h): what particles on the
/// other side say belongs to the liquid there, not to what is behind the plate.
struct BothSides {
  View<const float> distance;
  MacView<const float> open;
  Int3 active;

  BothSides(const Exec& exec, const Domain& domain, const CutCells& cut)
      : distance(cut.distance.read(exec)), open(cut.open.read(exec)), active(domain.lattice.active) {}

  SILT_HD bool face(int axis, Cell c) const {
    constexpr double least = 2e-3;  // more than what counts as closed
    const float counts = open[axis](c);
    const FaceCorners at(axis, active);
    return counts < 1 &&
           open_square(distance(c), distance(c + at.s), distance(c + at.t), distance(c + at.s + at.t)) > counts + least;
  }
  /// Whether any face of a cell inside the domain is one.
  SILT_HD bool cell(Cell c) const {
    bool any = false;
    for (int a = 0; a < 3; ++a) any = any || (active[a] && (face(a, c) || face(a, c + unit(a))));
    return any;
  }
};

}  // namespace silt
