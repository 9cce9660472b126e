#include "silt/solve/level_steps.h"

#include <cassert>

#include "silt/solve/child_loops.h"
#include "silt/solve/level_kernels.h"

namespace silt {

namespace {

/// Calls `run` with the kernel: both forms where the level has plain runs, else the general one.
template <class General, class Plain, class Run>
void with_kernel(const Level& level, const General& general, const Plain& plain, const Run& run) {
  if (level.plain().any())
    run(with_plain(level.plain(), general, plain));
  else
    run(general);
}

}  // namespace

void LevelSteps::wrap(Field<float>& values) {
  if (!level_.periodic()) return;
  run();
  silt::wrap(exec_, level_, values);
}

template <class X>
void LevelSteps::sweep_links(const X& x, float omega, Field<float>& next) {
  if (level_.links.empty()) return;
  run();
  for_each_index(exec_, "multigrid.sweep_links", level_.links.rows(),
                 SweepLinks<X>{rows_of(exec_, level_.links), level_.inverse.values().read(exec_),
                               level_.b.values().read(exec_), level_.ground()->values().read(exec_),
                               int(level_.lattice.size), x, omega, next.values().update(exec_)});
}

void LevelSteps::smooth_from_zero() {
  wrap(level_.b);
  with_views(exec_, level_, level_.x, [&](const auto& general, const auto& plain) {
    const View<float> x = level_.x.update(exec_);
    const FirstTwoSweeps everywhere{general, x};
    if (level_.plain().any() && !level_.periodic())  // round a period a neighbour may be anything
      wave_.for_each_cell("multigrid.first_sweeps", 1,
                          WithDeep{everywhere, FirstTwoSweeps{plain, x}, level_.plain().rows()});
    else
      wave_.for_each_cell("multigrid.first_sweeps", 1, everywhere);
  });
  sweep_links(FirstSweep<const float*>{level_.inverse.values().read(exec_), level_.b.values().read(exec_)}, omega_2,
              level_.x);
}

void LevelSteps::sweep(float omega, Field<float>& from, Field<float>& to) {
  wrap(from);
  with_views(exec_, level_, from, [&](const auto& general, const auto& plain) {
    const View<float> next = to.update(exec_);
    with_kernel(level_, Sweep{general, next, omega}, Sweep{plain, next, omega},
                [&](const auto& kernel) { wave_.for_each_cell("multigrid.sweep", 1, kernel); });
  });
  sweep_links(from.values().read(exec_), omega, to);
}

void LevelSteps::smooth() {
  sweep(omega_1, level_.x, level_.next);
  sweep(omega_2, level_.next, level_.x);
}

void LevelSteps::smooth(RowTotals<Sum>& totals) {
  assert(level_.links.empty());
  sweep(omega_1, level_.x, level_.next);
  wrap(level_.next);
  with_views(exec_, level_, level_.next, [&](const auto& general, const auto& plain) {
    const View<float> x = level_.x.update(exec_);
    with_kernel(level_, SweepDot{Sweep{general, x, omega_2}}, SweepDot{Sweep{plain, x, omega_2}},
                [&](const auto& kernel) { wave_.reduce("multigrid.sweep_dot", 1, kernel, totals); });
  });
}

void LevelSteps::measure_residual(RowTotals<Sum>& totals) {
  assert(level_.links.empty());
  wrap(level_.x);
  const View<const float> like = std::as_const(level_.x).read(exec_);
  with_views(exec_, level_, level_.x, [&](const auto& general, const auto& plain) {
    with_kernel(level_, SquaredRest{Residual{general}, like}, SquaredRest{Residual{plain}, like},
                [&](const auto& kernel) { wave_.reduce("multigrid.rest", 1, kernel, totals); });
  });
}

/// coarse.b = the sum of the finer values that belong to each unknown; they read `beyond` slices from their own.
template <class Value>
void LevelSteps::sum_to_parents(const Value& value, int beyond, Level& coarse) {
  const ChildSum<Value> sum{coarse.nesting, coarse.nesting.step, 1, value, level_.lattice, coarse.b.update(exec_)};
  if (exec_.on_cpu())
    wave_.add(sum.pass(beyond));
  else
    sum.run(exec_, "multigrid.restrict");
  const Splits& s = coarse.splits;
  if (s.empty()) return;
  run();
  for_each_index(exec_, "multigrid.restrict_split", std::int64_t(s.unknown.size()),
                 SumOfMembers<Value>{s.unknown.read(exec_), s.start.read(exec_), s.member.read(exec_), value,
                                     coarse.b.values().update(exec_)});
}

void LevelSteps::restrict_residual(Level& coarse) {
  wrap(level_.x);
  with_views(exec_, level_, level_.x, [&](const auto& general, const auto& plain) {
    if (level_.links.empty())
      return with_kernel(level_, Residual{general}, Residual{plain},
                         [&](const auto& residual) { sum_to_parents(residual, 1, coarse); });
    wave_.for_each_cell("multigrid.residual", 1, StoreResidual{Residual{general}, level_.next.update(exec_)});
    run();
    for_each_index(
        exec_, "multigrid.residual_links", level_.links.rows(),
        ResidualLinks{rows_of(exec_, level_.links), general.inverse, general.b, level_.ground()->values().read(exec_),
                      general.x, int(level_.lattice.size), level_.next.values().update(exec_)});
    sum_to_parents(Stored{level_.next.values().read(exec_)}, 0, coarse);
  });
}

void LevelSteps::add_correction(const Level& coarse) {
  const AddToChildren add{coarse.nesting, coarse.x.read(exec_), level_.inverse.values().read(exec_),
                          level_.bare && level_.plain().any() ? level_.plain().rows() : PlainRuns::Rows{},
                          level_.x.update(exec_)};
  if (exec_.on_cpu())
    wave_.add(add.pass());
  else
    add.run(exec_, "multigrid.prolong");
  const Splits& s = coarse.splits;
  if (s.moved.size() == 0) return;
  run();
  for_each_index(exec_, "multigrid.prolong_split", std::int64_t(s.moved.size()),
                 AddToMoved{s.moved.read(exec_), s.moved_to.read(exec_), s.moved_from.read(exec_),
                            coarse.x.values().read(exec_), level_.x.values().update(exec_)});
}

}  // namespace silt
