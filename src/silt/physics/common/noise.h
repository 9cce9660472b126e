#pragma once

#include <array>
#include <cstdint>

#include "silt/core/buffer.h"
#include "silt/fields/domain.h"

namespace silt {

/// Smooth random values in space that change with time: at each octave, quadratic B-splines on a lattice of random
/// numbers. Continuous with its first derivatives, so its curl is continuous too.
struct NoiseOptions {
  double scale = 0.1;        ///< spacing of the coarsest octave's lattice [m]; two cells at least
  int octaves = 1;           ///< each half as coarse as the one before; those finer than two cells are left out
  double roughness = 0.5;    ///< how strong the slopes of an octave are, relative to the one before
  double phase = 0;          ///< time in lifetimes: noise a whole unit of it later is another noise
  std::uint64_t stream = 0;  ///< another stream, another noise
};

inline constexpr int most_octaves = 8;

/// One octave as kernels see it. Lattice point n sits at n spacing; on periodic axes n counts modulo `period`.
struct NoiseOctave {
  const float* values;
  Int3 first, count;  ///< the lattice points in the table; one along a flat axis
  Int3 period;        ///< lattice points to wrap by; 0 for none
  Vec3d inv_spacing;  ///< [1/m]; 0 along a flat axis
  Vec3d origin;       ///< where lattice point 0 sits [m]
  float amplitude;

  struct Axis {
    int index[3];
    float weight[3];
  };
  SILT_HD Axis axis(int a, double x) const {
    if (count[a] == 1) return {{0, 0, 0}, {0, 1, 0}};
    // Quadratic B-splines: three points weigh in, the middle one nearest to x.
    const double s = (x - origin[a]) * inv_spacing[a], middle = std::floor(s + 0.5);
    const float t = float(s - middle);
    Axis out{{0, 0, 0}, {0.5f * (0.5f - t) * (0.5f - t), 0.75f - t * t, 0.5f * (0.5f + t) * (0.5f + t)}};
    for (int i = 0; i < 3; ++i) {
      int n = int(middle) + i - 1;
      if (period[a]) n = n % period[a] < 0 ? n % period[a] + period[a] : n % period[a];
      out.index[i] = n - first[a];
    }
    return out;
  }
  SILT_HD float at(const Vec3d& x) const {
    const Axis i = axis(0, x.x), j = axis(1, x.y), k = axis(2, x.z);
    float sum = 0;
    for (int c = 0; c < 3; ++c)
      for (int b = 0; b < 3; ++b) {
        const float* row = values + (std::int64_t(k.index[c]) * count.y + j.index[b]) * count.x;
        const float along =
            i.weight[0] * row[i.index[0]] + i.weight[1] * row[i.index[1]] + i.weight[2] * row[i.index[2]];
        sum += k.weight[c] * j.weight[b] * along;
      }
    return amplitude * sum;
  }
};

/// All octaves of one random potential.
struct NoiseSum {
  NoiseOctave octave[most_octaves];
  int octaves;
  SILT_HD float at(const Vec3d& x) const {
    float sum = 0;
    for (int o = 0; o < octaves; ++o) sum += octave[o].at(x);
    return sum;
  }
};

/// The random numbers of one potential (`component` 0, 1, 2) over a domain at one instant. The numbers belong to places
/// in space, whatever part of it is allocated; along periodic axes the spacing is made to fit. Scaled so that the curl
/// of three such potentials (in 2D of the z component alone) has a mean square of 1.
class NoiseTable {
 public:
  NoiseTable(const Exec& exec, const Domain& domain, const NoiseOptions& options, int component);
  NoiseSum on(const Exec& exec) const;

 private:
  NoiseSum sum_{};
  std::array<Buffer<float>, most_octaves> values_;
};

}  // namespace silt
