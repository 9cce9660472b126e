#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "silt/core/text.h"
#include "silt/physics/gas/sample_gas.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

using gas::test::Rig;
constexpr double pi = std::numbers::pi;
constexpr double height = 1e-3;  // of waves, over the pressure

double sound(const GasParams& p) {
  return p.ideal() ? std::sqrt(p.gamma * p.gas_constant * p.ambient_temperature) : p.speed_of_sound;
}

/// Puts p' and rho' of sound into a cell, whatever the form.
void put_sound(Rig& rig, Cell c, double p) {
  const double c2 = sound(rig.params) * sound(rig.params);
  rig.state.density.at(c) = float(p / c2);
  if (rig.params.form == GasForm::energy) rig.state.heat.at(c) = float(p);  // entropy does not change
}

/// How fast a pulse's top moves, over the speed of sound: resolved by 40 cells.
double pulse_speed(const GasParams& params) {
  const int n = 400;
  Rig rig({n, 1, 1}, 1.0 / n, Side::periodic, params);
  const double c = sound(params), p = height * params.ambient_pressure, rho = params.ambient_density();
  const auto shape = [&](double x) { return std::exp(-std::pow((x - 0.25) / 0.05, 2)); };
  for (int i = 0; i < n; ++i) {
    put_sound(rig, {i, 0, 0}, p * shape((i + 0.5) / n));
    rig.state.velocity[0].at({i, 0, 0}) = float(p / (rho * c) * shape(double(i) / n));
  }
  while (rig.time < 0.5 / c) rig.step(1, std::min(0.5 / c - rig.time + 1e-12, 0.5 / (n * c)));
  double first = 0, sum = 0;
  const Field<float>& now = rig.pressure();
  for (int i = 0; i < n; ++i) {
    const double w = std::max(0.0, double(now({i, 0, 0})));
    first += w * (i + 0.5) / n, sum += w;
  }
  return (first / sum - 0.25) / (rig.time * c);
}

/// What a step of `cfl` cells does to a wave of 16 cells: how much of its height a period leaves, and its speed.
struct Wave {
  double kept, speed;
};
Wave measured(double cfl, bool centred) {
  const int n = 16;
  GasParams params{.pressure = GasPressure::implicit, .time_centred = centred, .tolerance = 1e-10};
  Rig rig({n, 1, 1}, 1.0 / n, Side::periodic, params);
  const double c = sound(params), p = height * params.ambient_pressure, rho = params.ambient_density(), k = 2 * pi;
  for (int i = 0; i < n; ++i) {
    put_sound(rig, {i, 0, 0}, p * std::sin(k * (i + 0.5) / n));
    rig.state.velocity[0].at({i, 0, 0}) = float(p / (rho * c) * std::sin(k * i / n));
  }
  const auto mode = [&] {
    std::complex<double> sum = 0;
    const Field<float>& now = rig.pressure();
    for (int i = 0; i < n; ++i) sum += double(now({i, 0, 0})) * std::polar(1.0, -k * (i + 0.5) / n);
    return sum;
  };
  const double dt = cfl / (n * c);
  const int steps = std::max(2, int(std::ceil(0.6 / (c * dt))));
  rig.step(1e9, dt);  // what is left of the way it started goes
  const std::complex<double> before = mode();
  double turned = 0;
  std::complex<double> last = before;
  for (int i = 0; i < steps; ++i) {
    rig.step(1e9, dt);
    turned -= std::arg(mode() / last), last = mode();
  }
  const double speed = turned / (k * c * dt * steps), decay = std::log(std::abs(last / before)) / (dt * steps);
  return {std::exp(decay / (c * speed)), speed};
}
/// The same of the scheme on paper: each step multiplies by 1 / (1 + i w dt), or (1 - i w dt/2) / (1 + i w dt/2), with
/// w = 2 c / h sin(k h / 2).
Wave expected(double cfl, bool centred) {
  const double w = 2 * cfl * std::sin(pi / 16);
  const std::complex<double> i(0, 1), g = centred ? (1.0 - 0.5 * w * i) / (1.0 + 0.5 * w * i) : 1.0 / (1.0 + w * i);
  const double speed = -std::arg(g) / (2 * pi / 16 * cfl);
  return {std::exp(std::log(std::abs(g)) / (cfl / 16) / speed), speed};
}

