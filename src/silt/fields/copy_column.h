#pragma once

#include <cstdint>

#include "silt/core/macros.h"

namespace silt {

/// A column of particles, or a part of one, to another place.
template <class T>
struct CopyColumn {
  const T* from;
  T* to;
  SILT_HD void operator()(std::int64_t i) const { to[i] = from[i]; }
};

}  // namespace silt
