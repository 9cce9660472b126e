#pragma once

#include <vector>

#include "silt/core/exec.h"
#include "silt/physics/common/transfer_options.h"

namespace silt::validation {

/// What a drop keeps that nothing acts on.
struct Spin {
  std::vector<double> turns, angular_momentum;  ///< over that at first
  double energy = 0;                            ///< at the end, over that at first
};

/// A round drop of water without weight, in the air, turns once a second as a rigid body would, for one turn: the whole
/// step of a liquid, in 2D. `cells` a metre, and the drop is 0.6 m wide. Steps must be short: what moves straight
/// on and is projected afterwards loses of the order of the squared angle in every step.
Spin spin(const Exec& exec, Transfer transfer, int cells, double dt);

}  // namespace silt::validation
