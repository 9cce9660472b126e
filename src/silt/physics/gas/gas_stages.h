#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/common/step_context.h"
#include "silt/physics/gas/gas_work.h"
#include "silt/physics/gas/params.h"

/// The stages of a substep of gas, in the order the stepper runs them.
namespace silt::gas {

/// What they all work with.
struct StageParts {
  const GasParams& params;
  const Setting& setting;
  GasWorkspace& work;
  bool implicit;  ///< whether this step is

  StepFrame frame(const StepContext& step) const;
  Field<float>& pressure(GasState& state) const { return work.pressure.allocated() ? work.pressure : state.heat; }
};

/// What blows in during the step.
struct SetInflows {
  static constexpr const char* name = "gas.inflows";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

/// Solids are where they are at `time`.
struct PlaceSolids {
  static constexpr const char* name = "gas.solids";
  const StageParts& parts;
  double time;  ///< [s]
  void run(GasState& state, StepContext& step) const;
};

/// Fills whose time has come, `from` included and `until` not.
struct FillRegions {
  static constexpr const char* name = "gas.fill";
  const StageParts& parts;
  double from, until;  ///< [s]
  void run(GasState& state, StepContext& step) const;
};

/// Temperature, velocity and smoke of sources; and heat by their power.
struct HoldSources {
  static constexpr const char* name = "gas.sources";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

/// dF/dt = -burn_rate F where T >= ignition_temperature; what burns becomes heat and smoke.
struct Burn {
  static constexpr const char* name = "gas.fire";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

/// u += dt a of every force field.
struct AddForces {
  static constexpr const char* name = "gas.forces";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

/// Density, heat and velocity carried on into solids, so that what is looked at beside them is right.
struct FlowIntoSolids {
  static constexpr const char* name = "gas.into_solids";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

/// p' of the state: kept by the energy form, worked out by the others.
struct FindPressure {
  static constexpr const char* name = "gas.state";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

/// q where gas is squeezed: see squeeze.h.
struct FindSqueeze {
  static constexpr const char* name = "gas.squeeze";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

/// us: where the flow goes, half a step ahead; or, of an implicit step, a whole one without the pressure it ends with.
struct LookAhead {
  static constexpr const char* name = "gas.forecast";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

/// us, and the pressure at the end of the step, that go together: see pressure_system.h.
struct SolvePressure {
  static constexpr const char* name = "gas.pressure";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

/// What crosses the faces, and mass and heat after it.
struct CarryMassAndHeat {
  static constexpr const char* name = "gas.carry";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;

 private:
  void share_in_small_cells(const StepFrame& frame, GasState& state, StepContext& step) const;
};

/// Velocity after the step; and what it lost becomes heat.
struct CarryMomentum {
  static constexpr const char* name = "gas.momentum";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;

 private:
  void tell_forces(const StepFrame& frame, StepContext& step) const;
};

/// Smoke and fuel go where the flow went.
struct CarrySmoke {
  static constexpr const char* name = "gas.smoke";
  const StageParts& parts;
  void run(GasState& state, StepContext& step) const;
};

}  // namespace silt::gas
