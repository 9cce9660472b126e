#pragma once

#include <cstdint>

#include "silt/core/macros.h"

namespace silt {

/// So many of all candidates, spread evenly.
struct Chosen {
  std::uint64_t wanted, all;
  SILT_HD bool has(std::uint64_t n) const { return (n + 1) * wanted / all > n * wanted / all; }
  SILT_HD std::uint64_t number(std::uint64_t n) const { return n * wanted / all; }
};

}  // namespace silt
