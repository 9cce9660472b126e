#include "silt/solve/multigrid.h"

#include "silt/core/loops.h"
#include "silt/fields/copy_cells.h"
#include "silt/solve/coarsening.h"
#include "silt/solve/level_steps.h"

namespace silt {

namespace {

struct Clear {
  View<float> x;
  SILT_HD void operator()(Cell c) const { x(c) = 0; }
};

struct Dot {
  View<const float> a, b;
  SILT_HD double operator()(Cell c) const { return double(a(c)) * double(b(c)); }
};

}  // namespace

void Multigrid::prepare(const Exec& exec, const PoissonOperator& op, const Field<unsigned char>* fixed) {
  if (levels_.empty()) levels_.resize(1);
  make_finest(exec, op, fixed, levels_[0]);
  depth_ = 1;
  while (levels_[depth_ - 1].domain.cells.count() > CoarsestSolver::most_cells && can_halve(levels_[depth_ - 1])) {
    if (levels_.size() == depth_) levels_.emplace_back();
    coarsen(exec, levels_[depth_ - 1], levels_[depth_]);
    ++depth_;
  }
  coarsest_.prepare(levels_[depth_ - 1]);
  Level& last = levels_[depth_ - 1];  // its solver writes unknowns alone, and what is none now may have been one before
  for_each_cell(exec, "multigrid.clear", last.domain.cells, Clear{last.x.update(exec)});
}

void Multigrid::start_cycle(const Exec& exec) {
  start_cycle(exec, Wave(exec, levels_[0].domain.cells));
}

void Multigrid::start_cycle(const Exec& exec, Wave begun, RowTotals<Sum>* rest) {
  LevelSteps steps(exec, levels_[0], std::move(begun));
  if (smooths()) {
    steps.smooth_from_zero();
    if (rest) steps.measure_residual(*rest);
    steps.restrict_residual(levels_[1]);
  }
  steps.run();
}

double Multigrid::finish_cycle(const Exec& exec) {
  Level& level = levels_[0];
  const Cells& cells = level.domain.cells;
  if (depth_ == 1) {
    coarsest_.solve(exec, level);
    return reduce<Sum>(exec, "multigrid.dot", cells, Dot{level.b.read(exec), level.x.read(exec)});
  }
  cycle(exec, 1);
  RowTotals<Sum> totals(cells);
  LevelSteps steps(exec, level);
  steps.add_correction(levels_[1]);
  steps.smooth(totals);
  steps.run();
  return totals.total();
}

void Multigrid::cycle(const Exec& exec, std::size_t depth) {
  Level& level = levels_[depth];
  if (depth + 1 == depth_) return coarsest_.solve(exec, level);
  Level& coarse = levels_[depth + 1];
  LevelSteps steps(exec, level);
  steps.smooth_from_zero();
  steps.restrict_residual(coarse);
  steps.run();
  cycle(exec, depth + 1);
  steps.add_correction(coarse);
  if (exec.on_cpu()) {
    steps.smooth();
    steps.smooth();  // twice: see the header
    steps.restrict_residual(coarse);
    steps.run();
    cycle(exec, depth + 1);
    steps.add_correction(coarse);
  }
  steps.smooth();
  steps.run();
}

void Multigrid::set_right_side(const Exec& exec, const Field<double>& r) {
  for_each_cell(exec, "multigrid.narrow", levels_[0].domain.cells,
                CopyCells<double, float>{r.read(exec), right_side().update(exec)});
}

void Multigrid::apply(const Exec& exec, const Field<double>& r, Field<float>& z) {
  set_right_side(exec, r);
  cycle(exec);
  for_each_cell(exec, "multigrid.copy", levels_[0].domain.cells,
                CopyCells<float>{correction().read(exec), z.update(exec)});
}

std::int64_t Multigrid::bytes() const {
  std::int64_t sum = 0;
  for (const Level& level : levels_) {
    for (const Field<float>* f :
         {&level.inverse, &level.held, &level.screen, &level.held_and_screen, &level.b, &level.x, &level.next})
      sum += std::int64_t(f->values().bytes());
    for (int a = 0; a < 3; ++a) sum += std::int64_t(level.coarse_weights[a].values().bytes());
    const Splits& s = level.splits;
    for (const Buffer<int>* list : {&level.links.row, &level.links.start, &level.links.to, &s.unknown, &s.start,
                                    &s.member, &s.moved, &s.moved_to, &s.moved_from})
      sum += std::int64_t(list->bytes());
    sum += std::int64_t(level.links.weight.bytes());
  }
  return sum;
}

}  // namespace silt
