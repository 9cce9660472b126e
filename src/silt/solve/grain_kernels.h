#pragma once

#include <cmath>

#include "silt/core/reduction.h"
#include "silt/fields/field.h"
#include "silt/solve/corner_cut.h"
#include "silt/solve/corner_stress.h"

/// Loops of GrainForce and GrainSolver, an idea each. On edges along c: a, b are the two axes after c.
namespace silt::grain {

/// rate = (du_a + du_b) / sqrt 2.
struct Rate {
  static constexpr int work_per_cell = 2;
  int step_a, step_b;
  const double *a, *b;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    out.data[n] = float(a[n] - a[n - step_b] + (b[n] - b[n - step_a])) / root_two;
  }
};

/// Differences of a cell's velocities: its deviator of stretching, and what flows in more than there is room for; and
/// how fast its mean slips along the surfaces that it touches.
template <int D>
struct CellRate {
  static constexpr int work_per_cell = 8;
  int step[3];
  const double* u[3];
  const float *open[3], *kind, *slack, *rub, *surface[3];
  float *deviator[3], *slip[3];
  View<float> squeezed;
  SILT_HD void operator()(Cell c) const {
    const int n = squeezed.index(c.x, c.y, c.z);
    const float here = kind[n] > 0 ? 1.0f : 0.0f;
    const bool touches = rub[n] >= 0;
    double outflow = 0;
    float stretch[3] = {}, trace = 0;
    for (int a = 0; a < D; ++a) {
      const double low = u[a][n], high = u[a][n + step[a]];
      const float in_low = open[a][n], in_high = open[a][n + step[a]];
      outflow += in_high * high - in_low * low;
      stretch[a] = float(high - low);
      trace += stretch[a];
      const float from_low = in_low > 0 ? 1.0f : 0.0f, from_high = in_high > 0 ? 1.0f : 0.0f;
      const float faces = from_low + from_high;
      const float mean = faces > 0 ? float(from_low * low + from_high * high) / faces - surface[a][n] : 0.0f;
      slip[a][n] = touches ? mean : 0.0f;
    }
    for (int a = 0; a < D; ++a) deviator[a][n] = here * (stretch[a] - trace * (1.0f / D));
    squeezed.data[n] = here * float(-outflow - slack[n]);
  }
};

/// What pressures would be, cut at the limits of tension and of what grains bear.
struct Pushed {
  static constexpr int work_per_cell = 2;
  const double* p;
  const float *friction, *firm, *floor, *squeezed;
  float most;     ///< at which grains are crushed
  float margin;   ///< cells that are so near to bearing [m/s] count as if they did, to the second derivative
  bool all_bear;  ///< all of them do
  float* squeeze;
  View<float> pushed;
  SILT_HD void operator()(Cell c) const {
    const int n = pushed.index(c.x, c.y, c.z);
    const float z = float(p[n]) + firm[n] * squeezed[n], least = -floor[n], near = margin * firm[n];
    const bool here = friction[n] > 0, resists = (z > least - near) & (z < most + near);
    pushed.data[n] = here ? (z > least ? (z < most ? z : most) : least) : 0.0f;
    squeeze[n] = here & (resists | all_bear) ? firm[n] : 0.0f;
  }
};

/// What each cell is like.
template <int D>
struct FindKind {
  int step[3];
  const float *friction, *rub, *sheared[3];
  View<float> kind;
  SILT_HD void operator()(Cell c) const {
    const int n = kind.index(c.x, c.y, c.z);
    bool plain = rub[n] < 0;
    for (int e = CornerCut<D>::first_edge; e < CornerCut<D>::last_edge; ++e) {
      const int a = step[(e + 1) % 3], b = step[(e + 2) % 3];
      for (const int at : {n, n + a, n + b, n + a + b}) plain = plain & (sheared[e][at] > 0);
    }
    kind.data[n] = float(!(friction[n] > 0) ? Kind::empty : plain ? Kind::plain : Kind::beside);
  }
};

