#include "silt/physics/common/separate.h"

#include "silt/core/loops.h"
#include "silt/physics/common/pair_sum.h"

namespace silt {
namespace {

/// Half of what a pair overlaps by, times the strength.
struct Overlap {
  float reach, strength;
  SILT_HD float operator()(std::int64_t, std::int64_t, float r, const Vec3f&) const {
    return 0.5f * strength * (reach - r);
  }
};

/// How far each particle is pushed by those round it; at most half of how far they push.
struct PushApart {
  PairSum<Overlap> pairs;
  float* shift[3];
  SILT_HD void operator()(std::int64_t i) const {
    Vec3f sum = pairs(i);
    const float most = 0.5f * pairs.reach, size = length(sum);
    if (size > most) sum *= most / size;
    for (int a = 0; a < 3; ++a)
      if (pairs.particles.offset[a]) shift[a][i] = sum[a];
  }
};

struct Shift {
  PositionColumns at;
  ParticleSides sides;
  const float* shift[3];
  SILT_HD void operator()(std::int64_t i) const {
    at.shift(sides, i, {shift[0][i], at.cell[1] ? shift[1][i] : 0, at.cell[2] ? shift[2][i] : 0});
  }
};

}  // namespace

void find_separation(const Exec& exec, const Domain& domain, const SeparateOptions& options, const CellRanges& ranges,
                     const Particles& particles, Separation& out) {
  const Overlap overlap{float(options.distance), float(options.strength)};
  PushApart push{sum_pairs(exec, domain, ranges, particles, options.distance, overlap), {}};
  for (int a = 0; a < 3; ++a) {
    if (!particles.active[a]) continue;
    if (out.shift[a].size() < particles.count) out.shift[a] = Buffer<float>(particles.capacity());
    push.shift[a] = out.shift[a].write(exec);
  }
  for_each_index(exec, "particles.push_apart", std::int64_t(particles.count), push, 8);
}

void separate_particles(const Exec& exec, const Domain& domain, const Separation& by, Particles& particles) {
  Shift shift{PositionColumns::of(exec, particles), ParticleSides::of(domain), {}};
  for (int a = 0; a < 3; ++a)
    if (particles.active[a]) shift.shift[a] = by.shift[a].read(exec);
  for_each_index(exec, "particles.shift", std::int64_t(particles.count), shift);
}

}  // namespace silt
