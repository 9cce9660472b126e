#include "bench/box_system.h"
#include "bench/race.h"
#include "silt/core/text.h"

namespace silt::bench {

namespace {

constexpr double tolerance = 1e-6;

const std::vector<Peer> peers = {
    {"tao_gpcg", "petsc_lcp", "gpcg", true, "libpetsc-real-dev"},
    {"tao_tron", "petsc_lcp", "tron", true, "libpetsc-real-dev"},
};

}  // namespace

/// 0 <= x  perp  A x - b >= 0 with about half of the cells at zero, to a projected gradient of 1e-6 |b| from zero.
void lcp(BenchRun& bench) {
  const BoxProblem box{bench.size(64, 32)};
  for (const Load load : {Load::smooth, Load::random}) {
    const std::string name = load == Load::smooth ? "smooth" : "random";
    std::int64_t active = 0;
    const auto error = [&](const std::vector<double>& x) {
      const Complementarity found = complementarity(box, load, x);
      active = found.active;
      return found.kkt;
    };
    Race race(name, error, tolerance);
    for (const Peer& peer : peers) race.enter(peer, box, load);
    race.run(bench.quick);
    race.hold_to_errors(bench.measure, name);
    bench.measure.tell(name + ".active", double(active) / double(box.cells()));
    bench.say(race.table("tao_gpcg"));
    if (load == Load::random) bench.say(race.options());
  }
}

}  // namespace silt::bench
