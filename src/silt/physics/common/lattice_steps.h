#pragma once

#include "silt/fields/field.h"

namespace silt {

/// One index serves all fields of a layout: kernels with many neighbours step from it. A flat axis has step 0, and
/// differences along it vanish.
struct LatticeSteps {
  int step[3];
  int offset;

  explicit LatticeSteps(const Layout& layout) : step{1, layout.stride_y, layout.stride_z}, offset(layout.offset) {}
  SILT_HD_INLINE int index(Cell c) const { return offset + c.x + c.y * step[1] + c.z * step[2]; }
};

/// Values of cells, and of the faces across each axis, by that index.
using CellData = const float*;
struct FaceData {
  const float* part[3];
};

inline CellData cell_data(const Exec& exec, const Field<float>& field) {
  return field.read(exec).data;
}
inline FaceData face_data(const Exec& exec, const MacField<float>& field) {
  return {{field[0].read(exec).data, field[1].read(exec).data, field[2].read(exec).data}};
}

}  // namespace silt
