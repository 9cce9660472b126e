#pragma once

#include <vector>

#include "trials/run_trials.h"

namespace silt::validation {

/// All of them, in the order in which they run.
std::vector<trials::Trial> experiments();

}  // namespace silt::validation
