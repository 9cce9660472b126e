#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/water_lab.h"

namespace silt::validation {

namespace {

constexpr double tank = 0.8, full = 0.8;  // width of the tank, height of its water at first [m]
constexpr double wall = 0.04;             // thickness [m]
constexpr double sill = 0.2, slit = 0.1;  // height of the slit's lower edge, of the slit [m]
constexpr double near = tank + wall + slit, far = tank + wall + 3 * slit;  // where the jet is looked at [m]

/// A tank whose right wall has a slit low in it; beyond it is air, and a drain.
std::string scene(int cells, double fps, double seconds) {
  return str("silt = 1\n[run]\nframes = ", int(seconds * fps) + 1, "\nfps = ", fps,
             "\n[domain]\nsize = [1.6, 1]\ncell_size = ", slit / cells,
             "\nsides = { x_max = \"open\", y_max = \"open\" }\n[water]\nreach = 0\n"
             "[shape.water]\nbox = { min = [-1, -1], max = [",
             tank, ", ", full, "] }\n[fill.water]\nshape = \"water\"\nmaterial = \"water\"\n",  //
             "[shape.below]\nbox = { min = [", tank, ", -1], max = [", tank + wall, ", ", sill, "] }\n",
             "[obstacle.below]\nshape = \"below\"\n",  //
             "[shape.above]\nbox = { min = [", tank, ", ", sill + slit, "], max = [", tank + wall, ", 2] }\n",
             "[obstacle.above]\nshape = \"above\"\n",  //
             "[shape.drain]\nbox = { min = [", tank + wall,
             ", -1], max = [3, 0.03] }\n[sink.drain]\nshape = \"drain\"\n");
}

struct Jet {
  std::vector<double> time, speed, ratio;  ///< mean speed in the jet [m/s]; that over Torricelli's
  std::vector<double> level;               ///< height of the water in the tank [m]
  double contraction = NAN;                ///< what the tank loses over slit x speed
  double inside_solid = 0;
};

Jet run(const Lab& lab, int cells, double seconds, double settled) {
  Simulation sim = lab.simulate(lab.scene_of(scene(cells, 50, seconds)));
  Jet out;
  while (sim.advance_frame()) {
    const Frame frame = sim.frame();
    const double level = WaterSurface(frame).height(0.5 * tank);
    double sum = 0, ratio = 0;
    int count = 0;
    for (const Points& points : frame.points)
      for (std::size_t i = 0; i < points.count(); ++i) {
        const Vec3d& x = points.positions[i];
        if (x.x < near || x.x > far || x.y < 0.1) continue;
        const double speed = length(points.velocities[i].as<double>());
        sum += speed;
        ratio += speed / std::sqrt(2 * gravity * (level - x.y));
        ++count;
      }
    out.inside_solid = std::max(out.inside_solid, double(sim.stats().totals.inside_solid));
    if (count == 0 || sim.time() < settled) continue;
    out.time.push_back(sim.time());
    out.speed.push_back(sum / count);
    out.ratio.push_back(ratio / count);
    out.level.push_back(level);
  }
  double mean = 0;
  for (const double speed : out.speed) mean += speed / double(out.speed.size());
  if (out.time.size() > 2) out.contraction = -slope(out.time, out.level) * tank / (slit * mean);
  return out;
}

}  // namespace

/// How fast water leaves a tank through a slit.
void torricelli(Lab& lab) {
  lab.about(
      "A tank of water with a slit low in one wall (an obstacle in cut cells); the jet flies through open air into a "
      "drain.\n"
      "Particles of the jet, from one to three widths of the slit behind the wall, where the pressure is that of the "
      "air,\n"
      "have to be as fast as if they had fallen from the water's level in the tank at that time: sqrt(2 g h) "
      "(Torricelli\n"
      "1643), h from where each of them is. What the tank loses over slit times speed is told: for a sharp slit in "
      "the\n"
      "side of a large tank the jet contracts to pi / (pi + 2) = 0.61 of it (Kirchhoff 1869).");
  Plot& plot = lab.plot("speed", "Mean speed of the jet over sqrt(2 g h).", "t [s]", "speed / sqrt(2 g h)");
  for (const int cells : lab.quick ? std::vector{6} : std::vector{8, 16}) {
    const Jet jet = run(lab, cells, lab.quick ? 0.7 : 1.2, 0.4);
    double worst = jet.ratio.empty() ? NAN : 0;
    for (const double ratio : jet.ratio) worst = std::max(worst, std::abs(ratio - 1));
    const std::string name = str("cells", cells);
    if (cells == 8)
      lab.measure.tell(name + ".speed", worst);
    else
      lab.measure.at_most(name + ".speed", worst, lab.quick ? 0.07 : 0.05);
    lab.measure.tell(name + ".contraction", jet.contraction);
    lab.measure.at_most(name + ".inside_solid", jet.inside_solid, 0);
    plot.line(str(cells, " cells across the slit"), jet.time, jet.ratio);
  }
}

}  // namespace silt::validation
