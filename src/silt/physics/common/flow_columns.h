#pragma once

#include "silt/fields/particles.h"

namespace silt {

/// Columns of velocities [m/s] and their modes, for kernels; nullptr where particles have none.
struct FlowColumns {
  float* velocity[3];
  float* mode[3][Particles::all_modes];

  static FlowColumns of(const Exec& exec, Particles& p) {
    FlowColumns out;
    for (int a = 0; a < 3; ++a) {
      out.velocity[a] = p.velocity[a].update(exec);
      for (int m = 0; m < Particles::all_modes; ++m) out.mode[a][m] = m ? p.mode[a][m].update(exec) : nullptr;
    }
    return out;
  }
  /// i gets the parent's velocity field at a distance d from it, and its modes as seen from there: their products of
  /// axes expanded about the new place. It may be its own parent: what is read lies after what was written.
  /// Curvatures are the parent's, and what they add to lower modes within a cell is left out: the next transfer from
  /// the grid finds all of them anew.
  SILT_HD void take(std::uint32_t parent, std::size_t i, const Vec3f& d) const {
    for (int a = 0; a < 3; ++a) {
      if (!velocity[a]) continue;
      for (int of = 0; of < Particles::products; ++of) {
        float* to = of ? mode[a][of] : velocity[a];
        if (!to) continue;
        float sum = 0;
        for (int from = 0; from < Particles::products; ++from) {
          const float* column = from ? mode[a][from] : velocity[a];
          if (!column || (from & of) != of) continue;
          float term = column[parent];
          for (int b = 0; b < 3; ++b)
            if ((from & ~of) >> b & 1) term *= d[b];
          sum += term;
        }
        to[i] = sum;
      }
      for (int m = Particles::products; m < Particles::all_modes; ++m)
        if (mode[a][m]) mode[a][m][i] = mode[a][m][parent];
    }
  }
  /// i moves with `flow`, the same all round it.
  SILT_HD void set(std::int64_t i, const Vec3f& flow) const {
    for (int a = 0; a < 3; ++a) {
      if (velocity[a]) velocity[a][i] = flow[a];
      for (int m = 1; m < Particles::all_modes; ++m)
        if (mode[a][m]) mode[a][m][i] = 0;
    }
  }
};

}  // namespace silt
