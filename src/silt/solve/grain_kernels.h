#pragma once

#include <cmath>

#include "silt/core/reduction.h"
#include "silt/core/strips.h"
#include "silt/fields/field.h"
#include "silt/solve/corner_stress.h"

/// Loops of GrainForce and GrainSolver, an idea each. On edges along c: a, b are the two axes after c.
namespace silt::grain {

inline constexpr float root_two = 1.41421356f;
/// Friction of a wall that grains stick to.
inline constexpr float sticks = 1e6f;
/// What `wall` is of an edge that carries no shear.
inline constexpr float no_shear = -2.0f;

/// rate = (first du_a + second du_b + known) / sqrt 2.
struct Rate {
  int step_a, step_b;
  const double *a, *b;
  const float *first, *second, *known;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    const double sum = first[n] * (a[n] - a[n - step_b]) + second[n] * (b[n] - b[n - step_a]) + known[n];
    out.data[n] = float(sum) / root_two;
  }
};

/// Differences of a cell's velocities: its deviator of stretching, and what flows in more than there is room for.
template <int D>
struct CellRate {
  int step[3];
  const double* u[3];
  const float *open[3], *friction, *slack;
  float* deviator[3];
  View<float> squeezed;
  SILT_HD void operator()(Cell c) const {
    const int n = squeezed.index(c.x, c.y, c.z);
    const float here = friction[n] > 0 ? 1.0f : 0.0f;
    double outflow = 0;
    float stretch[3] = {}, trace = 0;
    for (int a = 0; a < D; ++a) {
      const double low = u[a][n], high = u[a][n + step[a]];
      outflow += open[a][n + step[a]] * high - open[a][n] * low;
      stretch[a] = float(high - low);
      trace += stretch[a];
    }
    for (int a = 0; a < D; ++a) deviator[a][n] = here * (stretch[a] - trace * (1.0f / D));
    squeezed.data[n] = here * float(-outflow - slack[n]);
  }
};

/// What pressures would be, cut at the limit of tension.
struct Pushed {
  const double* p;
  const float *friction, *firm, *floor, *squeezed;
  float margin;   ///< cells that are so near to bearing [m/s] count as if they did, to the second derivative
  bool all_bear;  ///< all of them do
  float* squeeze;
  View<float> pushed;
  SILT_HD void operator()(Cell c) const {
    const int n = pushed.index(c.x, c.y, c.z);
    const float z = float(p[n]) + firm[n] * squeezed[n], least = -floor[n];
    const bool here = friction[n] > 0;
    pushed.data[n] = here ? (z > least ? z : least) : 0.0f;
    squeeze[n] = here & ((z > least - margin * firm[n]) | all_bear) ? firm[n] : 0.0f;
  }
};

/// What s of a cell's corners would be, z = s + stiffness D, and what it may be: cut at its bounds. For numbers F that
/// are one cell or several along x (core/strips.h).
template <int D>
struct CornerCut {
  static constexpr int corners = 1 << D;
  static constexpr float weight = 1.0f / corners;
  static constexpr int first_edge = D == 3 ? 0 : 2;  ///< edges along axes c >= this have shears; none in 1D
  static constexpr int last_edge = D >= 2 ? 3 : 2;
  static constexpr int parts = D * (D + 1) / 2, shears = D - first_edge;  ///< part c + shears is that of edges along c
  int step[3];
  const float *friction, *bound, *pressure, *plain;
  const float *deviator[3], *rate[3], *wall[3], *resting[3], *open[3];
  float stiffness;

  SILT_HD_INLINE int edge(int n, int k, int c) const {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    return n + (k >> a & 1) * step[a] + (k >> b & 1) * step[b];
  }

  template <class F>
  struct Corner {
    F z[parts];                     ///< cut, of each part
    F keeps_inside, keeps_on_wall;  ///< what share of z that is
  };

  template <class F>
  SILT_HD_INLINE static F share(F squares, F most) {
    const F size = Numbers<F>::sqrt(squares), larger = size > most ? size : most;
    F tiny;
    set_all(tiny, 1e-30f);
    return most / (larger > tiny ? larger : tiny);
  }

