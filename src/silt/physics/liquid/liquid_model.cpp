#include "silt/physics/liquid/liquid_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "silt/fields/level_set.h"
#include "silt/fields/redistance.h"
#include "silt/physics/common/flow_kernels.h"
#include "silt/physics/common/force_fields.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/liquid/liquid_kernels.h"
#include "silt/physics/liquid/liquid_stepper.h"

namespace silt {

namespace {

/// A wave one cell long must not go further than this in a step [cells^(1/2) of sqrt(h / g)]: its height is moved by
/// the velocity that follows from it, which is stable up to 2 / sqrt(pi).
constexpr double wave_step = 0.8;
/// How far from the surface a frame's level set is a distance [cells].
constexpr int frame_band = 3;

class LiquidModel final : public Model {
 public:
  LiquidModel(const LiquidParams& params, const Setting& setting, int pad)
      : params_(params), setting_(setting), stepper_(params_, setting_, pad) {
    state_.emitters.resize(setting.emitters.size());
  }

  StepReport start(const Exec& exec) override {
    stepper_.start(exec, state_);
    return {};
  }

  double stable_step(const Exec& exec, double time) override {
    double speed = prescribed_speed(time);
    for (const LiquidPool& pool : state_.pools) speed = Max::combine(speed, sum_particles(exec, pool.particles).fastest);
    const double h = setting_.domain.lattice.h, reach = params_.cfl * h;
    const double a = length(setting_.gravity) + largest_push(setting_.forces, time);
    if (speed == 0 && a == 0) return std::numeric_limits<double>::infinity();
    // What forces add within the step counts too: c h >= (speed + a dt) dt.
    const double by_speed = 2 * reach / (speed + std::sqrt(speed * speed + 4 * a * reach));
    return a > 0 ? std::min(by_speed, wave_step * std::sqrt(h / a)) : by_speed;
  }

  StepReport substep(const Exec& exec, double time, double dt) override {
    return stepper_.substep(exec, time, dt, state_);
  }

  void visit(StateVisitor& visitor) override;

  Totals totals(const Exec& exec, double time) override {
    Totals t;
    const std::size_t stepped = std::min(stepper_.work().size(), state_.pools.size());
    for (std::size_t p = 0; p < stepped; ++p) {  // before the grids follow
      const LiquidWorkspace& work = *stepper_.work()[p];
      if (work.domain == state_.pools[p].domain && work.placed_at >= 0)
        t.max_divergence = std::max(
            t.max_divergence, max_liquid_divergence(exec, work.domain, work.air, work.velocity, work.cut));
    }
    stepper_.gather(exec, state_);
    const double mass = particle_mass();
    for (std::size_t p = 0; p < state_.pools.size(); ++p) {
      LiquidPool& pool = state_.pools[p];
      LiquidWorkspace& work = *stepper_.work()[p];
      const ParticleSums sums = sum_particles(exec, pool.particles);
      t.mass += mass * double(pool.particles.count);
      t.momentum += sums.velocities * mass;
      t.kinetic_energy += 0.5 * mass * sums.squares;
      t.max_speed = std::max(t.max_speed, sums.fastest);
      t.particles += std::int64_t(pool.particles.count);
      stepper_.find_surface(exec, time, pool, work);
      const bool solids = !setting_.obstacles.empty();
      t.volume += level_set_volume(exec, pool.domain, work.phi, solids ? &work.cut.distance : nullptr);
      if (solids) t.inside_solid += inside_solid(exec, pool.domain, work.cut.distance, pool.particles);
    }
    return t;
  }

  void snapshot(const Exec& exec, double time, Frame& frame) override;

  std::int64_t cells() const override {
    std::int64_t out = 0;
    for (const LiquidPool& pool : state_.pools) out += pool.domain.cells.count();
    return out;
  }

 private:
  double particle_mass() const {
    const Lattice& lattice = setting_.domain.lattice;
    return params_.density * lattice.cell_volume() / (1 << lattice.dims());
  }

  /// The fastest that anything prescribed (solids, emitters) moves at `time` [m/s].
  double prescribed_speed(double time) const {
    double speed = fastest_wind(setting_.forces, time);
    for (const Obstacle& o : setting_.obstacles) speed = std::max(speed, fastest_part(o, setting_.domain, time));
    for (const Emitter& e : setting_.emitters)
      if (e.enabled(time)) speed = std::max(speed, length(e.velocity(time)));
    return speed;
  }