/// Stresses cut at their bounds: sums over the corners of a cell, and over the two that each of its edges has; how much
/// is left of what they would be, on the mean; and what surfaces do to the cell.
template <int D>
struct Outcome {
  static constexpr int work_per_cell = 32;
  using Cut = CornerCut<D>;
  Cut rule;
  CornerStress::View<const float> s;
  const float *volume, *aslant;
  float *normal[3], *kept[3][4], *stretch, *pull[3], *drag[3];
  View<float> place;

  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    const int n = place.index(c.x, c.y, c.z);
    if (rule.template none<F>(n)) return clear<F>(n);
    const float* own = s.at(c);
    F sum[3] = {}, keeps{}, sums[3][4] = {};
    const F zero{};
    F one;
    set_all(one, 1);
    const F part = Numbers<F>::load(aslant + n) > zero ? one : Numbers<F>::load(volume + n);
    // Shears act on what is open of the side that they pass through, which solids along the lattice leave whole.
    const F here = Numbers<F>::load(rule.kind + n) > zero ? Cut::weight * one : zero;
    typename Cut::template Contact<F> touched{};
    rule.template each<F>(
        n, [&](int m) { return Numbers<F>::load(own + m * lane_count); },
        [&](int k, const typename Cut::template Corner<F>& corner) {
          for (int a = 0; a < D; ++a) sum[a] += corner.z[a];
          keeps += corner.keeps;
          for (int e = Cut::first_edge; e < Cut::last_edge; ++e)
            sums[e][(k >> ((e + 1) % 3) & 1) + 2 * (k >> ((e + 2) % 3) & 1)] += corner.z[Cut::shears + e];
        },
        [&](const typename Cut::template Contact<F>& contact) { touched = contact; });
    for (int a = 0; a < D; ++a) {
      Numbers<F>::store(here * part * sum[a], normal[a] + n);
      Numbers<F>::store(touched.pull[a], pull[a] + n);
      Numbers<F>::store(touched.drag[a], drag[a] + n);
    }
    Numbers<F>::store(rule.template stiffness_of<F>(n) * here * keeps, stretch + n);
    for (int e = Cut::first_edge; e < Cut::last_edge; ++e)
      for (int side = 0; side < 4; ++side) Numbers<F>::store(here * sums[e][side], kept[e][side] + n);
  }
  template <class F>
  SILT_HD_INLINE void clear(int n) const {
    const F zero{};
    for (int a = 0; a < D; ++a)
      for (float* const to : {normal[a], pull[a], drag[a]}) Numbers<F>::store(zero, to + n);
    Numbers<F>::store(zero, stretch + n);
    for (int e = Cut::first_edge; e < Cut::last_edge; ++e)
      for (float* const to : kept[e]) Numbers<F>::store(zero, to + n);
  }
};

/// s becomes what it may be. The squares of the change and of the stress.
template <int D>
struct TakeOver {
  static constexpr int work_per_cell = 16;
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
    if (rule.template none<F>(n)) {
      for (int m = 0; m < Cut::corners * Cut::parts + D; ++m) Numbers<F>::store(by, own + m * lane_count);
      Numbers<F>::store(by, change + n);
      return Numbers<F>::store(all, size + n);
    }
    F old[Cut::corners * Cut::parts + D];  // the bounds of each corner need those of all, as they were
    bool touches = false;
    for (int m = 0; m < Cut::corners * Cut::parts + D; ++m) old[m] = Numbers<F>::load(own + m * lane_count);
    const auto take = [&](int m, F z, float weight) {
      const F d = z - old[m];
      by += weight * d * d, all += weight * z * z;
      Numbers<F>::store(z, own + m * lane_count);
    };
    rule.template each<F>(
        n, [&](int m) { return old[m]; },
        [&](int k, const typename Cut::template Corner<F>& corner) {
          for (int m = 0; m < Cut::parts; ++m) take(k * Cut::parts + m, corner.z[m], Cut::weight);
        },
        [&](const typename Cut::template Contact<F>& contact) {
          touches = true;
          for (int a = 0; a < D; ++a) take(Cut::corners * Cut::parts + a, contact.traction[a], 1);
        });
    const F nothing{};  // an obstacle that has left leaves no traction behind
    for (int a = 0; a < D && !touches; ++a)
      Numbers<F>::store(nothing, own + (Cut::corners * Cut::parts + a) * lane_count);
    Numbers<F>::store(by, change + n);
    Numbers<F>::store(all, size + n);
  }
};

