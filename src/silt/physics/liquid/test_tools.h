#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "silt/fields/level_set.h"
#include "silt/physics/common/particle_sums.h"
#include "silt/physics/liquid/liquid_stepper.h"

/// Liquids to test with.
namespace silt::test {

inline const Exec serial(Device::cpu, 1);
constexpr double g = 9.81;

/// A square or cube of n cells a side, a metre wide; up is the last axis.
inline Setting make_setting(int dims, int n, Side sides) {
  Setting s;
  s.domain.lattice = {{0, 0, 0}, 1.0 / n, {1, dims >= 2, dims == 3}};
  s.domain.cells = {{0, 0, 0}, {n, dims >= 2 ? n : 1, dims == 3 ? n : 1}};
  for (auto& pair : s.domain.sides) pair = {sides, sides};
  s.gravity[dims - 1] = -g;
  return s;
}
inline void fill(Setting& s, const Shape& shape, const Vec3d& velocity = {}) {
  Fill f;
  f.shape = shape;
  f.velocity = velocity;
  s.fills.push_back(f);
}

/// A liquid and its stepper.
struct Flow {
  LiquidParams params;
  Setting setting;
  LiquidStepper stepper;
  LiquidState state;
  double time = 0;
  std::int64_t swallowed = 0;  ///< particles, in all
  const Exec& exec;

  Flow(const LiquidParams& p, const Setting& s, const Exec& e = serial, int pad = 0, bool leave_out = true)
      : params(p), setting(s), stepper(params, setting, pad, leave_out), exec(e) {
    stepper.start(exec, state);
  }
  void advance(double dt, int steps) {
    for (int i = 0; i < steps; ++i, time += dt) {
      const StepReport report = stepper.substep(exec, time, dt, state);
      EXPECT_TRUE(report.solves.empty() || report.solves.at("pressure").converged);
      EXPECT_EQ(report.problem, "");
      swallowed += report.swallowed;
    }
    stepper.gather(exec, time, state);
  }
  double volume() {
    double out = 0;
    for (std::size_t p = 0; p < state.pools.size(); ++p) {
      stepper.find_surface(exec, time, state.pools[p], *stepper.work()[p]);
      out += level_set_volume(exec, stepper.work()[p]->domain, stepper.work()[p]->phi);
    }
    return out;
  }
  std::size_t particles() const {
    std::size_t out = state.spray.count;
    for (const LiquidPool& pool : state.pools) out += pool.particles.count;
    return out;
  }
  double fastest() const {
    double out = 0;
    for (const LiquidPool& pool : state.pools) out = std::max(out, sum_particles(exec, pool.particles).fastest);
    return out;
  }
  /// Mean over all particles [m/s].
  Vec3d velocity() const {
    Vec3d sum{};
    for (const LiquidPool& pool : state.pools) sum += sum_particles(exec, pool.particles).velocities;
    return sum / double(particles());
  }
};

}  // namespace silt::test
