#pragma once

#include "silt/core/lanes.h"
#include "silt/core/vec.h"

namespace silt {

/// The faces round a particle. Component a has its values on faces across axis a; those of the particle's cell and its
/// neighbours that a particle anywhere in the cell can reach are
///
///      own axis    2: the cell's lower and upper face, at 0 and 1
///      the others  3: the cell's own row and those before and after, at -1/2, 1/2 and 3/2 (in cells from its corner)
///
/// so 18 faces for every component, the same ones for all particles of a cell: that is what keeping them sorted buys.
/// A flat axis needs no special case: its strides are 0, its three rows are one, and their weights add up to 1.
struct ComponentAxes {
  int own, first, second;
  SILT_HD static constexpr ComponentAxes of(int component) {
    return {component, component == 0 ? 1 : 0, component == 2 ? 1 : 2};
  }
};

/// Weights of the rows at -1/2, 1/2, 3/2 for a particle at f, and the weights that give the slope there. They add up to
/// 1, and sum w x = f. The slope has to be the one that a linear function has:  sum d = 0,  sum d x = 1.
///   linear  the hat; one of the three is 0
struct LinearAcross {
  template <class V>
  SILT_HD_INLINE static void weights(const V& f, V (&w)[3]) {
    V half, one;
    set_all(half, 0.5f), set_all(one, 1);
    w[0] = positive_part(half - f);
    w[2] = positive_part(f - half);
    w[1] = one - w[0] - w[2];
  }
  template <class V>
  SILT_HD_INLINE static void slopes(const V& f, const V (&)[3], V (&d)[3]) {
    V half, one;
    set_all(half, 0.5f), set_all(one, 1);
    const V below = one_where_negative(f - half);
    d[0] = V{} - below;
    d[1] = below + below - one;
    d[2] = one - below;
  }
};

///   smooth  the quadratic B-spline, with sum w (x - f)^2 = 1/4 wherever the particle is. So sum w (x - f) v, what a
///           particle has of angular momentum beside that of its path, is a quarter of the slope, and stays what it was
///           while the particle moves [JST17]. With the hat it is f (1 - f) of it, which does not.
///           [JST17] Jiang, Schroeder, Teran 2017, An angular momentum conserving affine-particle-in-cell method
struct SmoothAcross {
  template <class V>
  SILT_HD_INLINE static void weights(const V& f, V (&w)[3]) {
    V half, one;
    set_all(half, 0.5f), set_all(one, 1);
    w[0] = half * (one - f) * (one - f);
    w[2] = half * f * f;
    w[1] = one - w[0] - w[2];
  }
  template <class V>
  SILT_HD_INLINE static void slopes(const V& f, const V (&w)[3], V (&d)[3]) {
    V at[3], four;
    set_all(at[0], -0.5f), set_all(at[1], 0.5f), set_all(at[2], 1.5f), set_all(four, 4);
    for (int k = 0; k < 3; ++k) d[k] = four * w[k] * (at[k] - f);
  }
};

/// The third polynomial under the quadratic weights, after 1 and d = x - f [FGG17]: sum w q = sum w q d = 0. With
/// t = f - 1/2 the weights have sum w d^2 = 1/4 and sum w d^3 = t/4 - t^3, so q = d^2 - (t - 4 t^3) d - 1/4. Whatever
/// three rows hold is c0 + c1 d + c2 q, with c0 and c1 as above and c2 half of the second difference.
template <class V>
SILT_HD_INLINE V curved(const V& f, const V& d) {
  V half, quarter, four;
  set_all(half, 0.5f), set_all(quarter, 0.25f), set_all(four, 4);
  const V t = f - half;
  return d * (d - t + four * t * t * t) - quarter;
}
SILT_HD_INLINE constexpr float half_second_difference(int k) {
  return k == 1 ? -1.0f : 0.5f;
}

/// Where along an axis row k is [cells].
SILT_HD_INLINE constexpr float row_at(int k) {
  return float(k) - 0.5f;
}

}  // namespace silt
