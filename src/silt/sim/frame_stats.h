#pragma once

#include "silt/simulation.h"

namespace silt {

/// Adds what one substep of size `dt` did.
void add_substep(FrameStats& stats, double dt, const StepReport& report);
/// Adds how its solves went.
void add_solves(FrameStats& stats, const StepReport& report);
/// Adds the time of an attempt, also of one that failed.
void add_seconds(FrameStats& stats, const std::map<std::string, double>& seconds);

/// The most memory this process has used so far, as the kernel counts it [MB].
double peak_memory_mb();

}  // namespace silt
