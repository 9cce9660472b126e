#pragma once

#include "silt/physics/gas/gas_stages.h"

namespace silt {

/// Advances gas by one substep.
///   [B07] Bonner 2007, Compressible subsonic flow on a staggered grid
///   [KSGF09] Kwatra, Su, Gretarsson & Fedkiw 2009, A method for avoiding the acoustic time step restriction
///   [HLN14] Herbin, Latche & Nguyen 2014, Consistent explicit staggered schemes for compressible flows
///   [NMG09] Ng, Min & Gibou 2009, fluid-solid coupling by face fractions
class GasStepper {
 public:
  /// `frame` is the time between frames [s]; 0: nobody looks.
  GasStepper(const GasParams& params, const Setting& setting, const Layout& layout, double frame = 0);

  /// A state with all that this gas keeps.
  GasState make_state() const;
  /// What the state is at t = 0: the atmosphere at rest, and what the scene fills.
  void start(const Exec& exec, GasState& state);
  /// The longest step that is stable now [s].
  double stable_step(const Exec& exec, double time, GasState& state);
  /// Explicit while dt is no longer than sound allows, unless the scene asks for another; of the state that
  /// stable_step has last looked at.
  void substep(GasState& state, StepContext& step);

  /// What its stages work with, in a step that is implicit or not.
  gas::StageParts parts(bool implicit) { return {params_, setting_, work_, implicit}; }

 private:
  const GasParams& params_;
  const Setting& setting_;
  const double shown_period_;  ///< the shortest of sound that frames show, and is to be kept [s]; 0: none
  GasWorkspace work_;
};

}  // namespace silt