/// What is left where grains bear more than this counts by as much less: it is judged by what they bear.
SILT_HD_INLINE float of_large(float p, float large) {
  return p > large ? large / p : 1.0f;
}

/// p becomes what it may be. Squares of the change and of the stress, those of shears included, and of what flows in
/// too much, unless grains are crushed, or out where pressure is left, which would throw grains apart, or tension,
/// which holds them; the last once more by p^2 where grains bear more than a column of them weighs, and p^2 there.
struct TakePressure {
  static constexpr int work_per_cell = 4;
  const float *pushed, *change, *size, *squeezed, *floor;
  float most;    ///< pressure that grains bear
  float column;  ///< and that of the highest column
  float large;   ///< and that of pinched ones
  View<double> p;
  SILT_HD Several<5> operator()(Cell c) const {
    const int n = p.index(c.x, c.y, c.z);
    const double now = pushed[n], by = now - p.data[n];
    const bool crushed = pushed[n] >= most;
    const double in = squeezed[n] > 0 ? (crushed ? 0.0f : squeezed[n]) : now > -floor[n] ? -squeezed[n] : 0.0f;
    const double counts = of_large(pushed[n], large), all = counts * counts, left = counts * in;
    const double load = pushed[n] > column ? counts * now : 0.0;
    p.data[n] = now;
    return {{all * (by * by + change[n]), all * (now * now + size[n]), left * left, load * load * left * left,
             load * load}};
  }
};

/// How stiff cells are against being squeezed: as against being sheared and more, so that neither rules the system. In
/// a cell of which a solid leaves a part V, outflow is V times the rate, and the stiffness against that V times as
/// much. A cell that bears the weight of so many columns is so many times as hard, against both. A cell with little
/// mass round it is softer, by the root of how little: what it moves is as much lighter.
struct Firm {
  float ratio, least, most, column;
  int step[3];
  const double* p;
  const float *stretch, *volume, *mass[3];
  float* hard;
  View<float> out;
  /// The mean mass of its faces that move, over that of a cell at a corner of packed grains.
  SILT_HD float mass_round(int n) const {
    float sum = 0, count = 0;
    for (int a = 0; a < 3; ++a)
      for (const float m : {mass[a][n], mass[a][n + step[a]]}) sum += m, count += m > 0 ? 1.0f : 0.0f;
    return count > 0 ? sum / (0.75f * count) : 1.0f;
  }
  SILT_HD void operator()(Cell c) const {
    constexpr float hardest = 100;
    const int n = out.index(c.x, c.y, c.z);
    const float v = volume[n] > 0 ? volume[n] : 1.0f, k = ratio * stretch[n] / hard[n];
    const float columns = float(p[n]) / column, m = mass_round(n);
    hard[n] = columns > 1 ? (columns < hardest ? columns : hardest) : m < 1 ? std::sqrt(m) : 1.0f;
    out.data[n] = hard[n] * (k < least ? least : k > most ? most : k) / v;
  }
};

