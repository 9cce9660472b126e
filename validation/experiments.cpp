#include "validation/experiments.h"

#include "validation/lab.h"

namespace silt::validation {

// One function an experiment, in the file of its name.
void taylor_green(Lab& lab);

std::vector<trials::Trial> experiments() {
  return {
      experiment("taylor_green", "a lattice of vortices decays as exactly known, whatever the step", taylor_green),
  };
}

}  // namespace silt::validation