/// What comes back of a pulse from open sides, over the pulse that reached them.
double echo(bool implicit, double cells_a_step) {
  const int n = 256;
  GasParams params{.pressure = implicit ? GasPressure::implicit : GasPressure::explicit_, .time_centred = implicit};
  Rig rig({n, 1, 1}, 1.0 / n, Side::open, params);
  const double c = sound(params), p = height * params.ambient_pressure;
  for (int i = 0; i < n; ++i) put_sound(rig, {i, 0, 0}, 2 * p * std::exp(-std::pow(((i + 0.5) / n - 0.5) / 0.06, 2)));
  while (rig.time < 1.2 / c) rig.step(1, cells_a_step / (n * c));
  double most = 0;
  const Field<float>& left = rig.pressure();
  for (int i = 0; i < n; ++i) most = std::max(most, std::abs(double(left({i, 0, 0}))));
  return most / p;
}

/// When pressure 0.4 m from the heater of the scene has risen by half of what its wave brings, over the way's time.
double heater_wave(const Lab& lab) {
  Simulation sim = lab.simulate(lab.scene(
      "heat_source", {"run.fps=20000", "run.frames=41", "domain.resolution=100", "output.volumes=[\"pressure\"]",
                      "look.quantity=\"pressure\"", "source.heater.temperature=350"}));
  std::vector<double> time, rise;
  while (sim.advance_frame()) {
    const Frame frame = sim.frame();
    const Volume* p = frame.find("pressure");
    const Int3 size = p->cells.size();
    const int x = size.x / 2, y = int(0.9 * size.y);  // straight above it
    time.push_back(sim.time()), rise.push_back(p->values[std::size_t(y) * size.x + x] - 101325);
  }
  const double most = *std::max_element(rise.begin(), rise.end());
  const double h = 0.01, way = (int(0.9 * 100) + 0.5) * h - 0.375, c = std::sqrt(1.4 * 287.05 * 293);
  for (std::size_t i = 1; i < rise.size(); ++i)
    if (rise[i] > 0.5 * most) {
      const double part = (0.5 * most - rise[i - 1]) / (rise[i] - rise[i - 1]);
      return (time[i - 1] + part * (time[i] - time[i - 1])) * c / way;
    }
  return 0;
}

}  // namespace

void acoustic(Lab& lab) {
  lab.about(
      "Sound. `speed`: how fast a pulse 40 cells wide moves, over sqrt(gamma R T) or the c that was asked for; wanted "
      "within 0.01.\n"
      "`kept` and `moves`: a wave of 16 cells in implicit steps in which sound crosses `cfl` cells, how much of its "
      "height one period\n"
      "leaves and how fast it moves over c, each over what the scheme should do on paper; wanted within 0.02. `echo`: "
      "what comes back\n"
      "of a pulse from open sides; wanted is at most 0.02. `heater`: when the pressure wave of the scene heat_source, "
      "at "
      "350 K, is felt\n"
      "half a metre away, over the time sound takes; it is a weak shock, and a little faster.");
  struct Form {
    const char* name;
    GasForm form;
  };
  for (const Form& f : {Form{"energy", GasForm::energy}, Form{"entropy", GasForm::entropy},
                        Form{"momentum", GasForm::momentum}, Form{"velocity", GasForm::velocity}})
    for (const bool implicit : {false, true})
      lab.measure.near(
          str("speed.", f.name, implicit ? ".implicit" : ".explicit"),
          pulse_speed({.form = f.form, .pressure = implicit ? GasPressure::implicit : GasPressure::explicit_}), 1,
          0.01);
  Plot& kept = lab.plot("damping", "What is left of a wave of 16 cells after a period.", "cells a step", "part");
  Plot& speed = lab.plot("dispersion", "How fast it moves.", "cells a step", "speed / c");
  kept.log_x = speed.log_x = true;
  for (const bool centred : {false, true}) {
    const std::string name = centred ? "centred" : "backward";
    std::vector<double> at, a, b, x, ea, eb;
    for (const double cfl : {0.5, 1.0, 2.0, 4.0, 10.0}) {
      const Wave m = measured(cfl, centred), e = expected(cfl, centred);
      at.push_back(cfl), a.push_back(m.kept), b.push_back(m.speed);
      lab.measure.near(str(name, ".cfl", cfl, ".kept"), m.kept / std::max(e.kept, 1e-12), 1, 0.02);
      lab.measure.near(str(name, ".cfl", cfl, ".moves"), m.speed / e.speed, 1, 0.02);
    }
    for (double cfl = 0.3; cfl < 12; cfl *= 1.1) {
      const Wave e = expected(cfl, centred);
      x.push_back(cfl), ea.push_back(e.kept), eb.push_back(e.speed);
    }
    kept.markers(name, at, a), speed.markers(name, at, b);
    kept.dashed(name + ", on paper", x, ea), speed.dashed(name + ", on paper", x, eb);
  }
  lab.measure.at_most("echo.explicit", echo(false, 0.5), 0.02);
  lab.measure.at_most("echo.implicit", echo(true, 1), 0.02);
  lab.measure.near("heater.arrives", heater_wave(lab), 0.97, 0.05);
}

}  // namespace silt::validation
