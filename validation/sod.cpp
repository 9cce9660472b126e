#include <algorithm>
#include <cmath>
#include <functional>

#include "silt/core/text.h"
#include "silt/physics/gas/sample_gas.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

using gas::test::Rig;
using Profile = std::function<double(double)>;  ///< density over (x - 1/2) / t

constexpr double end_time = 0.2;

/// Sod 1978, gamma = 1.4.
double sod_exact(double xi) {
  const double left = std::sqrt(1.4), u = 0.927452620, rho = 0.426319428, c = std::sqrt(1.4 * 0.303130178 / rho);
  if (xi < -left) return 1;
  if (xi < u - c) return std::pow((2 * left - 0.4 * xi) / (2.4 * left), 5);
  return xi < u ? rho : xi < 1.752155732 ? 0.265573712 : 0.125;
}

/// Of p = c^2 rho with c = 1 and the same densities: a rarefaction u = - ln rho, a shock u = (rho - r) / sqrt(rho r).
double isothermal_exact(double xi) {
  constexpr double r = 0.125;
  double lo = r, hi = 1;
  for (int i = 0; i < 60; ++i) {
    const double rho = 0.5 * (lo + hi);
    (-std::log(rho) > (rho - r) / std::sqrt(rho * r) ? lo : hi) = rho;
  }
  const double rho = 0.5 * (lo + hi), u = -std::log(rho);
  if (xi < -1) return 1;
  if (xi < u - 1) return std::exp(-(xi + 1));
  return xi < std::sqrt(rho / r) ? rho : r;
}

Rig tube(int n, const GasParams& how) {
  GasParams params = how;
  params.ambient_pressure = params.gas_constant = params.ambient_temperature = params.speed_of_sound = 1;
  Rig rig({n, 1, 1}, 1.0 / n, Side::wall, params);
  for (int i = n / 2; i < n; ++i) {
    rig.state.density.at({i, 0, 0}) = 0.125f - 1;
    if (params.form == GasForm::energy) rig.state.heat.at({i, 0, 0}) = 0.1f - 1;
    if (params.form == GasForm::entropy) rig.state.heat.at({i, 0, 0}) = float(0.1 / std::pow(0.125, 1.4)) - 1;
  }
  return rig;
}

/// Mean error in density; implicit steps are those in which the fastest wave crosses a cell.
double error(int n, const GasParams& how, const Profile& exact, std::vector<double>* x = nullptr,
             std::vector<double>* y = nullptr) {
  Rig rig = tube(n, how);
  constexpr double fastest = 2.2;  // |u| + c, once the waves have parted
  const bool implicit = how.pressure == GasPressure::implicit;
  while (rig.time < end_time * (1 - 1e-12))
    rig.step(1, std::min(end_time - rig.time, implicit ? 1 / (fastest * n) : 1.0));
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    constexpr int parts = 16;
    double mean = 0;
    for (int k = 0; k < parts; ++k) mean += exact(((i + (k + 0.5) / parts) / n - 0.5) / end_time) / parts;
    const double rho = 1 + rig.state.density({i, 0, 0});
    sum += std::abs(rho - mean) / n;
    if (x) x->push_back((i + 0.5) / n), y->push_back(rho);
  }
  return sum;
}

/// A thousand times the pressure, or of linear gas the density, in 1D: the smallest pressure and density it has until
/// the shock reaches the wall.
gas::Least blast(GasForm form, bool implicit) {
  GasParams params{.form = form, .pressure = implicit ? GasPressure::implicit : GasPressure::explicit_};
  params.ambient_pressure = params.gas_constant = params.ambient_temperature = params.speed_of_sound = 1;
  const int n = 200;
  Rig rig({n, 1, 1}, 1.0 / n, Side::wall, params);
  for (int i = 0; i < n / 2; ++i) {
    if (form == GasForm::energy) rig.state.heat.at({i, 0, 0}) = 999;
    if (form == GasForm::entropy) rig.state.heat.at({i, 0, 0}) = 999;
    if (!params.ideal()) rig.state.density.at({i, 0, 0}) = 999;
  }
  gas::Least out{1e9, 1e9};
  const double end = params.ideal() ? 0.012 : 0.04;
  double shorter = 1;
  int taken = 0;
  while (rig.time < end && taken++ < 20000) {
    const GasState before = rig.state;
    const double then = rig.time;
    rig.step(shorter, end - rig.time);
    const gas::Least now = rig.least();
    if (now.density > 0 && now.pressure > 0) {
      out = {std::min(out.density, now.density), std::min(out.pressure, now.pressure)};
      shorter = std::min(1.0, 2 * shorter);
    } else if (shorter > 1e-3) {  // as a simulation does: taken back, and half as long
      rig.state = before, rig.time = then, shorter /= 2;
    } else {
      return {-1, -1};
    }
  }
  return out;
}

}  // namespace

