#pragma once

// Shared by the tests of smoke.

#include "silt/fields/operators.h"
#include "silt/fields/test_tools.h"
#include "silt/physics/smoke/smoke_stages.h"
#include "silt/physics/smoke/smoke_stepper.h"

namespace silt::test {

/// A unit box of n cells along x, walls all round, without gravity, in 2D or 3D.
inline Setting unit_box(int n, int dims) {
  Setting s;
  s.domain = unit_domain(n, dims, Side::wall);
  return s;
}

/// Down is -z, in 2D -y [m/s^2].
inline Vec3d gravity(int dims) {
  return dims == 3 ? Vec3d{0, 0, -9.81} : Vec3d{0, -9.81, 0};
}

/// A ball of smoke at a temperature [K].
inline Source ball_source(Vec3d centre, double radius, double density, double temperature) {
  Source source;
  source.name = "ball";
  source.shape = Shape::sphere(centre, radius);
  source.density = density;
  source.temperature = temperature;
  return source;
}

/// A state and its stepper, without a model or a simulation round them.
struct Rig {
  Setting setting;
  SmokeParams params;
  Exec exec{Device::cpu, 2};
  Layout layout;
  SmokeState state;
  SmokeStepper stepper;

  explicit Rig(const Setting& s, const SmokeParams& p = {}, const SmokeContents& contents = {})
      : setting(s),
        params(p),
        layout(make_layout(s.domain.cells, s.domain.lattice.active)),
        state(layout, contents),
        stepper(params, setting, layout) {}

  StepReport substep(double time, double dt) {
    StepContext step(exec, setting.domain, time, dt);
    stepper.substep(state, step);
    return step.report;
  }
  StepReport start() {
    StepContext step(exec, setting.domain, 0, 1);
    stepper.start(state, step);
    return step.report;
  }
  SolveReport project() {
    stepper.place_solids(exec, 0);
    StepContext step(exec, setting.domain, 0, 0.01);
    step.run(smoke::Project{params, const_cast<SmokeWorkspace&>(stepper.workspace()), 1}, state);
    step.fill_halo(state.velocity);
    return step.report.solves.at("pressure");
  }

  const CutCells& cut() const { return stepper.workspace().cut; }
  double norm() { return star_norm(exec, setting.domain, state.velocity, cut().open); }
  double divergence() {
    return max_divergence(exec, setting.domain, state.velocity, cut().open, cut().closed_velocity());
  }
  double speed() { return max_face_speed(exec, setting.domain, state.velocity, cut().open); }
  double sum(const Field<float>& field) {
    double out = 0;
    for_each(setting.domain.cells, [&](Cell c) { out += field(c); });
    return out;
  }
  /// Sets every face of the domain to a flow given everywhere [m/s].
  template <class Flow>
  void set_velocity(const Flow& flow) {
    for (int a = 0; a < 3; ++a)
      for_each(setting.domain.faces(a),
               [&](Cell c) { state.velocity[a].at(c) = float(flow(setting.domain.lattice.face_centre(a, c))[a]); });
  }
};

}  // namespace silt::test
