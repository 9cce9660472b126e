#include "silt/physics/common/move_particles.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/fields/sampler.h"
#include "silt/physics/common/move_sorted.h"
#include "silt/physics/common/particle_sides.h"

namespace silt {
namespace {

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
  std::int64_t count;

  SILT_HD void operator()(std::int64_t index) const {
    const std::int64_t first = index * block;
    const int n = int(count - first < block ? count - first : block);
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

struct Age {
  float* age;
  float dt;
  SILT_HD void operator()(std::int64_t i) const { age[i] += dt; }
};

struct Speed {
  View<const float> u;
  SILT_HD double operator()(Cell c) const { return std::abs(double(u(c))); }
};

template <bool Wraps, Moving Rule>
void move(const Exec& exec, const Domain& domain, const MacField<float>& velocity, double dt, int parts, Particles& p) {
  MoveBlock<Wraps, Rule> kernel{
      PositionColumns::of(exec, p),         {},    {velocity.read(exec), {}}, ParticleSides::of(domain),
      float(dt / parts / domain.lattice.h), parts, std::int64_t(p.count)};
  for (int a = 0; a < 3; ++a) {
    kernel.own[a] = p.velocity[a].read(exec);
    kernel.flow.bounds[a] = SampleBounds::of(domain, a);
  }
  constexpr int block = MoveBlock<Wraps, Rule>::block;
  for_each_index(exec, "particles.move", (std::int64_t(p.count) + block - 1) / block, kernel, block);
}

template <bool Wraps, class... Rest>
void move_by(Moving rule, Rest&... rest) {
  switch (rule) {
    case Moving::own:
      return move<Wraps, Moving::own>(rest...);
    case Moving::rk2:
      return move<Wraps, Moving::rk2>(rest...);
    case Moving::rk3:
      return move<Wraps, Moving::rk3>(rest...);
  }
}

}  // namespace

int sub_moves(const Domain& domain, double fastest, double dt) {
  return 1 + int(std::min(fastest * dt / domain.lattice.h, 1e6));
}

double fastest_face(const Exec& exec, const Domain& domain, const MacField<float>& velocity) {
  double out = 0;
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a])
      out = std::max(out, reduce<Max>(exec, "particles.fastest", domain.faces(a), Speed{velocity[a].read(exec)}));
  return out;
}

void move_particles(const Exec& exec, const Domain& domain, Moving rule, const MacField<float>& velocity, double dt,
                    int parts, Particles& particles, const CellRanges* sorted) {
  if (sorted && parts == 1 && rule == Moving::rk2 && exec.on_cpu())  // a GPU gathers as fast
    move_sorted(exec, domain, velocity, dt / domain.lattice.h, *sorted, particles);
  else if (SampleBounds::of(domain, -1).wraps())
    move_by<true>(rule, exec, domain, velocity, dt, parts, particles);
  else
    move_by<false>(rule, exec, domain, velocity, dt, parts, particles);
  for_each_index(exec, "particles.age", std::int64_t(particles.count), Age{particles.age.update(exec), float(dt)});
}

}  // namespace silt
