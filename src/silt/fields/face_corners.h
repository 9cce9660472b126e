#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// The corners of the faces across one axis: face c has the corners c, c + s, c + t and c + s + t.
struct FaceCorners {
  Int3 s, t;  ///< the two directions along the face; zero along a flat axis

  SILT_HD FaceCorners(int axis, Int3 active) : s(unit((axis + 1) % 3) * active), t(unit((axis + 2) % 3) * active) {}

  /// What a field at corners has at the face's centre: their mean, in double.
  SILT_HD double mean(const View<const float>& corners, Cell c) const {
    return 0.25 * ((double(corners(c)) + corners(c + s)) + (double(corners(c + t)) + corners(c + s + t)));
  }
};

/// Faces across an axis but those on the domain's boundary, which keep what is prescribed; all of them where it is
/// periodic.
inline Cells inner_faces(const Domain& domain, int axis) {
  Cells out = domain.faces(axis);
  if (!out.empty() && !domain.periodic(axis)) out.lo[axis] += 1, out.hi[axis] -= 1;
  return out;
}

}  // namespace silt
