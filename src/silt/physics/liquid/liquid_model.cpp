#include "silt/physics/liquid/liquid_model.h"

#include <algorithm>

#include "silt/core/few_touched.h"
#include "silt/core/reduction.h"
#include "silt/fields/level_set.h"
#include "silt/fields/redistance.h"
#include "silt/physics/common/flow_kernels.h"
#include "silt/physics/common/obstacle_distance.h"
#include "silt/physics/common/particle_points.h"
#include "silt/physics/common/particle_step.h"
#include "silt/physics/common/particle_sums.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/common/shown_parts.h"
#include "silt/physics/liquid/liquid_kernels.h"
#include "silt/physics/liquid/liquid_stepper.h"
#include "silt/physics/liquid/overlaps.h"
#include "silt/physics/liquid/packed_field.h"
#include "silt/physics/liquid/packed_numbers.h"

namespace silt {

namespace {

/// How far from the surface a frame's level set is a distance [cells].
constexpr int frame_band = 3;  // a surface is less than a cell from its particles

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
    double speed = sum_particles(exec, state_.spray).fastest;
    for (const LiquidPool& pool : state_.pools)
      speed = Max::combine(speed, sum_particles(exec, pool.particles).fastest);
    return particle_step(setting_, time, speed, params_.cfl);
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
      if (work.domain == state_.pools[p].domain && work.stepped)  // in the step's cells: others may be in use now
        t.max_divergence = std::max(t.max_divergence,
                                    max_liquid_divergence(exec, work.wet_domain(), work.air, work.velocity, work.cut));
    }
    stepper_.gather(exec, time, state_);
    add_particles(exec, state_.spray, t);
    t.volume = t.mass / params_.density;
    for (std::size_t p = 0; p < state_.pools.size(); ++p) {
      LiquidPool& pool = state_.pools[p];
      LiquidWorkspace& work = *stepper_.work()[p];
      add_particles(exec, pool.particles, t);
      const host_memory::FewTouched few(spread_thinly(pool));
      stepper_.find_surface(exec, time, pool, work);
      const bool solids = !setting_.obstacles.empty();
      t.volume += liquid_volume(exec, work.domain, work.phi, work.ranges, solids ? &work.cut.distance : nullptr);
      if (solids) t.inside_solid += inside_solid(exec, pool.domain, work.cut.distance, pool.particles);
    }
    t.squeezed = stepper_.squeezed(exec, time, state_);
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

  void add_particles(const Exec& exec, const Particles& particles, Totals& t) const {
    const ParticleSums sums = sum_particles(exec, particles);
    const double mass = particle_mass();
    t.mass += mass * double(particles.count);
    t.momentum += sums.velocities * mass;
    t.kinetic_energy += 0.5 * mass * sums.squares;
    t.max_speed = std::max(t.max_speed, sums.fastest);
    t.particles += std::int64_t(particles.count);
  }

  const LiquidParams params_;
  const Setting setting_;
  LiquidState state_;
  LiquidStepper stepper_;
  PackedNumbers packed_;
  /// Pressure and wetted of each pool that is spread thinly; a visitor may point to them.
  std::vector<std::array<PackedField, 2>> packed_fields_;
  ObstacleDistance to_obstacles_;
};

void LiquidModel::visit(StateVisitor& visitor) {
  packed_.pack(state_);
  visitor("water.counts", packed_.counts);  // first, for it says how many pools there are
  visitor("water.emitters", packed_.emitters);
  packed_.unpack(stepper_.rules(), params_.transfer_options().modes(), state_);
  state_.spray.born = state_.born;
  visitor("water.spray", state_.spray);
  packed_fields_.resize(state_.pools.size());
  for (std::size_t p = 0; p < state_.pools.size(); ++p) {
    LiquidPool& pool = state_.pools[p];
    const std::string name = "water." + std::to_string(p);
    pool.particles.born = state_.born;  // ids are given to all pools alike
    visitor(name + ".particles", pool.particles);
    const auto visit_field = [&](const std::string& field_name, PackedField& packed, Field<double>& field) {
      if (!spread_thinly(pool)) return visitor(field_name, field, pool.domain.cells);
      packed.pack(field, pool.domain.cells);
      visitor(field_name + "_runs", packed.runs);
      visitor(field_name + "_values", packed.values);
      packed.unpack(pool.domain.cells, field);
    };
    visit_field(name + ".pressure", packed_fields_[p][0], pool.pressure);
    visit_field(name + ".wetted", packed_fields_[p][1], pool.wetted);
  }
}

