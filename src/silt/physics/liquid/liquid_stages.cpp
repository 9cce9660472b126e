#include "silt/physics/liquid/liquid_stages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "silt/fields/hodge_star.h"
#include "silt/fields/level_set.h"
#include "silt/fields/operators.h"
#include "silt/fields/row_spans.h"
#include "silt/physics/common/capacity.h"
#include "silt/physics/common/force_fields.h"
#include "silt/physics/common/free_surface.h"
#include "silt/physics/common/ghost_pressures.h"
#include "silt/physics/common/grid_to_particles.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/particle_sums.h"
#include "silt/physics/common/push.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/common/sealed_bodies.h"
#include "silt/physics/common/separate.h"
#include "silt/physics/liquid/liquid_kernels.h"
#include "silt/physics/liquid/wall_layer.h"

namespace silt::liquid {

namespace {

/// How exactly crowds are spread: what is left is spread in the next step.
constexpr double volume_tolerance = 0.03;

/// How far from cells in use their solids are looked at [cells], and how many more are placed beforehand.
constexpr int solid_read_reach = 2, placed_ahead = 6;

/// How hard liquid may pull at a wall before it lets go, besides its suction [weight of a cell]: the surface beside it
/// is not known any better.
constexpr double pull_slack = 0.1;

/// Cells beyond the liquid's in which the particles at its surface feel its pressure. No farther: drops above it fall.
constexpr int kick_layers = 1;

/// Whether some walls or solids hold liquid otherwise than the others.
bool held_apart(const Setting& setting) {
  const auto says = [](const auto& thing) { return thing.suction.has_value(); };
  return std::any_of(setting.obstacles.begin(), setting.obstacles.end(), says) ||
         std::any_of(setting.walls.begin(), setting.walls.end(), says);
}

/// Whether films too thin for a level set only lie on what is below them. What sticks, hangs or is held needs forces.
bool films_are_air(const LiquidParams& params, const Setting& setting) {
  return !params.viscous() && params.walls == LiquidWalls::let_go && params.suction == 0 && !held_apart(setting);
}

/// p / rho that each of them holds down to.
HeldDownTo held_down_to(const LiquidParams& params, const Setting& setting) {
  const double usual = params.walls == LiquidWalls::let_go ? params.suction : std::numeric_limits<double>::infinity();
  const auto least = [&](const std::optional<double>& suction) {
    return float(-suction.value_or(usual) / params.density);
  };
  HeldDownTo out;
  for (const Obstacle& obstacle : setting.obstacles) out.solids.push_back(least(obstacle.suction));
  for (auto& ends : out.sides) ends.fill(least({}));
  for (const Wall& wall : setting.walls) out.sides[std::size_t(wall.axis)][std::size_t(wall.end)] = least(wall.suction);
  return out;
}

/// Whether liquid sticks to any side or solid.
bool any_sticks(const Setting& setting) {
  const auto sticks = [](const auto& surface) { return surface.no_slip; };
  return std::any_of(setting.walls.begin(), setting.walls.end(), sticks) ||
         std::any_of(setting.obstacles.begin(), setting.obstacles.end(), sticks);
}

/// Where solids are placed: other cells may be in use in the next step.
Domain wide_domain(LiquidWorkspace& work) {
  Domain wide = work.domain;
  const RowSpans* rows = wide.cells.rows;
  work.placed = rows ? grown(*rows, wide.lattice.active, solid_read_reach + placed_ahead) : RowSpans{};
  wide.cells.rows = rows ? &work.placed : nullptr;
  return wide;
}

std::vector<PlacedShape> numbered_solids(const Setting& setting, double time) {
  std::vector<PlacedShape> solids = place(setting.obstacles, time);
  for (std::size_t n = 0; n < solids.size(); ++n) solids[n].number = int(n);
  return solids;
}

}  // namespace

bool PlaceSolids::are_placed(StepContext& step) const {
  const bool still = all_still(setting.obstacles) && setting.emitters.empty();
  if (work.placed_at < 0 || !(work.placed_at == time || still)) return false;
  if (work.placed.first.empty()) return true;
  const RowSpans* rows = work.domain.cells.rows;
  return rows && contains(work.placed, grown(*rows, step.domain.lattice.active, solid_read_reach));
}

void PlaceSolids::run(LiquidPool&, StepContext& step) const {
  if (are_placed(step)) return;
  const Domain wide = wide_domain(work);
  const std::vector<PlacedShape> solids = numbered_solids(setting, time);
  if (solids.size() > 1 && held_apart(setting) && !work.cut.nearest.allocated())
    work.cut.nearest = Field<float>(work.phi.layout());
  cut_cells(step.exec, wide, solids, work.cut);
  for (const Emitter& emitter : setting.emitters)
    if (emitter.enabled(time)) open_walls_behind(emitter, step);
  find_capacity(step.exec, wide, work.cut.distance, work.room, work.capacity);
  work.sides.clear();
  if (thin_solids) work.sides.find(step.exec, wide, work.cut, TileOrder(work.phi.layout()));
  mend_capacity(step.exec, wide, work.sides, work.cut, work.room, work.capacity);
  work.placed_at = time;
}

void PlaceSolids::open_walls_behind(const Emitter& emitter, StepContext& step) const {
  const Shape shape = emitter.shape.at(time).transformed(emitter.motion.at(time).place);
  const Vec3d velocity = emitter.velocity(time);
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end)
      if (step.domain.lattice.active[a] && step.domain.side(a, end) == Side::wall && velocity[a] * (1 - 2 * end) > 0)
        open_inlet(step.exec, step.domain, a, end, &shape, velocity, work.cut);
}

