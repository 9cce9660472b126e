#include "silt/solve/multigrid.h"

#include "silt/core/loops.h"
#include "silt/solve/child_loops.h"
#include "silt/solve/coarsening.h"

namespace silt {

namespace {

/// Chebyshev's two steps on [1/3, 2]: no eigenvalue of D^-1 A is larger than 2, and what is below 1/3 is smooth enough
/// for the coarser level. The roots are 7/6 +- 5/6 cos(pi/4).
constexpr float omega_1 = 1 / (7.0f / 6 + 5.0f / 6 * 0.70710678f), omega_2 = 1 / (7.0f / 6 - 5.0f / 6 * 0.70710678f);

/// The values a level's kernels read, by index.
template <class A>
struct LevelView {
  A stencil;
  const float *inverse, *b, *x;
};

/// Calls `use` with the level's view, x being `from`, in its general form and in the one for plain cells. Only the
/// finest level may have no ground.
template <class Use>
void with_views(const Exec& exec, const Level& level, const Field<float>& from, const Use& use) {
  const MacView<const float> w = level.weights().read(exec);
  const auto view = [&](const auto& stencil) {
    return LevelView<std::decay_t<decltype(stencil)>>{stencil, level.inverse.values().read(exec),
                                                      level.b.values().read(exec), from.values().read(exec)};
  };
  const auto views = [&]<class Ground>(const Ground& ground) {
    const int sy = w.x.stride_y, sz = w.x.stride_z;
    use(view(Stencil<Ground>{w.x.data, w.y.data, w.z.data, sy, sz, ground}),
        view(PlainStencil<Ground>{level.plain ? level.plain->weight : 0, sy, sz, ground}));
  };
  if (level.ground())
    views(level.ground()->values().read(exec));
  else
    views(Nothing{});
}

/// Calls `run` with the kernel: both forms where the level has plain runs, else the general one.
template <class General, class Plain, class Run>
void with_kernel(const Level& level, const General& general, const Plain& plain, const Run& run) {
  if (level.plain && level.plain->weight > 0)
    run(with_plain(*level.plain, general, plain));
  else
    run(general);
}

/// next = x + omega D^-1 (b - A x).
template <class A>
struct Sweep {
  LevelView<A> level;
  View<float> next;
  float omega;
  SILT_HD void operator()(Cell c) const {
    const int i = next.index(c.x, c.y, c.z);
    const auto& [stencil, inverse, b, x] = level;
    next.data[i] = x[i] + omega * inverse[i] * (b[i] - stencil.apply(x, i));
  }
};

/// The first sweep from zero.
struct FirstSweep {
  const float *inverse, *b;
  SILT_HD float operator[](int i) const { return omega_1 * inverse[i] * b[i]; }
};

/// Two sweeps from zero at once.
template <class A>
struct FirstTwoSweeps {
  LevelView<A> level;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int i = out.index(c.x, c.y, c.z);
    const auto& [stencil, inverse, b, x] = level;
    const FirstSweep first{inverse, b};
    out.data[i] = first[i] + omega_2 * inverse[i] * (b[i] - stencil.apply(first, i));
  }
};

/// The couplings off the lattice, row by row.
struct LinkRows {
  const int *row, *start, *to;
  const float* weight;
  /// sum of w (x_i - x_j) over the n-th row.
  template <class X>
  SILT_HD float apply(const X& x, std::int64_t n) const {
    const float m = x[row[n]];
    float flux = 0;
    for (int k = start[n]; k < start[n + 1]; ++k) flux += weight[k] * (m - x[to[k]]);
    return flux;
  }
};

LinkRows rows_of(const Exec& exec, const Links& l) {
  return {l.row.read(exec), l.start.read(exec), l.to.read(exec), l.weight.read(exec)};
}

/// What a sweep's lattice loop leaves out: the couplings of split cells, and their further unknowns. X is what the
/// sweep starts from.
template <class X>
struct SweepLinks {
  LinkRows links;
  const float *inverse, *b, *ground;
  int lattice_size;
  X x;
  float omega;
  float* next;
  SILT_HD void operator()(std::int64_t n) const {
    const int i = links.row[n];
    const float flux = links.apply(x, n);
    if (i < lattice_size)
      next[i] -= omega * inverse[i] * flux;
    else
      next[i] = x[i] + omega * inverse[i] * (b[i] - ground[i] * x[i] - flux);
  }
};

template <class X>
void sweep_links(const Exec& exec, const Level& level, const X& x, float omega, Field<float>& next) {
  for_each_index(exec, "multigrid.sweep_links", level.links.rows(),
                 SweepLinks<X>{rows_of(exec, level.links), level.inverse.values().read(exec),
                               level.b.values().read(exec), level.ground()->values().read(exec),
                               int(level.lattice.size), x, omega, next.values().update(exec)});
}

/// level.x: two sweeps from zero.
void smooth_from_zero(const Exec& exec, Level& level) {
  wrap(exec, level, level.b);
  with_views(exec, level, level.x, [&](const auto& general, const auto& plain) {
    const View<float> x = level.x.update(exec);
    with_kernel(level, FirstTwoSweeps{general, x}, FirstTwoSweeps{plain, x},
                [&](const auto& kernel) { for_each_cell(exec, "multigrid.first_sweeps", level.domain.cells, kernel); });
  });
  if (!level.links.empty())
    sweep_links(exec, level, FirstSweep{level.inverse.values().read(exec), level.b.values().read(exec)}, omega_2,
                level.x);
}

void sweep(const Exec& exec, float omega, Level& level, Field<float>& from, Field<float>& to) {
  wrap(exec, level, from);
  with_views(exec, level, from, [&](const auto& general, const auto& plain) {
    const View<float> next = to.update(exec);
    with_kernel(level, Sweep{general, next, omega}, Sweep{plain, next, omega},
                [&](const auto& kernel) { for_each_cell(exec, "multigrid.sweep", level.domain.cells, kernel); });
  });
  if (!level.links.empty()) sweep_links(exec, level, from.values().read(exec), omega, to);
}

/// level.x: two sweeps from where it is.
void smooth(const Exec& exec, Level& level) {
  sweep(exec, omega_1, level, level.x, level.next);
  sweep(exec, omega_2, level, level.next, level.x);
}

/// b - A x on the lattice; zero where there is no unknown.
template <class A>
struct Residual {
  LevelView<A> level;
  SILT_HD float operator()(int i) const {
    const auto& [stencil, inverse, b, x] = level;
    const float rest = b[i] - stencil.apply(x, i);
    return inverse[i] > 0 ? rest : 0.0f;
  }
};

/// A residual that has been worked out before.
struct Stored {
  const float* values;
  SILT_HD float operator()(int i) const { return values[i]; }
};

struct StoreResidual {
  Residual<Stencil<const float*>> residual;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int i = out.index(c.x, c.y, c.z);
    out.data[i] = residual(i);
  }
};