void LiquidModel::snapshot(const Exec& exec, double time, Frame& frame) {
  stepper_.gather(exec, time, state_);
  frame.domain = setting_.domain;
  const float h = float(setting_.domain.lattice.h);
  for (std::size_t p = 0; p < state_.pools.size(); ++p) {
    LiquidPool& pool = state_.pools[p];
    LiquidWorkspace& work = *stepper_.work()[p];
    stepper_.find_surface(exec, time, pool, work, true);
    const host_memory::FewTouched few(spread_thinly(pool));
    Redistance(work.phi.layout()).run(exec, work.domain, frame_band, work.phi);
    const std::vector<Domain> shown = shown_parts(work.domain, work.ranges, frame_band + 1);
    const Exec one(Device::cpu, 1);  // parts are small
    const Exec& packing = work.domain.cells.rows ? one : exec;
    const auto add = [&](const char* name, Volume::Kind kind, const char* unit, float background, const auto& fill) {
      for (const Domain& part : shown) {
        Volume v{"water", name, kind, unit, part.cells, background, {}};
        Buffer<float> values(std::size_t(part.cells.count()) * v.components());
        std::fill_n(values.host(), values.size(), background);
        fill(part, values);
        v.values.assign(values.host(), values.host() + values.size());
        frame.volumes.push_back(std::move(v));
      }
    };
    add("surface", Volume::Kind::level_set, "m", frame_band * h,
        [&](const Domain& part, Buffer<float>& out) { pack_cells(packing, part, work.phi, out); });
    particles_to_grid(exec, work.domain, pool.particles, work.ranges, Across::smooth, work.transfer, work.velocity,
                      work.weight);
    add("velocity", Volume::Kind::vector, "m/s", 0,
        [&](const Domain& part, Buffer<float>& out) { pack_velocity(packing, part, work.velocity, out); });
    frame.points.push_back(points_of("water", pool.domain.lattice, pool.particles));
  }
  agree_in_overlaps(frame.volumes);
  if (!frame.find("surface")) {  // before the tap is opened, or when all is spray: such frames have their files too
    const Cell at = setting_.domain.cells.lo;
    frame.volumes.push_back({"water", "surface", Volume::Kind::level_set, "m", {at, at}, frame_band * h, {}});
    frame.volumes.push_back({"water", "velocity", Volume::Kind::vector, "m/s", {at, at}, 0, {}});
  }
  if (state_.pools.empty() || state_.spray.count > 0)
    frame.points.push_back(points_of("water", setting_.domain.lattice, state_.spray));
  if (!setting_.obstacles.empty()) {
    Volume v{"water", "solid", Volume::Kind::level_set, "m", setting_.domain.cells, frame_band * h, {}};
    const Buffer<float>& values = to_obstacles_.at_centres(exec, setting_, time);
    v.values.assign(values.host(), values.host() + values.size());
    frame.volumes.push_back(std::move(v));
  }
}

}  // namespace

LiquidMemory liquid_memory(const LiquidParams& params) {
  // A particle: cell, offset, velocity 36, slopes, id, age, source, colour 20; kept once more; sorting 36; its place in
  // the frame 25; the lists that a frame hands over, and its file while it is written, 345, measured on mixer.
  const int slopes = params.transfer == Transfer::polypic ? params.weights == Across::smooth ? 204 : 84
                     : params.transfer == Transfer::apic  ? 36
                                                          : 0;
  // A cell: 460 in arrays (cut cells 32, velocities, weights, kick and star 48, level set, room and the like 16,
  // right-hand sides 16, pressure, wetted and their copies 32, solver 60, extension 30, distances and packed volumes of
  // a frame). Of those in boxes that are mostly air, near half are ever touched: 250, measured on dam_break,
  // water_column, splash_open and pouring. FLIP 12 more. Viscosity: its systems and solvers 600, measured on honey.
  const bool flip = params.transfer_options().kept() > 0;
  return {2 * (56.0 + slopes) + 61 + 345, 250.0 + (flip ? 12 : 0) + (params.viscous() ? 600 : 0)};
}

std::unique_ptr<Model> make_liquid_model(const LiquidParams& params, const Setting& setting, int pad) {
  return std::make_unique<LiquidModel>(params, setting, pad);
}

}  // namespace silt
