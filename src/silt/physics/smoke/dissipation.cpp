#include "silt/physics/smoke/dissipation.h"

#include <cmath>

#include "silt/physics/smoke/smoke_kernels.h"

namespace silt::smoke {

void Dissipate::run(SmokeState& state, StepContext& step) const {
  const auto fade = [&](double rate, Field<float>& field) {
    if (rate > 0) decay_cells(step.exec, step.domain, std::exp(-rate * step.dt), field);
  };
  fade(params.dissipation(step.middle()), state.density);
  fade(params.cooling(step.middle()), state.temperature);
}

}  // namespace silt::smoke
