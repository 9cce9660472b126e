#include "silt/physics/common/advect.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/sampler.h"

namespace silt {

namespace {

struct Displacement {
  float x, y, z;  ///< [cells]
};

/// Follows the flow from a cell's centre or a face's centre by the midpoint rule.
///   d = s u(x + s/2 u(x)),  s = -dt/h going back, +dt/h going on.
/// Site is -1 for cell centres, else the axis of the face.
template <int Site, bool Wraps>
struct Trace {
  MacView<const float> u;
  SampleBounds bounds[3];  ///< of each component

  /// Displacement from the traced site to where component `axis` has its value with the same index, in half cells.
  template <int Axis, int Along>
  SILT_HD static constexpr float offset() {
    return (Axis == Along ? 0.5f : 0.0f) - (Site == Along ? 0.5f : 0.0f);
  }

  template <int Axis>
  SILT_HD_INLINE float sample(Cell c, Displacement d) const {
    const SampleBounds& b = bounds[Axis];
    return Corners::at(u[Axis], SampleAxis::at<Wraps>(c.x, d.x + offset<Axis, 0>(), b.lo.x, b.last.x, b.period.x),
                       SampleAxis::at<Wraps>(c.y, d.y + offset<Axis, 1>(), b.lo.y, b.last.y, b.period.y),
                       SampleAxis::at<Wraps>(c.z, d.z + offset<Axis, 2>(), b.lo.z, b.last.z, b.period.z))
        .value();
  }

  /// Component `Axis` at the site itself: its own value, or the mean of the nearest two or four.
  template <int Axis>
  SILT_HD_INLINE float here(Cell c) const {
    const View<const float>& f = u[Axis];
    if constexpr (Axis == Site) {
      return f(c);
    } else if constexpr (Site < 0) {
      return 0.5f * (f(c) + f(c + unit(Axis)));
    } else {
      const Cell b = c - unit(Site);
      return 0.25f * ((f(c) + f(c + unit(Axis))) + (f(b) + f(b + unit(Axis))));
    }
  }

  SILT_HD_INLINE Displacement operator()(Cell c, float s) const {
    const float half = 0.5f * s;
    const Displacement mid{half * here<0>(c), half * here<1>(c), half * here<2>(c)};
    return {s * sample<0>(c, mid), s * sample<1>(c, mid), s * sample<2>(c, mid)};
  }
};

template <bool Wraps>
SILT_HD_INLINE Corners corners_at(const View<const float>& f, const SampleBounds& b, Cell c, Displacement d) {
  return Corners::at(f, SampleAxis::at<Wraps>(c.x, d.x, b.lo.x, b.last.x, b.period.x),
                     SampleAxis::at<Wraps>(c.y, d.y, b.lo.y, b.last.y, b.period.y),
                     SampleAxis::at<Wraps>(c.z, d.z, b.lo.z, b.last.z, b.period.z));
}

template <int Site, bool Wraps>
struct SemiLagrangian {
  Trace<Site, Wraps> trace;
  float s;
  SampleBounds bounds;
  View<const float> from;
  View<float> to;
  SILT_HD_INLINE void operator()(Cell c) const { to(c) = corners_at<Wraps>(from, bounds, c, trace(c, s)).value(); }
};

/// The first half of MacCormack: the plain result, and the range it was interpolated from.
template <int Site, bool Wraps>
struct Forward {
  Trace<Site, Wraps> trace;
  float s;
  SampleBounds bounds;
  View<const float> from;
  View<float> to, lowest, highest;
  SILT_HD_INLINE void operator()(Cell c) const {
    const Corners v = corners_at<Wraps>(from, bounds, c, trace(c, s));
    to(c) = v.value();
    lowest(c) = v.lowest();
    highest(c) = v.highest();
  }
};

/// The second half: carry the result back, and take off half of what it missed.
///   to = clamp(forward + (from - back) / 2, lowest, highest)
template <int Site, bool Wraps>
struct Correct {
  Trace<Site, Wraps> trace;
  float s;
  SampleBounds bounds;
  View<const float> from, forward, lowest, highest;
  View<float> to;
  SILT_HD_INLINE void operator()(Cell c) const {
    const float back = corners_at<Wraps>(forward, bounds, c, trace(c, -s)).value();
    const float value = forward(c) + 0.5f * (from(c) - back);
    const float lo = lowest(c), hi = highest(c);
    to(c) = value < lo ? lo : value > hi ? hi : value;
  }
};

template <int Site, bool Wraps>
void advect_scheme(const Exec& exec, const Domain& domain, Advection scheme, double dt, const MacField<float>& velocity,
                   const HaloRule& beyond, const Field<float>& from, AdvectScratch& scratch, Field<float>& to) {
  const Box box = Site < 0 ? domain.cells : domain.faces(Site);
  const Trace<Site, Wraps> trace{
      velocity.read(exec), {SampleBounds::of(domain, 0), SampleBounds::of(domain, 1), SampleBounds::of(domain, 2)}};
  const SampleBounds bounds = SampleBounds::of(domain, Site);
  const float s = float(-dt / domain.lattice.h);
  if (scheme == Advection::linear) {
    for_each_cell(exec, "advect.linear", box,
                  SemiLagrangian<Site, Wraps>{trace, s, bounds, from.read(exec), to.write(exec)});
    return;
  }
  for_each_cell(exec, "advect.forward", box,
                Forward<Site, Wraps>{trace, s, bounds, from.read(exec), scratch.forward.write(exec),
                                     scratch.lowest.write(exec), scratch.highest.write(exec)});
  fill_halo(exec, domain, box, beyond, scratch.forward);
  for_each_cell(exec, "advect.correct", box,
                Correct<Site, Wraps>{trace, s, bounds, from.read(exec), scratch.forward.read(exec),
                                     scratch.lowest.read(exec), scratch.highest.read(exec), to.write(exec)});
}

template <int Site>
void advect_site(const Exec& exec, const Domain& domain, Advection scheme, double dt, const MacField<float>& velocity,
                 const HaloRule& beyond, const Field<float>& from, AdvectScratch& scratch, Field<float>& to) {
  if (SampleBounds::of(domain, Site).wraps())
    advect_scheme<Site, true>(exec, domain, scheme, dt, velocity, beyond, from, scratch, to);
  else
    advect_scheme<Site, false>(exec, domain, scheme, dt, velocity, beyond, from, scratch, to);
}

}  // namespace

void advect_cells(const Exec& exec, const Domain& domain, Advection scheme, double dt, const MacField<float>& velocity,
                  const HaloRule& beyond, const Field<float>& from, AdvectScratch& scratch, Field<float>& to) {
  advect_site<-1>(exec, domain, scheme, dt, velocity, beyond, from, scratch, to);
}

void advect_faces(const Exec& exec, const Domain& domain, Advection scheme, double dt, const MacField<float>& velocity,
                  const MacField<float>& from, AdvectScratch& scratch, MacField<float>& to) {
  const HaloRule beyond;
  if (domain.lattice.active.x) advect_site<0>(exec, domain, scheme, dt, velocity, beyond, from[0], scratch, to[0]);
  if (domain.lattice.active.y) advect_site<1>(exec, domain, scheme, dt, velocity, beyond, from[1], scratch, to[1]);
  if (domain.lattice.active.z) advect_site<2>(exec, domain, scheme, dt, velocity, beyond, from[2], scratch, to[2]);
}

}  // namespace silt
