#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/water_lab.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double width = 1, depth = 0.5, amplitude = 0.03 * depth;  // [m]; the surface is a plane at first

std::string scene(int cells, double fps, double seconds) {
  return str("silt = 1\n[run]\nframes = ", int(seconds * fps) + 1, "\nfps = ", fps, "\n[domain]\nsize = [", width, ", ",
             0.75 * width, "]\nresolution = ", cells,
             "\n[water]\n"
             "[shape.tilted]\nplane = { point = [",
             0.5 * width, ", ", depth, "], normal = [", 2 * amplitude / width,
             ", 1] }\n[fill.tilted]\nshape = \"tilted\"\nmaterial = \"water\"\n");
}

struct Sway {
  std::vector<double> time, lean;  ///< in the amplitude at first
  double period = NAN;             ///< mean over the whole run [s]
  double kept = NAN;               ///< part of the amplitude after a period
};

Sway run(const Lab& lab, int cells, double seconds) {
  Simulation sim = lab.simulate(lab.scene_of(scene(cells, 48, seconds)));
  Sway out;
  while (sim.advance_frame()) {
    out.time.push_back(sim.time());
    out.lean.push_back(WaterSurface(sim.frame()).lean() / (8 * amplitude / (pi * pi)));
  }
  const std::vector<double> zero = zero_crossings(out.time, out.lean);
  if (zero.size() < 3) return out;
  out.period = 2 * (zero.back() - zero.front()) / double(zero.size() - 1);
  std::vector<double> at, peak;  // log of the largest lean between crossings
  for (std::size_t z = 1; z < zero.size(); ++z) {
    double largest = 0;
    for (std::size_t i = 0; i < out.time.size(); ++i)
      if (out.time[i] > zero[z - 1] && out.time[i] < zero[z]) largest = std::max(largest, std::abs(out.lean[i]));
    at.push_back(0.5 * (zero[z - 1] + zero[z]));
    peak.push_back(std::log(largest));
  }
  out.kept = std::exp(slope(at, peak) * out.period);
  return out;
}

}  // namespace

/// Water sways in a tank.
void sloshing(Lab& lab) {
  const double k = pi / width, omega = std::sqrt(gravity * k * std::tanh(k * depth)), period = 2 * pi / omega;
  lab.about(
      str("A tank a metre wide, half a metre of water in it, its surface a plane at a small tilt at first (0.03 of the "
          "depth\n"
          "at the walls). It sways; the period of the first mode, cos(pi x / L), is 2 pi / omega with\n"
          "omega^2 = g k tanh(k H), k = pi / L (linear theory, Lamb 1932, section 257): here ",
          std::round(1e4 * period) / 1e4,
          " s. It is taken from the times\nat which that mode of the surface passes zero."));
  Plot& plot = lab.plot("lean", "The first mode of the surface.", "t [s]", "amplitude / that at first");
  for (const int cells : lab.quick ? std::vector{64} : std::vector{64, 128}) {
    const Sway sway = run(lab, cells, (lab.quick ? 3 : 8) * period);
    plot.line(str(cells, " cells"), sway.time, sway.lean);
    const std::string name = str("cells", cells);
    lab.measure.at_most(name + ".period", std::abs(sway.period / period - 1), 0.03);
    lab.measure.tell(name + ".kept_a_period", sway.kept);
  }
  std::vector<double> t, exact;
  for (double at = 0; at <= (lab.quick ? 3 : 8) * period; at += period / 48)
    t.push_back(at), exact.push_back(std::cos(omega * at));
  plot.dashed("linear theory", t, exact);
}

}  // namespace silt::validation
