#pragma once

// Shared by the tests of this room.

#include <map>
#include <string>

#include "silt/physics/common/particle_sums.h"
#include "silt/physics/sand/sand_stepper.h"

namespace silt::test {

constexpr double g = 9.81;

/// Cells of 2 cm from the origin on; up is the last axis.
inline Setting sand_setting(Int3 cells, Side sides) {
  Setting s;
  s.domain.lattice = {{0, 0, 0}, 0.02, {1, cells.y > 1, cells.z > 1}};
  s.domain.cells = {{0, 0, 0}, cells};
  for (auto& axis : s.domain.sides) axis = {sides, sides};
  s.gravity[s.domain.lattice.dims() - 1] = -g;
  return s;
}
inline void fill(Setting& s, const Shape& shape, const Vec3d& velocity = {}) {
  Fill f;
  f.shape = shape, f.velocity = velocity;
  s.fills.push_back(f);
}
inline void put_solid(Setting& s, const std::string& name, const Shape& shape, double friction) {
  Obstacle o;
  o.name = name, o.shape = shape, o.friction = friction;
  s.obstacles.push_back(o);
}

/// Sand on its way.
struct SampleSand {
  SandParams params;
  Setting setting;
  SandStepper stepper;
  SandState state;
  double time = 0;
  std::map<std::string, Vec3d> impulses;  ///< of the last `advance` [N s]
  std::int64_t swallowed = 0;             ///< particles, in all
  const Exec exec;

  SampleSand(const SandParams& p, const Setting& s, const Exec& e = Exec(Device::cpu, 1), int pad = 0)
      : params(p), setting(s), stepper(params, setting, pad), exec(e) {
    stepper.start(exec, state);
  }
  /// Whether all went well.
  bool advance(double dt, int steps) {
    bool well = true;
    impulses.clear();
    for (int i = 0; i < steps; ++i, time += dt) {
      const StepReport report = stepper.substep(exec, time, dt, state);
      for (const auto& [name, solve] : report.solves) well = well && solve.converged;
      well = well && report.problem.empty();
      swallowed += report.swallowed;
      for (const auto& [name, impulse] : report.impulses) impulses[name] += impulse;
    }
    return well;
  }
  /// [kg]; in 2D per metre.
  double mass() const {
    const Lattice& lattice = setting.domain.lattice;
    return params.grains.density * lattice.cell_volume() * double(state.particles.count) / (1 << lattice.dims());
  }
  /// Mean over all particles [m/s].
  Vec3d velocity() const {
    Vec3d sum{};
    for (std::size_t i = 0; i < state.particles.count; ++i)
      for (int a = 0; a < setting.domain.lattice.dims(); ++a) sum[a] += state.particles.velocity[a].host()[i];
    return sum / double(state.particles.count);
  }
  double fastest() const { return sum_particles(exec, state.particles).fastest; }
};

}  // namespace silt::test
