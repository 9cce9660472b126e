#pragma once

#include <vector>

#include "silt/sim/kept_state.h"

namespace silt {

/// Back to before a substep that failed. Few do, and to copy all that persists costs as much as a stage of a substep:
/// so it is kept now and then, and the substeps since are taken again, which gives the same bits.
class WayBack {
 public:
  /// The model has been changed by something else than substeps, as between frames.
  void forget() { kept_any_ = failing_ = false; }
  /// Before a substep.
  void before(const Exec& exec, Model& model);
  /// After one that went well.
  void went(double time, double dt) { since_.push_back({time, dt}); }
  /// After one that did not: the model is as it was before it.
  void go_back(const Exec& exec, Model& model);

 private:
  static constexpr std::size_t most_again = 8;  ///< substeps taken again at most
  struct Substep {
    double time, dt;
  };
  void keep(const Exec& exec, Model& model);

  KeptState kept_;
  std::vector<Substep> since_;  ///< those that went well since it was kept
  bool kept_any_ = false;
  bool failing_ = false;  ///< one did: others will, so that every substep keeps the state
};

}  // namespace silt
