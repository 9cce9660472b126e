#pragma once

#include "silt/physics/common/closed_rooms.h"
#include "silt/physics/common/setting.h"
#include "silt/physics/common/step_context.h"
#include "silt/physics/common/sweep_solids.h"
#include "silt/physics/liquid/params.h"
#include "silt/physics/liquid/pools.h"

namespace silt {

/// Advances a liquid by one substep: particles carry it, a grid that is made anew every step gives them its forces.
///   [S68] Strang 1968, On the construction and comparison of difference schemes: second order in time
///   [ZB05] Zhu & Bridson 2005, Animating sand as a fluid
///   [JSS15] Jiang, Schroeder, Selle, Teran & Stomakhin 2015, The affine particle-in-cell method
///   [NMG09] Ng, Min & Gibou 2009, fluid-solid coupling by face fractions
///   [GFCK02] Gibou, Fedkiw, Cheng & Kang 2002, A second-order-accurate symmetric discretization
///   [S51] Stokes 1851, On the effect of the internal friction of fluids on the motion of pendulums
///   [BB08] Batty & Bridson 2008, Accurate viscous free surfaces
///   [KLTB19] Kugelstadt, Longva, Thuerey & Bender 2019, Implicit density projection for volume conserving liquids
class LiquidStepper {
 public:
  /// `pad`, `leave_out`: see PoolRules; answers do not depend on them.
  LiquidStepper(const LiquidParams& params, const Setting& setting, int pad, bool leave_out = true);

  /// What there is at t = 0: the fills, as particles.
  void start(const Exec& exec, LiquidState& state);
  StepReport substep(const Exec& exec, double time, double dt, LiquidState& state);

  /// Sorts particles, and lets the grids follow them. Nothing changes when it is done again.
  void gather(const Exec& exec, double time, LiquidState& state);
  /// Of a pool, after `gather`: solids as they are at `time`, and the level set. `thin`: as pictures show it.
  void find_surface(const Exec& exec, double time, LiquidPool& pool, LiquidWorkspace& work, bool thin = false);

  /// How many particles closed rooms hold at `time` beyond what they have room for.
  std::int64_t squeezed(const Exec& exec, double time, const LiquidState& state);

  const PoolRules& rules() const { return rules_; }
  std::vector<std::unique_ptr<LiquidWorkspace>>& work() { return work_; }

 private:
  void step_pool(LiquidPool& pool, LiquidWorkspace& work, StepContext& step);
  /// x_p += dt u_p.
  void drift(const Exec& exec, double time, double dt, LiquidState& state);
  /// What has gone out of reach is gone; how many particles.
  std::int64_t lose(const Exec& exec, LiquidState& state) const;
  void fly(const Exec& exec, double time, double dt, Particles& spray);
  void scatter(const Exec& exec, double time, std::int64_t step, LiquidPool& pool, const LiquidWorkspace& work);
  void reseed(const Exec& exec, LiquidState& state);
  /// Returns how many particles sources had no room for.
  std::int64_t emit_and_drain(const Exec& exec, double time, double dt, LiquidState& state);
  /// No particle is inside a solid as they are at `time`.
  void free_from_solids(const Exec& exec, double time, LiquidState& state);
  /// Those that an emitter or an obstacle reaches.
  template <class Thing>
  Box cells_of(const Thing& thing, double time) const;
  LiquidPool& pool_at(const Box& cells, LiquidState& state) const;

  const LiquidParams& params_;
  const Setting& setting_;
  PoolRules rules_;
  Domain everywhere_;                                   ///< all cells that liquid may be in
  std::vector<std::unique_ptr<LiquidWorkspace>> work_;  ///< of each pool
  SortScratch sorting_;
  SweepSolids thin_solids_;
  ClosedRooms rooms_;
};

}  // namespace silt
