#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/common/step_context.h"
#include "silt/physics/common/sweep_solids.h"
#include "silt/physics/liquid/liquid_state.h"
#include "silt/physics/liquid/params.h"

/// The stages of a liquid's substep, in the order the stepper runs them on every pool.
namespace silt::liquid {

/// Solids are where they are at `time`. Where an emitter stands against a wall of the domain its liquid comes through
/// the wall: else nothing could follow what it lets out, and the pressure would hold it back. Where few cells are in
/// use it is only for those, and for as many round them as particles will not have left in the next few steps.
struct PlaceSolids {
  static constexpr const char* name = "water.solids";
  const Setting& setting;
  LiquidWorkspace& work;
  double time;
  bool thin_solids = true;  ///< whether there are any
  void run(LiquidPool& pool, StepContext& step) const;

 private:
  bool are_placed(StepContext& step) const;
  void open_walls_behind(const Emitter& emitter, StepContext& step) const;
};

/// phi = the level set round the particles, carried into solids; where the pressure is unknown, and its weights. Sheets
/// and spray that fill less than half of the room are air to the pressure: what is in them flies freely until it has
/// come together, films lie on what is below them. `thin`: they are liquid too, to be seen.
struct FindSurface {
  static constexpr const char* name = "water.surface";
  const LiquidParams& params;
  const Setting& setting;
  LiquidWorkspace& work;
  bool thin = false;
  void run(LiquidPool& pool, StepContext& step) const;
};

/// u_f = sum_p w_fp u_p(x_f) / sum_p w_fp.
struct ToGrid {
  static constexpr const char* name = "water.to_grid";
  const LiquidParams& params;
  LiquidWorkspace& work;
  void run(LiquidPool& pool, StepContext& step) const;
};

/// Beside walls and solids that it sticks to: u = u_wall + (u - u_wall) E(t) / E(t - dt), t how long they have been
/// wet. See wall_layer.h. Before forces: what rests keeps resting.
struct RubWalls {
  static constexpr const char* name = "water.walls";
  const LiquidParams& params;
  const Setting& setting;
  LiquidWorkspace& work;
  void run(LiquidPool& pool, StepContext& step) const;
};

/// u += dt (g + a of every force field).
struct AddForces {
  static constexpr const char* name = "water.forces";
  const Setting& setting;
  LiquidWorkspace& work;
  void run(LiquidPool& pool, StepContext& step) const;
};

/// u - dt div(2 nu D) = u before, no traction on the surface. Gravity and the pressure that bears it have been added
/// before: alone gravity would be held back by walls that the liquid sticks to, and what is left of it in the middle,
/// which no pressure can balance, would drive a liquid at rest round for ever.
struct Diffuse {
  static constexpr const char* name = "water.viscosity";
  const LiquidParams& params;
  LiquidWorkspace& work;
  void run(LiquidPool& pool, StepContext& step) const;
};

/// u = the divergence-free field nearest to u~ in the star's norm: solve d^T * d q = -h^2 div u~ in the liquid, q = 0
/// on its surface; u -= grad q. Walls press and do not pull, unless the scene says so: see let_go.h.
struct Project {
  static constexpr const char* name = "water.pressure";
  const LiquidParams& params;
  const Setting& setting;
  LiquidWorkspace& work;
  void run(LiquidPool& pool, StepContext& step) const;
};

/// The same for what viscosity has left, where there is any; walls hold what they have not let go of.
struct ProjectAgain {
  static constexpr const char* name = "water.pressure";
  const LiquidParams& params;
  LiquidWorkspace& work;
  bool solids;  ///< whether there are any
  void run(LiquidPool& pool, StepContext& step) const;
};

/// d^T * d k = h^2 (volume_rate |grad u| (c - 1) + dt/2 tr(grad u grad u)), c how crowded the particles are within the
/// liquid: they are moved by u - grad k, so that crowds spread and voids close without a velocity that would stay. The
/// second term is what moving in straight lines changes volumes by: x + dt u has the determinant 1 - dt^2/2 tr +
/// O(dt^3).
struct KeepVolume {
  static constexpr const char* name = "water.volume";
  const LiquidParams& params;
  LiquidWorkspace& work;
  void run(LiquidPool& pool, StepContext& step) const;
};

/// u is carried on into the air and into solids.
struct Extend {
  static constexpr const char* name = "water.extend";
  const LiquidParams& params;
  const Setting& setting;
  LiquidWorkspace& work;
  void run(LiquidPool& pool, StepContext& step) const;
};

/// u_p and its slopes from the faces; what lies on solids as a film is held by them.
struct ToParticles {
  static constexpr const char* name = "water.to_particles";
  const LiquidParams& params;
  LiquidWorkspace& work;
  bool solids;  ///< whether there are any
  void run(LiquidPool& pool, StepContext& step) const;
};

/// The second half of the way, x_p += dt/2 (u - 2 grad k).
struct Move {
  static constexpr const char* name = "water.move";
  const LiquidParams& params;
  const Setting& setting;
  SweepSolids& thin_solids;
  LiquidWorkspace& work;
  void run(LiquidPool& pool, StepContext& step) const;
};

/// No particle is inside a solid as they are at the end of the step, and none behind a thin one that it was before.
struct PushOut {
  static constexpr std::string_view name = "water.push_out";
  const Setting& setting;
  SweepSolids& thin_solids;
  LiquidWorkspace& work;
  void run(LiquidPool& pool, StepContext& step) const;
};

}  // namespace silt::liquid
