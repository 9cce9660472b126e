#include "silt/physics/liquid/liquid_stepper.h"

#include <algorithm>
#include <cmath>

#include "silt/core/few_touched.h"
#include "silt/fields/images.h"
#include "silt/physics/common/followed_cells.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/particle_bounds.h"
#include "silt/physics/common/particle_sums.h"
#include "silt/physics/common/push.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/common/reseed.h"
#include "silt/physics/common/seed_fills.h"
#include "silt/physics/liquid/liquid_stages.h"

namespace silt {

namespace {

/// Substeps from one reseeding to the next: few cells need it, and all particles are sorted again after it.
constexpr int reseed_every = 8;

/// Particles that a cube, in 2D a square, of four cells a side has at the least where there is liquid in it: those of a
/// sheet of a quarter or half a cell. A level set needs nearly half a cell (surface_of_particles.h). Drops of less than
/// so much, four cells or two, fly too. Threads of honey do not: only where no cell can be liquid at all.
std::uint32_t least_liquid(int dims, bool viscous) {
  return std::uint32_t(1) << (viscous ? dims : 2 * dims - 1);
}

void add(const StepReport& pool, StepReport& all) {
  for (const auto& [name, solve] : pool.solves) keep_worst(all.solves.try_emplace(name, solve).first->second, solve);
  for (const auto& [name, seconds] : pool.seconds) all.seconds[name] += seconds;
  all.swallowed += pool.swallowed;
  all.refused += pool.refused;
  all.left += pool.left;
  if (all.problem.empty()) all.problem = pool.problem;
}

std::vector<const Particles*> all_particles(const LiquidState& state) {
  std::vector<const Particles*> out{&state.spray};
  for (const LiquidPool& pool : state.pools) out.push_back(&pool.particles);
  return out;
}

/// The shape of an emitter or an obstacle, where it is.
template <class Thing>
Shape placed(const Thing& thing, double time) {
  return thing.shape.at(time).transformed(thing.motion.at(time).place);
}

}  // namespace

template <class Thing>
Box LiquidStepper::cells_of(const Thing& thing, double time) const {
  return cells_near(setting_.domain, placed(thing, time));
}

LiquidStepper::LiquidStepper(const LiquidParams& params, const Setting& setting, int pad, bool leave_out)
    : params_(params),
      setting_(setting),
      rules_{setting.domain,
             followed_cells(setting.domain, params.reach_in(setting.domain)),
             int(std::ceil(params.cfl)) + 3,
             pad,
             setting.forces.empty(),
             leave_out && !params.viscous(),
             least_liquid(setting.domain.lattice.dims(), params.viscous()),
             {}},
      everywhere_(setting.domain),
      thin_solids_(setting.domain, setting.obstacles),
      rooms_(setting) {
  everywhere_.cells = rules_.allowed;
}

void LiquidStepper::gather(const Exec& exec, double time, LiquidState& state) {
  rules_.crowded.clear();
  const auto crowd = [&](const auto& thing) {  // wherever liquid may meet it: round periodic sides, beyond open ones
    const Shape shape = placed(thing, time);
    for (const Vec3d& image : periodic_images(setting_.domain, shape))
      rules_.crowded.push_back(cells_near(everywhere_, shape.transformed({{}, image, 1})));
  };
  for (const Obstacle& obstacle : setting_.obstacles) crowd(obstacle);
  for (const Emitter& emitter : setting_.emitters)  // those that hold what is inside them at their velocity
    if (!emitter.rate && emitter.enabled(time)) crowd(emitter);
  regroup(exec, rules_, state, work_, sorting_);
}

void LiquidStepper::start(const Exec& exec, LiquidState& state) {
  state = LiquidState();
  state.emitters.resize(setting_.emitters.size());
  Particles particles = seed_fills(exec, setting_, params_.transfer_options().modes());
  state.born = particles.born;
  state.spray = Particles(particles.active, particles.modes);
  state.pools.push_back({setting_.domain, std::move(particles), {}, {}});
  gather(exec, 0, state);
  if (!setting_.obstacles.empty()) free_from_solids(exec, 0, state);
}

StepReport LiquidStepper::substep(const Exec& exec, double time, double dt, LiquidState& state) {
  StepReport report;
  const Timer drifting;
  drift(exec, time, 0.5 * dt, state);  // x_p += dt/2 u_p: half of the way before forces act, half after  [S68]
  report.left += lose(exec, state);
  report.seconds["water.move"] += drifting.seconds();
  const Timer sorting;
  gather(exec, time, state);
  if (params_.reseed && state.steps % reseed_every == 0) reseed(exec, state);
  report.seconds["water.sort"] += sorting.seconds();
  for (std::size_t p = 0; p < state.pools.size(); ++p) {
    StepContext step(exec, work_[p]->domain, time, dt);
    if (params_.viscous()) step.walls = walls_at(setting_, time + dt);  // else it slides, and RubWalls slows it
    if (params_.reseed) scatter(exec, time + 0.5 * dt, state.steps, state.pools[p], *work_[p]);
    step_pool(state.pools[p], *work_[p], step);
    add(step.report, report);
  }
  const Timer flying;
  push_particles(exec, setting_.gravity * dt, state.spray);
  fly(exec, time + 0.5 * dt, 0.5 * dt, state.spray);
  report.left += lose(exec, state);
  report.seconds["water.move"] += flying.seconds();
  const Timer emitting;
  report.refused += emit_and_drain(exec, time, dt, state);
  report.seconds["water.emit"] += emitting.seconds();
  state.steps += 1;
  return report;
}

void LiquidStepper::step_pool(LiquidPool& pool, LiquidWorkspace& work, StepContext& step) {
  using namespace liquid;
  const host_memory::FewTouched few(spread_thinly(pool));
  const bool solids = !setting_.obstacles.empty(), thin = !thin_solids_.empty();
  step.run(PlaceSolids{setting_, work, step.middle(), thin}, pool);  // A_f and u_solid [NMG09]
  step.run(FindSurface{params_, setting_, work}, pool);              // phi of the particles                  [ZB05]
  step.run(ToGrid{params_, work}, pool);                             // u   = particles' mean                 [JSS15]
  step.run(RubWalls{params_, setting_, work}, pool);                 // u  -> u_wall + (u - u_wall) E(t)/E(t-dt)  [S51]
  step.run(AddForces{setting_, work}, pool);                         // u~  = u + dt (g + a)
  step.run(Project{params_, setting_, work}, pool);                  // u   = P u~, p = 0 on the surface      [GFCK02]
  step.run(Diffuse{params_, work}, pool);                            // u~  = u + dt div(2 nu D)              [BB08]
  step.run(ProjectAgain{params_, work, solids}, pool);               // u   = P u~                            [BB08]
  step.run(Extend{params_, setting_, work}, pool);                   // u into air and solids                 [ZB05]
  step.run(KeepVolume{params_, work}, pool);                         // lap k = r |grad u| (c - 1)            [KLTB19]
  step.run(ToParticles{params_, work, solids}, pool);                // u_p, grad u_p                         [JSS15]
  step.run(Move{params_, setting_, thin_solids_, work}, pool);       // x_p += dt/2 (u - 2 grad k)            [ZB05]
  step.run(PushOut{setting_, thin_solids_, work}, pool);             // out of solids as they are at t + dt
  work.stepped = true;
}

void LiquidStepper::find_surface(const Exec& exec, double time, LiquidPool& pool, LiquidWorkspace& work, bool thin) {
  const host_memory::FewTouched few(spread_thinly(pool));
  StepContext step(exec, work.domain, time, 0);
  liquid::PlaceSolids{setting_, work, time, !thin_solids_.empty()}.run(pool, step);
  liquid::FindSurface{params_, setting_, work, thin}.run(pool, step);
}

void LiquidStepper::drift(const Exec& exec, double time, double dt, LiquidState& state) {
  const bool deep = thin_solids_.may_go_deep(0.5 * params_.cfl, 0);
  for (LiquidPool& pool : state.pools) {
    if (deep || !thin_solids_.empty()) thin_solids_.remember(pool.particles);
    move_particles(exec, pool.domain, Moving::own, MacField<float>(), dt, 1, pool.particles);
    if (deep) thin_solids_.stop_deep(exec, pool.domain, time, time + dt, nullptr, pool.particles);
    if (!thin_solids_.empty()) thin_solids_.stop(exec, pool.domain, time, time + dt, pool.particles);
  }
  fly(exec, time, dt, state.spray);
}

std::int64_t LiquidStepper::lose(const Exec& exec, LiquidState& state) const {
  std::int64_t left = lose_outside(exec, everywhere_.cells, state.spray);
  for (LiquidPool& pool : state.pools)
    if (may_leave(setting_.domain, everywhere_.cells, pool.domain.cells))
      left += lose_outside(exec, everywhere_.cells, pool.particles);
  return left;
}

std::int64_t LiquidStepper::squeezed(const Exec& exec, double time, const LiquidState& state) {
  return rooms_.squeezed(exec, time, all_particles(state));
}

void LiquidStepper::fly(const Exec& exec, double time, double dt, Particles& spray) {
  if (spray.count == 0) return;
  if (!thin_solids_.empty()) thin_solids_.remember(spray);
  const int parts = sub_moves(everywhere_, sum_particles(exec, spray).fastest, dt);
  move_particles(exec, everywhere_, Moving::own, MacField<float>(), dt, parts, spray);
  if (!thin_solids_.empty()) thin_solids_.stop(exec, everywhere_, time, time + dt, spray);
}

void LiquidStepper::scatter(const Exec& exec, double time, std::int64_t step, LiquidPool& pool,
                            const LiquidWorkspace& work) {
  if (!thin_solids_.empty()) thin_solids_.remember(pool.particles);
  scatter_crowds(exec, pool.domain, work.ranges, {.seed = setting_.seed, .step = std::uint64_t(step)}, pool.particles);
  if (!thin_solids_.empty()) thin_solids_.take_back(exec, pool.domain, time, pool.particles);
}

void LiquidStepper::reseed(const Exec& exec, LiquidState& state) {
  for (std::size_t p = 0; p < state.pools.size(); ++p) {
    LiquidPool& pool = state.pools[p];
    pool.particles.born = state.born;
    const ReseedReport changed = reseed_particles(exec, pool.domain, work_[p]->ranges,
                                                  {.seed = setting_.seed, .step = state.steps}, pool.particles);
    state.born = pool.particles.born;
    if (changed.born + changed.died == 0) continue;
    sort_particles(exec, pool.domain, work_[p]->phi.layout(), pool.particles, work_[p]->ranges, sorting_);
    state.died += std::exchange(pool.particles.died, 0);
  }
}

LiquidPool& LiquidStepper::pool_at(const Box& cells, LiquidState& state) const {
  std::vector<LiquidPool*> near;
  for (LiquidPool& pool : state.pools)
    if (!intersect(pool.domain.cells, cells).empty()) near.push_back(&pool);
  if (near.size() == 1) return *near.front();
  if (!near.empty())  // boxes of several reach there: the one that has the most in it
    return **std::max_element(near.begin(), near.end(), [&](const LiquidPool* p, const LiquidPool* q) {
      return particles_in(cells, p->particles) < particles_in(cells, q->particles);
    });
  Particles none(setting_.domain.lattice.active, params_.transfer_options().modes());
  state.pools.push_back({pool_domain(rules_, cells), std::move(none), {}, {}});
  return state.pools.back();
}

std::int64_t LiquidStepper::emit_and_drain(const Exec& exec, double time, double dt, LiquidState& state) {
  for (const Sink& sink : setting_.sinks) {
    for (LiquidPool& pool : state.pools) drain(exec, everywhere_, sink, time + dt, pool.particles);
    drain(exec, everywhere_, sink, time + dt, state.spray);
  }
  bool near_solids = false;
  std::int64_t refused = 0;
  for (std::size_t i = 0; i < setting_.emitters.size(); ++i) {
    const Emitter& emitter = setting_.emitters[i];
    if (!emitter.enabled(time + 0.5 * dt)) {  // nothing is born: no pool has to be made for it
      state.emitters[i].on = false;
      continue;
    }
    const Box cells = cells_of(emitter, time + dt);
    LiquidPool& pool = pool_at(cells, state);
    pool.particles.born = state.born;
    const std::uint64_t room = rooms_.left_for(exec, emitter, time + dt, all_particles(state));
    const auto [born, no_room] = emit(exec, setting_.domain, emitter, setting_.obstacles, time, dt, setting_.seed + i,
                                      room, state.emitters[i], pool.particles);
    refused += std::int64_t(no_room);
    state.born = pool.particles.born;
    for (const Obstacle& obstacle : setting_.obstacles)
      near_solids = near_solids || (born > 0 && !intersect(cells, cells_of(obstacle, time + dt)).empty());
  }
  if (near_solids) free_from_solids(exec, time + dt, state);
  return refused;
}

void LiquidStepper::free_from_solids(const Exec& exec, double time, LiquidState& state) {
  gather(exec, time, state);
  for (std::size_t p = 0; p < state.pools.size(); ++p) {
    LiquidPool& pool = state.pools[p];
    StepContext step(exec, pool.domain, time, 0);
    liquid::PlaceSolids{setting_, *work_[p], time, !thin_solids_.empty()}.run(pool, step);
    push_out(exec, pool.domain, work_[p]->cut.distance, pool.particles);
  }
}

}  // namespace silt
