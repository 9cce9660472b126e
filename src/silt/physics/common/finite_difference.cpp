#include "silt/core/loops.h"
#include "silt/physics/common/advect_pass.h"

/// Explicit finite differences of dc/dt + u . grad c = 0 in the advective form, so that a constant stays that constant.
/// Below, n_a = u_a dt / h is the Courant number along axis a.   [TRE96] Trefethen 1996, chapter 3.2
namespace silt {

namespace {

/// Differences are taken against the flow, along all axes at once:
///   c' = c - sum_a (n_a+ (c - c_-a) + n_a- (c_+a - c)),   n+ = max(n, 0), n- = min(n, 0)
/// A mean of neighbours with weights >= 0 while sum_a |n_a| <= 1.
template <int Site>
struct Upwind {
  SiteVelocity<Site> u;
  float on;  ///< dt / h
  View<const float> from;
  View<float> to;

  template <int Axis>
  SILT_HD_INLINE float loss(Cell c) const {
    const float n = on * u.template here<Axis>(c), value = from(c);
    const float with_flow = value - from(c - unit(Axis)), against = from(c + unit(Axis)) - value;
    return n > 0 ? n * with_flow : n * against;
  }
  SILT_HD_INLINE void operator()(Cell c) const { to(c) = from(c) - (loss<0>(c) + loss<1>(c) + loss<2>(c)); }
};

/// Central differences, from the mean of the 2 D neighbours instead of the value itself:
///   c' = 1/(2D) sum_a (c_+a + c_-a) - 1/2 sum_a n_a (c_+a - c_-a)
/// Weights 1/(2D) -+ n_a / 2 are >= 0 while |n_a| <= 1/D. Diffusion grows as steps get smaller: h^2 / (2 D dt).
template <int Site>
struct LaxFriedrichs {
  SiteVelocity<Site> u;
  float on, spread;  ///< dt / h; 1 / (2 D)
  View<const float> from;
  View<float> to;

  template <int Axis>
  SILT_HD_INLINE float change(Cell c) const {
    const float n = on * u.template here<Axis>(c), value = from(c);
    const float up = from(c + unit(Axis)) - value, down = value - from(c - unit(Axis));
    return spread * (up - down) - 0.5f * n * (up + down);
  }
  SILT_HD_INLINE void operator()(Cell c) const { to(c) = from(c) + (change<0>(c) + change<1>(c) + change<2>(c)); }
};

/// One axis of Lax-Wendroff: c' = c - dt u c_x + dt^2/2 u (u c_x)_x, the inner product taken half a cell away:
///   c' = c - n/2 ((1 - n_up) (c_+ - c) + (1 + n_down) (c - c_-))
template <int Site, int Axis>
struct LaxWendroff {
  SiteVelocity<Site> u;
  float on;  ///< dt / h
  View<const float> from;
  View<float> to;
  SILT_HD_INLINE void operator()(Cell c) const {
    const float n_up = on * u.template above<Axis>(c), n_down = on * u.template below<Axis>(c), value = from(c);
    const float n = 0.5f * (n_up + n_down);
    const float up = from(c + unit(Axis)) - value, down = value - from(c - unit(Axis));
    to(c) = value - 0.5f * n * ((1 - n_up) * up + (1 + n_down) * down);
  }
};

template <template <int> class Kernel, class... Constants>
void run(const char* name, const AdvectPass& pass, const Field<float>& from, Field<float>& to, Constants... constants) {
  const MacView<const float> u = pass.velocity.read(pass.exec);
  const View<const float> f = from.read(pass.exec);
  const View<float> t = to.write(pass.exec);
  switch (pass.site) {
    case 0:
      return for_each_cell(pass.exec, name, pass.box(), Kernel<0>{{u}, constants..., f, t});
    case 1:
      return for_each_cell(pass.exec, name, pass.box(), Kernel<1>{{u}, constants..., f, t});
    case 2:
      return for_each_cell(pass.exec, name, pass.box(), Kernel<2>{{u}, constants..., f, t});
    default:
      return for_each_cell(pass.exec, name, pass.box(), Kernel<-1>{{u}, constants..., f, t});
  }
}

template <int Site>
using LaxWendroffX = LaxWendroff<Site, 0>;
template <int Site>
using LaxWendroffY = LaxWendroff<Site, 1>;
template <int Site>
using LaxWendroffZ = LaxWendroff<Site, 2>;

void lax_wendroff_sweep(const AdvectPass& pass, int axis, float on, const Field<float>& from, Field<float>& to) {
  const char* name = "advect.lax_wendroff";
  switch (axis) {
    case 0:
      return run<LaxWendroffX>(name, pass, from, to, on);
    case 1:
      return run<LaxWendroffY>(name, pass, from, to, on);
    default:
      return run<LaxWendroffZ>(name, pass, from, to, on);
  }
}

}  // namespace

void advect_upwind(const AdvectPass& pass, const Field<float>& from, Field<float>& to) {
  run<Upwind>("advect.upwind", pass, from, to, -pass.back());
}

void advect_lax_friedrichs(const AdvectPass& pass, const Field<float>& from, Field<float>& to) {
  const float spread = float(0.5 / pass.domain.lattice.dims());
  run<LaxFriedrichs>("advect.lax_friedrichs", pass, from, to, -pass.back(), spread);
}

/// Axis by axis, x for the whole step and the others for half of it before and half after: second order in time
/// [STR68], with no memory of which axis went first. Stable while |n_a| <= 1 along every axis.
///   [STR68] Strang 1968, On the construction and comparison of difference schemes
void advect_lax_wendroff(const AdvectPass& pass, const Field<float>& from, AdvectScratch& scratch, Field<float>& to) {
  int axes[3], count = 0;
  for (int a = 2; a >= 0; --a)
    if (pass.domain.lattice.active[a]) axes[count++] = a;
  const Field<float>* now = &from;
  const int sweeps = 2 * count - 1;
  for (int s = 0; s < sweeps; ++s) {
    const bool whole = s == count - 1, last = s == sweeps - 1;
    Field<float>& next = last ? to : scratch[s % 2];
    lax_wendroff_sweep(pass, axes[s < count ? s : sweeps - 1 - s], whole ? -pass.back() : -0.5f * pass.back(), *now,
                       next);
    if (!last) pass.fill_halo(next);
    now = &next;
  }
}

}  // namespace silt
