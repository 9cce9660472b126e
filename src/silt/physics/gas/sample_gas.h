#pragma once

// Shared by the tests of this room and by experiments.

#include <algorithm>

#include "silt/fields/test_tools.h"
#include "silt/physics/gas/gas_kernels.h"
#include "silt/physics/gas/gas_stepper.h"

namespace silt::gas::test {

inline const Exec serial(Device::cpu, 1);

/// A box of gas, all its sides alike.
struct Rig {
  GasParams params;
  Setting setting;
  Layout layout;
  GasStepper stepper;
  GasState state;
  Exec exec;
  double time = 0;
  SolveReport solve;  ///< of the last implicit step

  Rig(Int3 cells, double h, Side side, const GasParams& how, const Vec3d& gravity = {}, const Exec& on = serial)
      : Rig(make_setting(cells, h, side, gravity), how, on) {}
  Rig(const Setting& where, const GasParams& how, const Exec& on = serial)
      : params(how),
        setting(open_inflow_sides(where)),
        layout(make_layout(setting.domain.cells, setting.domain.lattice.active, gas_halo)),
        stepper(params, setting, layout),
        state(stepper.make_state()),
        exec(on) {
    stepper.start(exec, state);
  }

  static Setting make_setting(Int3 cells, double h, Side side, const Vec3d& gravity) {
    Setting out;
    out.domain = {{{}, h, {1, cells.y > 1, cells.z > 1}}, Box{{}, cells}, {{{side, side}, {side, side}, {side, side}}}};
    out.gravity = gravity;
    return out;
  }

  StepFrame frame() {
    const StepContext step(exec, setting.domain, time, 0);
    return stepper.parts(false).frame(step);
  }
  const Field<float>& pressure() {
    const StageParts parts = stepper.parts(false);
    StepContext step(exec, setting.domain, time, 0);
    FindPressure{parts}.run(state, step);
    return parts.pressure(state);
  }
  float reference_density(Cell c) { return frame().reference.density(c); }

  /// Absolute density and pressure of a cell; a linear gas has the pressure of its density.
  void put(Cell c, double rho, double p) {
    const StepFrame at = frame();
    state.density.at(c) = float(rho - at.reference.density(c));
    if (params.form == GasForm::energy) state.heat.at(c) = float(p - at.reference.pressure(c));
    if (params.form == GasForm::entropy) state.heat.at(c) = at.law.factor_of_pressure(float(p), float(rho)) - 1;
  }
  /// Smooth swirls of that speed, and densities and pressures that differ by that part.
  void stir(double speed, double part) {
    const StepFrame at = frame();
    const Int3 n = setting.domain.cells.size();
    const auto wave = [&](Cell c, double shift) {
      const double x = 6.2831853 * c.x / n.x, y = 6.2831853 * c.y / n.y, z = 6.2831853 * c.z / n.z;
      return std::sin(x + shift) * std::cos(y - shift) + std::sin(z + 2 * x + shift);
    };
    silt::test::for_each(setting.domain.cells, [&](Cell c) {
      put(c, at.reference.density(c) * (1 + 0.4 * part * wave(c, 0.3)),
          at.reference.pressure(c) * (1 + 0.4 * part * wave(c, 1.1)));
      for (int a = 0; a < 3; ++a)
        if (setting.domain.lattice.active[a]) state.velocity[a].at(c) = float(speed * wave(c, a));
    });
  }
  /// One step, of this part of what is stable.
  void step(double part, double most = 1e9) {
    const double dt = std::min(part * stepper.stable_step(exec, time, state), most);
    StepContext step(exec, setting.domain, time, dt);
    stepper.substep(state, step);
    if (step.report.solves.count("pressure")) solve = step.report.solves.at("pressure");
    time += dt;
  }
  void run_until(double end) {
    while (time < end * (1 - 1e-12)) step(1, end - time);
  }
  GasSums sums() {
    const Field<float>& p = pressure();
    return find_sums(frame(), state, p);
  }
  Least least() {
    const Field<float>& p = pressure();
    return find_least(frame(), state, p);
  }
};

}  // namespace silt::gas::test
