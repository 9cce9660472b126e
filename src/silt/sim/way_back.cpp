#include "silt/sim/way_back.h"

namespace silt {

void WayBack::before(const Exec& exec, Model& model) {
  if (kept_any_ && !failing_ && since_.size() < most_again) return;
  keep(exec, model);
}

void WayBack::keep(const Exec& exec, Model& model) {
  kept_.keep(exec, model);
  kept_any_ = true;
  since_.clear();
}

void WayBack::go_back(const Exec& exec, Model& model) {
  kept_.restore(exec, model);
  failing_ = true;
  if (since_.empty()) return;
  for (const Substep& substep : since_) model.substep(exec, substep.time, substep.dt);
  keep(exec, model);  // the next try may fail as well
}

}  // namespace silt