void FindSurface::run(LiquidPool& pool, StepContext& step) const {
  const Domain& domain = step.domain;
  find_free_surface(step.exec, domain, pool.particles, work.ranges, work.cut,
                    setting.obstacles.empty() ? nullptr : &work.capacity, thin, work.beside_solids, work.phi,
                    work.scratch, work.air, films_are_air(params, setting));
  if (!thin && fill_pockets(domain, work.cut.open, setting.obstacles.empty() ? nullptr : &work.room, pool.particles,
                            work.ranges, work.phi, work.air))
    fill_level_set_halo(step.exec, domain, work.phi);
  work.wet = step.exec.on_cpu() && !domain.wraps() ? cells_without(work.air, domain.cells) : RowSpans{};
  if (domain.cells.rows) work.round = grown(work.wet, domain.lattice.active, work.carried, domain.cells.rows);
  const Domain round = work.round_domain();
  work.round_used.move_to(round.cells, work.star);
  find_free_surface_star(step.exec, round, pool.particles, work.ranges, work.cut,
                         setting.obstacles.empty() ? nullptr : &work.capacity, thin, work.beside_solids, work.phi,
                         work.star);
}

void ToGrid::run(LiquidPool& pool, StepContext& step) const {
  particles_to_grid(step.exec, step.domain, pool.particles, work.ranges, params.transfer_options().across,
                    work.transfer, work.velocity, work.weight, {}, work.sides.read(step.exec, work.cut));
  fold_at_walls(step.exec, step.domain, step.walls, work.weight, work.velocity);
  fill_gaps(step.exec, step.domain, work.phi, work.weight, work.velocity);
  if (params.transfer_options().kept() == 0) return;
  if (!work.before[0].allocated()) work.before = MacField<float>(work.phi.layout());
  copy_faces(step.exec, step.domain, work.velocity, work.before);
}

void RubWalls::run(LiquidPool& pool, StepContext& step) const {
  if (!params.rubs_walls() || !any_sticks(setting)) return;
  const bool sticky = std::any_of(setting.obstacles.begin(), setting.obstacles.end(),
                                  [](const Obstacle& obstacle) { return obstacle.no_slip; });
  const WallLayer layer{.viscosity = params.wall_viscosity,
                        .walls = walls_at(setting, step.time + step.dt),
                        .solids = sticky ? &work.cut : nullptr,
                        .solids_move = !all_still(setting.obstacles),
                        .dt = step.dt};
  age_wetted(step.exec, step.domain, layer, work.air, work.ranges, work.rhs, pool.wetted);
  rub_walls(step.exec, step.domain, layer, work.ranges, pool.wetted, work.velocity);
}

void AddForces::run(LiquidPool&, StepContext& step) const {
  push_faces(step.exec, step.domain, setting.gravity * step.dt, work.velocity);
  if (setting.forces.empty()) return;
  if (!work.forced[0].allocated()) work.forced = MacField<float>(work.phi.layout());
  copy_faces(step.exec, step.domain, work.velocity, work.forced);
  for (const ForceField& field : setting.forces)
    apply_force(step.exec, step.domain, field, setting.seed, step.middle(), step.dt, work.scratch, work.velocity);
  for (int a = 0; a < 3; ++a) add_faces(step.exec, step.domain, a, work.velocity, work.forced, -1, work.forced);
}

