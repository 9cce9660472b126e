#include "silt/physics/common/cling.h"

#include <algorithm>
#include <utility>

#include "silt/core/loops.h"
#include "silt/physics/common/pair_sum.h"

namespace silt {
namespace {

constexpr double apart = 1.1;  ///< of the distance at contact: no longer
/// Of what would stop a pair, for each has a few others: all of it at once would throw them at one another.
constexpr float at_once = 0.5f;

struct Pull {
  const std::uint32_t* source;
  const float* pulls;
  std::uint32_t last;
  float contact;
  const float* velocity[3];
  SILT_HD float of(std::int64_t i) const { return pulls[source[i] < last ? source[i] : last]; }
  SILT_HD float operator()(std::int64_t i, std::int64_t j, float r, const Vec3f& n) const {
    if (r < contact) return 0;
    float parting = 0;
    for (int a = 0; a < 3; ++a)
      if (velocity[a]) parting += n[a] * (velocity[a][i] - velocity[a][j]);
    if (!(parting > 0)) return 0;
    const float x = (r / contact - 1) / float(apart - 1), left = 1 - x * x * (3 - 2 * x);
    const float mine = of(i), other = of(j);
    const float most = left * (mine < other ? mine : other), stops = 0.5f * at_once * parting;
    return -(stops < most ? stops : most);
  }
};

struct FindChange {
  PairSum<Pull> pairs;
  float* change[3];
  SILT_HD void operator()(std::int64_t i) const {
    const Vec3f by = pairs(i);
    for (int a = 0; a < 3; ++a)
      if (change[a]) change[a][i] = by[a];
  }
};

struct TakeChange {
  const float* change;
  float* velocity;
  SILT_HD void operator()(std::int64_t i) const { velocity[i] += change[i]; }
};

}  // namespace

void cling(const Exec& exec, const Domain& domain, const ClingOptions& options, const CellRanges& ranges,
           Particles& particles) {
  if (std::none_of(options.pulls.begin(), options.pulls.end(), [](float p) { return p > 0; })) return;
  Buffer<float> pulls(options.pulls.size());
  std::copy(options.pulls.begin(), options.pulls.end(), pulls.host());
  Pull pull{particles.source.read(exec),
            std::as_const(pulls).read(exec),
            std::uint32_t(pulls.size() - 1),
            float(options.contact),
            {}};
  Buffer<float> change[3];  // all are seen as they were
  float* out[3] = {};
  for (int a = 0; a < 3; ++a) {
    if (!particles.active[a]) continue;
    pull.velocity[a] = std::as_const(particles).velocity[a].read(exec);
    change[a] = Buffer<float>(particles.count);
    out[a] = change[a].write(exec);
  }
  const auto count = std::int64_t(particles.count);
  const FindChange find{sum_pairs(exec, domain, ranges, std::as_const(particles), apart * options.contact, pull),
                        {out[0], out[1], out[2]}};
  for_each_index(exec, "particles.cling", count, find, 8);
  for (int a = 0; a < 3; ++a)
    if (particles.active[a])
      for_each_index(exec, "particles.take_cling", count,
                     TakeChange{std::as_const(change[a]).read(exec), particles.velocity[a].update(exec)});
}

}  // namespace silt
