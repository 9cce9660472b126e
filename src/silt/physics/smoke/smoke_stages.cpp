#include "silt/physics/smoke/smoke_stages.h"

#include <cmath>

#include "silt/core/text.h"
#include "silt/fields/operators.h"
#include "silt/physics/common/flow_kernels.h"
#include "silt/physics/common/force_fields.h"
#include "silt/physics/common/held_values.h"
#include "silt/physics/common/source_covers.h"
#include "silt/physics/smoke/burning.h"
#include "silt/physics/smoke/colour.h"

namespace silt::smoke {

namespace {

/// What a source, an inlet or a fill puts into cells.
struct Contents {
  double density, temperature;  ///< temperature above ambient [K]
  Vec3d colour;
  double fuel;
};

void hold_contents(StepContext& step, const CoverAmounts& cover, const Contents& put, SmokeState& state) {
  const auto hold = [&](double value, Field<float>& field) { hold_cells(step.exec, cover, value, field); };
  hold(put.density, state.density);
  hold(put.temperature, state.temperature);
  if (state.coloured())
    for (int i = 0; i < 3; ++i) hold(put.density * put.colour[i], state.colour[i]);
  if (state.fuel.allocated()) hold(put.fuel, state.fuel);
}

}  // namespace

void FillRegions::run(SmokeState& state, StepContext& step) const {
  const Domain& domain = step.domain;
  for (const Fill& fill : setting.fills) {
    for_each_cover(
        domain, fill.shape ? &*fill.shape : nullptr,
        [&](const Cover& cover) {
          hold_contents(step, cover_amounts(step.exec, domain, domain.cells, cover, false),
                        {fill.density, fill.temperature - params.ambient_temperature,
                         fill.colour.value_or(setting.smoke_colour), fill.fuel},
                        state);
          if (fill.velocity || fill.vortices)
            fill_faces(step.exec, domain, cover, fill.velocity.value_or(Vec3d{}),
                       fill.vortices.value_or(Vortices{.wavelength = 1, .speed = 0}), state.velocity);
        },
        fill.blur);
  }
}

void HoldSources::run(SmokeState& state, StepContext& step) const {
  const double t = step.time;
  const Domain& domain = step.domain;
  const auto hold = [&](const auto& put, const CoverAmounts& cover) {
    const Vec3d colour = put.colour ? (*put.colour)(t) : setting.smoke_colour;
    hold_contents(step, cover, {put.density(t), put.temperature(t) - params.ambient_temperature, colour, put.fuel(t)},
                  state);
  };
  work.sources.resize(setting.sources.size());
  for (std::size_t i = 0; i < setting.sources.size(); ++i) {
    const Source& source = setting.sources[i];
    if (!source.enabled(t)) continue;
    for (const CoverAmounts& cover : source_covers(step.exec, domain, source, t, work.sources[i])) {
      hold(source, cover);
      if (source.velocity) hold_faces(step.exec, cover, (*source.velocity)(t), state.velocity);
    }
  }
  work.inflows.resize(setting.inflows.size());
  for (std::size_t i = 0; i < setting.inflows.size(); ++i) {
    const Inflow& inflow = setting.inflows[i];
    if (!inflow.enabled(t)) continue;
    HeldCovers& held = work.inflows[i];
    if (!held.known) {
      Box first = domain.cells;
      const int a = inflow.axis;
      (inflow.end == 0 ? first.hi[a] : first.lo[a]) = inflow.end == 0 ? first.lo[a] + 1 : first.hi[a] - 1;
      const Cover cover{inflow.shape ? &*inflow.shape : nullptr};
      held = {{}, true};
      held.images.push_back(cover_amounts(step.exec, domain, first, cover, false));
    }
    hold(inflow, held.images[0]);
  }
}

namespace {

/// Finite differences beyond their limit blow up. The step is reported instead, and taken again in smaller ones.
void report_if_unstable(const SmokeParams& params, const SmokeWorkspace& work, double dt, const SmokeState& state,
                        StepContext& step) {
  const double limit = cfl_limit(params.advection_options(), step.domain.lattice.dims());
  if (std::isinf(limit) || !step.report.problem.empty()) return;
  const double cells =
      max_face_speed(step.exec, step.domain, state.velocity, work.cut.open) * dt / step.domain.lattice.h;
  if (cells > limit * (1 + 1e-6))
    step.report.problem = str("the flow crosses ", cells, " cells in a substep, and advection \"",
                              name_of(params.advection), "\" is stable up to ", limit);
}

}  // namespace

void AdvectVelocity::run(SmokeState& state, StepContext& step) const {
  step.fill_halo(state.velocity);
  if (reflected) {
    reflect(step.exec, step.domain, state.velocity, work.unprojected, work.unprojected);
    work.flow_in_solids.run(step.exec, step.domain, work.cut, work.unprojected);
    step.fill_halo(work.unprojected, state.velocity);
  }
  report_if_unstable(params, work, share * step.dt, state, step);
  const MacField<float>& from = reflected ? work.unprojected : state.velocity;
  advect_faces(step.exec, step.domain, params.advection_options(), share * step.dt, state.velocity, step.walls, from,
               work.advect, work.other);
  std::swap(state.velocity, work.other);
}

void AddBuoyancy::run(SmokeState& state, StepContext& step) const {
  step.fill_halo(state.density, ambient);
  step.fill_halo(state.temperature, ambient);
  add_buoyancy(step.exec, step.domain, setting.gravity, params.buoyancy_law(step.middle()), share * step.dt,
               state.temperature, state.density, state.velocity);
}

void AddForces::run(SmokeState& state, StepContext& step) const {
  for (const ForceField& field : setting.forces)
    apply_force(step.exec, step.domain, field, setting.seed, step.middle(), share * step.dt, work.carried,
                state.velocity);
}

void Diffuse::run(SmokeState& state, StepContext& step) const {
  const double nu = params.viscosity(step.time + step.dt);
  if (nu == 0) return;
  if (!work.viscosity) work.viscosity.emplace(state.velocity.layout());
  const SolveOptions options{std::min(params.tolerance, 1e-7), params.max_iterations};
  step.record("viscosity", work.viscosity->run(step.exec, step.domain, work.cut, step.walls, nu * share * step.dt,
                                               options, state.velocity));
}

void Project::run(SmokeState& state, StepContext& step) const {
  const Domain& domain = step.domain;
  const double h = domain.lattice.h, dt = share * step.dt;
  copy_faces(step.exec, domain, state.velocity, work.unprojected);
  step.fill_halo(state.velocity);
  divergence(step.exec, domain.cells, h, state.velocity, work.cut.open, work.cut.closed_velocity(), work.rhs, -h * h);
  for (const Field<float>* swelling : {&work.expansion, &work.cut.growth})
    if (swelling->allocated()) add_expansion(step.exec, domain, h * h, work.cut.open, *swelling, work.rhs);
  scale_cells(step.exec, domain, dt, state.pressure);  // the unknown is q = dt p / rho
  step.record("pressure",
              work.poisson.solve(step.exec, {params.tolerance, params.max_iterations}, work.rhs, state.pressure));
  subtract_gradient(step.exec, domain, state.pressure, work.cut.open, work.cut.solid_velocity, state.velocity);
  scale_cells(step.exec, domain, 1 / dt, state.pressure);
  work.flow_in_solids.run(step.exec, domain, work.cut, state.velocity);
}

void AdvectScalars::run(SmokeState& state, StepContext& step) const {
  step.fill_halo(state.velocity);
  report_if_unstable(params, work, step.dt, state, step);
  const auto carry = [&](const AdvectionOptions& scheme, Field<float>& field, Field<float>& to) {
    work.into_solid_cells.run(step.exec, field);
    step.fill_halo(field, ambient);
    advect_cells(step.exec, step.domain, scheme, step.dt, state.velocity, ambient, field, work.advect, to);
  };
  const AdvectionOptions linear{.scheme = Advection::linear};
  // The colour itself first, as the ratio of two fields carried alike; what it is of, after it.
  Field<float>&amount = work.other[0], &part = work.other[1];
  if (state.coloured()) carry(linear, state.density, amount);
  for (int i = 0; state.coloured() && i < 3; ++i) {
    carry(linear, state.colour[i], part);
    colour_share(step.exec, step.domain, part, amount, setting.smoke_colour[i], state.colour[i]);
  }
  for (Field<float>* field : state.carried()) {
    carry(params.advection_options(), *field, work.carried);
    std::swap(*field, work.carried);
  }
  for (int i = 0; state.coloured() && i < 3; ++i)
    multiply_cells(step.exec, step.domain, state.density, state.colour[i]);
}

}  // namespace silt::smoke
