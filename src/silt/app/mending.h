#pragma once

#include "silt/cache/run_folder.h"
#include "silt/core/exec.h"
#include "silt/scene.h"
#include "silt/simulation.h"

namespace silt {

/// What is missing or damaged in the cache of a run, a line each; empty when all is whole.
std::string harm_text(const std::vector<HarmedFile>& files);

struct Mended {
  bool stopped = false;  ///< by the user: what was not made yet is as it was
  bool whole = true;     ///< or files do not come out as they were: said, and they stay missing
};

/// Makes the files again that are missing or damaged, with the same bits, by running the scene as it was, from the
/// checkpoint before the first of them or from its beginning. Those that `silt surface` has made it names. `json`: no
/// progress is shown.
Mended mend(RunFolder& folder, const std::vector<HarmedFile>& files, const Exec& exec, const SimulationOptions& how,
            bool json);

}  // namespace silt
