#pragma once

#include <vector>

#include "trials/run_trials.h"

namespace silt::bench {

/// All of them, in the order in which they run.
std::vector<trials::Trial> benchmarks();

}  // namespace silt::bench
