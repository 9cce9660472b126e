#include "silt/physics/gas/gas_stages.h"

#include <cmath>
#include <utility>

#include "silt/fields/cell_room.h"
#include "silt/physics/common/force_fields.h"
#include "silt/physics/common/held_values.h"
#include "silt/physics/common/source_covers.h"
#include "silt/physics/gas/contents.h"
#include "silt/physics/gas/follow_solids.h"
#include "silt/physics/gas/gas_kernels.h"
#include "silt/physics/gas/heir.h"
#include "silt/physics/gas/open_sides.h"
#include "silt/physics/gas/solid_force.h"
#include "silt/physics/gas/squeeze.h"
#include "silt/physics/gas/swept_room.h"

namespace silt::gas {

namespace {

/// Of something on faces that is no velocity.
void fill_faces_halo(StepContext& step, MacField<float>& faces) {
  for (int a = 0; a < 3; ++a) fill_halo(step.exec, step.domain, step.domain.faces(a), {}, faces[a]);
}

}  // namespace

StepFrame StageParts::frame(const StepContext& step) const {
  return {.exec = step.exec,
          .domain = step.domain,
          .law = params.law(),
          .flux = params.flux,
          .implicit = implicit,
          .dt = step.dt,
          .theta = work.theta,
          .gravity = setting.gravity,
          .reference = work.reference,
          .openings = work.room.allocated() ? Openings{&work.cut, &work.room, &work.room_before, &work.room_by_distance,
                                                       &work.room_by_distance_before, &work.swept, &work.slip}
                                            : Openings{},
          .inlets = work.inlets.any() ? &work.inlets.sides() : nullptr};
}

namespace {

/// Solids where they are at `time`, as fast as they were `ago` before: in the middle of the step that brought them
/// there, or what they sweep would not be where they have gone.
void find_room_at(double time, double ago, const StageParts& parts, const StepContext& step) {
  std::vector<PlacedShape> solids = place(parts.setting.obstacles, time);
  for (std::size_t n = 0; n < solids.size(); ++n) {
    solids[n].number = int(n);
    if (ago > 0) solids[n].velocity = place(parts.setting.obstacles[n], time - ago).velocity;
  }
  GasWorkspace& work = parts.work;
  cut_cells(step.exec, step.domain, solids, work.cut);
  close_inflow_walls(parts.frame(step), work.cut.open);
  find_room(step.exec, step.domain, work.cut.distance, work.cut.open, work.room_by_distance);
}

}  // namespace

void SetInflows::run(GasState&, StepContext& step) const {
  GasWorkspace& work = parts.work;
  if (work.inlets.any() && work.inlets.set(parts.setting, parts.params.law(), step.time, step.dt) &&
      work.room.allocated())
    work.placed_at = -1;
}

void PlaceSolids::run(GasState& state, StepContext& step) const {
  GasWorkspace& work = parts.work;
  const std::vector<Obstacle>& obstacles = parts.setting.obstacles;
  if (obstacles.empty() && !work.inlets.closes()) return;
  const bool still = all_still(obstacles);
  if (work.placed_at >= 0 && (still || time == step.time)) return;
  if (!work.room.allocated()) {
    const Layout& layout = work.us.layout();
    work.cut = CutCells(layout);
    work.room = work.room_by_distance = work.room_before = work.room_by_distance_before = work.swept =
        Field<float>(layout);
    if (!still) work.distance_before = work.room_left = Field<float>(layout), work.heirs = Field<unsigned char>(layout);
    work.slip = MacField<float>(layout);
    if (obstacles.size() > 1) work.cut.nearest = Field<float>(layout);
  }
  // Distances before the step are looked at again where something else was placed last: in a step that was taken back,
  // or after a checkpoint.
  const bool moves = !still && time != step.time;
  if (moves) {
    if (work.placed_at != step.time) {
      find_room_at(step.time, 0, parts, step);
      add_rooms(step.exec, step.domain, work.room_by_distance, state.room_off, work.room);
    }
    std::swap(work.cut.distance, work.distance_before);
    std::swap(work.room, work.room_before);
    std::swap(work.room_by_distance, work.room_by_distance_before);
  }
  find_room_at(time, moves ? 0.5 * (time - step.time) : 0, parts, step);
  work.room = work.room_by_distance;
  if (!moves && !still) add_rooms(step.exec, step.domain, work.room_by_distance, state.room_off, work.room);
  if (!moves) work.room_before = work.room, work.room_by_distance_before = work.room_by_distance;
  constexpr int layers = 3;
  work.small_cells = Redistribution(step.exec, step.domain, parts.frame(step).openings);
  work.into_solid_cells = extend_cells(step.exec, step.domain, work.cut.open, layers);
  if (moves) {
    const SidesInStep sides = sides_in_step(step.exec, step.domain, work.distance_before, work.cut.distance);
    mean_opening(step.exec, step.domain, sides, work.cut.open);
    close_inflow_walls(parts.frame(step), work.cut.open);
    if (find_heirs(parts.frame(step), sides, work.room_before, work.room_by_distance, work.heirs))
      hand_over_sides(parts.frame(step), work.heirs, {work.room_by_distance_before, state.room_off, work.room_before},
                      state, work.carried, work.room_left);
    swept_room(parts.frame(step), work.small_cells.partners(), work.heirs,
               {work.room_by_distance_before, work.room_by_distance, state.room_off, work.room, work.swept, work.slip,
                work.room_left});
    work.small_cells.weigh(step.exec, step.domain, work.room);
  }
  work.flow_in_solids = FlowInSolids(step.exec, step.domain, work.cut, layers);
  work.placed_at = time;
}

void FillRegions::run(GasState& state, StepContext& step) const {
  const Domain& domain = step.domain;
  const StepFrame frame = parts.frame(step);
  for (const GasFill& fill : parts.setting.gas_fills) {
    if (fill.time < from || fill.time >= until) continue;
    for_each_cover(
        domain, fill.shape ? &*fill.shape : nullptr,
        [&](const Cover& cover) {
          const CoverAmounts amounts = cover_amounts(step.exec, domain, domain.cells, cover, false);
          put_content(frame, amounts, fill.content, state);
          if (state.smoke.allocated()) hold_cells(step.exec, amounts, fill.smoke, state.smoke);
          if (state.fuel.allocated()) hold_cells(step.exec, amounts, fill.fuel, state.fuel);
          if (fill.velocity || fill.vortices)
            fill_faces(step.exec, domain, cover, fill.velocity.value_or(Vec3d{}),
                       fill.vortices.value_or(Vortices{.wavelength = 1, .speed = 0}), state.velocity);
        },
        fill.blur);
  }
}

void HoldSources::run(GasState& state, StepContext& step) const {
  const double t = step.time;
  const Domain& domain = step.domain;
  const StepFrame frame = parts.frame(step);
  const std::vector<GasSource>& sources = parts.setting.gas_sources;
  parts.work.sources.resize(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const GasSource& source = sources[i];
    if (!source.enabled(t)) continue;
    const std::vector<CoverAmounts>& covers = source_covers(step.exec, domain, source, t, parts.work.sources[i]);
    double volume = 0;
    for (const CoverAmounts& cover : covers) volume += covered_volume(frame, cover);
    for (const CoverAmounts& cover : covers) {
      if (source.temperature) hold_temperature(frame, cover, (*source.temperature)(t), state);
      if (source.power(t) != 0 && volume > 0) add_heat(frame, cover, source.power(t) * step.dt / volume, state);
      if (source.smoke && state.smoke.allocated()) hold_cells(step.exec, cover, (*source.smoke)(t), state.smoke);
      if (source.fuel && state.fuel.allocated()) hold_cells(step.exec, cover, (*source.fuel)(t), state.fuel);
      if (source.velocity) hold_faces(step.exec, cover, (*source.velocity)(t), state.velocity);
    }
  }
}

void Burn::run(GasState& state, StepContext& step) const {
  if (!state.fuel.allocated()) return;
  const GasParams& p = parts.params;
  burn_fuel(parts.frame(step),
            {{float(-std::expm1(-p.burn_rate * step.dt)), float(p.ignition_temperature)}, p.fuel_heat, p.fuel_soot},
            state);
}

void AddForces::run(GasState& state, StepContext& step) const {
  for (const ForceField& field : parts.setting.forces)
    apply_force(step.exec, step.domain, field, parts.setting.seed, step.middle(), step.dt, parts.work.pressures.work,
                state.velocity);
}

void FlowIntoSolids::run(GasState& state, StepContext& step) const {
  GasWorkspace& work = parts.work;
  if (!work.room.allocated()) return;
  const bool still = all_still(parts.setting.obstacles);
  // Where solids move, the step before has done it: what this one fills up still holds gas.
  if (step.dt == 0 || still) {
    work.into_solid_cells.run(step.exec, state.density);
    if (state.heat.allocated()) work.into_solid_cells.run(step.exec, state.heat);
  }
  work.flow_in_solids.run(step.exec, step.domain, work.cut, state.velocity);
  if (still) return;
  step.fill_halo(state.velocity);
  follow_solids(parts.frame(step), state.velocity, work.after);
  std::swap(state.velocity, work.after);
}

void FindPressure::run(GasState& state, StepContext& step) const {
  Field<float>& pressure = parts.pressure(state);
  if (&pressure != &state.heat) find_pressure(parts.frame(step), state, pressure);
  step.fill_halo(pressure);
  step.fill_halo(state.density);
  if (state.heat.allocated() && &pressure != &state.heat) step.fill_halo(state.heat);
  const StepFrame frame = parts.frame(step);
  hold_inflows(frame, state.velocity);
  if (step.dt > 0) blow_in(frame, pressure, state);
  fill_open(frame, state.at_sides, state, pressure);
  step.fill_halo(state.velocity);
  fill_inflow_velocity(frame, state.velocity);
}

void FindSqueeze::run(GasState& state, StepContext& step) const {
  Field<float>& q = parts.work.pressures.push;
  squeeze(parts.frame(step), {}, state.velocity, state.density, parts.pressure(state), q);
  step.fill_halo(q);
}

void LookAhead::run(GasState& state, StepContext& step) const {
  const Ahead ahead = parts.implicit ? Ahead{1, 1 - parts.work.theta} : Ahead{0.5, 0.5};
  forecast(parts.frame(step), ahead, state.velocity, state.density, parts.pressure(state), parts.work.pressures.push,
           parts.work.us);
  if (parts.work.room.allocated()) parts.work.flow_in_solids.run(step.exec, step.domain, parts.work.cut, parts.work.us);
  hold_inflows(parts.frame(step), parts.work.us);
}

void SolvePressure::run(GasState& state, StepContext& step) const {
  GasWorkspace& work = parts.work;
  if (!work.system) work.system = std::make_unique<PressureSystem>(state.density.layout());
  step.record("pressure", work.system->solve(parts.frame(step), {parts.params.tolerance, parts.params.max_iterations},
                                             state, parts.pressure(state), work.us, work.pressures.work));
}

namespace {

/// What was carried, by volume: cells that a solid has filled up hand theirs over, small ones share theirs.
void share_out(const StageParts& parts, const StepFrame& frame, StepContext& step, Field<float>& values) {
  GasWorkspace& work = parts.work;
  step.fill_halo(values);
  if (!all_still(parts.setting.obstacles)) {
    if (!work.carried.allocated()) work.carried = Field<float>(values.layout());
    std::swap(values, work.carried);
    hand_over(frame, work.heirs, work.carried, values);
    step.fill_halo(values);
  }
  work.small_cells.run(step.exec, step.domain, values);
}

}  // namespace

void CarryMassAndHeat::run(GasState& state, StepContext& step) const {
  GasWorkspace& work = parts.work;
  const StepFrame frame = parts.frame(step);
  step.fill_halo(work.us);
  find_fluxes(frame, work.us, state, work.fluxes);
  fill_faces_halo(step, work.fluxes.mass);
  if (state.heat.allocated()) fill_faces_halo(step, work.fluxes.heat);
  if (work.room.allocated()) copy(step.exec, state.density, work.density_before);
  take_fluxes(frame, work.us, work.fluxes, state, parts.pressure(state), work.pressures);
  if (work.room.allocated()) share_in_small_cells(frame, state, step);
  step.fill_halo(state.density);
  step.fill_halo(work.pressures.push);
  step.fill_halo(work.pressures.work);
  fill_open_push(frame, state.at_sides, state, parts.pressure(state), work.pressures.push, work.pressures.work);
}

void CarryMassAndHeat::share_in_small_cells(const StepFrame& frame, GasState& state, StepContext& step) const {
  GasWorkspace& work = parts.work;
  share_out(parts, frame, step, state.density);
  if (state.heat.allocated()) share_out(parts, frame, step, state.heat);
  if (parts.params.heat() == Heat::entropy) factors_of_amounts(frame, state);
  work.into_solid_cells.run(step.exec, state.density);
  if (state.heat.allocated()) work.into_solid_cells.run(step.exec, state.heat);
  Field<float>& pressure = parts.pressure(state);
  if (&pressure != &state.heat) find_pressure(frame, state, pressure);
  if (!parts.implicit) add_half(frame, pressure, work.pressures.push);
  work.into_solid_cells.run(step.exec, work.pressures.push);
  work.into_solid_cells.run(step.exec, work.pressures.work);
}

void CarryMomentum::run(GasState& state, StepContext& step) const {
  GasWorkspace& work = parts.work;
  const bool kept = work.lost[0].allocated();
  const StepFrame frame = parts.frame(step);
  carry_momentum(frame, parts.params.carried(),
                 {work.us, work.fluxes, work.pressures, state.density, state.velocity,
                  work.room.allocated() ? &work.density_before : nullptr},
                 work.after, kept ? &work.lost : nullptr);
  std::swap(state.velocity, work.after);
  hold_inflows(frame, state.velocity);
  follow_open(frame, work.after, parts.pressure(state), work.pressures.push, state);
  if (!parts.setting.obstacles.empty()) tell_forces(frame, step);
  if (!kept) return;
  spare_inflows(frame, work.lost);
  fill_faces_halo(step, work.lost);
  if (!work.room.allocated()) return return_heat(frame, work.lost, work.pressures.push, state.heat);
  if (!work.carried.allocated()) work.carried = Field<float>(state.heat.layout());
  find_heat(frame, work.lost, work.pressures.push, work.carried);
  step.fill_halo(work.carried);
  work.small_cells.run(step.exec, step.domain, work.carried);
  add_heat_back(frame, work.carried, state.heat);
}

void CarryMomentum::tell_forces(const StepFrame& frame, StepContext& step) const {
  const std::vector<Obstacle>& obstacles = parts.setting.obstacles;
  for (std::size_t n = 0; n < obstacles.size(); ++n)
    step.report.impulses[obstacles[n].name] += solid_force(frame, int(n), parts.work.pressures.push) * step.dt;
}

void CarrySmoke::run(GasState& state, StepContext& step) const {
  GasWorkspace& work = parts.work;
  const StepFrame frame = parts.frame(step);
  const auto carry = [&](Field<float>& amount, Brought entering) {
    if (!amount.allocated()) return;
    if (!work.carried.allocated()) work.carried = Field<float>(amount.layout());
    step.fill_halo(amount, {.open_repeats = false, .open_value = 0});
    fill_inflow_amount(frame, entering, amount);
    carry_amount(frame, work.us, amount, work.carried);
    std::swap(amount, work.carried);
    if (work.room.allocated()) share_out(parts, frame, step, amount);
  };
  carry(state.smoke, Brought::smoke);
  carry(state.fuel, Brought::fuel);
}

}  // namespace silt::gas
