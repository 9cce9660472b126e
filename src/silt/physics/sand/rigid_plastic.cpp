#include "silt/physics/sand/rigid_plastic.h"

#include <algorithm>

#include "silt/fields/hodge_star.h"
#include "silt/fields/nearest_solid.h"
#include "silt/fields/operators.h"
#include "silt/fields/wrap.h"
#include "silt/physics/common/free_surface.h"
#include "silt/physics/sand/friction_at.h"
#include "silt/physics/sand/group_yield.h"
#include "silt/physics/sand/rigid_contacts.h"
#include "silt/physics/sand/rigid_impulse.h"
#include "silt/physics/sand/sand_kernels.h"

namespace silt {

void RigidPlasticWork::use(const Cells& cells, double h) {
  const SurfaceOptions surface;
  used.leave(cells, (surface.reach - surface.radius) * h, phi, mended);  // as surface_of_particles has it
  used.leave(cells, 1, air);
  used.leave(cells, 0, beside_solids.marks, beside_solids.steps, star, kick, slip, stress.shear, stress.along,
             stress.across, stress.rigid, bounds.walls, bounds.solids, bounds.pressed);
  if (solid_rub) used.leave(cells, 0, solid_rub->no_walls, solid_rub->velocity, solid_rub->impulse, solid_rub->slip);
  used.stay(cells);
}

Domain RigidPlasticWork::filled_part(const Domain& domain) const {
  Domain out = domain;
  if (!filled.first.empty()) out.cells.rows = &filled;
  return out;
}

}  // namespace silt

