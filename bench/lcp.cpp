#include <algorithm>

#include "bench/race.h"
#include "bench/silt_runner.h"
#include "silt/solve/bounded_solver.h"

namespace silt::bench {

namespace {

constexpr double tolerance = 1e-6;

const std::vector<Peer> peers = {
    {"tao_gpcg", "petsc_lcp", "gpcg", true, "libpetsc-real-dev"},
    {"tao_tron", "petsc_lcp", "tron", true, "libpetsc-real-dev"},
};

Race::Runner silt_runner(const Exec& exec, const BoxProblem& box, Load load) {
  const BoxSystem system(exec, box);
  const Field<double> right_side = system.field([&](int i, int j, int k) { return box.bounded_load(load, i, j, k); });
  return [=](double asked, int repeats) {
    return run_silt(exec, system, right_side, repeats, [&](auto& b, auto& x, const auto& set_up_done) {
      BoundedSolver solver;
      solver.prepare(exec, system.domain, system.weights);
      set_up_done();
      return solver.solve(exec, {.tolerance = asked}, not_negative, b, x).iterations();
    });
  };
}

}  // namespace

/// 0 <= x  perp  A x - b >= 0 with about half of the cells at zero, to a projected gradient of 1e-6 |b| from zero: two
/// threads of silt against two ranks of TAO.
void lcp(BenchRun& bench) {
  const BoxProblem box{bench.size(64, 32)};
  const Exec exec(bench.exec.device(), std::min(2, bench.exec.threads()));
  tell_load(bench);
  for (const Load load : {Load::smooth, Load::random}) {
    const std::string name = load == Load::smooth ? "smooth" : "random";
    std::int64_t active = 0;
    const auto error = [&](const std::vector<double>& x) {
      const Complementarity found = complementarity(box, load, x);
      active = found.active;
      return found.kkt;
    };
    Race race(name, error, tolerance);
    race.enter("silt", silt_runner(exec, box, load));
    for (const Peer& peer : peers) race.enter(peer, exec.threads(), box, load);
    race.run(bench.quick);
    race.hold_to_errors(bench.measure, name);
    for (const Peer& peer : peers)
      bench.expect_at_least(str(name, ".vs_", peer.name), race.times_as_fast("silt", {peer.name}), 5,
                            race.absent({peer.name}));
    bench.measure.tell(name + ".active", double(active) / double(box.cells()));
    bench.say(race.table("silt"));
    bench.say(str("  ", active, " of ", box.cells(), " cells at zero\n"));
    if (load == Load::random) bench.say(race.options());
  }
}

}  // namespace silt::bench
