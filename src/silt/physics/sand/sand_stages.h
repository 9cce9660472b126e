#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/common/step_context.h"
#include "silt/physics/sand/params.h"
#include "silt/physics/sand/sand_state.h"

/// The stages of a substep of sand, in the order the stepper runs them.
namespace silt::sand {

/// Solids are where they are at `time`, round the cells in use.
struct PlaceSolids {
  static constexpr const char* name = "sand.solids";
  const SandParams& params;
  const Setting& setting;
  SandWorkspace& work;
  double time;
  void run(SandState& state, StepContext& step) const;

 private:
  bool are_placed(StepContext& step) const;
};

/// u_f = sum_p m_p w_fp u_p(x_f) / sum_p m_p w_fp.
struct ToGrid {
  static constexpr const char* name = "sand.to_grid";
  const SandParams& params;
  const ParticleWeights& heaviness;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// f = particles over the room they take up; which cells have grains that bear.
struct FindPacking {
  static constexpr const char* name = "sand.packing";
  const SandParams& params;
  const Setting& setting;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// u* = u + kick (g + a of every force field), kick = (dt_before + dt) / 2: from the middle of the last step to that of
/// this one, so that x += dt u is of second order (leapfrog), and free fall exact whatever the steps.
struct AddForces {
  static constexpr const char* name = "sand.forces";
  const Setting& setting;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// m (u - u*) + D^T (p, s) = 0, 0 <= p perp div u >= -room, |s| <= sqrt 2 (p tan(phi) + c), s against D u.
struct Bear {
  static constexpr const char* name = "sand.stress";
  const SandParams& params;
  const Setting& setting;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;

 private:
  void leave_out_flying(double squeezed, SandState& state, StepContext& step) const;
};

/// q >= 0 perp f + lap q <= 1: crowds of particles move apart by -grad q, without a velocity that would stay.
struct MakeRoom {
  static constexpr const char* name = "sand.room";
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// u is carried on into the air and into solids.
struct Extend {
  static constexpr const char* name = "sand.extend";
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// u_p and its slopes from the faces.
struct ToParticles {
  static constexpr const char* name = "sand.to_particles";
  const SandParams& params;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// Particles of cohesive sand hold back those that part from them.
struct Cling {
  static constexpr const char* name = "sand.cling";
  const SandParams& params;
  const Setting& setting;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// x_p along u - grad q / dt, then out of solids.
struct Move {
  static constexpr const char* name = "sand.move";
  const SandParams& params;
  const Setting& setting;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

}  // namespace silt::sand
