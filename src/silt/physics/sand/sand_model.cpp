#include "silt/physics/sand/sand_model.h"

#include <algorithm>

#include "silt/core/error.h"
#include "silt/physics/common/flow_kernels.h"
#include "silt/physics/common/followed_cells.h"
#include "silt/physics/common/obstacle_distance.h"
#include "silt/physics/common/particle_points.h"
#include "silt/physics/common/particle_sums.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/common/shown_parts.h"
#include "silt/physics/sand/packed_sand.h"
#include "silt/physics/sand/sand_densities.h"
#include "silt/physics/sand/sand_step.h"
#include "silt/physics/sand/sand_stepper.h"
#include "silt/physics/sand/stress_volumes.h"

namespace silt {

namespace {

/// How far from particles a frame's volumes show something [cells].
constexpr int shown_reach = 2;

/// Cells that the box of a grid can reach beyond its particles: a margin, and to the end of its tiles.
constexpr int box_reach = 256;

class Sand final : public Model {
 public:
  Sand(const SandParams& params, const Setting& setting, int pad)
      : params_(params), setting_(setting), pad_(pad), stepper_(params_, setting_, pad), mass_of_(masses()) {
    state_.emitters.resize(setting.emitters.size());
  }

  StepReport start(const Exec& exec) override {
    stepper_.start(exec, state_);
    return {};
  }

  double stable_step(const Exec& exec, double time) override {
    const double fastest = sum_particles(exec, state_.particles).fastest;
    return sand_step(setting_, time, {fastest, state_.bearing_speed.value_or(fastest)}, params_.cfl);
  }

  StepReport substep(const Exec& exec, double time, double dt) override {
    return stepper_.substep(exec, time, dt, state_);
  }

  void visit(StateVisitor& visitor) override {
    packed_.pack(state_);
    visitor("sand.counts", packed_.counts);  // first, for it says how large the grid is
    visitor("sand.values", packed_.values);
    packed_.unpack(setting_, params_, allowed_cells(), pad_, state_);
    visitor("sand.particles", state_.particles);
    stress_.pack(state_);
    visitor("sand.spans", stress_.spans);
    visitor("sand.pressure", stress_.pressure);
    if (params_.model == SandModel::constrained) visitor("sand.stress", stress_.corners);
    if (!visitor.restores()) return;
    stress_.unpack(state_);
    stepper_.forget();
  }

  /// The volume is that of its particles, each as much as when it was seeded: sand that has come loose counts as
  /// packed.
  Totals totals(const Exec& exec, double time) override {
    stepper_.gather(exec, time, state_);
    const Particles& particles = state_.particles;
    const ParticleMasses sums = weigh_particles(exec, particles, mass_of_);
    Totals t{.mass = sums.mass, .momentum = sums.momentum, .kinetic_energy = sums.kinetic_energy};
    t.max_speed = std::max(0.0, double(sum_particles(exec, particles).fastest));  // 0 of none
    t.volume = particle_volume() * double(particles.count);
    t.particles = std::int64_t(particles.count);
    if (setting_.obstacles.empty()) return t;
    t.squeezed = stepper_.squeezed(exec, time, state_);
    stepper_.find_packing(exec, time, state_);
    t.inside_solid = inside_solid(exec, stepper_.work().domain_of_grid, stepper_.work().cut.distance, particles);
    return t;
  }

  void snapshot(const Exec& exec, double time, Frame& frame) override;

  std::int64_t cells() const override { return state_.grid.count(); }

 private:
  double particle_volume() const {
    const Lattice& lattice = setting_.domain.lattice;
    return lattice.cell_volume() / (1 << lattice.dims());
  }

  /// For its grid.
  Box allowed_cells() const {
    const Domain& scene = setting_.domain;
    return grow(followed_cells(scene, params_.reach_in(scene)), scene.lattice.active * box_reach);
  }

  /// Of a particle of each [kg].
  Buffer<double> masses() const {
    const std::vector<double> densities = sand_densities(params_, setting_);
    Buffer<double> out(densities.size());
    for (std::size_t i = 0; i < out.size(); ++i) out.host()[i] = particle_volume() * densities[i];
    return out;
  }

