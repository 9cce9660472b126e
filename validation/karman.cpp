#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

constexpr double diameter = 1, speed = 1;              // of the scene [m], [m/s]
constexpr double probe_x = 2 * diameter, probe_y = 0;  // where v is taken, from the cylinder's middle [m]

/// v at the probe over time.
struct Signal {
  std::vector<double> time, v;
};

Signal run(const Lab& lab, const std::vector<std::string>& set) {
  const Scene scene = lab.scene("karman", set);
  const Lattice& lattice = scene.setting.domain.lattice;
  const auto index = [&](double x, int axis) { return int(std::floor((x - lattice.origin[axis]) / lattice.h)); };
  const Cell probe{index(probe_x, 0), index(probe_y, 1), scene.setting.domain.cells.lo.z};
  Simulation sim = lab.simulate(scene);
  Signal out;
  while (sim.advance_frame()) {
    out.time.push_back(sim.time());
    out.v.push_back(sim.frame().find("velocity")->at(probe, 1));
  }
  return out;
}

/// Times at which a signal rises through its mean, from `start` on, by linear interpolation.
std::vector<double> rises(const Signal& s, double start) {
  double mean = 0;
  int count = 0;
  for (std::size_t i = 0; i < s.v.size(); ++i)
    if (s.time[i] >= start) mean += s.v[i], ++count;
  mean /= std::max(1, count);
  std::vector<double> out;
  for (std::size_t i = 1; i < s.v.size(); ++i)
    if (s.time[i - 1] >= start && s.v[i - 1] < mean && s.v[i] >= mean)
      out.push_back(s.time[i - 1] + (s.time[i] - s.time[i - 1]) * (mean - s.v[i - 1]) / (s.v[i] - s.v[i - 1]));
  return out;
}

double swing(const Signal& s, double start, double end) {
  double low = INFINITY, high = -INFINITY;
  for (std::size_t i = 0; i < s.v.size(); ++i)
    if (s.time[i] >= start && s.time[i] <= end) low = std::min(low, s.v[i]), high = std::max(high, s.v[i]);
  return (high - low) / 2;
}

}  // namespace

void karman(Lab& lab) {
  lab.about(
      "The scene `karman`: uniform flow past a cylinder at Re = 100, which takes up a twentieth of the channel's "
      "width, with\n"
      "slippery sides. The wake sheds vortices; how often, as the Strouhal number f D / U, is 0.164 to 0.165 by "
      "experiment\n"
      "(Williamson 1988, Phys. Fluids 31, 2742-2744: 0.1816 - 3.3265 / Re + 1.6e-4 Re; Fey, Koenig & Eckelmann 1998, "
      "Phys.\n"
      "Fluids 10, 1547-1549). f is taken from the cross-stream velocity two diameters behind the cylinder's middle: "
      "whole\n"
      "periods between the times at which it rises through its mean.");
  const double end = lab.quick ? 60 : 110, settled = lab.quick ? 30 : 60;
  std::vector<std::string> set{str("run.frames=", int(2 * end) + 1), "run.fps=2"};
  if (lab.quick)  // 6 cells across, a narrower and shorter channel
    set.insert(set.end(), {"domain.size=[12,10]", "domain.origin=[-3,-5]", "domain.resolution=72"});
  const Signal signal = run(lab, set);
  const std::vector<double> at = rises(signal, settled);

  Plot& plot = lab.plot("probe", "Cross-stream velocity two diameters behind the cylinder.", "t U / D", "v / U");
  plot.line("v", signal.time, signal.v);

  const int periods = int(at.size()) - 1;
  const double period = periods > 0 ? (at.back() - at.front()) / periods : NAN;
  double uneven = 0;
  for (int i = 0; i < periods; ++i)
    uneven = std::max(uneven, std::abs(at[std::size_t(i) + 1] - at[std::size_t(i)] - period) / period);
  lab.measure.near("strouhal", diameter / (speed * period), 0.165, 0.165 * 0.08);
  lab.measure.at_least("periods", periods, lab.quick ? 3 : 6);
  lab.measure.at_most("uneven", uneven, 0.05);  // the longest or shortest period against their mean
  lab.measure.at_least("swing", swing(signal, settled, end), 0.1, "U");
  lab.measure.at_least("steady_swing", swing(signal, settled, (settled + end) / 2) / swing(signal, settled, end), 0.9);
}

}  // namespace silt::validation
