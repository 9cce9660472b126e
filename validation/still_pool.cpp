#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/water_lab.h"

namespace silt::validation {

namespace {

/// A tank a metre wide, filled to a height, with a substep a frame.
std::string scene(int cells, double height, double seconds) {
  const double fps = std::ceil(1 / (0.79 * std::sqrt(1.0 / (cells * gravity))));
  return str("silt = 1\n[run]\nframes = ", int(std::ceil(seconds * fps)) + 1, "\nfps = ", fps,
             "\n[domain]\nsize = [1, 0.625]\nresolution = ", cells,
             "\n[water]\n"
             "[shape.pool]\nbox = { min = [-1, -1], max = [2, ",
             height, "] }\n[fill.pool]\nshape = \"pool\"\nmaterial = \"water\"\n");
}

struct Rest {
  std::vector<double> time, speed;  ///< of the fastest particle, in sqrt(g H)
  double drift = 0;                 ///< largest change of the mean height [cells]
};

Rest run(const Lab& lab, int cells, double height, double seconds) {
  Simulation sim = lab.simulate(lab.scene_of(scene(cells, height, seconds)));
  Rest out;
  double at_first = 0;
  while (sim.advance_frame()) {
    const Totals& now = sim.stats().totals;
    if (out.time.empty()) at_first = now.volume;
    out.time.push_back(sim.time());
    out.speed.push_back(now.max_speed / std::sqrt(gravity * height));
    out.drift = std::max(out.drift, std::abs(now.volume - at_first) * cells);  // the tank is a metre wide
  }
  return out;
}

}  // namespace

/// Water in a tank, seeded as particles, stays where it is.
void still_pool(Lab& lab) {
  lab.about(
      "A tank a metre wide, filled to heights that lie anywhere within a cell; nothing else happens. Particles are "
      "seeded\n"
      "nearly at random, so the surface that is found from them is not quite flat, and moves them a little. `speed` is "
      "that "
      "of\n"
      "the fastest particle over sqrt(g H), at any time and at the end; `drift` is how far the mean height of the "
      "level\n"
      "set ever comes from where it was, in cells. From an exact level set the same projection leaves next to "
      "nothing:\n"
      "see `hydrostatic`.");
  const double seconds = lab.quick ? 4 : 10;
  Plot& plot = lab.plot("speed", "The fastest particle.", "t [s]", "speed / sqrt(g H)");
  plot.log_y = true;
  for (const int cells : lab.quick ? std::vector{32} : std::vector{32, 64}) {
    double at_any_time = 0, at_the_end = 0, drift = 0;
    for (const double part : lab.quick ? std::vector{0.0, 0.4} : std::vector{0.0, 0.2, 0.4, 0.5, 0.6, 0.8}) {
      const Rest rest = run(lab, cells, (0.4 * cells + part) / cells, seconds);
      at_any_time = std::max(at_any_time, *std::max_element(rest.speed.begin(), rest.speed.end()));
      at_the_end = std::max(at_the_end, rest.speed.back());
      drift = std::max(drift, rest.drift);
      const std::vector<double> time(rest.time.begin() + 1, rest.time.end());
      plot.line(str(cells, " cells, ", 0.4 * cells + part, " of them full"), time,
                {rest.speed.begin() + 1, rest.speed.end()});
    }
    const std::string name = str("cells", cells);
    lab.measure.at_most(name + ".speed", at_any_time, 2e-2);
    lab.measure.at_most(name + str(".speed.after_", seconds, "_s"), at_the_end, lab.quick ? 2e-3 : 1e-3);
    lab.measure.at_most(name + ".drift", drift, 0.05, "cells");
  }
}

}  // namespace silt::validation
