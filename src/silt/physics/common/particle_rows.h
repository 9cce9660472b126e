#pragma once

#include <cstddef>

#include "silt/core/box.h"

namespace silt {

/// Particles in rows of this many, so that a reduction over them has rows to share.
inline constexpr int particle_row = 4096;
inline Box rows_of(std::size_t count) {
  return {{0, 0, 0}, {particle_row, int((count + particle_row - 1) / particle_row), 1}};
}
/// The particle at a place of these rows; there may be none.
SILT_HD inline std::int64_t particle_at(Cell row) {
  return std::int64_t(row.y) * particle_row + row.x;
}

}  // namespace silt
