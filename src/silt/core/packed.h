#pragma once

#include <cstdint>

#include "silt/core/box.h"

namespace silt {

/// Position of a cell in an array over a box, x fastest.
struct Packed {
  Box box;
  SILT_HD std::int64_t operator()(Cell c) const {
    const Int3 n = box.size(), d = c - box.lo;
    return (std::int64_t(d.z) * n.y + d.y) * n.x + d.x;
  }
};

}  // namespace silt
