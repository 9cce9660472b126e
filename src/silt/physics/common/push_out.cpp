#include "silt/physics/common/push_out.h"

#include "silt/core/loops.h"
#include "silt/fields/sampler.h"
#include "silt/physics/common/particle_sides.h"

namespace silt {
namespace {

/// The distance [cells] of the solids and its gradient, linear between a cell's corners.
struct SolidAt {
  View<const float> distance;
  Int3 active;
  float inv_h;

  SILT_HD Corners corners(Cell c, const Vec3f& f) const {
    const auto axis = [](int index, float weight) { return SampleAxis{index, weight}; };
    return Corners::at(distance, {axis(c.x, f.x), axis(c.y, f.y), axis(c.z, f.z)});
  }
  SILT_HD float value(Cell c, const Vec3f& f) const { return corners(c, f).value() * inv_h; }
  SILT_HD Vec3f gradient(Cell c, const Vec3f& f) const {
    Vec3f g{};
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      Vec3f low = f, high = f;
      low[a] = 0, high[a] = 1;
      g[a] = value(c, high) - value(c, low);
    }
    return g;
  }
};

struct PushOut {
  PositionColumns at;
  SolidAt solid;
  ParticleSides sides;
  Box cells;
  bool rubs;  ///< what follows is there
  MacView<const float> solid_velocity;
  View<const float> grip;
  float* velocity[3];
  float dt;  ///< of the step that it moved in [s]

  /// Of a particle that has been pushed out so far [cells].
  SILT_HD void rub(std::int64_t i, float out) const {
    const Cell c = at.cell_at(i);
    const Vec3f f = at.offset_at(i), n = normalized(solid.gradient(c, f));
    Vec3f slip{};
    for (int a = 0; a < 3; ++a)
      if (velocity[a]) slip[a] = velocity[a][i] - solid_velocity[a](f[a] < 0.5f ? c : c + unit(a));
    const float into = -dot(slip, n);
    if (!(into > 0)) return;
    slip = slip + n * into;
    const float along = length(slip), taken = grip(c) * into;
    const float lost = along > taken ? taken / along : 1.0f;  // the part of the slip that friction takes
    for (int a = 0; a < 3; ++a)
      if (velocity[a]) velocity[a][i] += into * n[a] - lost * slip[a];
    // What it has slipped since it came to the surface was too far by the same part.
    const float since = out / (into * solid.inv_h), time = since < dt ? since : dt;
    const Vec3f back = slip * (-lost * time * solid.inv_h);
    at.shift(sides, i, back);
    const Cell now = at.cell_at(i);
    if (!cells.contains(now) || solid.value(now, at.offset_at(i)) < 0) at.shift(sides, i, back * -1.0f);
  }

  SILT_HD void operator()(std::int64_t i) const {
    float out = 0;
    for (int tries = 0; tries < 10; ++tries) {
      const Cell c = at.cell_at(i);
      if (!cells.contains(c)) return;  // it has left, or is dead
      const Vec3f f = at.offset_at(i);
      const float d = solid.value(c, f);
      if (d >= 0.5f * solid_gap) {  // on the surface itself it may be in the cell behind
        if (rubs && tries > 0) rub(i, out);
        return;
      }
      // No more than a cell at once: the distance is linear only within one.
      const float by = solid_gap - d < 1 ? solid_gap - d : 1.0f;
      at.shift(sides, i, normalized(solid.gradient(c, f)) * by);
      out += by;
    }
    const Cell c = at.cell_at(i);
    if (cells.contains(c) && solid.value(c, at.offset_at(i)) < 0 && !put_nearby(i, c)) at.cell[0][i] = Particles::dead;
  }
  /// To the middle of the nearest cell that is free, if there is one within a few: where a solid's distance has no
  /// slope, between two of its sides, there is no way along the normal.
  SILT_HD bool put_nearby(std::int64_t i, Cell from) const {
    constexpr int reach = 3;
    const Vec3f middle{0.5f, 0.5f, 0.5f};
    int nearest = 1000;
    Cell best{};
    for (int z = -reach * solid.active.z; z <= reach * solid.active.z; ++z)
      for (int y = -reach * solid.active.y; y <= reach * solid.active.y; ++y)
        for (int x = -reach; x <= reach; ++x) {
          const Cell c = from + Int3{x, y, z};
          const int away = x * x + y * y + z * z;
          if (away < nearest && cells.contains(c) && solid.value(c, middle) >= 0) nearest = away, best = c;
        }
    if (nearest == 1000) return false;
    for (int a = 0; a < 3; ++a)
      if (at.cell[a]) at.cell[a][i] = best[a], at.offset[a][i] = middle[a];
    return true;
  }
};

struct Inside {
  ParticleView particles;
  SolidAt solid;
  Box cells;
  SILT_HD double operator()(Cell index) const {
    const Cell c = particles.cell_at(index.x);
    return cells.contains(c) && solid.value(c, particles.offset_at(index.x)) < 0 ? 1.0 : 0.0;
  }
};

SolidAt solid_at(const Exec& exec, const Domain& domain, const Field<float>& distance) {
  return {distance.read(exec), domain.lattice.active, float(1 / domain.lattice.h)};
}

}  // namespace

namespace {

PushOut push_out_kernel(const Exec& exec, const Domain& domain, const Field<float>& distance, Particles& particles) {
  return {PositionColumns::of(exec, particles),
          solid_at(exec, domain, distance),
          ParticleSides::of(domain),
          domain.cells,
          false,
          {},
          {},
          {},
          0};
}

}  // namespace

void push_out(const Exec& exec, const Domain& domain, const Field<float>& distance, Particles& particles) {
  for_each_index(exec, "particles.push_out", std::int64_t(particles.count),
                 push_out_kernel(exec, domain, distance, particles));
}

void push_out_and_rub(const Exec& exec, const Domain& domain, const CutCells& solids, double dt, Particles& particles) {
  PushOut kernel = push_out_kernel(exec, domain, solids.distance, particles);
  kernel.rubs = true, kernel.dt = float(dt);
  kernel.solid_velocity = solids.solid_velocity.read(exec);
  kernel.grip = solids.grip.read(exec);
  for (int a = 0; a < 3; ++a) kernel.velocity[a] = particles.velocity[a].update(exec);
  for_each_index(exec, "particles.rub", std::int64_t(particles.count), kernel);
}

std::int64_t inside_solid(const Exec& exec, const Domain& domain, const Field<float>& distance,
                          const Particles& particles) {
  const Box all{{0, 0, 0}, {int(particles.count), 1, 1}};
  return std::int64_t(reduce<Sum>(exec, "particles.inside", all,
                                  Inside{read(exec, particles), solid_at(exec, domain, distance), domain.cells}));
}

}  // namespace silt
