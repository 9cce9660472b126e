#include <malloc.h>

#include <algorithm>
#include <memory>

#include "bench/box_system.h"
#include "bench/race.h"
#include "silt/core/text.h"
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

double allocated_bytes() {
  const auto heap = mallinfo2();
  return double(heap.uordblks) + double(heap.hblkhd);
}

/// Silt's solver, made anew for each solve: set-up is part of the time.
class Silt {
 public:
  Silt(const Exec& exec, const BoxProblem& box, Load load)
      : exec_(exec),
        system_(exec, box),
        b_(system_.field([&](int i, int j, int k) { return box.load(load, i, j, k); })) {}

  PeerAnswer solve(double asked, int repeats) {
    PeerAnswer answer{.library = str("silt ", SILT_VERSION), .options = str(exec_.threads(), " threads")};
    for (int repeat = 0; repeat < repeats; ++repeat) {
      Field<double> b = b_, x(system_.layout);
      const double bytes = allocated_bytes(), start = wall_seconds(), cpu = cpu_seconds();
      const auto solver = std::make_unique<PoissonSolver>(system_.layout);
      solver->prepare(exec_, system_.domain, system_.weights);
      const double middle = wall_seconds();
      const SolveReport report = solver->solve(exec_, {.tolerance = asked}, b, x);
      std::as_const(x).values().host();  // waits for a GPU
      answer.attempts.push_back({middle - start, wall_seconds() - middle, cpu_seconds() - cpu, report.iterations});
      bytes_per_cell_ = (allocated_bytes() - bytes) / double(system_.box.cells());
      if (repeat + 1 == repeats) answer.x = system_.values(x);
    }
    return answer;
  }
  double bytes_per_cell() const { return bytes_per_cell_; }

 private:
  Exec exec_;
  BoxSystem system_;
  Field<double> b_;
  double bytes_per_cell_ = 0;
};

}  // namespace

/// The Poisson equation to a true residual of 1e-6 from zero, set-up included: two threads of silt against two ranks,
/// or threads, of others.
void poisson(BenchRun& bench) {
  const BoxProblem box{bench.size(128, 64)};
  const Exec exec(bench.exec.device(), std::min(2, bench.exec.threads()));
  double bytes = 0;
  for (const Load load : {Load::smooth, Load::random}) {
    const std::string name = load == Load::smooth ? "smooth" : "random";
    Silt silt(exec, box, load);
    Race race(
        name, [&](const std::vector<double>& x) { return residual(box, load, x); }, tolerance);
    race.enter("silt", [&](double asked, int repeats) { return silt.solve(asked, repeats); });
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
    bytes = silt.bytes_per_cell();
  }
  bench.measure.tell("bytes_per_cell", bytes, "B");
}

}  // namespace silt::bench