void Diffuse::run(LiquidPool&, StepContext& step) const {
  const double nu = params.viscosity(step.time + step.dt);
  if (nu == 0) return;
  if (!work.viscosity) work.viscosity = std::make_unique<LiquidViscosity>(work.phi.layout());
  for (int a = 0; a < 3; ++a) {
    if (!step.domain.lattice.active[a]) continue;
    // Faces in the air that the liquid drags along hold its velocity.
    extend_faces(step.exec, step.domain, a, work.star, 2).run(step.exec, work.velocity[a]);
  }
  const ViscousLiquid liquid{.solids = &work.cut, .surface = &work.phi, .walls = step.walls, .viscosity = nu};
  step.record("viscosity", work.viscosity->run(step.exec, step.domain, liquid, step.dt,
                                               {params.tolerance, params.max_iterations}, work.velocity));
}

void Project::run(LiquidPool& pool, StepContext& step) const {
  const Domain& domain = step.domain;
  share_ghost_pressures(step.exec, work.round_domain(), work.cut, work.phi, pool.pressure, step.dt, work.star,
                        work.kick, work.velocity);
  if (!setting.obstacles.empty())
    shut_corners(step.exec, work.round_domain(), work.phi, work.room, work.cut, work.star, work.velocity);
  step.fill_halo(work.velocity);
  const Domain wet = work.wet_domain();
  scale_in_liquid(step.exec, domain, work.air, step.dt, pool.pressure);        // the unknown is q = dt p / rho
  const double weight = step.dt * length(setting.gravity) * domain.lattice.h;  // of a cell of liquid, as q
  LetGo walls{.on = params.walls == LiquidWalls::let_go || held_apart(setting),
              .least = -step.dt * params.suction / params.density,
              .slack = pull_slack * weight,
              .scale = step.dt};
  if (held_apart(setting)) {
    if (!work.held.allocated()) work.held = Field<float>(work.phi.layout());
    find_held(step.exec, wet, work.cut, held_down_to(params, setting), work.held);
    walls.per_cell = &work.held;
  }
  step.record(
      "pressure",
      project_free_surface(
          step.exec, {domain, wet, work.cut, work.star, work.air, work.rhs, work.drift, work.released, work.poisson},
          walls, {params.tolerance, params.max_iterations}, pool.pressure, work.kick, work.velocity, true));
  scale_in_liquid(step.exec, domain, work.air, 1 / step.dt, pool.pressure);
  if (walls.on) remember_released(step.exec, wet, walls, work.released, pool.pressure);
}

void ProjectAgain::run(LiquidPool&, StepContext& step) const {
  if (params.viscosity(step.time + step.dt) == 0) return;
  if (!work.correction.allocated()) work.correction = Field<double>(work.phi.layout());
  const Domain& domain = step.domain;
  if (solids) shut_corners(step.exec, work.round_domain(), work.phi, work.room, work.cut, work.star, work.velocity);
  step.fill_halo(work.velocity);
  scale_in_liquid(step.exec, domain, work.air, 0, work.correction);
  const Domain wet = work.wet_domain();
  step.record(
      "pressure",
      project_free_surface(
          step.exec, {domain, wet, work.cut, work.star, work.air, work.rhs, work.drift, work.released, work.poisson},
          {}, {params.tolerance, params.max_iterations}, work.correction, work.kick, work.velocity));
}

void KeepVolume::run(LiquidPool&, StepContext& step) const {
  const Domain& domain = step.domain;
  scale_in_liquid(step.exec, domain, work.air, 0, work.drift);
  step.fill_halo(work.velocity);
  const Domain wet = work.wet_domain();
  find_depth(step.exec, wet, work.phi, work.scratch);
  find_crowding(step.exec, wet, work.weight, work.capacity, work.room, work.scratch, work.phi, work.velocity,
                params.volume_rate, step.dt, work.rhs, work.sides, &work.cut);
  // Not recorded: what is left is done in the next step.
  work.poisson.solve(step.exec, {volume_tolerance, params.max_iterations}, work.rhs, work.drift);
}

