#include "silt/physics/smoke/smoke_stepper.h"

#include <algorithm>
#include <cmath>

#include "silt/fields/cell_room.h"
#include "silt/fields/operators.h"
#include "silt/physics/common/force_fields.h"
#include "silt/physics/smoke/confinement.h"
#include "silt/physics/smoke/dissipation.h"
#include "silt/physics/smoke/fire.h"
#include "silt/physics/smoke/smoke_stages.h"

namespace silt {

namespace {

bool never_changes(const Setting& setting) {
  const auto still = [](const auto& animated) { return animated.constant(); };
  return all_still(setting.obstacles) &&
         std::all_of(setting.inflows.begin(), setting.inflows.end(),
                     [&](const Inflow& i) { return still(i.velocity) && still(i.enabled); });
}

/// Solids, walls and inlets are where they are at `time`, from where they were when the step began.
struct PlaceSolids {
  static constexpr const char* name = "smoke.solids";
  SmokeStepper& stepper;
  double time;
  void run(SmokeState&, StepContext& step) const { stepper.move_solids(step.exec, step.time, time); }
};

}  // namespace

SmokeStepper::SmokeStepper(const SmokeParams& params, const Setting& setting, const Layout& layout)
    : params_(params),
      setting_(setting),
      still_(never_changes(setting)),
      still_solids_(all_still(setting.obstacles)),
      work_(layout) {
  if (!setting.inflows.empty()) work_.cut.inlet = MacField<float>(layout);
  if (!setting.obstacles.empty()) work_.room = Field<float>(layout);
  if (!still_solids_)
    work_.room_before = work_.distance_before = Field<float>(layout), work_.fit = Field<double>(layout);
}

void SmokeStepper::start(SmokeState& state, StepContext& step) {
  step.walls = walls_at(setting_, step.time);
  step.run(PlaceSolids{*this, step.time}, state);          // A_f and u_solid           [NMG09]
  step.run(smoke::FillRegions{params_, setting_}, state);  // density, T, u of the scene
  step.run(smoke::Project{params_, work_, 1}, state);      // u  = P u
  scale_cells(step.exec, step.domain, 0, state.pressure);  // what that took was an impulse, not a pressure
}

void SmokeStepper::substep(SmokeState& state, StepContext& step) {
  // Velocity through a share of the step; `reflected` starts from 2 u - u~, what the last projection left mirrored.
  const auto flow = [&](double share, bool reflected) {
    step.run(smoke::AdvectVelocity{params_, work_, share, reflected}, state);  // u~ = advect(u, u, dt)
    step.run(smoke::AddBuoyancy{params_, setting_, share}, state);             // u~ += dt f                 [FED01]
    step.run(smoke::AddForces{setting_, work_, share}, state);                 // u~ += dt a, of force fields
    step.run(smoke::ConfineVorticity{params_, work_, share}, state);           // u~ += dt eps h (N x omega) [FED01]
    step.run(smoke::Diffuse{params_, work_, share}, state);                    // u~ = u~ + dt nu lap u~     [GFCK02]
    step.run(smoke::Project{params_, work_, share}, state);                    // u  = P u~
  };
  const auto carry = [&] {
    if (params_.transport == SmokeTransport::conservative)
      step.run(smoke::TransportScalars{params_, work_}, state);         // V c -= dt sum_f A u c               [LEO91]
    else                                                                //
      step.run(smoke::AdvectScalars{params_, setting_, work_}, state);  // c  = advect(c, u, dt)
  };
  step.walls = walls_at(setting_, step.time + step.dt);
  step.run(PlaceSolids{*this, step.time + step.dt}, state);       // A_f and u_solid                     [NMG09]
  step.run(smoke::HoldSources{params_, setting_, work_}, state);  // density, T, u in sources
  step.run(smoke::Burn{params_, setting_, work_}, state);         // F e^(-k dt) where hot; T, density, S
  if (params_.splitting == Splitting::plain) {                    //                                     [FED01]
    flow(1, false);                                               // u  = P advect(u, u, dt)
    carry();                                                      // density, T, ... along u
  } else {                                                        //                                     [ZNT18]
    flow(0.5, false);                                             // u* = P u~,  u~ = advect(u, u, dt/2)
    carry();                                                      // density, T, ... along the midpoint's u*
    flow(0.5, true);                                              // u  = P advect(2 u* - u~, u*, dt/2)
  }
  step.run(smoke::Dissipate{params_}, state);  // density e^(-k dt), T' e^(-c dt)
}

void SmokeStepper::move_solids(const Exec& exec, double from, double to) {
  if (!still_solids_) {
    place_solids(exec, from);
    std::swap(work_.room, work_.room_before);
    std::swap(work_.cut.distance, work_.distance_before);
    work_.placed_at = -1;
  }
  place_solids(exec, to);
  if (still_solids_) return;
  const bool fast = find_least_distance(exec, from, to);
  const SolidsMoved moved{work_.distance_before, work_.cut.distance, fast ? &work_.least_distance : nullptr};
  work_.gone_over = GoneOver(setting_.domain, moved, work_.room, work_.room_before);
  work_.groups = CellGroups(setting_.domain, work_.cut, work_.room_before, work_.room, &moved);
}

/// Between the ends of a step, at instants between which solids move by less than a cell; false where the ends do.
bool SmokeStepper::find_least_distance(const Exec& exec, double from, double to) {
  constexpr double most = 0.5;  // cells: rounding corners as they turn, plates are a little thinner
  double cells = 0;
  for (const Obstacle& o : setting_.obstacles)
    for (const double part : {0.0, 0.5, 1.0})
      cells = std::max(
          cells, fastest_part(o, setting_.domain, from + part * (to - from)) * (to - from) / setting_.domain.lattice.h);
  const int parts = int(std::ceil(cells / most));
  if (parts < 2) return false;
  if (!work_.least_distance.allocated()) {
    const Layout& layout = work_.room.layout();
    work_.least_distance = work_.passing.distance = work_.passing.grip = Field<float>(layout);
  }
  for (int i = 1; i < parts; ++i) {
    solid_distances(exec, setting_.domain, place(setting_.obstacles, from + i * (to - from) / parts), work_.passing);
    if (i == 1)
      work_.least_distance = work_.passing.distance;
    else
      keep_least(exec, setting_.domain, work_.passing.distance, work_.least_distance);
  }
  return true;
}

void SmokeStepper::place_solids(const Exec& exec, double time) {
  if (work_.placed_at >= 0 && (still_ || work_.placed_at == time)) return;
  const Domain& domain = setting_.domain;
  cut_cells(exec, domain, place(setting_.obstacles, time), work_.cut);
  for (const Inflow& in : setting_.inflows)
    if (in.enabled(time))
      open_inlet(exec, domain, in.axis, in.end, in.shape ? &*in.shape : nullptr, in.velocity(time), work_.cut);
  work_.poisson.prepare(exec, domain, work_.cut.open);
  if (!setting_.obstacles.empty()) {
    const int layers = int(std::ceil(params_.cells_per_step(domain.lattice.dims()))) + 2;
    work_.flow_in_solids = FlowInSolids(exec, domain, work_.cut, layers);
    work_.into_solid_cells = extend_cells(exec, domain, work_.cut.open, layers);
    find_room(exec, domain, work_.cut.distance, work_.cut.open, work_.room);
    if (still_solids_) work_.groups = CellGroups(domain, work_.cut, work_.room, work_.room);
  }
  work_.placed_at = time;
}

double SmokeStepper::prescribed_speed(double time) const {
  double speed = 0;
  const auto include = [&](const Vec3d& v) { speed = std::max({speed, std::abs(v.x), std::abs(v.y), std::abs(v.z)}); };
  for (const Obstacle& o : setting_.obstacles) speed = std::max(speed, fastest_part(o, setting_.domain, time));
  for (const Wall& w : setting_.walls)
    if (w.no_slip) include(w.velocity(time));
  for (const Inflow& i : setting_.inflows)
    if (i.enabled(time)) include(i.velocity(time));
  for (const Source& s : setting_.sources)
    if (s.velocity && s.enabled(time)) include((*s.velocity)(time));
  return std::max(speed, fastest_wind(setting_.forces, time));
}

}  // namespace silt