  /// Corner k of the cells at n whose edges all lie within the grains; s(part) is the stress so far.
  template <class F, class Stress>
  SILT_HD_INLINE Corner<F> cut_inside(int n, int k, const F (&dev)[3], F most, const Stress& s) const {
    Corner<F> out{};
    F squares{};
    SILT_UNROLL
    for (int a = 0; a < D; ++a) {
      out.z[a] = s(a) + stiffness * dev[a];
      squares += out.z[a] * out.z[a];
    }
    SILT_UNROLL
    for (int c = first_edge; c < last_edge; ++c) {
      out.z[shears + c] = s(shears + c) + stiffness * Numbers<F>::load(rate[c] + edge(n, k, c));
      squares += out.z[shears + c] * out.z[shears + c];
    }
    out.keeps_inside = out.keeps_on_wall = share(squares, most);
    SILT_UNROLL
    for (int m = 0; m < parts; ++m) out.z[m] *= out.keeps_inside;
    return out;
  }

  /// Of any cells: some edges carry nothing, and those on walls have a bound of their own besides, the wall's friction
  /// times what pushes on it. What is nearest to z is then that in a ball, of all parts, and a cylinder, of those on
  /// the wall. (Were each cut by itself, a stress across the wall could stay at corners that slide; it takes from p,
  /// and with it from the friction of the whole cell.) To a wall that grains stick to there is no bound. `bears` is
  /// what the cells bear along each axis: where a face is shut, that and what rests on the face itself push on the
  /// wall.
  template <class F, class Stress>
  SILT_HD_INLINE Corner<F> cut(int n, int k, const F (&dev)[3], const F (&bears)[3], F most, const Stress& s) const {
    Corner<F> out{};
    F inside{}, on_wall{}, rubs{}, push{}, rests{}, shut{}, one, glued, none;
    set_all(one, 1), set_all(glued, sticks), set_all(none, no_shear);
    const F zero{}, here = Numbers<F>::load(friction + n) > zero ? one : zero;
    F on[3] = {};
    for (int a = 0; a < D; ++a) {
      out.z[a] = here * s(a) + stiffness * dev[a];
      inside += out.z[a] * out.z[a];
      const int face = n + (k >> a & 1) * step[a];
      const F lies = Numbers<F>::load(resting[a] + face), passes = Numbers<F>::load(open[a] + face);
      const F load = bears[a] + lies;
      rests = lies > rests ? lies : rests;
      push = passes > zero ? push : load > push ? load : push;
      shut = passes > zero ? shut : one;
    }
    for (int c = first_edge; c < last_edge; ++c) {
      const int e = edge(n, k, c);
      const F w = Numbers<F>::load(wall[c] + e), there = w > none ? here : zero;
      const F z = there * (s(shears + c) + stiffness * Numbers<F>::load(rate[c] + e));
      out.z[shears + c] = z;
      on[c] = w >= zero ? one : zero;
      inside += (one - on[c]) * z * z;
      on_wall += on[c] * z * z;
      rubs = w > rubs ? w : rubs;
    }
    push = shut > zero ? push : Numbers<F>::load(pressure + n);
    const F ball = most + root_two * rests * Numbers<F>::load(friction + n), cylinder = root_two * rubs * push;
    const F in_ball = share(inside + on_wall, ball), squares = (ball - cylinder) * (ball + cylinder);
    const F beside = Numbers<F>::sqrt(squares > zero ? squares : zero);  // at the rim of both
    const F sticks_to = rubs >= glued ? one : zero,
            slides = Numbers<F>::sqrt(on_wall) * in_ball > cylinder ? one : zero;
    out.keeps_inside = sticks_to > zero ? share(inside, most) : slides > zero ? share(inside, beside) : in_ball;
    out.keeps_on_wall = sticks_to > zero ? one : slides > zero ? share(on_wall, cylinder) : in_ball;
    for (int a = 0; a < D; ++a) out.z[a] *= out.keeps_inside;
    for (int c = first_edge; c < last_edge; ++c)
      out.z[shears + c] *= on[c] * out.keeps_on_wall + (one - on[c]) * out.keeps_inside;
    return out;
  }

  /// use(k, corner) for each corner of the cells at n, of which s(k, part) is the stress so far.
  template <class F, class Stress, class Use>
  SILT_HD_INLINE void each(int n, const Stress& s, const Use& use) const {
    F dev[3] = {};
    for (int a = 0; a < D; ++a) dev[a] = Numbers<F>::load(deviator[a] + n);
    const F most = Numbers<F>::load(bound + n);
    if (Numbers<F>::all_positive(Numbers<F>::load(plain + n))) {
      SILT_UNROLL
      for (int k = 0; k < corners; ++k) use(k, cut_inside<F>(n, k, dev, most, [&](int part) { return s(k, part); }));
    } else {
      F bears[3] = {};
      for (int a = 0; a < D; ++a) {
        for (int k = 0; k < corners; ++k) bears[a] -= weight * s(k, a);
        bears[a] += Numbers<F>::load(pressure + n);
      }
      for (int k = 0; k < corners; ++k) use(k, cut<F>(n, k, dev, bears, most, [&](int part) { return s(k, part); }));
    }
  }
};

