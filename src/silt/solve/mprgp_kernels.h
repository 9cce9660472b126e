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
  const double above = x < lower ? lower : x;
  return above > upper ? upper : above;
}

/// 1 / a_ii; 0 marks a row that has been left out.
SILT_HD inline double inverse(double diagonal) {
  const double safe = diagonal > 0 ? diagonal : 1;
  return (diagonal > 0 ? 1 : 0) / safe;
}

/// The residual r = b - A x of one unknown, split by where x is: `free` strictly between the bounds, `chopped` on a
/// bound with r pointing inwards. Minus phi and minus beta of [DS05]. Numbers and no branches, all of one kind: the
/// loops are vectorised.
struct Parts {
  double fixed;  ///< 1 on a bound and in rows left out, else 0
  double free, chopped;

  SILT_HD Parts(double x, double r, double lower, double upper, double d) {
    const double low = x <= lower ? 1 : 0, high = x >= upper ? 1 : 0, in = d > 0 ? 1 : 0;
    const double push_up = r > 0 ? r : 0, push_down = r < 0 ? r : 0;
    fixed = 1 - in * (1 - low) * (1 - high);
    free = fixed > 0 ? 0 : r;
    chopped = in * (low * (1 - high) * push_up + high * (1 - low) * push_down);
  }
};

/// What the parts come to: |free + chopped|^2, then what a step of length `step` down the scaled gradient, cut at the
/// bounds, promises on either: (phi~ . phi) and (beta~ . beta) of [DS05] in the metric of the diagonal.
struct Promise {
  double one_over_step;
  SILT_HD Several<3> operator()(const Parts& parts, double x, double lower, double upper, double d) const {
    const double r = parts.free + parts.chopped;  // one of them is 0
    const double move = clamp(d * r, (lower - x) * one_over_step, (upper - x) * one_over_step);
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

/// x = P(x + length D^-1 r).
template <class Form>
struct Relax {
  double length;
  typename Form::Bounds bounds;
  RealView<Form> diagonal;
  ViewOf<Form, const double> r;
  ViewOf<Form, double> x;
  template <class I>
  SILT_HD void operator()(I i) const {
    const double d = inverse(diagonal(i)), push = d > 0 ? d * r(i) : 0;  // a row left out may hold anything in r
    x(i) = clamp(x(i) + length * push, bounds.lower(i), bounds.upper(i));
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

/// What the residual promises at x.
template <class Form>
struct Promises {
  Promise promise;
  typename Form::Bounds bounds;
  RealView<Form> diagonal;
  ViewOf<Form, const double> x, r;
  template <class I>
  SILT_HD Several<3> operator()(I i) const {
    const double l = bounds.lower(i), u = bounds.upper(i), d = inverse(diagonal(i));
    return promise(Parts(x(i), r(i), l, u, d), x(i), l, u, d);
  }
};

/// Which unknowns are off the face. A pass of its own: with sums beside it, bytes among doubles would not be
/// vectorised.
template <class Form>
struct MarkFixed {
  typename Form::Bounds bounds;
  RealView<Form> diagonal;
  ViewOf<Form, const double> x;
  ViewOf<Form, unsigned char> fixed;
  template <class I>
  SILT_HD void operator()(I i) const {
    fixed(i) = (unsigned char)(int(Parts(x(i), 0, bounds.lower(i), bounds.upper(i), diagonal(i)).fixed));
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
  ViewOf<Form, const double> r;
  ViewOf<Form, const unsigned char> fixed;
  ViewOf<Form, typename Form::Real> p;
  template <class I>
  SILT_HD Several<2> operator()(I i) const {
    const typename Form::Real on_face = 1 - int(fixed(i)), next = on_face * (z(i) + beta * p(i));
    p(i) = next;
    const double wide = next;
    return {{r(i) * wide, diagonal(i) * wide * wide}};
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
    const double wide = next;
    return {{r(i) * wide, diagonal(i) * wide * wide}};
  }
};

/// p = 0.
template <class Form>
struct Forget {
  ViewOf<Form, typename Form::Real> p;
  ViewOf<Form, double> ap;
  template <class I>
  SILT_HD void operator()(I i) const {
    p(i) = 0;
    ap(i) = 0;
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
  ViewOf<Form, double> y, r_y;
  template <class I>
  SILT_HD Several<4> operator()(I i) const {
    const double l = bounds.lower(i), u = bounds.upper(i), d = inverse(diagonal(i));
    const double pi = p(i), to = clamp(x(i) + alpha * pi, l, u), rest = r(i) - alpha * ap(i);
    y(i) = to;
    r_y(i) = rest;
    const Parts parts(to, rest, l, u, d);
    const Several<3> s = promise(parts, to, l, u, d);
    const double moves = pi != 0 ? 1 : 0;
    return {{moves * parts.fixed, s[0], s[1], s[2]}};
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