  const LiquidParams params_;
  const Setting setting_;
  LiquidState state_;
  LiquidStepper stepper_;
};

/// Whole numbers of the state: of particles and steps, of emitters, and the box of every pool.
std::vector<std::int64_t> numbers_of(const LiquidState& state) {
  std::vector<std::int64_t> out{std::int64_t(state.born), std::int64_t(state.died), std::int64_t(state.steps)};
  for (const EmitterMemory& e : state.emitters) out.insert(out.end(), {e.on, std::int64_t(e.steps)});
  for (const LiquidPool& pool : state.pools)
    for (const Int3& end : {pool.domain.cells.lo, pool.domain.cells.hi}) out.insert(out.end(), {end.x, end.y, end.z});
  return out;
}

void LiquidModel::visit(StateVisitor& visitor) {
  const std::vector<std::int64_t> before = numbers_of(state_);
  Buffer<std::int64_t> numbers(before.size());
  std::copy(before.begin(), before.end(), numbers.host());
  visitor("water.numbers", numbers);
  const std::size_t head = 3 + 2 * state_.emitters.size();
  const std::vector<std::int64_t> after(std::as_const(numbers).host(), std::as_const(numbers).host() + numbers.size());
  if (after != before) {  // another state is about to be read
    if (after.size() < head || (after.size() - head) % 6 != 0)
      throw IoError("the checkpoint's array 'water.numbers' does not fit this scene");
    const auto* next = after.data();
    state_.born = std::uint64_t(*next++), state_.died = std::uint64_t(*next++), state_.steps = std::uint64_t(*next++);
    for (EmitterMemory& e : state_.emitters) e.on = *next++ != 0, e.steps = std::uint64_t(*next++);
    state_.pools.resize((after.size() - head) / 6);
    for (LiquidPool& pool : state_.pools) {
      Box cells;
      for (Int3* end : {&cells.lo, &cells.hi})
        for (int a = 0; a < 3; ++a) (*end)[a] = int(*next++);
      const Int3 active = setting_.domain.lattice.active;
      const Modes modes = params_.transfer_options().modes();
      if (!(pool.particles.active == active) || pool.particles.modes != modes) pool.particles = Particles(active, modes);
      if (!(pool.domain.cells == cells) || !pool.pressure.allocated()) {
        pool.domain = pool_of_cells(stepper_.rules(), cells);
        pool.pressure = Field<double>(pool_layout(stepper_.rules(), pool.domain));
      }
    }
  }
  Buffer<double> memory(4 * state_.emitters.size());
  for (std::size_t i = 0; i < state_.emitters.size(); ++i) {
    const EmitterMemory& e = state_.emitters[i];
    const double values[4] = {e.drift.x, e.drift.y, e.drift.z, e.owed};
    std::copy_n(values, 4, memory.host() + 4 * i);
  }
  visitor("water.emitters", memory);
  if (memory.size() != 4 * state_.emitters.size())
    throw IoError("the checkpoint's array 'water.emitters' does not fit this scene");
  for (std::size_t i = 0; i < state_.emitters.size(); ++i) {
    const double* values = std::as_const(memory).host() + 4 * i;
    state_.emitters[i].drift = {values[0], values[1], values[2]}, state_.emitters[i].owed = values[3];
  }
  for (std::size_t p = 0; p < state_.pools.size(); ++p) {
    LiquidPool& pool = state_.pools[p];
    const std::string name = "water." + std::to_string(p);
    visitor(name + ".particles", pool.particles);
    visitor(name + ".pressure", pool.pressure, pool.domain.cells);
  }
}

void LiquidModel::snapshot(const Exec& exec, double time, Frame& frame) {
  stepper_.gather(exec, state_);
  frame.domain = setting_.domain;
  const float h = float(setting_.domain.lattice.h);
  for (std::size_t p = 0; p < state_.pools.size(); ++p) {
    LiquidPool& pool = state_.pools[p];
    LiquidWorkspace& work = *stepper_.work()[p];
    stepper_.find_surface(exec, time, pool, work);
    Redistance(work.phi.layout()).run(exec, pool.domain, frame_band, work.phi);
    const auto add = [&](const char* name, Volume::Kind kind, const char* unit, float background, const auto& fill) {
      Volume v{"water", name, kind, unit, pool.domain.cells, background, {}};
      Buffer<float> values(std::size_t(pool.domain.cells.count()) * v.components());
      fill(values);
      v.values.assign(values.host(), values.host() + values.size());
      frame.volumes.push_back(std::move(v));
    };
    add("surface", Volume::Kind::level_set, "m", frame_band * h,
        [&](Buffer<float>& out) { pack_cells(exec, pool.domain, work.phi, out); });
    particles_to_grid(exec, pool.domain, pool.particles, work.ranges, Across::smooth, work.transfer, work.velocity,
                      work.weight);
    add("velocity", Volume::Kind::vector, "m/s", 0,
        [&](Buffer<float>& out) { pack_velocity(exec, pool.domain, work.velocity, out); });
    frame.points.push_back(points_of(pool));
  }
}

}  // namespace

std::unique_ptr<Model> make_liquid_model(const LiquidParams& params, const Setting& setting, int pad) {
  return std::make_unique<LiquidModel>(params, setting, pad);
}

}  // namespace silt
