#include "silt/solve/coarser_problem.h"

#include "silt/core/loops.h"

namespace silt {

namespace {

/// Half the sum of the fine faces that make up a coarse one across `axis`.
struct CoarseWeight {
  int axis;
  Int3 step;
  View<const float> fine;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const Cell lo = c * step;
    float sum = 0;
    for (int k = 0; k < (axis == 2 ? 1 : step.z); ++k)
      for (int j = 0; j < (axis == 1 ? 1 : step.y); ++j)
        for (int i = 0; i < (axis == 0 ? 1 : step.x); ++i) sum += fine(lo.x + i, lo.y + j, lo.z + k);
    out(c) = 0.5f * sum;
  }
};

template <class T>
struct SumOfChildren {
  Int3 step;
  View<const T> fine;
  View<T> out;
  SILT_HD void operator()(Cell c) const {
    const Cell lo = c * step;
    T sum = 0;
    for (int k = 0; k < step.z; ++k)
      for (int j = 0; j < step.y; ++j)
        for (int i = 0; i < step.x; ++i) sum += fine(lo.x + i, lo.y + j, lo.z + k);
    out(c) = sum;
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
  const Layout layout = make_layout(domain_.cells, active);
  if (!b_.allocated() || b_.layout() != layout) {
    weights_ = MacField<float>(layout);
    b_ = x_ = Field<double>(layout);
  }
  for (int a = 0; a < 3; ++a) {
    Box faces = domain_.faces(a);
    if (active[a] && domain_.periodic(a)) faces.hi[a] += 1;
    for_each_cell(exec, "coarser.weights", faces,
                  CoarseWeight{a, step, fine.weights()[a].read(exec), weights_[a].update(exec)});
  }
  screened_ = fine.screen() != nullptr;
  if (!screened_) return;
  if (!screen_.allocated() || screen_.layout() != layout) screen_ = Field<float>(layout);
  for_each_cell(exec, "coarser.screen", domain_.cells,
                SumOfChildren<float>{step, fine.screen()->read(exec), screen_.update(exec)});
}

Field<double>& CoarserProblem::take_right_side(const Exec& exec, const Field<double>& fine) {
  for_each_cell(exec, "coarser.b", domain_.cells,
                SumOfChildren<double>{step_of(domain_.lattice.active), fine.read(exec), b_.update(exec)});
  return b_;
}

void CoarserProblem::interpolate(const Exec& exec, const Box& cells, Field<double>& fine) const {
  for_each_cell(exec, "coarser.interpolate", cells,
                Interpolate{domain_.lattice.active, x_.read(exec), fine.update(exec)});
}

}  // namespace silt
