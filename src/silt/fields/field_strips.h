#pragma once

#include "silt/core/strips.h"
#include "silt/fields/field.h"

namespace silt {

/// The value of cell c, and of those after it along x where F is several.
template <class F>
SILT_HD_INLINE F load(const View<const float>& view, Cell c) {
  return Numbers<F>::load(view.data + view.index(c.x, c.y, c.z));
}
template <class F>
SILT_HD_INLINE void store(F value, const View<float>& view, Cell c) {
  Numbers<F>::store(value, view.data + view.index(c.x, c.y, c.z));
}

}  // namespace silt
