#pragma once

#include <cmath>

#include "silt/core/strips.h"
#include "silt/solve/corner_stress.h"

/// What stresses may be at the corners of a cell, and on the walls that it touches.
namespace silt::grain {

inline constexpr float root_two = 1.41421356f;
/// Friction of a wall that grains stick to.
inline constexpr float sticks = 1e6f;
/// Of a stress that has no bound.
inline constexpr float no_bound = 1e18f;

/// What cells are like, to those that loop over them.
enum class Kind : int {
  empty = 0,   ///< no grains
  beside = 1,  ///< some of its edges carry no shear, or it touches a wall
  plain = 2    ///< all its edges lie within the grains
};

/// What s of a cell's corners would be, z = s + k D, k the stiffness of the cell, and what it may be: cut at its
/// bounds. For numbers F that are one cell or several along x (core/strips.h). On edges along c: a, b are the two axes
/// after c.
///
/// Grains have one pressure p a cell, for they are squeezed by one number, and each corner a bound of its own: p only
/// counts as the mean of pressures p_k at the corners. Those are chosen so that what pushes along each axis, p_k -
/// s_aa, is the same at both ends of the cell: a corner that slides and one that does not then rub with the same push.
template <int D>
struct CornerCut {
  static constexpr int corners = 1 << D;
  static constexpr float weight = 1.0f / corners;
  static constexpr int first_edge = D == 3 ? 0 : 2;  ///< edges along axes c >= this have shears; none in 1D
  static constexpr int last_edge = D >= 2 ? 3 : 2;
  static constexpr int parts = D * (D + 1) / 2, shears = D - first_edge;  ///< part c + shears is that of edges along c
  int step[3];
  const float *kind, *bound, *tilt[3], *hold;  ///< of |s| at the middle, how much more at upper ends; of tractions
  const float *deviator[3], *rate[3], *sheared[3];
  const float *across[3], *mixed[3], *slip[3];
  const float* hard;  ///< how many times as stiff each cell is
  float stiffness;    ///< of those that are not hard
  bool box;           ///< each component is bounded by itself [Tao14]

  SILT_HD_INLINE int edge(int n, int k, int c) const {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    return n + (k >> a & 1) * step[a] + (k >> b & 1) * step[b];
  }

  template <class F>
  struct Corner {
    F z[parts];  ///< cut, of each part
    F keeps;     ///< what share of z that is
  };
  /// On the surfaces that a cell touches.
  template <class F>
  struct Contact {
    F traction[D];  ///< cut
    F pull[D];      ///< what it does to the mean velocity of the cell
    F drag[D];      ///< how stiff it is, along each axis
  };

  template <class F>
  SILT_HD_INLINE static F share(F squares, F most) {
    const F size = Numbers<F>::sqrt(squares), larger = size > most ? size : most;
    F tiny;
    set_all(tiny, 1e-30f);
    return most / (larger > tiny ? larger : tiny);
  }
  template <class F>
  SILT_HD_INLINE static F positive(F v) {
    const F zero{};
    return v > zero ? v : zero;
  }

  /// To a ball, or to a box.
  template <class F>
  SILT_HD_INLINE void keep_within(F most, Corner<F>& out) const {
    if (box) {
      F stretch{}, largest{};  // the normal parts together, or their sum would not stay zero
      for (int a = 0; a < D; ++a) {
        const F square = out.z[a] * out.z[a];
        stretch = square > stretch ? square : stretch;
      }
      largest = share(stretch, F(most / root_two));
      for (int a = 0; a < D; ++a) out.z[a] *= largest;
      for (int m = D; m < parts; ++m) {
        const F keeps = share(F(out.z[m] * out.z[m]), most);
        out.z[m] *= keeps;
        largest = keeps > largest ? keeps : largest;
      }
      out.keeps = largest;
      return;
    }
    F squares{};
    SILT_UNROLL
    for (int m = 0; m < parts; ++m) squares += out.z[m] * out.z[m];
    out.keeps = share(squares, most);
    SILT_UNROLL
    for (int m = 0; m < parts; ++m) out.z[m] *= out.keeps;
  }

  /// Corner k of the cells at n whose edges all lie within the grains; s(part) is the stress so far.
  template <class F, class Stress>
  SILT_HD_INLINE Corner<F> cut_inside(int n, int k, const F (&dev)[3], F most, F stiff, const Stress& s) const {
    Corner<F> out{};
    SILT_UNROLL
    for (int a = 0; a < D; ++a) out.z[a] = s(a) + stiff * dev[a];
    SILT_UNROLL
    for (int c = first_edge; c < last_edge; ++c)
      out.z[shears + c] = s(shears + c) + stiff * Numbers<F>::load(rate[c] + edge(n, k, c));
    keep_within(most, out);
    return out;
  }