void Extend::run(LiquidPool&, StepContext& step) const {
  const int layers = int(std::ceil(params.cfl)) + 2;
  const Domain round = work.round_domain();  // elsewhere there is no kick, and nothing that is carried there
  for (int a = 0; a < 3; ++a) {
    if (!round.lattice.active[a]) continue;
    Extension& beyond = work.beyond[a];
    extend_faces(step.exec, round, a, work.star, layers, beyond);
    // With what force fields add: the two balance where liquid rests, and fields are not the same a cell farther out.
    const bool forced = !setting.forces.empty();
    if (forced) add_faces(step.exec, round, a, work.kick, work.forced, 1, work.kick);
    beyond.run(step.exec, work.kick[a], kick_layers);
    if (forced) add_faces(step.exec, round, a, work.kick, work.forced, -1, work.kick);
    add_kick_beyond(step.exec, round, a, work.star, work.cut, work.weight, work.velocity, work.kick);
    beyond.run(step.exec, work.velocity[a]);
    take_beyond(step.exec, round, a, work.star, work.cut, work.weight, work.kick, work.velocity);
  }
  if (!setting.obstacles.empty()) {
    if (!films_are_air(params, setting))
      hold_films(step.exec, step.domain, work.cut, work.phi, work.velocity, work.kick);
    shut_corners(step.exec, round, work.phi, work.room, work.cut, work.star, work.velocity);
  }
  step.fill_halo(work.velocity);
}

void ToParticles::run(LiquidPool& pool, StepContext& step) const {
  const bool kept = params.transfer_options().kept() > 0;
  if (kept) step.fill_halo(work.before);
  grid_to_particles(step.exec, params.transfer_options(), work.velocity, kept ? work.before : work.velocity,
                    work.ranges, pool.particles, work.sides.read(step.exec, work.cut));
  work.films.hold(step.exec, step.domain, work.cut, solids, work.air, work.ranges, 0.5 * step.dt, pool.particles);
}

void Move::run(LiquidPool& pool, StepContext& step) const {
  const Domain& domain = step.domain;
  const bool solids = !setting.obstacles.empty();
  MacField<float>& along = work.weight;  // no longer needed
  moving_velocity(step.exec, domain, work.velocity, work.drift, work.star, work.cut, solids, along);
  step.fill_halo(along);
  Separation apart;
  const SeparateOptions separate{.distance = params.separation};
  if (params.separation > 0) find_separation(step.exec, domain, separate, work.ranges, pool.particles, apart);
  const double fastest = fastest_face(step.exec, domain, along);
  const int parts = sub_moves(domain, fastest, 0.5 * step.dt);
  // The first half was half of `cfl` cells at the most.
  const bool deep = thin_solids.may_go_deep(0.5 * step.dt * fastest / domain.lattice.h, 0.5 * params.cfl);
  if (deep || !thin_solids.empty()) thin_solids.remember(pool.particles);
  move_particles(step.exec, domain, params.moving, along, 0.5 * step.dt, parts, pool.particles, &work.ranges,
                 work.sides.read(step.exec, work.cut));
  if (params.separation > 0) separate_particles(step.exec, domain, apart, pool.particles);
  const double end = step.time + step.dt;
  const Field<float>* at_end = all_still(setting.obstacles) ? &work.cut.distance : nullptr;
  work.films.put(step.exec, pool.particles);
  if (deep) thin_solids.stop_deep(step.exec, domain, step.middle(), end, at_end, pool.particles);
  if (!thin_solids.empty()) thin_solids.stop(step.exec, domain, step.middle(), end, pool.particles);
}

void PushOut::run(LiquidPool& pool, StepContext& step) const {
  if (setting.obstacles.empty()) return;
  const Domain& domain = step.domain;
  const double end = step.time + step.dt;
  if (!all_still(setting.obstacles)) {
    solid_distances(step.exec, wide_domain(work), numbered_solids(setting, end), work.cut);
    work.placed_at = -1;
  }
  if (!thin_solids.empty()) thin_solids.remember(pool.particles);
  push_out(step.exec, domain, work.cut.distance, pool.particles);
  if (!thin_solids.empty()) thin_solids.stop(step.exec, domain, end, end, pool.particles);  // on the side they were on
  step.report.swallowed += dead_particles(step.exec, pool.particles);  // when the step began there were none
}

}  // namespace silt::liquid
