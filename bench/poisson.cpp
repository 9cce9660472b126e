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

/// Bytes a cycle would move step by step, each reading its inputs once and writing its outputs once: what the steps
/// share in the cache, going as one wave, counts for them. Floats a cell:
///   two sweeps from zero       3 weights, 1/diagonal, b; x              6
///   residual to the parents    3 weights, 1/diagonal, b, x              6
///   correction from parents    1/diagonal, x; x                         3
///   a sweep                    3 weights, 1/diagonal, b, x; next        7
/// and one more a pass with a matrix on coarse levels, for what is held at zero. On the finest level, the inside of a
/// box, all faces weigh the same and no weights are read. The finest level makes one correction between two pairs of
/// sweeps; each coarser one makes two of them, with two pairs of sweeps between, a visit, and is visited twice as often
/// as the one above it.
double cycle_bytes(std::span<const Level> levels) {
  double floats = 0, visits = 1;
  for (std::size_t depth = 0; depth + 1 < levels.size(); ++depth) {
    const double cells = double(levels[depth].domain.cells.count());
    floats += depth == 0 ? (3 + 3 + 3 + 2 * 4) * cells : visits * (7 + 2 * (7 + 3) + 6 * 8) * cells;
    if (depth > 0) visits *= 2;
  }
  return sizeof(float) * floats;
}

/// The cycle alone, and what it takes to build its hierarchy anew.
void time_cycle(BenchRun& bench, const Exec& exec, const BoxProblem& box) {
  const BoxSystem system(exec, box);
  const Field<double> b = system.field([&](int i, int j, int k) { return box.load(Load::random, i, j, k); });
  PoissonOperator op(exec, system.domain, system.weights);
  Multigrid multigrid;
  multigrid.prepare(exec, op);
  multigrid.set_right_side(exec, b);
  const auto residual_after = [&] {
    const Field<float>& z = multigrid.correction();
    return residual(box, Load::random, system.values(system.field([&](int i, int j, int k) {
      return double(z({i, j, k}));
    })));
  };
  const double cells = double(box.cells());
  bench.time({.name = "cycle",
              .run = [&] { multigrid.cycle(exec); },
              .error = residual_after,
              .allowed = 0.3,
              .items = cells,
              .bytes = cycle_bytes(multigrid.levels()),
              .least_of_copy = 0.6});
  PoissonSolver solver(system.layout);
  bench.time({.name = "prepare",
              .run = [&] { solver.prepare(exec, system.domain, system.weights); },
              .items = cells,
              .reference = "cycle",
              .least_ratio = 1.0 / 3});  // three cycles at most
  // Not of small fields: halos are a large part of them.
  bench.expect_at_most("hierarchy.bytes_per_cell", double(multigrid.bytes()) / cells, 40, "B");
}

}  // namespace

/// The Poisson equation to a true residual of 1e-6 from zero, set-up included: two threads of silt against two ranks,
/// or threads, of others.
void poisson(BenchRun& bench) {
  const BoxProblem box{bench.size(128, 64)};
  const Exec exec(bench.exec.device(), std::min(2, bench.exec.threads()));
  tell_load(bench);
  time_cycle(bench, exec, box);
  for (const Load load : {Load::smooth, Load::random}) {
    const std::string name = load == Load::smooth ? "smooth" : "random";
    Race race(
        name, [&](const std::vector<double>& x) { return residual(box, load, x); }, tolerance);
    race.enter("silt", silt_runner(exec, box, load));
    for (const Peer& peer : peers) race.enter(peer, exec.threads(), box, load);
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
