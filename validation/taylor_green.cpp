#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

constexpr double end_time = 5;  // [s]

struct Decay {
  std::vector<double> time, energy;  ///< energy over that at the start
  double mean_dt = 0;
};

Decay run(const Lab& lab, const std::string& splitting, double cfl, double viscosity, int frames) {
  Simulation sim = lab.simulate(
      lab.scene("taylor_green", {str("domain.resolution=", lab.quick ? 48 : 128), "smoke.splitting=" + splitting,
                                 str("smoke.cfl=", cfl), str("smoke.viscosity=", viscosity), "smoke.tolerance=1e-8",
                                 str("run.frames=", frames + 1), str("run.fps=", frames / end_time)}));
  Decay out;
  int substeps = 0;
  while (sim.advance_frame()) {
    out.time.push_back(sim.time());
    out.energy.push_back(sim.stats().totals.kinetic_energy);
    substeps += sim.stats().substeps;
  }
  for (std::size_t i = out.energy.size(); i-- > 0;) out.energy[i] /= out.energy[0];
  out.mean_dt = end_time / substeps;
  return out;
}

std::vector<double> times(double h) {
  std::vector<double> out;
  for (int i = 0; i * h <= end_time; ++i) out.push_back(i * h);
  return out;
}

/// Of the energy at the end, relative to what is exact.
double error_of(const Decay& decay, double viscosity) {
  return std::abs(decay.energy.back() / std::exp(-4 * viscosity * end_time) - 1);
}

}  // namespace

void taylor_green(Lab& lab) {
  lab.about(
      "The scene `taylor_green`: u = sin x cos y, v = -cos x sin y in a periodic box of side 2 pi is an exact solution "
      "of\n"
      "the Navier-Stokes equations that keeps its form and decays; its kinetic energy falls as exp(-4 nu t) (Taylor "
      "1923,\n"
      "Phil. Mag. 46, 671-674; Taylor & Green 1937, Proc. R. Soc. A 158, 499-521). nu = 0.01, compared at t = 5. "
      "Whatever\n"
      "else is lost, the method loses: splitting advection from pressure takes energy in proportion to the step, and\n"
      "advection-reflection (Zehnder, Narain & Thomaszewski 2018) gives it back.");
  const double nu = 0.01;
  const Decay reflected = run(lab, "reflection", 1, nu, 10), plain = run(lab, "plain", 1, nu, 10);
  const ReferenceData exact("taylor_green_2d_decay.csv");

  Plot& energy = lab.plot("energy", "Kinetic energy, CFL 1.", "t [s]", "E / E(0)");
  energy.line("reflection", reflected.time, reflected.energy);
  energy.line("plain splitting", plain.time, plain.energy);
  std::vector<double> t = times(0.1), decay;
  for (const double at : t) decay.push_back(std::exp(-4 * nu * at));
  energy.dashed("exp(-4 nu t)", t, decay);
  std::vector<double> tabled_t, tabled;
  for (std::size_t i = 0; i < exact.column("t").size() && exact.column("t")[i] <= end_time; ++i) {
    tabled_t.push_back(exact.column("t")[i]);
    tabled.push_back(exact.column("KE_over_KE0")[i]);
  }
  energy.markers("exact, tabulated", tabled_t, tabled);

  // Steps that do not stop at frames on the way, so that the CFL number alone sets them.
  std::vector<double> dt, error;
  for (const double cfl : lab.quick ? std::vector<double>{1, 2} : std::vector<double>{0.5, 1, 2}) {
    const Decay one = run(lab, "plain", cfl, nu, 1);
    dt.push_back(one.mean_dt);
    error.push_back(error_of(one, nu));
  }
  Plot& steps = lab.plot("steps", "What plain splitting loses too much by t = 5, over the step.", "dt [s]",
                         "relative error of the energy");
  steps.log_x = steps.log_y = true;
  steps.points("plain splitting", dt, error);
  steps.dashed("proportional to dt", {dt.front(), dt.back()}, {error.back() * dt.front() / dt.back(), error.back()});

  lab.measure.at_most("energy.error.reflection", error_of(reflected, nu), 0.01);
  lab.measure.tell("energy.error.plain", error_of(plain, nu));
  // On the quick form's coarse grid interpolation loses nearly as much as splitting.
  lab.measure.near("energy.order_in_dt.plain", log_slope(dt, error), 1, lab.quick ? 0.5 : 0.2);
  const Decay inviscid = run(lab, "reflection", 1, 0, 1);
  lab.measure.at_most("inviscid.loss.reflection", 1 - inviscid.energy.back(), lab.quick ? 0.03 : 0.01);
}

}  // namespace silt::validation