/// 1 in cells of grains all of whose edges lie within them.
template <int D>
struct FindPlain {
  int step[3];
  const float *friction, *wall[3];
  View<float> plain;
  SILT_HD void operator()(Cell c) const {
    const int n = plain.index(c.x, c.y, c.z);
    bool all = friction[n] > 0;
    for (int e = CornerCut<D>::first_edge; e < CornerCut<D>::last_edge; ++e) {
      const int a = step[(e + 1) % 3], b = step[(e + 2) % 3];
      for (const int at : {n, n + a, n + b, n + a + b}) all = all & (wall[e][at] < 0) & (wall[e][at] > no_shear);
    }
    plain.data[n] = all ? 1.0f : 0.0f;
  }
};

/// Stresses cut at their bounds: sums over the corners of a cell, and over the two that each of its edges has; and how
/// much is left of what they would be, on the mean, within the grains and on walls.
template <int D>
struct Outcome {
  using Cut = CornerCut<D>;
  Cut rule;
  CornerStress::View<const float> s;
  float *normal[3], *kept[3][4], *stretch, *grip;
  View<float> place;

  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    const int n = place.index(c.x, c.y, c.z);
    const float* own = s.at(c);
    F sum[3] = {}, of_stretch{}, of_grip{}, sums[3][4] = {};
    const F zero{};
    F one;
    set_all(one, Cut::weight);
    const F here = Numbers<F>::load(rule.friction + n) > zero ? one : zero;
    rule.template each<F>(
        n, [&](int k, int part) { return Numbers<F>::load(own + (k * Cut::parts + part) * lane_count); },
        [&](int k, const typename Cut::template Corner<F>& corner) {
          for (int a = 0; a < D; ++a) sum[a] += corner.z[a];
          of_stretch += corner.keeps_inside;
          of_grip += corner.keeps_on_wall;
          for (int e = Cut::first_edge; e < Cut::last_edge; ++e)
            sums[e][(k >> ((e + 1) % 3) & 1) + 2 * (k >> ((e + 2) % 3) & 1)] += corner.z[Cut::shears + e];
        });
    for (int a = 0; a < D; ++a) Numbers<F>::store(here * sum[a], normal[a] + n);
    Numbers<F>::store(rule.stiffness * here * of_stretch, stretch + n);
    Numbers<F>::store(rule.stiffness * here * of_grip, grip + n);
    for (int e = Cut::first_edge; e < Cut::last_edge; ++e)
      for (int side = 0; side < 4; ++side) Numbers<F>::store(here * sums[e][side], kept[e][side] + n);
  }
};

/// s becomes what it may be. The squares of the change and of the stress.
template <int D>
struct TakeOver {
  using Cut = CornerCut<D>;
  Cut rule;
  CornerStress::View<float> s;
  float *change, *size;
  View<float> place;

  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    const int n = place.index(c.x, c.y, c.z);
    float* own = s.at(c);
    F by{}, all{};
    rule.template each<F>(
        n, [&](int k, int part) { return Numbers<F>::load(own + (k * Cut::parts + part) * lane_count); },
        [&](int k, const typename Cut::template Corner<F>& corner) {
          for (int m = 0; m < Cut::parts; ++m) {
            float* to = own + (k * Cut::parts + m) * lane_count;
            const F z = corner.z[m], d = z - Numbers<F>::load(to);
            by += d * d, all += z * z;
            Numbers<F>::store(z, to);
          }
        });
    Numbers<F>::store(Cut::weight * by, change + n);
    Numbers<F>::store(Cut::weight * all, size + n);
  }
};

/// p becomes what it may be. Squares of the change and of the stress, those of shears included, and of what flows in
/// too much, or out where there is still pressure, which would throw grains apart; and the largest such.
struct TakePressure {
  const float *pushed, *change, *size, *squeezed;
  View<double> p;
  SILT_HD Several<4> operator()(Cell c) const {
    const int n = p.index(c.x, c.y, c.z);
    const double now = pushed[n], by = now - p.data[n];
    const double in = squeezed[n] > 0 ? squeezed[n] : now > 0 ? -squeezed[n] : 0.0f;
    p.data[n] = now;
    return {{by * by + change[n], now * now + size[n], in * in, in}};
  }
};

