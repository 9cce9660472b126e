#pragma once

#include "silt/fields/sampler.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/particle_sides.h"

/// Particles in any order through the faces' velocity. For KERNELS sources.
namespace silt {

/// The flow at a place: d cells up from the corner of cell c.
template <bool Wraps>
struct FlowAt {
  MacView<const float> u;
  SampleBounds bounds[3];

  template <int Axis>
  SILT_HD_INLINE float component(Cell c, Displacement d) const {
    const Displacement of_value{d.x - (Axis == 0 ? 0 : 0.5f), d.y - (Axis == 1 ? 0 : 0.5f),
                                d.z - (Axis == 2 ? 0 : 0.5f)};
    return Corners::at(u[Axis], SamplePoint::at<Wraps>(bounds[Axis], c, of_value)).value();
  }
  SILT_HD_INLINE Displacement operator()(Cell c, Displacement d) const {
    return {component<0>(c, d), component<1>(c, d), component<2>(c, d)};
  }
};

SILT_HD_INLINE Displacement along(Displacement x, float s, Displacement k) {
  return {x.x + s * k.x, x.y + s * k.y, x.z + s * k.z};
}

/// How far the flow takes a particle in s = dt / h, as of a place: see Moving; the rules are those of Trace.
template <bool Wraps, Moving Rule>
SILT_HD_INLINE Displacement step(const FlowAt<Wraps>& flow, Cell c, Displacement x, float s) {
  const Displacement k1 = flow(c, x), k2 = flow(c, along(x, 0.5f * s, k1));
  if constexpr (Rule == Moving::rk2) return k2;
  const Displacement k3 = flow(c, along(x, 0.75f * s, k2));
  const auto mean = [](float a, float b, float d) { return b + (2 * (a - b) + 4 * (d - b)) * (1.0f / 9); };
  return {mean(k1.x, k2.x, k3.x), mean(k1.y, k2.y, k3.y), mean(k1.z, k2.z, k3.z)};
}

/// Particles are moved in blocks, copied to where no store can be taken to change what is read: so the loop over them
/// vectorises, and a flat axis needs no branch in it.
template <bool Wraps, Moving Rule>
struct MoveBlock {
  static constexpr int block = 64;
  PositionColumns at;
  const float* own[3];  ///< velocities
  FlowAt<Wraps> flow;
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
    int cell[3][block];
    float x[3][block], u[3][block];
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < n; ++i) {
        cell[a][i] = at.cell[a] ? at.cell[a][first + i] : 0;
        x[a][i] = at.offset[a] ? at.offset[a][first + i] : 0.5f;
        u[a][i] = Rule == Moving::own && own[a] ? own[a][first + i] : 0.0f;
      }
    for (int part = 0; part < parts; ++part) {
#pragma GCC ivdep
      for (int i = 0; i < n; ++i) {
        const Displacement here{x[0][i], x[1][i], x[2][i]};
        Displacement k{u[0][i], u[1][i], u[2][i]};
        if constexpr (Rule != Moving::own) k = step<Wraps, Rule>(flow, {cell[0][i], cell[1][i], cell[2][i]}, here, s);
        const Displacement to = along(here, s, k);
        sides.settle(0, to.x, cell[0][i], x[0][i]);
        sides.settle(1, to.y, cell[1][i], x[1][i]);
        sides.settle(2, to.z, cell[2][i], x[2][i]);
      }
    }
    for (int i = 0; i < n; ++i)  // what was dead stays so, wherever it would have got to
      if (at.cell[0][first + i] != Particles::dead) at.cell[0][first + i] = cell[0][i];
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < n && at.cell[a]; ++i) {
        if (a > 0) at.cell[a][first + i] = cell[a][i];
        at.offset[a][first + i] = x[a][i];
      }
  }
};

}  // namespace silt
