#pragma once

#include "silt/core/macros.h"
#include "silt/core/vec.h"

namespace silt {

/// The kernel by which crowds of particles are seen, the mean of the transfer's weights on a cell's faces: along an
/// axis (1/4, 1/2, 1/4) for faces across it, else (1/6, 2/3, 1/6), and the mean of the axes.
struct CrowdKernel {
  float weight[3][3][3] = {};  ///< [z][y][x], one more than the step; along a flat axis only the middle one is not 0

  explicit CrowdKernel(Int3 active) {
    constexpr double along[3] = {1.0 / 4, 1.0 / 2, 1.0 / 4}, across[3] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) {
          const Int3 at{x, y, z};
          double sum = 0;
          for (int axis = 0; axis < 3; ++axis) {
            if (!active[axis]) continue;
            double w = 1;
            for (int a = 0; a < 3; ++a) w *= active[a] ? (a == axis ? along : across)[at[a]] : at[a] == 1 ? 1 : 0;
            sum += w;
          }
          weight[z][y][x] = float(sum / (active.x + active.y + active.z));
        }
  }
  /// What a field that is constant in each cell adds up to: value(step) for the cells round one.
  template <class Value>
  SILT_HD_INLINE float sum(const Value& value) const {
    float out = 0;
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) out += weight[z][y][x] * value(Int3{x - 1, y - 1, z - 1});
    return out;
  }
};

}  // namespace silt
