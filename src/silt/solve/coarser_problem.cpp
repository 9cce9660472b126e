#include "silt/solve/coarser_problem.h"

#include "silt/core/loops.h"
#include "silt/fields/row_spans.h"

namespace silt {

namespace {

/// A share of the sum of a coarse cell's children, of the first `take` along each axis. Those of child_loops.h count
/// coarse cells from 0, and in float.
template <class T>
struct SumOfChildren {
  Int3 step, take;
  T share;
  View<const T> fine;
  View<T> out;
  SILT_HD void operator()(Cell c) const {
    const Cell lo = c * step;
    T sum = 0;
    for (int k = 0; k < take.z; ++k)
      for (int j = 0; j < take.y; ++j)
        for (int i = 0; i < take.x; ++i) sum += fine(lo.x + i, lo.y + j, lo.z + k);
    out(c) = share * sum;
  }
};

/// 3/4 of the parent and 1/4 of its neighbour on the cell's side, along each axis.
struct Interpolate {
  Int3 active;
  View<const double> coarse;
  View<double> fine;
  SILT_HD void operator()(Cell c) const {
    const Cell p{floor_div(c.x, 2), active.y ? floor_div(c.y, 2) : c.y, active.z ? floor_div(c.z, 2) : c.z};
    const Cell n{c.x - 2 * p.x ? p.x + 1 : p.x - 1, c.y - 2 * p.y ? p.y + 1 : p.y - 1,
                 c.z - 2 * p.z ? p.z + 1 : p.z - 1};  // a flat axis has stride 0: any index is the same cell
    const auto along_x = [&](int j, int k) { return 0.75 * coarse(p.x, j, k) + 0.25 * coarse(n.x, j, k); };
    const auto along_y = [&](int k) { return 0.75 * along_x(p.y, k) + 0.25 * along_x(n.y, k); };
    fine(c) = 0.75 * along_y(p.z) + 0.25 * along_y(n.z);
  }
};

Int3 step_of(Int3 active) {
  return Int3{1, 1, 1} + active;
}

}  // namespace

bool CoarserProblem::exists(const Domain& domain) {
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a] && (domain.cells.lo[a] % 2 || domain.cells.hi[a] % 2 || domain.cells.size()[a] < 8))
      return false;
  return true;
}

void CoarserProblem::prepare(const Exec& exec, const PoissonOperator& fine) {
  const Int3 active = fine.layout().active, step = step_of(active);
  domain_ = fine.domain();
  domain_.lattice.h *= 2;
  for (int a = 0; a < 3; ++a) domain_.cells.lo[a] /= step[a], domain_.cells.hi[a] /= step[a];
  if (const RowSpans* finer = fine.domain().cells.rows)
    rows_ = halved(*finer, domain_.cells, active), domain_.cells.rows = &rows_;
  const Layout layout = make_layout(domain_.cells, active);
  if (!b_.allocated() || b_.layout() != layout) {
    weights_ = MacField<float>(layout);
    b_ = x_ = Field<double>(layout);
    used_ = {};
  }
  used_.move_to(domain_.cells, weights_, screen_, b_, x_);
  for (int a = 0; a < 3; ++a) {
    Cells faces = domain_.faces(a);
    if (active[a] && domain_.periodic(a)) faces.hi[a] += 1;
    Int3 take = step;  // the fine faces that make up a coarse one; it is twice as far from cell to cell
    take[a] = 1;
    for_each_cell(exec, "coarser.weights", faces,
                  SumOfChildren<float>{step, take, 0.5f, fine.weights()[a].read(exec), weights_[a].update(exec)});
  }
  screened_ = fine.screen() != nullptr;
  if (!screened_) return;
  if (!screen_.allocated() || screen_.layout() != layout) screen_ = Field<float>(layout);
  for_each_cell(exec, "coarser.screen", domain_.cells,
                SumOfChildren<float>{step, step, 1, fine.screen()->read(exec), screen_.update(exec)});
}

Field<double>& CoarserProblem::take_right_side(const Exec& exec, const Field<double>& fine) {
  const Int3 step = step_of(domain_.lattice.active);
  for_each_cell(exec, "coarser.b", domain_.cells,
                SumOfChildren<double>{step, step, 1, fine.read(exec), b_.update(exec)});
  return b_;
}

void CoarserProblem::interpolate(const Exec& exec, const Cells& cells, Field<double>& fine) const {
  for_each_cell(exec, "coarser.interpolate", cells,
                Interpolate{domain_.lattice.active, x_.read(exec), fine.update(exec)});
}

}  // namespace silt
