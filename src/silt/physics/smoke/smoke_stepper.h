#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/common/step_context.h"
#include "silt/physics/smoke/params.h"
#include "silt/physics/smoke/smoke_state.h"

namespace silt {

/// Advances smoke by one substep.
///   [FED01] Fedkiw, Stam & Jensen 2001, Visual simulation of smoke
///   [NMG09] Ng, Min & Gibou 2009, fluid-solid coupling by face fractions
///   [GFCK02] Gibou, Fedkiw, Cheng & Kang 2002, A second-order-accurate symmetric discretization (see viscosity.h)
///   [LEO91] Leonard 1991, The ULTIMATE conservative difference scheme (see flux_transport.h)
///   [ZNT18] Zehnder, Narain & Thomaszewski 2018, An advection-reflection solver
class SmokeStepper {
 public:
  SmokeStepper(const SmokeParams& params, const Setting& setting, const Layout& layout);

  /// What the state is at t = 0: at rest, filled, and then made free of divergence, so that walls, solids and inlets
  /// that move from the start have their say in the first frame too.
  void start(SmokeState& state, StepContext& step);
  /// Needs dt within CFL. Leaves u divergence-free to `tolerance`.
  void substep(SmokeState& state, StepContext& step);

  /// Puts solids where they are at the end of a step, and keeps what room cells had at its start.
  void move_solids(const Exec& exec, double from, double to);
  /// Puts solids, walls and inlets where they are at `time`; nothing to do when they have not moved.
  void place_solids(const Exec& exec, double time);
  const SmokeWorkspace& workspace() const { return work_; }
  /// The fastest that anything prescribed (solids, inlets, sources) moves at `time` [m/s].
  double prescribed_speed(double time) const;

 private:
  bool find_least_distance(const Exec& exec, double from, double to);

  const SmokeParams& params_;
  const Setting& setting_;
  const bool still_;         ///< nothing prescribed ever changes
  const bool still_solids_;  ///< solids stay where they are
  SmokeWorkspace work_;
};

}  // namespace silt