  /// Of any cells: some have no grains, or edges that carry nothing.
  template <class F, class Stress>
  SILT_HD_INLINE Corner<F> cut(int n, int k, const F (&dev)[3], F most, F stiff, const Stress& s) const {
    Corner<F> out{};
    const F zero{};
    F one;
    set_all(one, 1);
    const F here = Numbers<F>::load(kind + n) > zero ? one : zero;
    for (int a = 0; a < D; ++a) out.z[a] = here * (s(a) + stiff * dev[a]);
    for (int c = first_edge; c < last_edge; ++c) {
      const int e = edge(n, k, c);
      out.z[shears + c] =
          here * Numbers<F>::load(sheared[c] + e) * (s(shears + c) + stiff * Numbers<F>::load(rate[c] + e));
    }
    keep_within(most, out);
    return out;
  }

  /// What rubs on the surfaces that the cells touch: as much as it takes to stop the slip along them, and no more than
  /// its bound. t is the traction so far.
  template <class F>
  SILT_HD_INLINE Contact<F> contact(int n, F stiff, const F (&t)[D]) const {
    const F zero{};
    F one, tiny;
    set_all(one, 1), set_all(tiny, 1e-6f);
    F N[3][3] = {}, area{}, squares{};
    for (int a = 0; a < D; ++a) {
      N[a][a] = Numbers<F>::load(across[a] + n);
      area += N[a][a], squares += N[a][a] * N[a][a];
    }
    for (int c = first_edge; c < last_edge; ++c) {
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      N[a][b] = N[b][a] = Numbers<F>::load(mixed[c] + n);
      squares += 2 * N[a][b] * N[a][b];
    }
    const F touches = (area > tiny) & (Numbers<F>::load(kind + n) > zero) ? one : zero;
    const F per_area = one / (area > tiny ? area : one), most = Numbers<F>::load(hold + n);
    // One surface: what it rubs with lies along it, even if it has turned.
    const F single = squares > 0.98f * area * area ? one : zero;
    F along[3][3] = {}, z[D] = {}, size{};
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) along[a][b] = (a == b ? one : zero) - N[a][b] * per_area;
    for (int a = 0; a < D; ++a) {
      F old{}, slips{};
      for (int b = 0; b < D; ++b) {
        old += along[a][b] * t[b];
        slips += along[a][b] * Numbers<F>::load(slip[b] + n);
      }
      z[a] = touches > zero ? (single > zero ? old : t[a]) + stiff * slips : zero;
      size += z[a] * z[a];
    }
    const F keeps = share(size, most);
    Contact<F> out{};
    for (int a = 0; a < D; ++a) out.traction[a] = keeps * z[a];
    for (int a = 0; a < D; ++a) {
      F pull{}, sum{};
      for (int b = 0; b < D; ++b) {
        const F part = along[a][b];
        pull += part * out.traction[b];
        sum += part > zero ? part : -part;
      }
      out.pull[a] = touches * area * pull, out.drag[a] = touches * area * stiff * keeps * sum;
    }
    return out;
  }

  /// k of the cells at n, in masses of a full face.
  template <class F>
  SILT_HD_INLINE F stiffness_of(int n) const {
    return stiffness * Numbers<F>::load(hard + n);
  }

  /// Whether none of the cells at n has grains.
  template <class F>
  SILT_HD_INLINE bool none(int n) const {
    return Numbers<F>::all_positive(float(Kind::beside) - 0.5f - Numbers<F>::load(kind + n));
  }

  /// use(k, corner) for each corner of the cells at n, and touch(contact) where they may touch something; s(m) is the
  /// m-th of a cell's stresses so far, as CornerStress has them.
  template <class F, class Stress, class Use, class Touch>
  SILT_HD_INLINE void each(int n, const Stress& s, const Use& use, const Touch& touch) const {
    F dev[3] = {}, more[3] = {};
    SILT_UNROLL
    for (int a = 0; a < D; ++a) dev[a] = Numbers<F>::load(deviator[a] + n), more[a] = Numbers<F>::load(tilt[a] + n);
    const F middle = Numbers<F>::load(bound + n), stiff = stiffness_of<F>(n);
    const auto most_at = [&](int k) {
      F most = middle;
      SILT_UNROLL
      for (int a = 0; a < D; ++a) most += k >> a & 1 ? more[a] : -more[a];
      return positive(most);
    };
    if (Numbers<F>::all_positive(Numbers<F>::load(kind + n) - (float(Kind::plain) - 0.5f))) {
      SILT_UNROLL
      for (int k = 0; k < corners; ++k)
        use(k, cut_inside<F>(n, k, dev, most_at(k), stiff, [&](int part) { return s(k * parts + part); }));
      return;
    }
    for (int k = 0; k < corners; ++k)
      use(k, cut<F>(n, k, dev, most_at(k), stiff, [&](int part) { return s(k * parts + part); }));
    F t[D] = {};
    for (int a = 0; a < D; ++a) t[a] = s(corners * parts + a);
    touch(contact<F>(n, stiff, t));
  }
};

}  // namespace silt::grain
