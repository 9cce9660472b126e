#include "silt/physics/common/cling.h"

#include <algorithm>
#include <utility>

#include "silt/core/loops.h"
#include "silt/physics/common/pair_sum.h"

namespace silt {
namespace {

constexpr double apart = 1.1;  ///< of the distance at contact: no longer

struct Pull {
  const std::uint32_t* source;
  const float* pulls;
  std::uint32_t last;
  float contact;
  SILT_HD float of(std::int64_t i) const { return pulls[source[i] < last ? source[i] : last]; }
  SILT_HD float operator()(std::int64_t i, std::int64_t j, float r) const {
    if (r < contact) return 0;
    const float x = (r / contact - 1) / float(apart - 1), left = 1 - x * x * (3 - 2 * x);
    const float mine = of(i), other = of(j);
    return -left * (mine < other ? mine : other);
  }
};

struct Cling {
  PairSum<Pull> pairs;
  float* velocity[3];
  SILT_HD void operator()(std::int64_t i) const {
    const Vec3f by = pairs(i);
    for (int a = 0; a < 3; ++a)
      if (velocity[a]) velocity[a][i] += by[a];
  }
};

}  // namespace

void cling(const Exec& exec, const Domain& domain, const ClingOptions& options, const CellRanges& ranges,
           Particles& particles) {
  if (std::none_of(options.pulls.begin(), options.pulls.end(), [](float p) { return p > 0; })) return;
  Buffer<float> pulls(options.pulls.size());
  std::copy(options.pulls.begin(), options.pulls.end(), pulls.host());
  const Pull pull{particles.source.read(exec), std::as_const(pulls).read(exec), std::uint32_t(pulls.size() - 1),
                  float(options.contact)};
  Cling kernel{sum_pairs(exec, domain, ranges, std::as_const(particles), apart * options.contact, pull), {}};
  for (int a = 0; a < 3; ++a)
    if (particles.active[a]) kernel.velocity[a] = particles.velocity[a].update(exec);
  for_each_index(exec, "particles.cling", std::int64_t(particles.count), kernel, 8);
}

}  // namespace silt
