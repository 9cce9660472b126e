#pragma once

#include <limits>

#include "silt/core/macros.h"

namespace silt {

/// How the numbers of a reduction are combined: reduce<Op>(...) of core/loops.h.

struct Sum {
  static constexpr double identity = 0;
  SILT_HD static double combine(double a, double b) { return a + b; }
};
struct Max {
  static constexpr double identity = -std::numeric_limits<double>::infinity();
  /// Keeps a NaN, so that a bad cell is never hidden behind a good one.
  SILT_HD static double combine(double a, double b) { return a >= b || a != a ? a : b; }
};
struct Min {
  static constexpr double identity = std::numeric_limits<double>::infinity();
  SILT_HD static double combine(double a, double b) { return a <= b || a != a ? a : b; }
};

/// What one pass reduces, number by number.
template <int N>
struct Several {
  double value[N];
  SILT_HD double& operator[](int n) { return value[n]; }
  SILT_HD double operator[](int n) const { return value[n]; }
};

/// Reduces several numbers at once, each by its own operation.
template <class... Ops>
struct Each {
  using Value = Several<int(sizeof...(Ops))>;
  SILT_HD static Value start() { return {{Ops::identity...}}; }
  SILT_HD static Value combine(const Value& a, const Value& b) {
    int n = 0, m = 0;
    return {{Ops::combine(a.value[n++], b.value[m++])...}};
  }
};

namespace detail {

/// What an operation reduces to, and what it starts from.
template <class Op>
struct Reduction {
  using Value = double;
  SILT_HD static double start() { return Op::identity; }
};
template <class... Ops>
struct Reduction<Each<Ops...>> {
  using Value = typename Each<Ops...>::Value;
  SILT_HD static Value start() { return Each<Ops...>::start(); }
};

}  // namespace detail

}  // namespace silt
