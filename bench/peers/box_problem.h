#pragma once

#include <cmath>
#include <cstdint>

#include "silt/core/random.h"

namespace silt::bench {

/// A right-hand side without or with all wavelengths.
enum class Load { smooth, random };

/// The equation that silt and its peers solve: n^3 unit cells, every inner face of weight 1. Five sides are walls (no
/// coupling); the one at the top of z is open (coupled to a zero one cell further), so that the matrix is regular.
///   (A x)_c = sum over the faces of c that are no walls of (x_c - x_neighbour)
struct BoxProblem {
  int n = 0;

  std::int64_t cells() const { return std::int64_t(n) * n * n; }
  std::int64_t row(int i, int j, int k) const { return i + n * (j + n * std::int64_t(k)); }

  /// Calls f(axis, step) for each of the cell's neighbours in the box: one step of -1 or +1 along the axis.
  template <class F>
  void for_each_neighbour(int i, int j, int k, const F& f) const {
    const int at[3] = {i, j, k};
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] > 0) f(axis, -1);
      if (at[axis] < n - 1) f(axis, +1);
    }
  }
  /// Faces of the cell that are no walls.
  int diagonal(int i, int j, int k) const {
    int faces = k == n - 1;  // the open side
    for_each_neighbour(i, j, k, [&](int, int) { ++faces; });
    return faces;
  }

  /// What flows into the cell. Smooth: a hill, and a deeper and narrower hollow. Random: noise in [-1, 1).
  double load(Load kind, int i, int j, int k) const {
    if (kind == Load::random) return 2 * random_unit(17, std::uint64_t(row(i, j, k)), 0) - 1;
    const double x = (i + 0.5) / n, y = (j + 0.5) / n, z = (k + 0.5) / n;
    const auto hill = [&](double a, double b, double c, double wide) {
      return std::exp(-((x - a) * (x - a) + (y - b) * (y - b) + (z - c) * (z - c)) / (wide * wide));
    };
    return hill(0.4, 0.5, 0.3, 0.2) - 2 * hill(0.6, 0.45, 0.65, 0.15);
  }

  /// The same, shifted so that x >= 0 with A x >= load holds about half of the cells at zero.
  double bounded_load(Load kind, int i, int j, int k) const {
    return load(kind, i, j, k) + (kind == Load::random ? random_shift : smooth_shift);
  }
  static constexpr double smooth_shift = -0.07, random_shift = -0.25;
};

}  // namespace silt::bench