/// Bounds of |s| at the corners of cells, of tension and of the tractions on what they touch, by the stresses as they
/// are; or a part of the way there from what they were. Squares of what the stresses exceed those that they give by,
/// and of these.
template <int D>
struct Bound {
  static constexpr int work_per_cell = 16;
  using Cut = CornerCut<D>;
  const double* p;
  const float *friction, *cohesion, *tension;  ///< the last two may be null
  const float *rub, *resting, *aslant, *volume, *across[3];
  CornerStress::View<const float> s;
  float part;
  bool box;
  bool holds;  ///< whatever pulls at it
  float *floor, *tilt[3], *hold, *over, *whole;
  View<float> bound;

  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    using N = Numbers<F>;
    const int n = bound.index(c.x, c.y, c.z);
    const F zero{}, mu = N::load(friction + n);
    F one, without;
    set_all(one, 1), set_all(without, no_bound);
    const F here = mu > zero ? one : zero;
    N::store(tension ? (mu > zero ? N::load(tension + n) : zero) : zero, floor + n);
    if (holds || N::all_positive(one - here)) {
      N::store(here * without, bound.data + n), N::store(here * without, hold + n);
      for (int a = 0; a < D; ++a) N::store(zero, tilt[a] + n);
      N::store(zero, over + n), N::store(zero, whole + n);
      return;
    }
    const float* own = s.at(c);
    const F pressure = N::load_rounded(p + n);
    const F sum = mu * pressure + (cohesion ? N::load(cohesion + n) : zero);
    F tilts[D], mean[D];
    for (int a = 0; a < D; ++a) {
      F uneven{}, all{};
      for (int k = 0; k < Cut::corners; ++k) {
        const F s_aa = N::load(own + (k * Cut::parts + a) * lane_count);
        uneven += k >> a & 1 ? s_aa : -s_aa;
        all += s_aa;
      }
      mean[a] = Cut::weight * all;
      tilts[a] = root_two * Cut::weight * mu * uneven;
      go<F>(here, tilts[a], tilt[a] + n);
    }
    const F middle = sum > zero ? root_two * sum : zero;
    go<F>(here, middle, bound.data + n);
    go<F>(here, N::load(rub + n) >= zero ? rubs<F>(n, pressure > zero ? pressure : zero, mean) : zero, hold + n);
    excess<F>(n, here, own, middle, tilts);
  }
  template <class F>
  SILT_HD_INLINE void go(F here, F to, float* from) const {
    const F zero{}, was = Numbers<F>::load(from), next = part < 1 ? was + part * (to - was) : to;
    Numbers<F>::store(here > zero ? next : zero, from);
  }

  template <class F>
  SILT_HD_INLINE void excess(int n, F here, const float* own, F middle, const F (&tilts)[D]) const {
    const F zero{};
    F beyond{}, bounds{};
    for (int k = 0; k < Cut::corners; ++k) {
      F most = middle, squares{}, largest{};
      for (int a = 0; a < D; ++a) most += k >> a & 1 ? tilts[a] : -tilts[a];
      for (int m = 0; m < Cut::parts; ++m) {
        const F s_m = Numbers<F>::load(own + (k * Cut::parts + m) * lane_count);
        const F size = (m < D ? root_two : 1.0f) * (s_m > zero ? s_m : -s_m);
        squares += s_m * s_m, largest = size > largest ? size : largest;
      }
      most = Cut::positive(most);
      const F by = Cut::positive((box ? largest : Numbers<F>::sqrt(squares)) - most);
      beyond += by * by, bounds += most * most;
    }
    Numbers<F>::store(here > zero ? Cut::weight * beyond : zero, over + n);
    Numbers<F>::store(here > zero ? Cut::weight * bounds : zero, whole + n);
  }
  /// The coefficient times what pushes: N : (p - s), s the mean of the corners' s_aa, and what rests, over the area. On
  /// a surface that lies aslant p alone acts, for velocities go on behind it; and s acts on what solids leave of a
  /// cell.
  template <class F>
  SILT_HD_INLINE F rubs(int n, F pushes, const F (&mean)[D]) const {
    const F zero{}, mu = Numbers<F>::load(rub + n);
    F area{}, load = Numbers<F>::load(resting + n), glued, without, one;
    set_all(glued, sticks), set_all(without, no_bound), set_all(one, 1);
    const F acts = Numbers<F>::load(aslant + n) > zero ? zero : Numbers<F>::load(volume + n);
    for (int a = 0; a < D; ++a) {
      const F part_of_it = Numbers<F>::load(across[a] + n);
      area += part_of_it, load += part_of_it * (pushes - acts * mean[a]);
    }
    const F rubbing = mu >= glued ? without : mu * load / (area > zero ? area : one);
    return (load > zero) & (area > zero) ? rubbing : zero;
  }
};
/// What Bound found of a cell.
struct Exceeded {
  View<const float> over, whole;
  SILT_HD Several<2> operator()(Cell c) const { return {{over(c), whole(c)}}; }
};