  const SandParams params_;
  const Setting setting_;
  const int pad_;
  SandState state_;
  SandStepper stepper_;
  const Buffer<double> mass_of_;
  PackedSand packed_;
  PackedStress stress_;
  ObstacleDistance to_obstacles_;
};

void Sand::snapshot(const Exec& exec, double time, Frame& frame) {
  stepper_.gather(exec, time, state_);
  stepper_.find_packing(exec, time, state_);
  const SandWorkspace& work = stepper_.work();
  frame.domain = setting_.domain;
  std::vector<Domain> shown = shown_parts(work.domain, work.ranges, shown_reach);
  if (shown.empty()) {  // before any is poured: such frames have their files too
    shown.push_back(setting_.domain);
    shown.back().cells = Box{setting_.domain.cells.lo, setting_.domain.cells.lo};
  }
  const auto add = [&](const char* name, Volume::Kind kind, const char* unit, const auto& fill) {
    for (const Domain& part : shown) {
      Volume v{"sand", name, kind, unit, part.cells, 0, {}};
      Buffer<float> values(std::size_t(part.cells.count()) * v.components());
      std::fill_n(values.host(), values.size(), 0.0f);
      if (values.size() > 0) fill(part, values);
      v.values.assign(values.host(), values.host() + values.size());
      frame.volumes.push_back(std::move(v));
    }
  };
  add("packing", Volume::Kind::fog, "",
      [&](const Domain& part, Buffer<float>& out) { pack_cells(exec, part, work.packing.fullness, out); });
  add("velocity", Volume::Kind::vector, "m/s",
      [&](const Domain& part, Buffer<float>& out) { pack_velocity(exec, part, work.velocity, out); });
  const double per_density = state_.kick_before > 0 ? setting_.domain.lattice.h / state_.kick_before : 0;
  const CellStress stress{state_.pressure, state_.stress, params_.grains.density * per_density};
  add("pressure", Volume::Kind::fog, "Pa",
      [&](const Domain& part, Buffer<float>& out) { pack_pressure(exec, part, stress, out); });
  if (params_.model == SandModel::constrained)
    add("bearing", Volume::Kind::vector, "Pa",
        [&](const Domain& part, Buffer<float>& out) { pack_bearing(exec, part, stress, out); });
  frame.points.push_back(points_of("sand", setting_.domain.lattice, state_.particles));
  if (setting_.obstacles.empty()) return;
  Volume v{"sand", "solid", Volume::Kind::level_set, "m", setting_.domain.cells, float(3 * setting_.domain.lattice.h),
           {}};
  const Buffer<float>& values = to_obstacles_.at_centres(exec, setting_, time);
  v.values.assign(values.host(), values.host() + values.size());
  frame.volumes.push_back(std::move(v));
}

}  // namespace

SandMemory sand_memory(const SandParams& params, int dims) {
  // A particle: as a liquid's, its file while it is written included.
  const int slopes = params.transfer == Transfer::polypic ? params.weights == Across::smooth ? 204 : 84
                     : params.transfer == Transfer::apic  ? 36
                                                          : 0;
  // A cell: stresses of its corners in floats, 2^D (D + D (D - 1) / 2), and the pressure; twice, for they are kept to
  // go back to; and the step's own, cut cells 32, velocities, weights and u 48, packing 14, grains 90, the solver's as
  // much as the stresses four times, frames 76.
  const double per_particle = 2 * (56.0 + slopes) + 61 + 345;
  // Of the rigid-plastic model there is the pressure, and instead of the solver's: level set, star, kick, slip and
  // friction 90, multigrid 40.
  if (params.model == SandModel::rigid_plastic) return {per_particle, 2 * 8 + 266 + 130, 8};
  const double stress = 4.0 * (1 << dims) * (dims * (dims + 1) / 2), state = stress + 8;
  return {per_particle, 0.75 * (2 * state + 4 * stress + 266), state};  // a quarter of its boxes is never touched
}

std::unique_ptr<Model> make_sand_model(const SandParams& params, const Setting& setting, int pad) {
  return std::make_unique<Sand>(params, setting, pad);
}

}  // namespace silt