struct ResidualLinks {
  LinkRows links;
  LevelView<Stencil<const float*>> level;
  int lattice_size;
  float* out;
  SILT_HD void operator()(std::int64_t n) const {
    const int i = links.row[n];
    if (!(level.inverse[i] > 0))
      out[i] = 0;
    else if (i < lattice_size)
      out[i] -= links.apply(level.x, n);
    else
      out[i] = level.b[i] - level.stencil.ground[i] * level.x[i] - links.apply(level.x, n);
  }
};

template <class Value>
struct SumOfMembers {
  const int *unknown, *start, *member;
  Value value;
  float* out;
  SILT_HD void operator()(std::int64_t n) const {
    float sum = 0;
    for (int m = start[n]; m < start[n + 1]; ++m) sum += value(member[m]);
    out[unknown[n]] = sum;
  }
};

/// coarse.b = the sum of the finer values that belong to each unknown.
template <class Value>
void sum_to_parents(const Exec& exec, const Value& value, const Level& fine, Level& coarse) {
  sum_of_children(exec, "multigrid.restrict", coarse.nesting, coarse.nesting.step, 1, value, fine.lattice,
                  coarse.b.update(exec));
  const Splits& s = coarse.splits;
  if (!s.empty())
    for_each_index(exec, "multigrid.restrict_split", std::int64_t(s.unknown.size()),
                   SumOfMembers<Value>{s.unknown.read(exec), s.start.read(exec), s.member.read(exec), value,
                                       coarse.b.values().update(exec)});
}

