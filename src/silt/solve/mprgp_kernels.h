#pragma once

#include <cmath>

#include "silt/core/reduction.h"

namespace silt::mprgp {

/// The passes of MPRGP over its unknowns, one at a time. `Form` says what a view of a vector is and what the bounds are
/// (solve/mprgp.h); an index is whatever the form's loops hand over. Only KERNELS sources include this.

template <class Form, class T>
using ViewOf = typename Form::template View<T>;
template <class Form>
using RealView = typename Form::template View<const typename Form::Real>;

SILT_HD inline double clamp(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

/// 1 / a_ii; 0 marks a row that has been left out.
SILT_HD inline double inverse(double diagonal) {
  return diagonal > 0 ? 1 / diagonal : 0;
}

/// The residual r = b - A x of one unknown, split by where x is: `free` strictly between the bounds, `chopped` on a
/// bound with r pointing inwards. Minus phi and minus beta of [DS05].
struct Parts {
  bool fixed;
  double free, chopped;

  SILT_HD Parts(double x, double r, double lower, double upper, double d) {
    const bool low = x <= lower, high = x >= upper, out = !(d > 0);
    fixed = low || high || out;
    free = fixed ? 0 : r;
    chopped = !out && ((low && !high && r > 0) || (high && !low && r < 0)) ? r : 0;
  }
};

/// What the parts come to: |free + chopped|^2, then what a step of length `step` down the scaled gradient, cut at the
/// bounds, promises on either: (phi~ . phi) and (beta~ . beta) of [DS05] in the metric of the diagonal.
struct Promise {
  double step;
  SILT_HD Several<3> operator()(const Parts& parts, double x, double lower, double upper, double d) const {
    const double r = parts.free + parts.chopped;  // one of them is 0
    const double move = clamp(d * r, (lower - x) / step, (upper - x) / step);
    return {{r * r, parts.free * move, parts.chopped * move}};
  }
};

/// x = P(x); what is not a number, or is left out, starts from P(0).
template <class Form>
struct Project {
  typename Form::Bounds bounds;
  RealView<Form> diagonal;
  ViewOf<Form, double> x;
  template <class I>
  SILT_HD void operator()(I i) const {
    const double v = std::isfinite(x(i)) && diagonal(i) > 0 ? x(i) : 0;
    x(i) = clamp(v, bounds.lower(i), bounds.upper(i));
  }
};

/// x = P(0).
template <class Form>
struct Nearest {
  typename Form::Bounds bounds;
  ViewOf<Form, double> x;
  template <class I>
  SILT_HD void operator()(I i) const {
    x(i) = clamp(0, bounds.lower(i), bounds.upper(i));
  }
};

/// |r|^2 over the rows that are in.
template <class Form>
struct SquareNorm {
  RealView<Form> diagonal;
  ViewOf<Form, const double> r;
  template <class I>
  SILT_HD double operator()(I i) const {
    return diagonal(i) > 0 ? r(i) * r(i) : 0;
  }
};

/// Which unknowns stand on a bound, and the free residual.
template <class Form>
struct Sort {
  Promise promise;
  typename Form::Bounds bounds;
  RealView<Form> diagonal;
  ViewOf<Form, const double> x, r;
  ViewOf<Form, double> free;
  ViewOf<Form, unsigned char> fixed;
  template <class I>
  SILT_HD Several<3> operator()(I i) const {
    const double l = bounds.lower(i), u = bounds.upper(i), d = inverse(diagonal(i));
    const Parts parts(x(i), r(i), l, u, d);
    fixed(i) = parts.fixed;
    free(i) = parts.free;
    return promise(parts, x(i), l, u, d);
  }
};

/// How many unknowns are free, on their lower and on their upper bound; left-out rows are none of them.
template <class Form>
struct Count {
  typename Form::Bounds bounds;
  RealView<Form> diagonal;
  ViewOf<Form, const double> x;
  template <class I>
  SILT_HD Several<3> operator()(I i) const {
    const double in = diagonal(i) > 0;
    const double low = x(i) <= bounds.lower(i), high = x(i) >= bounds.upper(i);
    return {{in * (1 - low) * (1 - high), in * low, in * high * (1 - low)}};
  }
};

template <class Form>
struct Dot {
  RealView<Form> z;
  ViewOf<Form, const double> ap;
  template <class I>
  SILT_HD double operator()(I i) const {
    return double(z(i)) * ap(i);
  }
};

/// p = z + beta p on the face, 0 on the bounds. Sums r . p, p . D p.
template <class Form>
struct FaceDirection {
  typename Form::Real beta;
  RealView<Form> diagonal, z;
  ViewOf<Form, const double> free;
  ViewOf<Form, const unsigned char> fixed;
  ViewOf<Form, typename Form::Real> p;
  template <class I>
  SILT_HD Several<2> operator()(I i) const {
    const auto next = fixed(i) ? 0 : beta == 0 ? z(i) : z(i) + beta * p(i);
    p(i) = next;
    return {{free(i) * next, double(diagonal(i)) * next * next}};
  }
};

/// p = D^-1 beta: into the feasible set from bounds that hold nothing back. Sums r . p, p . D p.
template <class Form>
struct ReleaseDirection {
  typename Form::Bounds bounds;
  RealView<Form> diagonal;
  ViewOf<Form, const double> x, r;
  ViewOf<Form, typename Form::Real> p;
  template <class I>
  SILT_HD Several<2> operator()(I i) const {
    const double d = inverse(diagonal(i));
    const Parts parts(x(i), r(i), bounds.lower(i), bounds.upper(i), d);
    const auto next = typename Form::Real(d * parts.chopped);
    p(i) = next;
    return {{r(i) * next, double(diagonal(i)) * next * next}};
  }
};

/// The longest step along p inside the bounds.
template <class Form>
struct Reach {
  typename Form::Bounds bounds;
  RealView<Form> p;
  ViewOf<Form, const double> x;
  template <class I>
  SILT_HD double operator()(I i) const {
    const double pi = p(i);
    if (pi == 0) return Min::identity;
    return ((pi > 0 ? bounds.upper(i) : bounds.lower(i)) - x(i)) / pi;
  }
};

/// y = P(x + alpha p), and the residual there if nothing was cut. Sums: how many unknowns ran into a bound, then the
/// promise at y (true if none did).
template <class Form>
struct Advance {
  double alpha;
  Promise promise;
  typename Form::Bounds bounds;
  RealView<Form> diagonal, p;
  ViewOf<Form, const double> x, r, ap;
  ViewOf<Form, double> y, r_y, free;
  template <class I>
  SILT_HD Several<4> operator()(I i) const {
    const double l = bounds.lower(i), u = bounds.upper(i), d = inverse(diagonal(i));
    const double to = clamp(x(i) + alpha * p(i), l, u), rest = r(i) - alpha * ap(i);
    y(i) = to;
    r_y(i) = rest;
    const Parts parts(to, rest, l, u, d);
    free(i) = parts.free;
    const Several<3> s = promise(parts, to, l, u, d);
    return {{double(p(i) != 0 && (to <= l || to >= u)), s[0], s[1], s[2]}};
  }
};

/// Half a step to the first bound met, then one of fixed length down the scaled free gradient, cut at the bounds:
///   y = P(x' + step D^-1 phi(x')),  x' = x + alpha p.   The expansion step of [DS05].
template <class Form>
struct Expand {
  double alpha, step;
  typename Form::Bounds bounds;
  RealView<Form> diagonal, p;
  ViewOf<Form, const double> x, r, ap;
  ViewOf<Form, double> y;
  template <class I>
  SILT_HD void operator()(I i) const {
    const double l = bounds.lower(i), u = bounds.upper(i), d = inverse(diagonal(i));
    const double half = clamp(x(i) + alpha * p(i), l, u);
    const Parts parts(half, r(i) - alpha * ap(i), l, u, d);
    y(i) = clamp(half + step * d * parts.free, l, u);
  }
};

/// What the energy falls by from x to y: (y - x) . (r_x + r_y) / 2, without the cancellation of two energies.
template <class Form>
struct Decrease {
  ViewOf<Form, const double> x, y, r_x, r_y;
  template <class I>
  SILT_HD double operator()(I i) const {
    return 0.5 * (y(i) - x(i)) * (r_x(i) + r_y(i));
  }
};

}  // namespace silt::mprgp
