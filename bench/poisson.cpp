#include <algorithm>

#include "bench/race.h"
#include "bench/silt_runner.h"
#include "silt/solve/poisson_solver.h"

namespace silt::bench {

namespace {

constexpr double tolerance = 1e-6;

const std::vector<Peer> peers = {
    {"petsc_mg", "petsc_poisson", "mg", true, "libpetsc-real-dev"},
    {"hypre_pfmg", "hypre_poisson", "pfmg", true, "libhypre-dev"},
    {"hypre_boomeramg", "hypre_poisson", "boomeramg", true, "libhypre-dev"},
    {"eigen_ic", "eigen_poisson", "ic", false, "libeigen3-dev"},
};

Race::Runner silt_runner(const Exec& exec, const BoxProblem& box, Load load) {
  const BoxSystem system(exec, box);
  const Field<double> right_side = system.field([&](int i, int j, int k) { return box.load(load, i, j, k); });
  return [=](double asked, int repeats) {
    return run_silt(exec, system, right_side, repeats, [&](auto& b, auto& x, const auto& set_up_done) {
      PoissonSolver solver(system.layout);
      solver.prepare(exec, system.domain, system.weights);
      set_up_done();
      return solver.solve(exec, {.tolerance = asked}, b, x).iterations;
    });
  };
}

}  // namespace

/// The Poisson equation to a true residual of 1e-6 from zero, set-up included: two threads of silt against two ranks,
/// or threads, of others.
void poisson(BenchRun& bench) {
  const BoxProblem box{bench.size(128, 64)};
  const Exec exec(bench.exec.device(), std::min(2, bench.exec.threads()));
  tell_load(bench);
  for (const Load load : {Load::smooth, Load::random}) {
    const std::string name = load == Load::smooth ? "smooth" : "random";
    Race race(
        name, [&](const std::vector<double>& x) { return residual(box, load, x); }, tolerance);
    race.enter("silt", silt_runner(exec, box, load));
    for (const Peer& peer : peers) race.enter(peer, box, load);
    race.run(bench.quick);
    race.hold_to_errors(bench.measure, name);
    const std::vector<std::string> multigrids{"petsc_mg", "hypre_pfmg", "hypre_boomeramg"}, cholesky{"eigen_ic"};
    bench.expect_at_least(name + ".vs_best_multigrid", race.times_as_fast("silt", multigrids), 8,
                          race.absent(multigrids));
    bench.expect_at_least(name + ".vs_incomplete_cholesky", race.times_as_fast("silt", cholesky), 20,
                          race.absent(cholesky));
    bench.say(race.table("silt"));
    if (load == Load::random) bench.say(race.options());
  }
}

}  // namespace silt::bench
