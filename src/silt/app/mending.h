#pragma once

#include "silt/cache/run_folder.h"
#include "silt/core/exec.h"
#include "silt/scene.h"
#include "silt/simulation.h"

namespace silt {

/// What is missing or damaged in the cache of a run, a line each; empty when all is whole.
std::string harm_text(const std::vector<HarmedFile>& files);

/// Makes the files again that are missing or damaged, with the same bits, by running the scene as it was, from the
/// checkpoint before the first of them or from its beginning. Those that `silt surface` has made it names. False when
/// the user stops it: then the others are as they were. InputError when files do not come out as they were. `json`: no
/// progress is shown.
bool mend(RunFolder& folder, const std::vector<HarmedFile>& files, const Exec& exec, const SimulationOptions& how,
          bool json);

}  // namespace silt