void sod(Lab& lab) {
  lab.about(
      "Sod's shock tube (Sod 1978, J. Comput. Phys. 27, 1): `error` is the mean of |density - exact| at t = 0.2; "
      "implicit steps are\n"
      "those in which the fastest wave crosses one cell. `falls` is how many times smaller it is with 400 cells than "
      "with 100, wanted is\n"
      "2.5. The entropy form has no energy equation, and tends to a solution of its own; `momentum` and `velocity` are "
      "compared with\n"
      "the exact solution of p = rho from the same densities. `blast` is a tube with a thousand times the pressure on "
      "one side: the\n"
      "smallest pressure it has until its shock reaches the end; it must stay positive, in each form.");
  const std::vector<int> cells = lab.quick ? std::vector<int>{100, 200} : std::vector<int>{100, 200, 400};
  Plot& errors = lab.plot("errors", "Error by the number of cells.", "cells", "mean |rho - exact|");
  errors.log_x = errors.log_y = true;
  Plot& tubes = lab.plot("density", "Density at t = 0.2, 200 cells.", "x", "rho");
  struct Case {
    const char* name;
    GasParams params;
    Profile exact;
    double at_200, falls;  ///< bounds; 0: told
  };
  const GasPressure ex = GasPressure::explicit_, im = GasPressure::implicit;
  const std::vector<Case> cases{
      {"energy.explicit", {.pressure = ex}, sod_exact, 0.006, 2.5},
      {"energy.implicit", {.pressure = im}, sod_exact, 0.012, 2.5},
      {"energy.implicit_centred", {.pressure = im, .time_centred = true}, sod_exact, 0.012, 0},
      {"energy.upwind", {.flux = gas::Flux::upwind, .pressure = ex}, sod_exact, 0, 0},
      {"entropy.explicit", {.form = GasForm::entropy, .pressure = ex}, sod_exact, 0, 0},
      {"momentum.explicit", {.form = GasForm::momentum, .pressure = ex}, isothermal_exact, 0.006, 2.5},
      {"velocity.explicit", {.form = GasForm::velocity, .pressure = ex}, isothermal_exact, 0, 0}};
  for (const Case& c : cases) {
    std::vector<double> n, e;
    for (const int count : cells) {
      std::vector<double> x, y;
      n.push_back(count), e.push_back(error(count, c.params, c.exact, &x, &y));
      if (count == 200 && c.exact(0.5) == sod_exact(0.5)) tubes.line(c.name, x, y);
    }
    errors.points(c.name, n, e);
    if (c.at_200 > 0)
      lab.measure.at_most(str(c.name, ".error"), e[1], c.at_200);
    else
      lab.measure.tell(str(c.name, ".error"), e[1]);
    if (c.falls > 0 && !lab.quick)
      lab.measure.at_least(str(c.name, ".falls"), e.front() / e.back(), c.falls);
    else
      lab.measure.tell(str(c.name, ".falls"), e.front() / e.back());
  }
  std::vector<double> x, y;
  for (int i = 0; i < 800; ++i) x.push_back((i + 0.5) / 800), y.push_back(sod_exact((x.back() - 0.5) / end_time));
  tubes.dashed("exact", x, y);
  struct Claim {
    const char* name;
    GasForm form;
  };
  for (const Claim& claim : {Claim{"energy", GasForm::energy}, Claim{"entropy", GasForm::entropy},
                             Claim{"momentum", GasForm::momentum}, Claim{"velocity", GasForm::velocity}})
    for (const bool implicit : {false, true})
      lab.measure.at_least(str("blast.", claim.name, implicit ? ".implicit" : ".explicit"),
                           blast(claim.form, implicit).pressure, 1e-6);
}

}  // namespace silt::validation
