#include "silt/physics/smoke/dissipation.h"

#include <cmath>

#include "silt/physics/common/held_values.h"

namespace silt::smoke {

void Dissipate::run(SmokeState& state, StepContext& step) const {
  const auto fade = [&](double rate, Field<float>& field) {
    if (rate > 0) decay_cells(step.exec, step.domain, std::exp(-rate * step.dt), field);
  };
  const double dissipation = params.dissipation(step.middle());
  fade(dissipation, state.density);
  if (state.coloured())
    for (Field<float>& part : state.colour) fade(dissipation, part);
  fade(params.cooling(step.middle()), state.temperature);
}

}  // namespace silt::smoke
