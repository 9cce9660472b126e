#pragma once

/// What a multigrid cycle does to the cells of a level, and to its unknowns off the lattice. Only KERNELS sources
/// include this header.

#include "silt/core/loops.h"
#include "silt/solve/level.h"

namespace silt {

/// Chebyshev's two steps on [1/3, 2]: no eigenvalue of D^-1 A is larger than 2, and what is below 1/3 is smooth enough
/// for the coarser level. The roots are 7/6 +- 5/6 cos(pi/4).
inline constexpr float omega_1 = 1 / (7.0f / 6 + 5.0f / 6 * 0.70710678f),
                       omega_2 = 1 / (7.0f / 6 - 5.0f / 6 * 0.70710678f);

/// The same number everywhere: the inverse diagonal of bare plain cells.
struct Everywhere {
  float value;
  SILT_HD float operator[](int) const { return value; }
};

/// The values a level's kernels read, by index.
template <class A, class Inverse = const float*>
struct LevelView {
  A stencil;
  Inverse inverse;
  const float *b, *x;

  /// For the ends of plain runs.
  LevelView with_ends(float left, float right) const {
    LevelView ends = *this;
    ends.stencil.left = left, ends.stencil.right = right;
    if constexpr (std::is_same_v<Inverse, Everywhere>) {
      const float y = stencil.sy ? stencil.weight : 0, z = stencil.sz ? stencil.weight : 0;
      ends.inverse.value = 1 / bare_diagonal(left, right, y, z);
    }
    return ends;
  }
};

/// Calls `use` with the level's view, x being `from`, in its general form and in the one for plain cells. Only the
/// finest level may have no ground.
template <class Use>
void with_views(const Exec& exec, const Level& level, const Field<float>& from, const Use& use) {
  const MacView<const float> w = level.weights().read(exec);
  const float *inverse = level.inverse.values().read(exec), *b = level.b.values().read(exec);
  const float* x = from.values().read(exec);
  const int sy = w.x.stride_y, sz = w.x.stride_z;
  const float weight = level.plain().weight;
  const auto views = [&]<class Ground>(const Ground& ground) {
    const LevelView<Stencil<Ground>> general{{w.x.data, w.y.data, w.z.data, sy, sz, ground}, inverse, b, x};
    if (level.bare) {
      const float diagonal = bare_diagonal(weight, weight, sy ? weight : 0, sz ? weight : 0);
      use(general,
          LevelView<PlainStencil<Nothing>, Everywhere>{{weight, weight, weight, sy, sz, {}}, {1 / diagonal}, b, x});
    } else {
      use(general, LevelView<PlainStencil<Ground>>{{weight, weight, weight, sy, sz, ground}, inverse, b, x});
    }
  };
  if (level.ground())
    views(level.ground()->values().read(exec));
  else
    views(Nothing{});
}

/// next = x + omega D^-1 (b - A x).
template <class L>
struct Sweep {
  L level;
  View<float> next;
  float omega;
  SILT_HD void operator()(Cell c) const {
    const int i = next.index(c.x, c.y, c.z);
    const auto& [stencil, inverse, b, x] = level;
    next.data[i] = x[i] + omega * inverse[i] * (b[i] - stencil.apply(x, i));
  }
  Sweep with_ends(float left, float right) const { return {level.with_ends(left, right), next, omega}; }
};

/// The same; gives b . next.
template <class L>
struct SweepDot {
  Sweep<L> sweep;
  SILT_HD double operator()(Cell c) const {
    sweep(c);
    const int i = sweep.next.index(c.x, c.y, c.z);
    return double(sweep.next.data[i]) * double(sweep.level.b[i]);
  }
  SweepDot with_ends(float left, float right) const { return {sweep.with_ends(left, right)}; }
};

/// The first sweep from zero.
template <class Inverse>
struct FirstSweep {
  Inverse inverse;
  const float* b;
  SILT_HD float operator[](int i) const { return omega_1 * inverse[i] * b[i]; }
};

/// Two sweeps from zero at once. The form for plain cells takes their neighbours to be plain too.
template <class L>
struct FirstTwoSweeps {
  L level;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int i = out.index(c.x, c.y, c.z);
    const auto& [stencil, inverse, b, x] = level;
    const FirstSweep<std::decay_t<decltype(inverse)>> first{inverse, b};
    out.data[i] = first[i] + omega_2 * inverse[i] * (b[i] - stencil.apply(first, i));
  }
};

/// b - A x on the lattice; zero where there is no unknown.
template <class L>
struct Residual {
  L level;
  SILT_HD float operator()(int i) const {
    const auto& [stencil, inverse, b, x] = level;
    const float rest = b[i] - stencil.apply(x, i);
    return inverse[i] > 0 ? rest : 0.0f;
  }
  Residual with_ends(float left, float right) const { return {level.with_ends(left, right)}; }
};

template <class L>
struct SquaredRest {
  Residual<L> residual;
  View<const float> like;  ///< a field of the level
  SILT_HD double operator()(Cell c) const {
    const double rest = residual(like.index(c.x, c.y, c.z));
    return rest * rest;
  }
  SquaredRest with_ends(float left, float right) const { return {residual.with_ends(left, right), like}; }
};

/// A residual that has been worked out before.
struct Stored {
  const float* values;
  SILT_HD float operator()(int i) const { return values[i]; }
};

template <class L>
struct StoreResidual {
  Residual<L> residual;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int i = out.index(c.x, c.y, c.z);
    out.data[i] = residual(i);
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

inline LinkRows rows_of(const Exec& exec, const Links& l) {
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

/// The same for a stored residual.
struct ResidualLinks {
  LinkRows links;
  const float *inverse, *b, *ground, *x;
  int lattice_size;
  float* out;
  SILT_HD void operator()(std::int64_t n) const {
    const int i = links.row[n];
    if (!(inverse[i] > 0))
      out[i] = 0;
    else if (i < lattice_size)
      out[i] -= links.apply(x, n);
    else
      out[i] = b[i] - ground[i] * x[i] - links.apply(x, n);
  }
};

/// Sums over the members of coarse unknowns whose children must be told one by one.
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

/// Corrects the correction of unknowns whose parent is not their cell's first unknown.
struct AddToMoved {
  const int *moved, *to, *from;
  const float* coarse;
  float* fine;
  SILT_HD void operator()(std::int64_t n) const {
    fine[moved[n]] += coarse[to[n]] - (from[n] < 0 ? 0.0f : coarse[from[n]]);
  }
};

}  // namespace silt
