#pragma once

#include "silt/core/reduction.h"
#include "silt/solve/cone.h"

namespace silt::cones {

/// The passes of the cone solver over its blocks, one at a time. `Form::Blocks` knows the shape of a block: cone(i),
/// metric(i) (a bound of A on the block, one number, so that the projection is the plain one), load(view, i),
/// store(view, i, block), and exists(i): whether the block counts; one that does not loads as zero. Only KERNELS
/// sources include this.
template <class Form>
using View = typename Form::template View<double>;
template <class Form>
using ConstView = typename Form::template View<const double>;

SILT_HD inline ConeBlock sum(const ConeBlock& a, double f, const ConeBlock& b) {
  ConeBlock out = a;
  for (int k = 0; k < a.size; ++k) out.v[k] += f * b.v[k];
  return out;
}
SILT_HD inline double dot(const ConeBlock& a, const ConeBlock& b) {
  double d = 0;
  for (int k = 0; k < a.size; ++k) d += a.v[k] * b.v[k];
  return d;
}

/// x = P(x), or P(0) where x is not a number.
template <class Form>
struct Project {
  typename Form::Blocks blocks;
  View<Form> x;
  bool from_zero;
  template <class I>
  SILT_HD void operator()(I i) const {
    ConeBlock b = blocks.load(x, i);
    bool good = !from_zero;
    for (int k = 0; k < b.size; ++k) good = good && std::isfinite(b.v[k]);
    if (!good)
      for (int k = 0; k < b.size; ++k) b.v[k] = 0;
    blocks.store(x, i, project(blocks.cone(i), b));
  }
};

template <class Form>
struct SquareNorm {
  typename Form::Blocks blocks;
  ConstView<Form> r;
  template <class I>
  SILT_HD double operator()(I i) const {
    const ConeBlock b = blocks.load(r, i);
    return dot(b, b);
  }
};

/// next = P(y + step D^-1 r_y),  y = x + beta (x - before),  r_y = r + beta (r - r_before): one accelerated step.
template <class Form>
struct Step {
  double beta, step;
  typename Form::Blocks blocks;
  ConstView<Form> x, before, r, r_before;
  View<Form> next;
  template <class I>
  SILT_HD void operator()(I i) const {
    const ConeBlock xi = blocks.load(x, i), ri = blocks.load(r, i);
    const ConeBlock y = sum(xi, beta, sum(xi, -1, blocks.load(before, i)));
    const ConeBlock ry = sum(ri, beta, sum(ri, -1, blocks.load(r_before, i)));
    blocks.store(next, i, project(blocks.cone(i), sum(y, step / blocks.metric(i), ry)));
  }
};

/// With d = next - y and e = next - x: d.Ad and d.Dd (is the step short enough?), (y - next).D e (does it lead
/// uphill?), then e.Ae, e.De and e . r (has the form a direction without resistance?).
template <class Form>
struct Judge {
  double beta;
  typename Form::Blocks blocks;
  ConstView<Form> x, before, next, r, r_before, r_next;
  template <class I>
  SILT_HD Several<6> operator()(I i) const {
    const ConeBlock xi = blocks.load(x, i), ri = blocks.load(r, i), to = blocks.load(next, i);
    const ConeBlock y = sum(xi, beta, sum(xi, -1, blocks.load(before, i)));
    const ConeBlock ry = sum(ri, beta, sum(ri, -1, blocks.load(r_before, i))), rn = blocks.load(r_next, i);
    const ConeBlock d = sum(to, -1, y), e = sum(to, -1, xi);
    const double m = blocks.metric(i);
    return {
        {dot(d, sum(ry, -1, rn)), m * dot(d, d), -m * dot(d, e), dot(e, sum(ri, -1, rn)), m * dot(e, e), dot(e, ri)}};
  }
};

/// |G|^2,  G = D (P(x + step D^-1 r) - x) / step: the projected gradient.
template <class Form>
struct Gradient {
  double step;
  typename Form::Blocks blocks;
  ConstView<Form> x, r;
  template <class I>
  SILT_HD double operator()(I i) const {
    const ConeBlock xi = blocks.load(x, i);
    const double t = step / blocks.metric(i);
    const ConeBlock g = sum(project(blocks.cone(i), sum(xi, t, blocks.load(r, i))), -1, xi);
    return dot(g, g) / (t * t);
  }
};

/// By how much next - x leaves the cones of directions that may go on without end; the same metric as e.De.
template <class Form>
struct LeavesRecession {
  typename Form::Blocks blocks;
  ConstView<Form> x, next;
  template <class I>
  SILT_HD double operator()(I i) const {
    const ConeBlock e = sum(blocks.load(next, i), -1, blocks.load(x, i));
    const ConeBlock off = sum(project(recession(blocks.cone(i)), e), -1, e);
    return blocks.metric(i) * dot(off, off);
  }
};

/// Blocks inside, on the side, at the apex.
template <class Form>
struct Count {
  typename Form::Blocks blocks;
  ConstView<Form> x;
  template <class I>
  SILT_HD Several<3> operator()(I i) const {
    const ConeBlock b = blocks.load(x, i);
    const Cone cone = blocks.cone(i);
    const double width = cone.friction * b.p() + cone.cohesion, rounding = 1e-12 * (1 + cone.cohesion);
    const bool apex = width <= rounding, side = !apex && b.shear() >= width * (1 - 1e-9);
    const double one = blocks.exists(i) ? 1 : 0;
    return {{apex || side ? 0.0 : one, side ? one : 0.0, apex ? one : 0.0}};
  }
};

}  // namespace silt::cones
