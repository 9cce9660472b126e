#include "silt/physics/sand/sand_stages.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "silt/fields/halo.h"
#include "silt/fields/operators.h"
#include "silt/fields/wrap.h"
#include "silt/physics/common/capacity.h"
#include "silt/physics/common/cling.h"
#include "silt/physics/common/force_fields.h"
#include "silt/physics/common/grid_to_particles.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/particle_sums.h"
#include "silt/physics/common/push.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/common/separate.h"
#include "silt/physics/sand/bearing_cells.h"
#include "silt/physics/sand/friction_at.h"
#include "silt/physics/sand/grain_contacts.h"
#include "silt/physics/sand/sand_kernels.h"
#include "silt/physics/sand/sand_sources.h"
#include "silt/physics/sand/solid_impulse.h"
#include "silt/solve/grain_kernels.h"

namespace silt::sand {

namespace {

/// How exactly crowds are spread: what is left is spread in the next step.
constexpr double room_tolerance = 0.05;
constexpr int room_iterations = 30;

/// Where sand flows fast, what squeezes it counts by the part of its volume that is lost: so much of all in a step.
constexpr double inflow_part = 0.1;

/// Sand bears so many times the weight of the highest column of it; beyond that it is crushed. Solids that close on it
/// with nowhere to go would else need forces without end. A layer as thin as this [cells] bears no less, for between
/// plates it bears many times what its rim does.
constexpr double bears_columns = 300, thin_column = 8;

/// How far from cells in use their solids are looked at [cells], and how many more are placed beforehand.
constexpr int solid_read_reach = 2, placed_ahead = 6;

/// Cells of sand whose weight is the least pressure to count.
constexpr double thin_layer = 0.25;

/// What the grains of each fill, of each emitter, and of any other are like, in cells of size h, where forces act
/// for `kick` [s]; pressures are those of the last step.   I_0 and the part of the sand that grains fill are those of
/// glass beads [JFP06].
SandKinds kinds_of(const SandParams& params, const Setting& setting, double kick, double kick_before) {
  constexpr double least_friction = 1e-6;  // 0 is a cell without grains
  constexpr double inertia = 0.279, filled = 0.6;
  const double h = setting.domain.lattice.h, per_stress = kick / (h * params.grains.density);
  SandKinds out;
  each_sand_source(params, setting, [&](const Grains& grains) {
    out.push_back({float(std::max(grains.friction(), least_friction)), float(grains.cohesion * per_stress),
                   float(grains.tensile_strength() * per_stress), float(grains.friction_rise),
                   float(grains.grain_size / (h * inertia) *
                         std::sqrt(kick_before / (filled * h) * grains.density / params.grains.density))});
  });
  return out;
}

/// How many cells the highest column of sand has, as it weighs along each axis; without gravity, the longest line. What
/// flies above counts as it weighs, however high it is.
double highest_column(const Exec& exec, const Domain& domain, const Vec3d& gravity, const Field<float>& friction) {
  const double g = length(gravity);
  double out = thin_column;
  for (int a = 0; a < 3; ++a) {
    const double along = g > 0 ? std::abs(gravity[a]) / g : 1;
    if (domain.lattice.active[a] && along > 0) out = std::max(out, along * longest_line(exec, domain, a, friction));
  }
  return out;
}

}  // namespace

bool PlaceSolids::are_placed(StepContext& step) const {
  if (work.placed_at < 0 || !(work.placed_at == time || all_still(setting.obstacles))) return false;
  if (work.placed.first.empty()) return true;
  const RowSpans* rows = work.domain.cells.rows;
  return rows && contains(work.placed, grown(*rows, step.domain.lattice.active, solid_read_reach));
}

void PlaceSolids::run(SandState&, StepContext& step) const {
  if (are_placed(step)) return;
  Domain wide = work.domain;  // others may be in use in the next step
  const RowSpans* rows = wide.cells.rows;
  work.placed = rows ? grown(*rows, wide.lattice.active, solid_read_reach + placed_ahead) : RowSpans{};
  wide.cells.rows = rows ? &work.placed : nullptr;
  if (setting.obstacles.size() > 1 && !work.cut.nearest.allocated())
    work.cut.nearest = Field<float>(work.cut.distance.layout());
  std::vector<PlacedShape> solids = place(setting.obstacles, time);
  for (std::size_t n = 0; n < solids.size(); ++n)
    solids[n].grip = std::min(setting.obstacles[n].friction.value_or(params.wall_friction), double(grain::sticks)),
    solids[n].number = int(n);
  cut_cells(step.exec, wide, solids, work.cut);
  find_capacity(step.exec, wide, work.cut.distance, work.room, work.capacity);
  work.placed_at = time;
}

void ToGrid::run(SandState& state, StepContext& step) const {
  particles_to_grid(step.exec, step.domain, state.particles, work.ranges, params.transfer_options().across,
                    work.transfer, work.velocity, work.weight);
  if (heaviness.size() > 0) {
    if (!work.heavy[0].allocated()) work.heavy = MacField<float>(work.rhs.layout());
    particles_to_grid(step.exec, step.domain, state.particles, work.ranges, params.transfer_options().across,
                      work.transfer, work.velocity, work.heavy, heaviness);
  }
  take_beyond_walls(step.exec, step.domain, work.masses(), work.velocity);
  if (params.transfer_options().kept() == 0) return;
  if (!work.before[0].allocated()) work.before = MacField<float>(work.rhs.layout());
  copy_faces(step.exec, step.domain, work.velocity, work.before);
}

void FindPacking::run(SandState& state, StepContext& step) const {
  // Cells at the upper end of a periodic box count the particles round the face above them, those at the lower end too.
  wrap_beside_walls(step.exec, step.domain, work.weight);
  if (work.heavy[0].allocated()) wrap_beside_walls(step.exec, step.domain, work.heavy);
  find_packing(step.exec, step.domain, state.particles, work.ranges, work.weight, work.cut.distance, work.capacity,
               work.packing);
  const SandKinds kinds = kinds_of(params, setting, work.kick, state.kick_before);
  find_contacts(step.exec, step.domain, work.cut, friction_at(params, setting, step.time + step.dt),
                work.grains.contacts);
  wrap_faces(step.exec, step.domain, work.velocity);
  const Shearing shearing{work.velocity, work.weight, state.pressure,
                          thin_layer * length(setting.gravity) * state.kick_before};
  find_grains(step.exec, step.domain, state.particles, work.ranges, work.packing, kinds, shearing, work.grains);
}

void AddForces::run(SandState&, StepContext& step) const {
  const double when = step.middle() - 0.5 * work.kick;  // from the middle of the last step to that of this one
  push_faces(step.exec, step.domain, setting.gravity * work.kick, work.velocity);
  for (const ForceField& field : setting.forces)
    apply_force(step.exec, step.domain, field, setting.seed, when, work.kick, work.scratch, work.velocity);
  wrap_faces(step.exec, step.domain, work.velocity);  // faces at the ends take what sand has put beyond them
}

/// What flies has no stress, and is left to itself.
void Bear::leave_out_flying(double squeezed, SandState& state, StepContext& step) const {
  constexpr double part = 0.1;  // of what the solver leaves, too
  Cells& cells = work.stressed.cells;
  if (!cells.rows) return;
  Field<unsigned char>& marks = work.packing.halves;  // no longer needed
  find_pressed(step.exec, work.stressed, work.grains, work.u, part * squeezed, marks);
  work.bearing = bearing_cells(cells, step.domain.lattice.active, marks);
  const Cells now(cells, &work.bearing);
  rest_left(cells, now, state.pressure);
  rest_outside(cells, now, state.stress);
  cells.rows = &work.bearing;
}

void Bear::run(SandState& state, StepContext& step) const {
  const Exec& exec = step.exec;
  const Domain& domain = step.domain;
  close_slits(exec, domain, work.cut, work.grains);
  find_faces(exec, domain, work.cut, work.packing.part, work.weight, work.masses(), work.velocity, work.grains, work.u);
  extend_into_solids(exec, domain, work.masses(), work.velocity, work.grains, work.u);
  find_edges(exec, domain, work.grains);
  add_resting(exec, domain, work.grains.resting, work.grains.contacts);
  find_slack(exec, domain, work.cut, work.packing.fraction, work.packing.part, step.dt, work.grains);
  if (state.kick_before > 0 && state.kick_before != work.kick) {
    const double factor = work.kick / state.kick_before;
    scale_cells(exec, domain, factor, state.pressure);
    scale(exec, work.stressed.cells, factor, state.stress);
  }
  wrap_cells(exec, domain, state.pressure);  // faces look at the cells on both sides
  state.kick_before = work.kick;
  const double h = domain.lattice.h, g = length(setting.gravity);
  GrainOptions options;
  options.speed = std::max(g * work.kick, 1e-3 * h / step.dt);
  options.inflow = std::max(options.speed, inflow_part * h / step.dt);
  options.tolerance = params.tolerance;
  options.max_iterations = params.max_iterations;
  leave_out_flying(options.tolerance * options.inflow, state, step);
  work.solver.place(work.stressed, work.rhs.layout());
  options.column = options.speed * highest_column(exec, domain, setting.gravity, work.grains.friction);
  options.crushing = bears_columns * options.column;
  options.box = params.yield == SandYield::box;
  const GrainReport report = work.solver.solve(exec, work.grains.parts(), options, setting.gravity * work.kick, work.u,
                                               state.pressure, state.stress);
  const auto record = [&](const char* what, double residual, bool converged) {
    step.record(what, {.iterations = report.iterations, .residual = residual, .converged = converged});
  };
  record("stress", report.balance, report.balanced);
  record("complementarity", report.compression, report.separated);
  record("yield", report.yield, report.bounded);
  take_velocity(exec, domain, work.grains, work.u, work.velocity);
  state.bearing_speed = bearing_speed(exec, work.stressed, state.pressure, thin_layer * g * work.kick, work.kick,
                                      work.grains.open, work.velocity);
  for (std::size_t n = 0; n < setting.obstacles.size(); ++n)
    step.report.impulses[setting.obstacles[n].name] =
        params.grains.density * domain.lattice.cell_volume() *
        solid_impulse(exec, domain, work.cut, int(n), work.grains, state.pressure, state.stress);
}

void MakeRoom::run(SandState&, StepContext& step) const {
  find_crowds(step.exec, step.domain, work.packing.fullness, work.capacity, work.rhs);
  work.bounded.prepare(step.exec, step.domain, work.cut.open);
  scale_cells(step.exec, step.domain, 0, work.spread);
  // Not recorded: what is left is done in the next step.
  work.bounded.solve(step.exec, {.tolerance = room_tolerance, .max_iterations = room_iterations}, not_negative,
                     work.rhs, work.spread);
}

void Extend::run(SandState&, StepContext& step) const {
  constexpr int layers = 3;
  for (int a = 0; a < 3; ++a) {
    if (!step.domain.lattice.active[a]) continue;
    extend_faces(step.exec, step.domain, a, work.grains.moves, layers, work.beyond[a]);
    work.beyond[a].run(step.exec, work.velocity[a]);
  }
  step.fill_halo(work.velocity);
}

void ToParticles::run(SandState& state, StepContext& step) const {
  const bool kept = params.transfer_options().kept() > 0;
  if (kept) step.fill_halo(work.before);
  grid_to_particles(step.exec, params.transfer_options(), work.velocity, kept ? work.before : work.velocity,
                    work.ranges, state.particles);
}

void Cling::run(SandState& state, StepContext& step) const {
  if (!(params.pair_cohesion > 0)) return;
  // A pair that touches bears the cohesion on a square as wide as they lie apart; each particle is a 2^D-th of a cell.
  // No pair is held back by more than a fiftieth of a cell in a step, whatever its pull.
  constexpr double most = 0.02;
  const Lattice& lattice = step.domain.lattice;
  const double h = lattice.h, contact = params.separation > 0 ? params.separation : 0.5;
  const double area = std::pow(contact * h, lattice.dims() - 1), volume = lattice.cell_volume() / (1 << lattice.dims());
  ClingOptions options{.contact = contact};
  each_sand_source(params, setting, [&](const Grains& grains) {
    const double pull = params.pair_cohesion * grains.cohesion * area / (grains.density * volume);
    options.pulls.push_back(float(std::min(pull * work.kick, most * h / step.dt)));
  });
  cling(step.exec, step.domain, options, work.ranges, state.particles);
}

void Move::run(SandState& state, StepContext& step) const {
  const Domain& domain = step.domain;
  MacField<float>& along = work.weight;  // no longer needed
  moving_sand(step.exec, domain, work.velocity, work.spread, domain.lattice.h / step.dt, work.cut, along);
  step.fill_halo(along);
  Separation apart;
  const SeparateOptions separate{.distance = params.separation};
  if (params.separation > 0) find_separation(step.exec, domain, separate, work.ranges, state.particles, apart);
  const double fastest = fastest_face(step.exec, domain, along);
  move_particles(step.exec, domain, Moving::rk2, along, step.dt, sub_moves(domain, fastest, step.dt), state.particles,
                 &work.ranges);
  if (params.separation > 0) separate_particles(step.exec, domain, apart, state.particles);
  if (setting.obstacles.empty()) return;
  push_out_and_rub(step.exec, domain, work.cut, step.dt, state.particles);
  step.report.swallowed += dead_particles(step.exec, state.particles);  // when the step began there were none
}

}  // namespace silt::sand
