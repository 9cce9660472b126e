#pragma once

#include "silt/physics/common/thin_sides.h"
#include "silt/physics/common/transfer_stencil.h"

/// For KERNELS sources.
namespace silt {

/// The faces of one component round a cell near thin solids as they are on one of its sides: [second][first], own from
/// -1 to 2. Those of others are carried on from the side's own, layer by layer, each the mean of the known beside it
/// (fields/extension.h).
struct SideFaces {
  float at[3][3][4];

  SILT_HD SideFaces(const View<const float>& u, const ComponentAxes& axes, Int3 active, Cell c, std::uint64_t takes) {
    const int stride[3] = {1, u.stride_y, u.stride_z};
    const float* lowest = &u(c) - stride[axes.own] - stride[axes.first] - stride[axes.second];
    for (int n = 0; n < 3; ++n)
      for (int k = 0; k < 3; ++k)
        for (int o = 0; o < 4; ++o)
          at[n][k][o] = lowest[o * stride[axes.own] + k * stride[axes.first] + n * stride[axes.second]];
    if (takes == 0) return;
    constexpr std::uint64_t all = (std::uint64_t(1) << 36) - 1;
    for (std::uint64_t known = takes; known != all;) {
      std::uint64_t next = known;
      for (int n = 0; n < 3; ++n)
        for (int k = 0; k < 3; ++k)
          for (int o = -1; o < 3; ++o) {
            if (known & SidesOfCell::bit(o, k, n)) continue;
            float sum = 0;
            int count = 0;
            const auto add = [&](int along, int first, int second) {
              if (along < -1 || along > 2 || first < 0 || first > 2 || second < 0 || second > 2) return;
              if (!(known & SidesOfCell::bit(along, first, second))) return;
              sum += at[second][first][along + 1], ++count;
            };
            for (int by = -1; by <= 1; by += 2) {
              add(o + by, k, n);
              if (active[axes.first]) add(o, k + by, n);
              if (active[axes.second]) add(o, k, n + by);
            }
            if (count == 0) continue;
            at[n][k][o + 1] = sum / float(count);
            next |= SidesOfCell::bit(o, k, n);
          }
      if (next == known) return;
      known = next;
    }
  }
};

}  // namespace silt
