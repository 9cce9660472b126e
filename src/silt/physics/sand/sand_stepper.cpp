#include "silt/physics/sand/sand_stepper.h"

#include "silt/physics/common/domain_round.h"
#include "silt/physics/common/followed_cells.h"
#include "silt/physics/common/particle_bounds.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/common/seed_fills.h"
#include "silt/physics/common/take_over.h"
#include "silt/physics/sand/bearing_cells.h"
#include "silt/physics/sand/rigid_plastic.h"
#include "silt/physics/sand/sand_densities.h"
#include "silt/physics/sand/sand_stages.h"

namespace silt {

namespace {

/// Cells beyond those with particles that a step looks at; and how many of these may have stress: one bears where room
/// beside a wall counts as taken up, and one more has the faces that velocities go on to.
constexpr int margin = 4, margin_of_stress = 2;

/// The same cells, as far as another box has them, and those beside them in its units.
RowSpans moved(const RowSpans& from, const Box& to) {
  RowMarks marks(to);
  const Cells both(intersect(from.box, to), &from);
  if (!both.empty())
    both.visit_used_rows(0, both.row_count(), [&](int y, int z) {
      both.visit_row(y, z, [&](int begin, int end) { marks.set(begin, end - 1, y, z); });
    });
  return marks.spans();
}

}  // namespace

SandStepper::SandStepper(const SandParams& params, const Setting& setting, int pad)
    : params_(params), setting_(setting), everywhere_(setting.domain), pad_(pad), rooms_(setting) {
  if (params.model == SandModel::constrained) heaviness_ = sand_heaviness(params, setting);
  everywhere_.cells = followed_cells(setting.domain, params.reach_in(setting.domain));
}

void SandStepper::gather(const Exec& exec, double, SandState& state) {
  const Box sand = intersect(particle_bounds(exec, state.particles), everywhere_.cells);
  const Domain domain = domain_round(setting_.domain, sand, margin);
  const Layout layout = make_layout(domain.cells, domain.lattice.active, default_halo, pad_);
  if (!work_ || !(work_->domain_of_grid == domain)) {
    work_.reset();  // first, or there would be two in memory
    work_ = std::make_unique<SandWorkspace>(domain, layout);
    if (params_.model == SandModel::rigid_plastic) work_->rigid_plastic = std::make_unique<RigidPlasticWork>(layout);
  }
  Domain keep = domain;
  keep.cells = intersect(domain.cells, everywhere_.cells);
  sort_particles(exec, keep, layout, state.particles, work_->ranges, sorting_);
  use_cells_near(exec);
  carry_stress(exec, domain, layout, state);
}

/// Only the cells of the box that are near particles are in use; fields rest at the others.
void SandStepper::use_cells_near(const Exec& exec) {
  SandWorkspace& w = *work_;
  GrainFields& g = w.grains;
  Cells& cells = w.domain.cells;
  cells.rows = nullptr;
  w.stressed = w.domain;
  if (exec.on_cpu() && !w.domain.wraps()) {
    w.near = cells_near(w.ranges, cells, w.domain.lattice.active, margin);
    w.nearer = cells_near(w.ranges, cells, w.domain.lattice.active, margin_of_stress);
    cells.rows = &w.near, w.stressed.cells.rows = &w.nearer;
  }
  w.used.move_to(cells, w.velocity, w.weight, w.before, w.heavy, w.u, w.packing.halves, w.packing.part,
                 w.packing.fraction, w.packing.fullness, g.open, g.mass, g.sheared, g.extended, g.lends, g.resting,
                 g.moves, g.friction, g.cohesion, g.tension, g.slack, g.contacts.rub, g.contacts.across,
                 g.contacts.mixed, g.contacts.velocity, g.contacts.aslant, g.contacts.volume, g.contacts.resting, w.rhs,
                 w.spread);
  if (w.rigid_plastic) w.rigid_plastic->use(cells, w.domain.lattice.h);
}

/// Stresses of cells that are no longer in use are forgotten; the others go along when the box changes.
void SandStepper::carry_stress(const Exec& exec, const Domain& domain, const Layout& layout, SandState& state) {
  const Cells& cells = work_->stressed.cells;
  const bool with_corners = params_.model == SandModel::constrained;
  if (state.grid != Box(domain.cells) || !(state.pressure.layout() == layout)) {
    const Cells had = stressed_cells(state), both(intersect(state.grid, domain.cells), had.rows);
    Field<double> pressure(layout);
    if (state.pressure.allocated()) take_over(exec, both, state.pressure, pressure);
    state.pressure = std::move(pressure);
    if (with_corners) {
      CornerStress stress(domain.cells, domain.lattice.active);
      if (state.stress.allocated()) carry_over(had, state.stress, stress);
      state.stress = std::move(stress);
    }
    state.stressed = had.rows ? moved(*had.rows, domain.cells) : RowSpans{};
    state.grid = domain.cells;
  }
  if (!cells.rows) {
    state.stressed = {};
    return;
  }
  const Cells before = stressed_cells(state);
  if (with_corners) rest_outside(before, cells, state.stress);
  if (before.rows)
    rest_left(before, cells, state.pressure);
  else
    UsedRows::rest_outside(cells, state.pressure);
  state.stressed = *cells.rows;
}

void SandStepper::forget() {
  work_.reset();
}

void SandStepper::find_packing(const Exec& exec, double time, SandState& state) {
  StepContext step(exec, work_->domain, time, 0);
  sand::PlaceSolids{params_, setting_, *work_, time}.run(state, step);
  sand::ToGrid{params_, heaviness_, *work_}.run(state, step);
  sand::FindPacking{params_, setting_, *work_}.run(state, step);
}

void SandStepper::start(const Exec& exec, SandState& state) {
  state = SandState();
  forget();
  state.emitters.resize(setting_.emitters.size());
  state.particles = seed_fills(exec, setting_, params_.transfer_options().modes());
  gather(exec, 0, state);
  if (!setting_.obstacles.empty()) free_from_solids(exec, 0, state);
}

StepReport SandStepper::substep(const Exec& exec, double time, double dt, SandState& state) {
  using namespace sand;
  const Timer sorting;
  gather(exec, time, state);
  StepContext step(exec, work_->domain, time, dt);
  step.report.seconds["sand.sort"] += sorting.seconds();
  SandWorkspace& work = *work_;
  work.kick = 0.5 * (state.dt_before + dt);
  step.run(PlaceSolids{params_, setting_, work, time + dt}, state);  // A_f and u_solid                          [NMG09]
  step.run(ToGrid{params_, heaviness_, work}, state);                // u   = particles' mean                    [JSS15]
  step.run(FindPacking{params_, setting_, work}, state);             // f   = particles over room
  step.run(AddForces{setting_, work}, state);                        // u*  = u + kick (g + a)
  if (params_.model == SandModel::constrained)
    step.run(Bear{params_, setting_, work}, state);  // m (u - u*) + D^T (p, s) = 0, in the cone [NGL10]
  else
    flow(step, state);                              // as a liquid, but where it is rigid                 [ZB05]
  step.run(MakeRoom{work}, state);                  // q >= 0 perp f + lap q <= 1
  step.run(Extend{work}, state);                    // u into air and solids                    [ZB05]
  step.run(ToParticles{params_, work}, state);      // u_p, grad u_p                            [JSS15]
  step.run(Cling{params_, setting_, work}, state);  // u_p += pull of pairs                    [Tao14]
  step.run(Move{params_, setting_, work}, state);   // x_p += dt u - grad q, out of solids      [ZB05]
  if (may_leave(setting_.domain, everywhere_.cells, state.grid))
    step.report.left += lose_outside(exec, everywhere_.cells, state.particles);
  if (work.stressed.cells.rows) state.stressed = *work.stressed.cells.rows;  // emitting may make another grid
  const Timer emitting;
  step.report.refused += emit_and_drain(exec, time, dt, state);
  step.report.seconds["sand.emit"] += emitting.seconds();
  state.dt_before = dt;
  state.steps += 1;
  return step.report;
}

void SandStepper::flow(StepContext& step, SandState& state) {
  using namespace sand;
  SandWorkspace& work = *work_;
  step.run(FindSurface{setting_, work}, state);       // phi of the particles
  step.run(Project{params_, setting_, work}, state);  // u   = P u*, p = 0 on the surface
  step.run(Yield{work}, state);                       // s   = rho h^2 D / dt, as far as friction holds  (2.4, 2.5, 2.9)
  step.run(Rigidify{setting_, work}, state);          // u   = v + w x r in each group that it holds     (2.6, 2.7)
  step.run(Slide{work}, state);                       // u  += dt / rho div s elsewhere
  step.run(RubWalls{params_, setting_, work}, state);  // u_T = max(0, 1 - mu J / |u_T|) u_T at walls     (2.8)
}

std::int64_t SandStepper::emit_and_drain(const Exec& exec, double time, double dt, SandState& state) {
  for (const Sink& sink : setting_.sinks) drain(exec, everywhere_, sink, time + dt, state.particles);
  std::size_t born = 0, refused = 0;
  for (std::size_t i = 0; i < setting_.emitters.size(); ++i) {
    const std::uint64_t room = rooms_.left_for(exec, setting_.emitters[i], time + dt, {&state.particles});
    const Emitted out = emit(exec, setting_.domain, setting_.emitters[i], setting_.obstacles, time, dt,
                             setting_.seed + i, room, state.emitters[i], state.particles);
    born += out.born, refused += out.refused;
  }
  if (born > 0 && !setting_.obstacles.empty()) free_from_solids(exec, time + dt, state);
  return std::int64_t(refused);
}

std::int64_t SandStepper::squeezed(const Exec& exec, double time, const SandState& state) {
  return rooms_.squeezed(exec, time, {&state.particles});
}

void SandStepper::free_from_solids(const Exec& exec, double time, SandState& state) {
  gather(exec, time, state);
  StepContext step(exec, work_->domain, time, 0);
  sand::PlaceSolids{params_, setting_, *work_, time}.run(state, step);
  push_out(exec, work_->domain_of_grid, work_->cut.distance, state.particles);
}

}  // namespace silt