/// How stiff cells are against being squeezed: as against being sheared and more, so that neither rules the system.
struct Firm {
  float ratio, least, most;
  const float* stretch;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    const float k = ratio * stretch[n];
    out.data[n] = k < least ? least : k > most ? most : k;
  }
};

/// Bounds of |s| and of tension.
struct Bound {
  const double* p;
  const float *friction, *cohesion, *tension;  ///< the last two may be null
  float *floor, *pressure;
  bool holds;  ///< whatever pulls at it
  View<float> bound;
  SILT_HD void operator()(Cell c) const {
    const int n = bound.index(c.x, c.y, c.z);
    const float mu = friction[n], of_pressure = mu > 0 ? mu * float(p[n]) : 0.0f;
    const float sum = of_pressure + (cohesion && mu > 0 ? cohesion[n] : 0.0f);
    bound.data[n] = holds ? 1e18f : sum > 0 ? root_two * sum : 0.0f;
    pressure[n] = p[n] > 0 ? float(p[n]) : 0.0f;
    floor[n] = tension && mu > 0 ? tension[n] : 0.0f;
  }
};

/// What the cells round an edge say of its shear, and of how stiff it is: on a wall, what the wall holds.
struct Edge {
  int step_a, step_b;
  const float *kept[4], *stretch, *grip, *wall, *scale_a, *scale_b;
  float *first, *second, *cross;
  View<float> shear;
  SILT_HD void operator()(Cell c) const {
    const int n = shear.index(c.x, c.y, c.z), low_a = n - step_a, low_b = n - step_b, low = low_a - step_b;
    shear.data[n] = (kept[0][n] + kept[1][low_a] + kept[2][low_b] + kept[3][low]) / root_two;
    const float inside = stretch[n] + stretch[low_a] + stretch[low_b] + stretch[low];
    const float on_wall = grip[n] + grip[low_a] + grip[low_b] + grip[low];
    const float k = 0.125f * (wall[n] >= 0 ? on_wall : inside), a = scale_a[n], b = scale_b[n];
    first[n] = k * a * a, second[n] = k * b * b, cross[n] = k * a * b;
  }
};

/// F = m (u - u*) + D^T (p, s) on faces of component a;  -F is stored.
struct Force {
  int step[3];  ///< along a, a + 1, a + 2
  const float *mass, *open, *pushed, *normal, *scale[2], *shear[2], *direction;
  const double *u, *before;
  View<float> out;
  SILT_HD Several<2> operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z), low = n - step[0];
    const float m = mass[n];
    float sum = open[n] * (pushed[n] - pushed[low]) + normal[low] - normal[n];
    for (int k = 0; k < 2; ++k) {
      const int up = n + step[k + 1];
      sum += scale[k][n] * shear[k][n] - scale[k][up] * shear[k][up];
    }
    const float force = m > 0 ? m * float(u[n] - before[n]) + sum : 0.0f;
    out.data[n] = -force;
    return {{double(force) * force, double(force) * direction[n]}};
  }
};

/// What bears has hardly been moved by what pushes at all of it.
struct Guess {
  int axis;
  double push;
  View<const float> mass;
  View<const double> p;
  View<double> u;
  SILT_HD void operator()(Cell c) const {
    if (mass(c) > 0 && p(c) + p(c - unit(axis)) > 0) u(c) -= push;
  }
};

/// u += alpha step.
struct Step {
  double alpha;
  const float* step;
  View<double> u;
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    u.data[n] += alpha * step[n];
  }
};

struct Squares {
  View<const float> field;
  SILT_HD double operator()(Cell c) const { return double(field(c)) * field(c); }
};
struct Value {
  View<const double> field;
  SILT_HD double operator()(Cell c) const { return field(c); }
};
/// d = z + beta d;  r . d.
struct Turn {
  float beta;
  View<const float> z, r;
  View<float> d;
  SILT_HD double operator()(Cell c) const {
    const float to = z(c) + beta * d(c);
    d(c) = to;
    return double(to) * r(c);
  }
};
/// z . r and z . (r - before); before = r.
struct Remember {
  View<const float> z, r;
  View<float> before;
  SILT_HD Several<2> operator()(Cell c) const {
    const double now = r(c), was = before(c);
    before(c) = r(c);
    return {{z(c) * now, z(c) * (now - was)}};
  }
};

template <class From, class To>
struct Copy {
  View<const From> from;
  View<To> to;
  SILT_HD void operator()(Cell c) const { to(c) = To(from(c)); }
};

}  // namespace silt::grain
