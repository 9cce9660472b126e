#include "silt/physics/common/noise.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/core/random.h"

namespace silt {

namespace {

constexpr double quarter_turn = 1.57079632679489661923;

/// Random numbers of variance 1. Between whole phases two of them are mixed by cosine and sine, which keeps the
/// variance.
struct FillNoise {
  std::uint64_t stream;
  std::int64_t instant;
  float now, next;  ///< cos and sin of how far the phase is on its way
  Int3 first, count;
  float* values;

  SILT_HD static float random(std::uint64_t stream, std::uint64_t id, std::int64_t step) {
    return float((random_unit(stream, id, std::uint64_t(step)) - 0.5) * 3.4641016151377544);  // sqrt(12)
  }
  SILT_HD void operator()(std::int64_t i) const {
    const Int3 n = first + Int3{int(i % count.x), int(i / count.x % count.y), int(i / count.x / count.y)};
    // 21 bits an axis: what is as far apart as 2^21 lattice points may be the same.
    const std::uint64_t id =
        (std::uint64_t(n.x) & 0x1fffff) | (std::uint64_t(n.y) & 0x1fffff) << 21 | (std::uint64_t(n.z) & 0x1fffff) << 42;
    values[i] = now * random(stream, id, instant) + next * random(stream, id, instant + 1);
  }
};

/// Mean over all places of (sum of w^2) and of (sum of w'^2) for quadratic B-splines of spacing 1.
constexpr double mean_square = 11.0 / 20, mean_square_slope = 1;

/// Mean square of the curl of potentials with unit random numbers on a lattice of these spacings.
double curl_square(Int3 active, const Vec3d& inv_spacing) {
  double value = 1;  // of the potential itself
  for (int a = 0; a < 3; ++a) value *= active[a] ? mean_square : 1;
  double sum = 0;
  for (int component = active.z ? 0 : 2; component < 3; ++component)
    for (int a = 0; a < 3; ++a)
      if (a != component && active[a]) sum += value / mean_square * mean_square_slope * inv_spacing[a] * inv_spacing[a];
  return sum;
}

NoiseOctave make_octave(const Domain& domain, double spacing) {
  const Vec3d lower = domain.lower(), upper = domain.upper();
  NoiseOctave o{};
  for (int a = 0; a < 3; ++a) {
    o.count[a] = 1;
    if (!domain.lattice.active[a]) continue;
    const double extent = upper[a] - lower[a];
    if (domain.periodic(a)) {
      o.period[a] = o.count[a] = std::max(3, int(std::lround(extent / spacing)));
      o.inv_spacing[a] = o.count[a] / extent;
      o.origin[a] = lower[a];
    } else {
      o.inv_spacing[a] = 1 / spacing;
      o.first[a] = int(std::floor(lower[a] / spacing)) - 2;
      o.count[a] = int(std::ceil(upper[a] / spacing)) + 3 - o.first[a];
    }
  }
  return o;
}

}  // namespace

NoiseTable::NoiseTable(const Exec& exec, const Domain& domain, const NoiseOptions& options, int component) {
  const double instant = std::floor(options.phase), on_its_way = (options.phase - instant) * quarter_turn;
  double spacing = std::max(options.scale, 2 * domain.lattice.h), strength = 1, total = 0;
  double slopes[most_octaves];
  for (int o = 0; o < std::min(options.octaves, most_octaves); ++o, spacing *= 0.5, strength *= options.roughness) {
    if (o > 0 && spacing < 2 * domain.lattice.h) break;
    NoiseOctave& octave = sum_.octave[o] = make_octave(domain, spacing);
    const std::int64_t points = std::int64_t(octave.count.x) * octave.count.y * octave.count.z;
    values_[o] = Buffer<float>(std::size_t(points));
    const std::uint64_t stream = random_bits(options.stream, std::uint64_t(component), std::uint64_t(o));
    for_each_index(exec, "noise.fill", points,
                   FillNoise{stream, std::int64_t(instant), float(std::cos(on_its_way)), float(std::sin(on_its_way)),
                             octave.first, octave.count, values_[o].write(exec)});
    slopes[o] = strength / std::sqrt(curl_square(domain.lattice.active, octave.inv_spacing));
    total += strength * strength;
    sum_.octaves = o + 1;
  }
  for (int o = 0; o < sum_.octaves; ++o) sum_.octave[o].amplitude = float(slopes[o] / std::sqrt(total));
}

NoiseSum NoiseTable::on(const Exec& exec) const {
  NoiseSum out = sum_;
  for (int o = 0; o < out.octaves; ++o) out.octave[o].values = values_[o].read(exec);
  return out;
}

}  // namespace silt
