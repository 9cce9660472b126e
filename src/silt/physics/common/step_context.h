#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "silt/core/device_memory.h"
#include "silt/core/timer.h"
#include "silt/fields/backflow.h"
#include "silt/fields/halo.h"
#include "silt/fields/walls.h"
#include "silt/physics/common/model.h"

namespace silt {

/// One line of a published algorithm. Stages never call stages; a stepper orders them.
///   name          "smoke.project"
///   run           reads and writes the state; halos of what it reads are filled by itself through the context
template <class S, class State>
concept StageFor = requires(const S stage, State& state, class StepContext& step) {
  { S::name } -> std::convertible_to<std::string_view>;
  { stage.run(state, step) } -> std::same_as<void>;
};

/// What a stage needs besides its state: where to run, the step, the time, and the report it adds to.
class StepContext {
 public:
  StepContext(const Exec& exec, const Domain& domain, double time, double dt)
      : exec(exec), domain(domain), time(time), dt(dt) {}

  const Exec& exec;
  const Domain& domain;
  const double time;                                 ///< at the beginning of the step [s]
  const double dt;                                   ///< [s]
  SideWalls walls;                                   ///< how the domain's walls drag the fluid
  double middle() const { return time + 0.5 * dt; }  ///< when what moves on keys is looked at [s]
  StepReport report;

  /// Runs a stage and adds its wall time to the report.
  template <class State, StageFor<State> Stage>
  void run(const Stage& stage, State& state) {
    const Timer timer;
    stage.run(state, *this);
    if (!exec.on_cpu()) device_memory::synchronize();
    report.seconds[std::string(Stage::name)] += timer.seconds();
  }

  void fill_halo(Field<float>& cells, const HaloRule& rule = {}) {
    silt::fill_halo(exec, domain, domain.cells, rule, cells);
  }
  void fill_halo(MacField<float>& faces) { fill_halo(faces, faces); }
  /// Of a velocity that `flow`, whose own halo is filled unless it is the same, carries.
  void fill_halo(MacField<float>& faces, const MacField<float>& flow) {
    for (int a = 0; a < 3; ++a) silt::fill_halo(exec, domain, domain.faces(a), velocity_halo(walls, a), faces[a]);
    for (int a = 0; a < 3; ++a) enter_at_rest(exec, domain, flow, a, faces[a]);
  }

  /// Keeps the worst of several solves of the same name in one step.
  void record(const std::string& name, const SolveReport& solve) {
    keep_worst(report.solves.try_emplace(name, solve).first->second, solve);
  }
};

}  // namespace silt
