#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/common/step_context.h"
#include "silt/physics/smoke/params.h"
#include "silt/physics/smoke/smoke_state.h"

/// The stages of a smoke substep, in the order the stepper runs them. `share` is the part of the step a stage covers.
namespace silt::smoke {

/// Beyond open sides the air is clean and at ambient temperature.
inline constexpr HaloRule ambient{.open_repeats = false, .open_value = 0};

/// Density, temperature, velocity, colour and fuel at t = 0 are what the scene says.
struct FillRegions {
  static constexpr const char* name = "smoke.fill";
  const SmokeParams& params;
  const Setting& setting;
  void run(SmokeState& state, StepContext& step) const;
};

/// Density, temperature, velocity, colour and fuel inside sources, and in the first cells of inlets, are what the scene
/// says.
struct HoldSources {
  static constexpr const char* name = "smoke.sources";
  const SmokeParams& params;
  const Setting& setting;
  SmokeWorkspace& work;
  void run(SmokeState& state, StepContext& step) const;
};

/// u~ = advect(from, u, share dt): `from` is u itself, or its reflection. Keeps u~ for reflecting.
struct AdvectVelocity {
  static constexpr const char* name = "smoke.advect_velocity";
  const SmokeParams& params;
  SmokeWorkspace& work;
  double share;
  bool reflected;
  void run(SmokeState& state, StepContext& step) const;
};

/// u += -share dt g (b (T - T0) / T - weight density): see buoyancy.h.
struct AddBuoyancy {
  static constexpr const char* name = "smoke.buoyancy";
  const SmokeParams& params;
  const Setting& setting;
  double share;
  void run(SmokeState& state, StepContext& step) const;
};

/// u += share dt a of every force field, as they are in the middle of the step.
struct AddForces {
  static constexpr const char* name = "smoke.forces";
  const Setting& setting;
  SmokeWorkspace& work;
  double share;
  void run(SmokeState& state, StepContext& step) const;
};

/// u~ - share dt nu lap u~ = u~ before, u = u_solid on what fluid sticks to.
struct Diffuse {
  static constexpr const char* name = "smoke.viscosity";
  const SmokeParams& params;
  SmokeWorkspace& work;
  double share;
  void run(SmokeState& state, StepContext& step) const;
};

/// u = the divergence-free field nearest to u~ in the star's norm: solve d^T A d q = -h^2 (div u~ - S), u -= grad q,
/// with S the rate at which what burns, or a solid that grows, swells. Then u is carried on into the solids, so that
/// tracing near a wall finds the flow along it, or none that it sticks to.
struct Project {
  static constexpr const char* name = "smoke.pressure";
  const SmokeParams& params;
  SmokeWorkspace& work;
  double share;
  void run(SmokeState& state, StepContext& step) const;
};

/// Density, temperature, colour and fuel are carried along u for the whole step: values, as `advection` says.
struct AdvectScalars {
  static constexpr const char* name = "smoke.advect_scalars";
  const SmokeParams& params;
  const Setting& setting;
  SmokeWorkspace& work;
  void run(SmokeState& state, StepContext& step) const;
};

/// Density, temperature, colour and fuel go where the flow takes them, through the faces of cells: what leaves one
/// enters another. Where burning swells the air, what it makes has the values of its cell.
struct TransportScalars {
  static constexpr const char* name = "smoke.transport";
  const SmokeParams& params;
  SmokeWorkspace& work;
  void run(SmokeState& state, StepContext& step) const;
};

}  // namespace silt::smoke
