#pragma once

#include "silt/fields/domain.h"

namespace silt::gas {

/// The faces across an axis that are no walls of the domain: their velocity is the gas's own.
inline Cells passable_faces(const Domain& domain, int axis) {
  Cells out = domain.faces(axis);
  if (domain.side(axis, 0) == Side::wall) out.lo[axis] += 1;
  if (domain.side(axis, 1) == Side::wall) out.hi[axis] -= 1;
  return out;
}

/// Those of them that have a cell of the domain on both sides.
inline Cells inner_faces(const Domain& domain, int axis) {
  Cells out = domain.faces(axis);
  if (domain.periodic(axis)) return out;
  out.lo[axis] += 1;
  out.hi[axis] -= 1;
  return out;
}

}  // namespace silt::gas
