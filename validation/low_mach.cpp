#include <algorithm>
#include <cmath>
#include <numbers>

#include "silt/core/text.h"
#include "silt/fields/operators.h"
#include "silt/physics/gas/momentum.h"
#include "silt/physics/gas/sample_gas.h"
#include "silt/solve/poisson_solver.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

using gas::test::Rig;
constexpr double pi = std::numbers::pi, speed = 1;  // [m/s]; the box is a metre wide, two vortices each way

/// u = U sin kx cos ky, v = -U cos kx sin ky on the faces.
void put_vortices(const Domain& domain, MacField<float>& u) {
  const double k = 2 * pi;
  silt::test::for_each(domain.cells, [&](Cell c) {
    const Vec3d x = domain.lattice.face_centre(0, c), y = domain.lattice.face_centre(1, c);
    u[0].at(c) = float(speed * std::sin(k * x.x) * std::cos(k * x.y));
    u[1].at(c) = float(-speed * std::cos(k * y.x) * std::sin(k * y.y));
  });
}

/// The incompressible flow with the same forecast and the same fluxes: us = P(forecast), then momentum.
struct Incompressible {
  Rig rig;  ///< for its parts
  PoissonSolver solver;
  MacField<float> weights, solid;
  Field<double> rhs, q;
  Field<float> none, push;
  gas::FaceFluxes fluxes;
  gas::StepPressures pressures;
  MacField<float> us, after;

  Incompressible(int n, const GasParams& params)
      : rig({n, n, 1}, 1.0 / n, Side::periodic, params),
        solver(rig.layout),
        weights(rig.layout),
        solid(rig.layout),
        rhs(rig.layout),
        q(rig.layout),
        none(rig.layout),
        push(rig.layout),
        fluxes(rig.layout),
        pressures(rig.layout),
        us(rig.layout),
        after(rig.layout) {
    put_vortices(rig.setting.domain, rig.state.velocity);
    for (int a = 0; a < 2; ++a) silt::test::for_each(rig.setting.domain.cells, [&](Cell c) { weights[a].at(c) = 1; });
    for (int a = 0; a < 3; ++a) fill_halo(rig.exec, rig.setting.domain, rig.setting.domain.faces(a), {}, weights[a]);
    solver.prepare(rig.exec, rig.setting.domain, weights);
  }

  void fill(MacField<float>& faces) {
    for (int a = 0; a < 3; ++a) fill_halo(rig.exec, rig.setting.domain, rig.setting.domain.faces(a), {}, faces[a]);
  }
  void fill(Field<float>& cells) { fill_halo(rig.exec, rig.setting.domain, rig.setting.domain.cells, {}, cells); }

  /// Leaves p in `push`.
  void step(double dt) {
    gas::StepFrame frame = rig.frame();
    frame.dt = dt, frame.implicit = true;
    const Domain& domain = rig.setting.domain;
    const double rho = rig.params.ambient_density(), h = domain.lattice.h;
    fill(rig.state.velocity);
    gas::forecast(frame, {1, 0}, rig.state.velocity, none, none, none, us);
    fill(us);
    divergence(rig.exec, domain.cells, h, us, weights, solid, rhs, -h * h);
    solver.solve(rig.exec, {1e-9, 500}, rhs, q);
    subtract_gradient(rig.exec, domain, q, weights, solid, us);
    fill(us);
    silt::test::for_each(domain.cells, [&](Cell c) { pressures.push.at(c) = float(q(c) * rho / dt); });
    fill(pressures.push);
    gas::find_fluxes(frame, us, rig.state, fluxes);
    fill(fluxes.mass);
    gas::carry_momentum(frame, gas::Carried::conserved, {us, fluxes, pressures, none, rig.state.velocity}, after,
                        nullptr);
    std::swap(rig.state.velocity, after);
  }
};

/// Root mean square of the difference of two velocities, over `speed`.
double difference(const Domain& domain, const MacField<float>& a, const MacField<float>& b) {
  double sum = 0, count = 0;
  for (int axis = 0; axis < 2; ++axis)
    silt::test::for_each(domain.cells, [&](Cell c) {
      const double d = double(a[axis](c)) - b[axis](c);
      sum += d * d, count += 0.5;
    });
  return std::sqrt(sum / count) / speed;
}

}  // namespace

void low_mach(Lab& lab) {
  lab.about(
      "Taylor and Green's vortices of 1 m/s in a periodic box, in gas whose sound is 10 to 1000 times as fast, against "
      "the\n"
      "incompressible flow with the same forecast, fluxes and steps (half a cell a step), and from its pressure. "
      "`differs`: root mean\n"
      "square of the difference in velocity when the vortices have turned half round, over 1 m/s. It should be in "
      "proportion to Mach^2,\n"
      "down to 1e-4: `order` is its slope. `iterations` are those of the pressure's solve, at most; they must not grow "
      "as sound\n"
      "gets faster.");
  const int n = lab.quick ? 32 : 64;
  const double dt = 0.5 / (n * speed);
  const int steps = n / 2;
  Plot& plot = lab.plot("mach", "How far gas is from the incompressible flow.", "Mach", "difference");
  plot.log_x = plot.log_y = true;
  std::vector<double> mach, off;
  for (const double m : {0.1, 0.01, 0.001}) {
    GasParams params{.pressure = GasPressure::implicit, .tolerance = 1e-9};
    params.gas_constant = speed * speed / (m * m * params.gamma * params.ambient_temperature);
    params.ambient_pressure = params.gas_constant * params.ambient_temperature;  // a density of 1
    Incompressible exact(n, params);
    exact.step(dt);  // for its pressure
    Rig rig({n, n, 1}, 1.0 / n, Side::periodic, params);
    put_vortices(rig.setting.domain, rig.state.velocity);
    silt::test::for_each(rig.setting.domain.cells, [&](Cell c) {
      const double p = exact.pressures.push(c);
      rig.put(c, 1 + p * m * m / (speed * speed), params.ambient_pressure + p);
    });
    int iterations = 0;
    Incompressible reference(n, params);
    for (int i = 0; i < steps; ++i) {
      reference.step(dt);
      rig.step(1e9, dt);
      iterations = std::max(iterations, rig.solve.iterations);
    }
    mach.push_back(m), off.push_back(difference(rig.setting.domain, rig.state.velocity, reference.rig.state.velocity));
    lab.measure.at_most(str("mach", m, ".iterations"), iterations, 25);
    if (m < 0.1)
      lab.measure.at_most(str("mach", m, ".differs"), off.back(), 1e-4);
    else
      lab.measure.tell(str("mach", m, ".differs"), off.back());
  }
  plot.points("gas", mach, off);
  plot.dashed("proportional to Mach^2", mach, {off[0], off[0] * 1e-2, off[0] * 1e-4});
  lab.measure.near("order", std::log10(off[0] / off[1]), 2, 0.4);
}

}  // namespace silt::validation
