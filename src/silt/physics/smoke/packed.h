#pragma once

#include <cstdint>

#include "silt/fields/field.h"

namespace silt {

/// Row-major position of a cell in a box.
struct Packed {
  Box box;
  SILT_HD std::int64_t operator()(Cell c) const {
    const Int3 n = box.size(), d = c - box.lo;
    return (std::int64_t(d.z) * n.y + d.y) * n.x + d.x;
  }
};

/// Whether fluid passes any face of the cell.
SILT_HD inline bool open_at_all(const MacView<const float>& open, Cell c) {
  const auto [i, j, k] = c;
  const auto& [a, b, d] = open;
  return a(i, j, k) > 0 || a(i + 1, j, k) > 0 || b(i, j, k) > 0 || b(i, j + 1, k) > 0 || d(i, j, k) > 0 ||
         d(i, j, k + 1) > 0;
}

}  // namespace silt
