#include "silt/core/text.h"
#include "silt/fields/operators.h"
#include "silt/physics/common/fit_fluxes.h"
#include "silt/physics/smoke/smoke_stages.h"

namespace silt::smoke {

namespace {

/// Of the correction, which is small itself.
constexpr double fit_tolerance = 1e-4;

void fit_to_solids(const SmokeParams& params, const FluxStep& carried, SmokeWorkspace& work, StepContext& step) {
  missing_volumes(carried, work.cut.open, work.rhs);
  scale_cells(step.exec, step.domain, 0, work.fit);
  step.record("fit", work.poisson.solve(step.exec, {fit_tolerance, params.max_iterations}, work.rhs, work.fit));
  correct_fluxes(step.exec, step.domain, work.fit, work.cut.open, work.other);
}

/// All of them are amounts by volume, colours too.
void hand_over(const Exec& exec, const GoneOver& gone, SmokeState& state) {
  for (Field<float>* field : state.carried()) gone.hand_over(exec, *field);
  for (int i = 0; state.coloured() && i < 3; ++i) gone.hand_over(exec, state.colour[i]);
}

}  // namespace

void TransportScalars::run(SmokeState& state, StepContext& step) const {
  const bool moving = work.room_before.allocated();
  step.fill_halo(state.velocity);
  volume_fluxes(step.exec, step.domain, step.dt, state.velocity, work.cut, work.other);
  FluxStep carried{.exec = step.exec,
                   .domain = step.domain,
                   .fluxes = work.other,
                   .beyond = ambient,
                   .swelling = &work.expansion,
                   .dt = step.dt};
  if (work.room.allocated()) {
    carried.room = &work.room;
    carried.room_before = moving ? &work.room_before : &work.room;
    carried.groups = &work.groups;
  }
  if (moving) hand_over(step.exec, work.gone_over, state);
  if (moving) fit_to_solids(params, carried, work, step);
  if (!work.transport.plan(carried)) {
    if (step.report.problem.empty())
      step.report.problem = str("the flow leaves cells more than ", 2 * FluxTransport::most_pairs,
                                " times in a substep, too often to carry smoke along");
    return;
  }
  if (state.coloured())
    work.transport.carry(carried, state.density, {&state.colour[0], &state.colour[1], &state.colour[2]});
  for (Field<float>* field : state.carried())
    if (field != &state.density || !state.coloured()) work.transport.carry(carried, *field);
}

}  // namespace silt::smoke