/// fine.next = fine.b - A fine.x, on a level with couplings off its lattice.
void store_residual(const Exec& exec, const LevelView<Stencil<const float*>>& view, Level& fine) {
  for_each_cell(exec, "multigrid.residual", fine.domain.cells, StoreResidual{{view}, fine.next.update(exec)});
  for_each_index(
      exec, "multigrid.residual_links", fine.links.rows(),
      ResidualLinks{rows_of(exec, fine.links), view, int(fine.lattice.size), fine.next.values().update(exec)});
}

/// coarse.b = P^T (fine.b - A fine.x).
void restrict_residual(const Exec& exec, Level& fine, Level& coarse) {
  wrap(exec, fine, fine.x);
  with_views(exec, fine, fine.x, [&]<class A>(const LevelView<A>& general, const auto& plain) {
    if constexpr (std::is_same_v<A, Stencil<const float*>>)
      if (!fine.links.empty()) {
        store_residual(exec, general, fine);
        return sum_to_parents(exec, Stored{fine.next.values().read(exec)}, fine, coarse);
      }
    with_kernel(fine, Residual{general}, Residual{plain},
                [&](const auto& residual) { sum_to_parents(exec, residual, fine, coarse); });
  });
}

struct AddToMoved {
  const int *moved, *to, *from;
  const float* coarse;
  float* fine;
  SILT_HD void operator()(std::int64_t n) const {
    fine[moved[n]] += coarse[to[n]] - (from[n] < 0 ? 0.0f : coarse[from[n]]);
  }
};

/// fine.x += P coarse.x.
void add_correction(const Exec& exec, const Level& coarse, Level& fine) {
  add_to_children(exec, "multigrid.prolong", coarse.nesting, coarse.x.read(exec), fine.inverse.values().read(exec),
                  fine.x.update(exec));
  const Splits& s = coarse.splits;
  if (s.moved.size() > 0)
    for_each_index(exec, "multigrid.prolong_split", std::int64_t(s.moved.size()),
                   AddToMoved{s.moved.read(exec), s.moved_to.read(exec), s.moved_from.read(exec),
                              coarse.x.values().read(exec), fine.x.values().update(exec)});
}

struct Narrow {
  View<const double> from;
  View<float> to;
  SILT_HD void operator()(Cell c) const { to(c) = float(from(c)); }
};

struct Copy {
  View<const float> from;
  View<float> to;
  SILT_HD void operator()(Cell c) const { to(c) = from(c); }
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
}

void Multigrid::cycle(const Exec& exec) {
  cycle(exec, 0);
}

void Multigrid::cycle(const Exec& exec, std::size_t depth) {
  Level& level = levels_[depth];
  if (depth + 1 == depth_) return coarsest_.solve(exec, level);
  smooth_from_zero(exec, level);
  correct(exec, depth);
  if (depth > 0 && exec.on_cpu()) {
    smooth(exec, level);
    smooth(exec, level);  // twice: see the header
    correct(exec, depth);
  }
  smooth(exec, level);
}

void Multigrid::correct(const Exec& exec, std::size_t depth) {
  restrict_residual(exec, levels_[depth], levels_[depth + 1]);
  cycle(exec, depth + 1);
  add_correction(exec, levels_[depth + 1], levels_[depth]);
}

void Multigrid::set_right_side(const Exec& exec, const Field<double>& r) {
  for_each_cell(exec, "multigrid.narrow", levels_[0].domain.cells, Narrow{r.read(exec), right_side().update(exec)});
}

void Multigrid::apply(const Exec& exec, const Field<double>& r, Field<float>& z) {
  set_right_side(exec, r);
  cycle(exec);
  for_each_cell(exec, "multigrid.copy", levels_[0].domain.cells, Copy{correction().read(exec), z.update(exec)});
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
