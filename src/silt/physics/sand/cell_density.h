#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "silt/fields/particle_sort.h"

namespace silt {

/// By the `source` of particles; the last is also that of sources beyond [kg/m^3].
using SandDensities = std::vector<double>;

/// The mean density of a cell's particles [kg/m^3]; that of the usual sand where it has none.
struct CellDensity {
  CellRanges::View ranges;
  const std::uint32_t* source;
  const double* densities;
  std::uint32_t last;  ///< of the densities

  SILT_HD double operator()(Cell c) const {
    const std::uint32_t first = ranges.first(c), end = ranges.last(c);
    double sum = 0;
    for (std::uint32_t i = first; i < end; ++i) sum += densities[source[i] < last ? source[i] : last];
    return end > first ? sum / (end - first) : densities[last];
  }
};

/// `table` has to live as long as what is returned.
inline CellDensity cell_density(const Exec& exec, const Particles& particles, const CellRanges& ranges,
                                const SandDensities& densities, Buffer<double>& table) {
  table = Buffer<double>(densities.size());
  std::copy(densities.begin(), densities.end(), table.host());
  return {ranges.read(exec), particles.source.read(exec), std::as_const(table).read(exec),
          std::uint32_t(densities.size() - 1)};
}

}  // namespace silt
