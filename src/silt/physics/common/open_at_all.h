#pragma once

#include "silt/fields/field.h"

namespace silt {

/// Whether fluid passes any face of the cell.
SILT_HD inline bool open_at_all(const MacView<const float>& open, Cell c) {
  const auto [i, j, k] = c;
  const auto& [a, b, d] = open;
  return a(i, j, k) > 0 || a(i + 1, j, k) > 0 || b(i, j, k) > 0 || b(i, j + 1, k) > 0 || d(i, j, k) > 0 ||
         d(i, j, k + 1) > 0;
}

}  // namespace silt