/// What the cells round an edge say of its shear, and of how stiff it is.
struct Edge {
  static constexpr int work_per_cell = 4;
  int step_a, step_b;
  const float *kept[4], *stretch, *sheared;
  float* stiff;
  View<float> shear;
  SILT_HD void operator()(Cell c) const {
    const int n = shear.index(c.x, c.y, c.z), low_a = n - step_a, low_b = n - step_b, low = low_a - step_b;
    shear.data[n] = (kept[0][n] + kept[1][low_a] + kept[2][low_b] + kept[3][low]) / root_two;
    stiff[n] = 0.125f * sheared[n] * (stretch[n] + stretch[low_a] + stretch[low_b] + stretch[low]);
  }
};

/// F = m (u - u*) + D^T (p, s) on faces of component a;  -F is stored. `held` is the mass, and what surfaces resist.
/// The sum of squares of what is left, and F . direction.
struct Force {
  static constexpr int work_per_cell = 8;
  int step[3];  ///< along a, a + 1, a + 2
  const float *mass, *open, *pushed, *normal, *shear[2], *pull, *drag, *direction;
  const double *u, *before;
  float large;  ///< pressure of pinched grains
  float* held;
  View<float> out;
  SILT_HD float of_deviator(int n) const {
    float sum = normal[n - step[0]] - normal[n];
    for (int k = 0; k < 2; ++k) sum += shear[k][n] - shear[k][n + step[k + 1]];
    return sum;
  }
  SILT_HD Several<2> operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z), low = n - step[0], high = n + step[0];
    const float m = mass[n];
    // A cell's mean velocity is that of its faces that grains can pass.
    const float of_low = open[low] > 0 ? 0.5f : 1.0f, of_high = open[high] > 0 ? 0.5f : 1.0f;
    float sum = open[n] * (pushed[n] - pushed[low]) + of_deviator(n);
    sum += of_low * pull[low] + of_high * pull[n];
    const float gained = float(u[n] - before[n]);  // read whether or not it counts: masked reads are slow
    const float force = m > 0 ? m * gained + sum : 0.0f;
    held[n] = m > 0 ? m + of_low * drag[low] + of_high * drag[n] : 0.0f;
    out.data[n] = -force;
    return sums(n, force);
  }
  SILT_HD Several<2> sums(int n, float force) const {
    const int low = n - step[0];
    const float left = force * of_large(pushed[n] > pushed[low] ? pushed[n] : pushed[low], large);
    return {{double(left) * left, double(force) * direction[n]}};
  }
  /// What acts beside a face acts on it too; by how much that changes its sums.
  SILT_HD Several<2> add(int n, float acts) const {
    const float before_it = -out.data[n], force = before_it + acts;
    out.data[n] = -force;
    const Several<2> had = sums(n, before_it), has = sums(n, force);
    return {{has[0] - had[0], has[1] - had[1]}};
  }
};

/// What acts where velocities go on acts on the faces that they go on from. In a loop of its own, after that over all
/// faces, for there are few of them.
struct ForceBeside {
  Force force;
  const float *extended, *lends;
  SILT_HD Several<2> operator()(Cell c) const {
    const int n = force.out.index(c.x, c.y, c.z);
    if (!(lends[n] > 0) || !(force.mass[n] > 0)) return {{0, 0}};
    float acts = 0;
    for (const int s : force.step)
      for (const int next : {n - s, n + s})
        if (extended[next] > 0) acts += extended[next] * force.of_deviator(next);
    return force.add(n, acts);
  }
};
/// The same by lists (GoingOn): first what acts on each face where velocities go on.
struct ActBeside {
  Force force;
  const float* extended;
  const int* faces;
  float* acts;
  SILT_HD void operator()(std::int64_t i) const { acts[i] = extended[faces[i]] * force.of_deviator(faces[i]); }
};
struct ForceListed {
  Force force;
  const int *faces, *first, *beside;
  const float* acts;
  double* sums;
  SILT_HD void operator()(std::int64_t i) const {
    float sum = 0;
    for (int k = first[i]; k < first[i + 1]; ++k) sum += acts[beside[k]];
    const Several<2> changes = force.mass[faces[i]] > 0 ? force.add(faces[i], sum) : Several<2>{};
    sums[2 * i] = changes[0], sums[2 * i + 1] = changes[1];
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

struct SetTo {
  float value;
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = value; }
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

}  // namespace silt::grain
