#pragma once

#include "silt/physics/common/closed_rooms.h"
#include "silt/physics/common/setting.h"
#include "silt/physics/common/step_context.h"
#include "silt/physics/sand/params.h"
#include "silt/physics/sand/sand_state.h"

namespace silt {

/// Advances sand by one substep: particles carry it, a grid that is made anew every step gives them its forces.
///   [ZB05] Zhu & Bridson 2005, Animating sand as a fluid
///   [NGL10] Narain, Golas & Lin 2010, Free-flowing granular materials with two-way solid coupling
///   [JSS15] Jiang, Schroeder, Selle, Teran & Stomakhin 2015, The affine particle-in-cell method
///   [NMG09] Ng, Min & Gibou 2009, fluid-solid coupling by face fractions
class SandStepper {
 public:
  SandStepper(const SandParams& params, const Setting& setting, int pad);

  /// What there is at t = 0: the fills, as particles.
  void start(const Exec& exec, SandState& state);
  StepReport substep(const Exec& exec, double time, double dt, SandState& state);
  /// Sorts particles, and lets the grid follow them. Nothing changes when it is done again.
  void gather(const Exec& exec, double time, SandState& state);
  /// Of the particles as they are, after `gather`: solids as they are at `time`, velocities on the grid, and packing.
  void find_packing(const Exec& exec, double time, SandState& state);
  /// How many particles closed rooms hold at `time` beyond what they have room for.
  std::int64_t squeezed(const Exec& exec, double time, const SandState& state);
  /// The state is no longer the one of the last step.
  void forget();
  SandWorkspace& work() { return *work_; }

 private:
  /// Pressure and friction by the rigid-plastic model.
  void flow(StepContext& step, SandState& state);
  /// Returns how many particles sources had no room for.
  std::int64_t emit_and_drain(const Exec& exec, double time, double dt, SandState& state);
  /// No particle is inside a solid as they are at `time`.
  void free_from_solids(const Exec& exec, double time, SandState& state);
  void use_cells_near(const Exec& exec);
  void carry_stress(const Exec& exec, const Domain& domain, const Layout& layout, SandState& state);

  const SandParams& params_;
  const Setting& setting_;
  Domain everywhere_;  ///< all cells that sand may be in
  int pad_;
  ParticleWeights heaviness_;  ///< of particles, to the usual ones; empty where all weigh alike
  std::unique_ptr<SandWorkspace> work_;
  SortScratch sorting_;
  ClosedRooms rooms_;
};

}  // namespace silt
