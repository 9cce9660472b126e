#pragma once

#include "silt/fields/sampler.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/particle_sides.h"

/// Particles in any order through the faces' velocity. For KERNELS sources.
namespace silt {

/// The particles that are moved together: eight, as lanes of vectors; on a GPU each thread has its own.
#if defined(__CUDACC__)
using MovedTogether = float;
#else
using MovedTogether = Lanes;
#endif

/// Where some particles are: `offset` cells up from the corners of their cells.
template <class F>
struct PlacesOf {
  using Int = typename Numbers<F>::Int;
  static constexpr int most = int(sizeof(F) / sizeof(float));
  Int cell[3];
  F offset[3];

  /// n of them, from `first` on; the last of them fills up the lanes.
  SILT_HD_INLINE PlacesOf(const PositionColumns& at, std::int64_t first, int n) {
    for (int a = 0; a < 3; ++a) {
      cell[a] = Int{}, set_all(offset[a], 0.5f);
      if (at.cell[a]) load(at.cell[a] + first, n, cell[a]), load(at.offset[a] + first, n, offset[a]);
    }
  }
  SILT_HD_INLINE void store(const PositionColumns& at, std::int64_t first, int n) const {
    for (int l = 0; l < n; ++l)  // what was dead stays so, wherever it would have got to
      if (at.cell[0][first + l] != Particles::dead) at.cell[0][first + l] = one(cell[0], l);
    for (int a = 0; a < 3; ++a)
      for (int l = 0; l < n && at.cell[a]; ++l) {
        if (a > 0) at.cell[a][first + l] = one(cell[a], l);
        at.offset[a][first + l] = one(offset[a], l);
      }
  }
  /// One value a particle.
  template <class T, class V>
  SILT_HD_INLINE static void load(const T* from, int n, V& to) {
    T all[most];
    for (int l = 0; l < most; ++l) all[l] = from[l < n ? l : n - 1];
    __builtin_memcpy(&to, all, sizeof to);
  }
  template <class V>
  SILT_HD_INLINE static auto one(const V& v, [[maybe_unused]] int lane) {
    if constexpr (most == 1)
      return v;
    else
      return v[lane];
  }
};

/// The flow at places: d cells up from the corners of cells.
template <bool Wraps, class F>
struct FlowAt {
  using Int = typename Numbers<F>::Int;
  using Displacement = DisplacementOf<F>;
  MacView<const float> u;
  SampleBounds bounds[3];

  template <int Axis>
  SILT_HD_INLINE F component(const Int (&cell)[3], const Displacement& d) const {
    const SampleBounds& b = bounds[Axis];
    using Along = SampleAxisOf<F>;
    const SamplePointOf<F> point{
        Along::template at<Wraps>(cell[0], d.x - (Axis == 0 ? 0 : 0.5f), b.lo.x, b.last.x, b.period.x, b.turns.x),
        Along::template at<Wraps>(cell[1], d.y - (Axis == 1 ? 0 : 0.5f), b.lo.y, b.last.y, b.period.y, b.turns.y),
        Along::template at<Wraps>(cell[2], d.z - (Axis == 2 ? 0 : 0.5f), b.lo.z, b.last.z, b.period.z, b.turns.z)};
    return CornersOf<F>::at(u[Axis], point).value();
  }
  SILT_HD_INLINE Displacement operator()(const Int (&cell)[3], const Displacement& d) const {
    return {component<0>(cell, d), component<1>(cell, d), component<2>(cell, d)};
  }
};

template <class F>
SILT_HD_INLINE DisplacementOf<F> along(const DisplacementOf<F>& x, float s, const DisplacementOf<F>& k) {
  return {x.x + s * k.x, x.y + s * k.y, x.z + s * k.z};
}

/// How far the flow takes particles in s = dt / h, as of their places: see Moving; the rules are those of Trace.
template <bool Wraps, Moving Rule, class F>
SILT_HD_INLINE DisplacementOf<F> step(const FlowAt<Wraps, F>& flow, const PlacesOf<F>& at, float s) {
  const DisplacementOf<F> x{at.offset[0], at.offset[1], at.offset[2]};
  const DisplacementOf<F> k1 = flow(at.cell, x);
  if constexpr (Rule == Moving::straight) return k1;
  const DisplacementOf<F> k2 = flow(at.cell, along(x, 0.5f * s, k1));
  if constexpr (Rule == Moving::rk2) return k2;
  const DisplacementOf<F> k3 = flow(at.cell, along(x, 0.75f * s, k2));
  const auto mean = [](const F& a, const F& b, const F& d) { return b + (2 * (a - b) + 4 * (d - b)) * (1.0f / 9); };
  return {mean(k1.x, k2.x, k3.x), mean(k1.y, k2.y, k3.y), mean(k1.z, k2.z, k3.z)};
}

template <bool Wraps, Moving Rule>
struct MoveBlock {
  using F = MovedTogether;
  static constexpr int block = PlacesOf<F>::most;
  PositionColumns at;
  const float* own[3];  ///< velocities
  FlowAt<Wraps, F> flow;
  ParticleSides sides;
  float s;  ///< dt / h of one part
  int parts;

  MoveBlock(const Exec& exec, const Domain& domain, const MacField<float>& velocity, double dt, int in_parts,
            Particles& p)
      : at(PositionColumns::of(exec, p)),
        flow{velocity.read(exec), {}},
        sides(ParticleSides::of(domain)),
        s(float(dt / in_parts / domain.lattice.h)),
        parts(in_parts) {
    for (int a = 0; a < 3; ++a) {
      own[a] = p.velocity[a].read(exec);
      flow.bounds[a] = SampleBounds::of(domain, a);
    }
  }

  /// n particles from `first` on, at most `block`.
  SILT_HD void run(std::int64_t first, int n) const {
    PlacesOf<F> places(at, first, n);
    F u[3]{};
    for (int a = 0; a < 3; ++a)
      if (Rule == Moving::own && own[a]) PlacesOf<F>::load(own[a] + first, n, u[a]);
    for (int part = 0; part < parts; ++part) {
      DisplacementOf<F> k{u[0], u[1], u[2]};
      if constexpr (Rule != Moving::own) k = step<Wraps, Rule>(flow, places, s);
      sides.settle(0, places.offset[0] + s * k.x, places.cell[0], places.offset[0]);
      sides.settle(1, places.offset[1] + s * k.y, places.cell[1], places.offset[1]);
      sides.settle(2, places.offset[2] + s * k.z, places.cell[2], places.offset[2]);
    }
    places.store(at, first, n);
  }
};

}  // namespace silt
