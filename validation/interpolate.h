#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace silt::validation {

/// The cubic through the four samples nearest to x: exact for cubics, so that reading a profile between samples adds no
/// error of its own to a second-order one. `at` rises.
inline double cubic_at(const std::vector<double>& at, const std::vector<double>& value, double x) {
  const auto above = std::size_t(std::lower_bound(at.begin(), at.end(), x) - at.begin());
  const std::size_t first = std::min(above < 2 ? 0 : above - 2, at.size() - 4);
  double sum = 0;
  for (std::size_t i = first; i < first + 4; ++i) {
    double weight = 1;
    for (std::size_t j = first; j < first + 4; ++j)
      if (j != i) weight *= (x - at[j]) / (at[i] - at[j]);
    sum += weight * value[i];
  }
  return sum;
}

}  // namespace silt::validation
