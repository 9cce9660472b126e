#include "silt/solve/strain_multigrid.h"

#include <algorithm>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/copy_cells.h"
#include "silt/fields/row_spans.h"

namespace silt {
namespace {

/// Where Chebyshev's steps damp, of the eigenvalues of A over its rows' sums: what lies below is left to coarser
/// lattices.
constexpr double largest = 1, smallest = 0.1;
/// (With two steps before and after, a column that falls takes three times as many cycles.)
constexpr int smoothing_steps = 4, coarsest_steps = 24;
constexpr int coarsest_cells = 4;  ///< along the longest side

Domain half_of(const Domain& fine) {
  Domain out = fine;
  out.cells.rows = nullptr;
  for (int a = 0; a < 3; ++a) {
    if (!fine.lattice.active[a]) continue;
    out.cells.lo[a] = floor_div(fine.cells.lo[a], 2);
    out.cells.hi[a] = -floor_div(-fine.cells.hi[a], 2);
  }
  return out;
}

bool can_be_halved(const Domain& domain) {
  int longest = 0;
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a]) continue;
    longest = std::max(longest, domain.cells.size()[a]);
    if (domain.periodic(a) && (domain.cells.size()[a] % 2 || domain.cells.lo[a] % 2 || domain.cells.size()[a] < 8))
      return false;
  }
  return longest > coarsest_cells;
}

}  // namespace

void StrainMultigrid::place(const Domain& domain, const Layout& layout) {
  if (levels_.empty() || !(layout_ == layout) || levels_.front()->system.domain.sides != domain.sides ||
      Box(levels_.front()->system.domain.cells) != Box(domain.cells)) {
    levels_.clear();
    layout_ = layout;
    levels_.push_back(std::make_unique<Level>(layout));
    product_ = MacField<float>(layout);
    for (Domain d = domain; can_be_halved(d);) {
      d = half_of(d);
      levels_.push_back(std::make_unique<Level>(make_layout(d.cells, d.lattice.active)));
      levels_.back()->system.domain = d;
    }
  }
  Domain d = domain;
  for (std::unique_ptr<Level>& level : levels_) {
    if (level != levels_.front()) {
      const RowSpans* finer = d.cells.rows;
      d = half_of(d);
      if (finer) level->rows = halved(*finer, d.cells, d.lattice.active), d.cells.rows = &level->rows;
    }
    StrainSystem& s = level->system;
    s.domain = d;
    const bool finest = level == levels_.front();
    if (finest) {
      level->used.leave(d.cells, 0, s.mass, s.open, s.squeeze, s.stretch, s.shear, level->inverse, level->x,
                        level->before, level->b, level->r, level->outflow);
      level->used.move_to(d.cells, product_);
    } else {
      level->used.move_to(d.cells, s.mass, s.open, s.squeeze, s.stretch, s.shear, level->inverse, level->x,
                          level->before, level->b, level->r, level->outflow);
    }
  }
}

void StrainMultigrid::prepare(const Exec& exec, bool coarser) {
  for (std::size_t n = 0; n < (coarser ? levels_.size() : 1); ++n) {
    if (n > 0) coarsen(exec, levels_[n - 1]->system, levels_[n]->system);
    invert_row_sums(exec, levels_[n]->system, levels_[n]->inverse);
  }
}

/// Chebyshev's recurrence for the interval [smallest, largest].
void StrainMultigrid::smooth(const Exec& exec, Level& level, bool from_zero, int steps) {
  const double middle = 0.5 * (largest + smallest), half = 0.5 * (largest - smallest), sigma = middle / half;
  double rho = 1 / sigma;
  for (int n = 0; n < steps; ++n) {
    double keep = 0, add = 1 / middle;
    if (n > 0) {
      const double next = 1 / (2 * sigma - rho);
      keep = next * rho, add = 2 * next / half;
      rho = next;
    }
    if (n == 0 && from_zero) {
      first_relax(exec, level.system, level.inverse, level.b, add, level.x, level.before);
    } else {
      relax(exec, level.system, level.inverse, level.b, keep, add, level.x, level.outflow, level.before);
      std::swap(level.x, level.before);
    }
  }
}

void StrainMultigrid::cycle(const Exec& exec, std::size_t n) {
  Level& level = *levels_[n];
  if (n + 1 == levels_.size()) return smooth(exec, level, true, coarsest_steps);
  Level& coarser = *levels_[n + 1];
  smooth(exec, level, true, smoothing_steps);
  residual(exec, level.system, level.b, level.x, level.outflow, level.r);
  restrict_faces(exec, level.system, level.r, coarser.system, coarser.b);
  cycle(exec, n + 1);
  prolong_faces(exec, coarser.system, coarser.x, level.system, level.x);
  smooth(exec, level, false, smoothing_steps);
}

void StrainMultigrid::precondition(const Exec& exec, const MacField<float>& r, MacField<float>& z) {
  Level& finest = *levels_.front();
  const auto copy = [&](const MacField<float>& from, MacField<float>& to) {
    for_each_face(exec, "strain.copy", faces_of(finest.system.domain), of_each_axis([&](int a) {
                    return CopyCells<float>{from[a].read(exec), to[a].update(exec)};
                  }));
  };
  copy(r, finest.b);
  cycle(exec, 0);
  copy(finest.x, z);
}

double StrainMultigrid::energy(const Exec& exec, MacField<float>& x) {
  Level& finest = *levels_.front();
  return apply(exec, finest.system, x, finest.outflow, product_);
}

}  // namespace silt