namespace silt::sand {

namespace {

/// How hard sand may pull at a wall before it lets go, the weight of so much of a cell: its surface is not known any
/// better.
constexpr double pull_slack = 0.1;

FlowingSand flowing(const SandWorkspace& work, const SandState& state) {
  const RigidPlasticWork& flow = *work.rigid_plastic;
  return {work.cut, flow.star, flow.air, state.pressure, work.grains.friction, work.grains.cohesion, work.velocity};
}

}  // namespace

void FindSurface::run(SandState& state, StepContext& step) const {
  const Exec& exec = step.exec;
  const Domain& domain = step.domain;
  RigidPlasticWork& flow = *work.rigid_plastic;
  find_free_surface(exec, domain, state.particles, work.ranges, work.cut,
                    setting.obstacles.empty() ? nullptr : &work.capacity, false, flow.beside_solids, flow.phi,
                    flow.mended, flow.air);
  leave_out_loose(exec, domain, work.packing, flow.phi);
  cells_of_air(exec, domain, flow.phi, flow.air);
  wrap_marks(exec, domain, flow.air);
  flow.filled = exec.on_cpu() && !domain.wraps() ? cells_without(flow.air, domain.cells) : RowSpans{};
  find_free_surface_star(exec, domain, state.particles, work.ranges, work.cut,
                         setting.obstacles.empty() ? nullptr : &work.capacity, false, flow.beside_solids, flow.phi,
                         flow.star);
  fill_gaps(exec, domain, flow.phi, work.weight, work.velocity);
}

void Project::run(SandState& state, StepContext& step) const {
  const Exec& exec = step.exec;
  const Domain& domain = step.domain;
  RigidPlasticWork& flow = *work.rigid_plastic;
  step.fill_halo(work.velocity);
  const double h = domain.lattice.h, longer = state.kick_before > 0 ? work.kick / state.kick_before : 1;
  state.kick_before = work.kick;
  scale_in_liquid(exec, domain, flow.air, h * longer, state.pressure);  // the unknown is q = kick p / rho
  const Domain filled = flow.filled_part(domain);
  // What sticks together sticks to walls as well.
  const double least = -work.kick * params.grains.cohesion / params.grains.density;
  const LetGo walls{
      .on = true, .least = least, .slack = pull_slack * work.kick * length(setting.gravity) * h, .scale = h};
  step.record(
      "pressure",
      project_free_surface(
          exec, {domain, filled, work.cut, flow.star, flow.air, work.rhs, work.spread, flow.released, flow.poisson},
          walls, {params.tolerance, params.max_iterations}, state.pressure, flow.kick, work.velocity));
  scale_in_liquid(exec, domain, flow.air, 1 / h, state.pressure);
  remember_released(exec, filled, walls, flow.released, state.pressure);
  wrap_cells(exec, domain, state.pressure);  // scaled, as that of the cells
  find_flow_faces(exec, domain, work.cut, work.packing.part, work.weight, flow.star, work.grains);
  step.fill_halo(work.velocity);
  find_wall_bounds(exec, domain, flowing(work, state), flow.kick, friction_at(params, setting, step.time + step.dt),
                   !setting.obstacles.empty(), flow.bounds);
}

void Yield::run(SandState& state, StepContext& step) const {
  find_friction_stress(step.exec, step.domain, flowing(work, state), work.rigid_plastic->stress);
}

void Rigidify::run(SandState& state, StepContext& step) const {
  RigidPlasticWork& flow = *work.rigid_plastic;
  find_rigid_groups(step.domain, flow.stress.rigid, flow.star, flow.groups);
  flow.motions.prepare(step.exec, step.domain, flow.groups, flow.stress.rigid, flow.star, work.grains.mass);
  const std::vector<RigidPush> momenta = flow.motions.momenta(step.exec, work.velocity);
  flow.contacts =
      find_rigid_contacts(step.domain, work.cut, flow.groups, flow.bounds.pressed, !setting.obstacles.empty());
  flow.moving.clear(), flow.harder.clear(), flow.held.clear(), flow.squeezed.clear();
  for (int g = 0; g < flow.groups.count(); ++g) {
    flow.moving.push_back(flow.motions.motion(g, momenta[std::size_t(g)]));
    flow.harder.push_back(keep_out(flow.motions, g, flow.contacts[std::size_t(g)], flow.moving.back()));
  }
  const std::vector<GroupYield> yields =
      yielding_parts(step.exec, step.domain, flowing(work, state), flow.stress, work.grains.mass, flow.bounds,
                     !setting.obstacles.empty(), flow.groups, flow.moving, flow.scratch);
  std::vector<float> parts;
  for (int g = 0; g < flow.groups.count(); ++g) {
    const double k = yields[std::size_t(g)].part, closing = flow.contacts[std::size_t(g)].closing;
    flow.squeezed.push_back(closing > 0 ? yields[std::size_t(g)].resists / closing : 0);
    flow.moving[std::size_t(g)].velocity *= 1 - k, flow.moving[std::size_t(g)].spin *= 1 - k;
    parts.push_back(float(k)), flow.held.push_back(1 - k);
  }
  flow.motions.write(step.exec, flow.moving, parts, work.velocity);
}

void Slide::run(SandState&, StepContext& step) const {
  const RigidPlasticWork& flow = *work.rigid_plastic;
  add_friction(step.exec, step.domain, flow.star, flow.stress, work.velocity);
}

void RubWalls::find_solid_rub(const WallFriction& friction, StepContext& step) const {
  RigidPlasticWork& flow = *work.rigid_plastic;
  if (!flow.solid_rub) flow.solid_rub = std::make_unique<SolidRub>(flow.air.layout());
  SolidRub& rub = *flow.solid_rub;
  copy_faces(step.exec, step.domain, work.velocity, rub.velocity);
  step.fill_halo(rub.velocity);
  std::swap(flow.bounds.walls, rub.no_walls);
  rub_walls(step.exec, step.domain,
            {work.cut, flow.star, work.grains.mass, flow.air, flow.stress.rigid, flow.bounds, friction, true},
            rub.velocity, rub.impulse, rub.slip);
  std::swap(flow.bounds.walls, rub.no_walls);
}

void RubWalls::report_impulses(const std::vector<double>& parts, StepContext& step) const {
  const Exec &exec = step.exec, host(Device::cpu, 1);
  RigidPlasticWork& flow = *work.rigid_plastic;
  const NearestSolid nearest = nearest_solid(host, step.domain, work.cut);
  const FeltSand felt{work.cut, flow.air, flow.bounds.pressed, flow.stress, flow.solid_rub->impulse, work.grains.mass};
  MacField<float>& rubs = flow.solid_rub->slip;  // no longer needed
  for (std::size_t n = 0; n < setting.obstacles.size(); ++n) {
    Vec3d sum = flow_impulse(exec, step.domain, felt, int(n));
    rigid_rub(exec, step.domain, felt, int(n), rubs);
    const std::vector<RigidPush> pushes = flow.motions.pushes(exec, rubs);
    for (std::size_t g = 0; g < parts.size(); ++g) {
      sum -= pushes[g].force * parts[g];
      for (const RigidContacts::Point& point : flow.contacts[g].points)
        if (point.solid && nearest(point.cell) == int(n))
          sum -= point.normal * (flow.held[g] * point.more + flow.squeezed[g] * point.against);
    }
    step.report.impulses[setting.obstacles[n].name] = sum * (params.grains.density * step.domain.lattice.cell_volume());
  }
}

void RubWalls::run(SandState&, StepContext& step) const {
  RigidPlasticWork& flow = *work.rigid_plastic;
  const bool solids = !setting.obstacles.empty();
  const WallFriction friction = friction_at(params, setting, step.time + step.dt);
  step.fill_halo(work.velocity);
  if (solids) find_solid_rub(friction, step);
  rub_walls(step.exec, step.domain,
            {work.cut, flow.star, work.grains.mass, flow.air, flow.stress.rigid, flow.bounds, friction, solids},
            work.velocity, flow.kick, flow.slip);
  const std::vector<RigidPush> pushes = flow.motions.pushes(step.exec, flow.kick);
  const std::vector<RigidPush> slips = flow.motions.pushes(step.exec, flow.slip);
  std::vector<RigidMotion> changes;
  std::vector<double> parts;
  for (int g = 0; g < flow.groups.count(); ++g) {
    const RigidPush& push = pushes[std::size_t(g)];
    RigidMotion change = flow.motions.motion(g, push);
    // As much of it as ends the slip, in the mean, and no more.
    const Vec3d slip = slips[std::size_t(g)].force;
    const double stops = -(slip.x + slip.y + slip.z), acts = dot(push, change);
    const double part = acts > 0 ? std::min(flow.harder[std::size_t(g)], stops / acts) : 0;
    change.velocity *= part, change.spin *= part;
    changes.push_back(change), parts.push_back(part);
  }
  flow.motions.write(step.exec, changes, std::vector<float>(changes.size(), 1.0f), work.velocity);
  if (solids) report_impulses(parts, step);
}

}  // namespace silt::sand
