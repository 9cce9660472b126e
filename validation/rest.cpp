#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/sand_lab.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double side = 0.2, g = 9.81;                      // of the column [m]; [m/s^2]
constexpr double inner = 27, at_walls = 24.8, tilted = 40;  // [degrees]
constexpr int fps = 50;
constexpr double falls = 2.4, flows = 0.2;  // until it lies; after it is tilted [s]

/// A column that collapses, beside a wall in 2D and round in 3D, lies `rests` seconds, and is then tilted towards +x.
std::string scene(int dims, int cells, double rests) {
  const double h = side / cells, t = tilted * pi / 180, when = falls + rests;
  const double x = g * std::sin(t), up = g * (1 - std::cos(t));
  const std::string vector = dims == 2 ? str("[", x, ", ", up, "]") : str("[", x, ", 0, ", up, "]");
  const std::string size = dims == 2 ? str("[", 4 * side, ", ", side + 4 * h, "]")
                                     : str("[", 6.4 * side, ", ", 6.4 * side, ", ", side + 4 * h, "]");
  const std::string column = dims == 2 ? str("box = { min = [-1, -1], max = [", side, ", ", side, "] }")
                                       : str("cylinder = { from = [", 3.2 * side, ", ", 3.2 * side, ", -1], to = [",
                                             3.2 * side, ", ", 3.2 * side, ", ", side, "], radius = ", side, " }");
  return str("silt = 1\n[run]\nframes = ", int(std::lround((when + flows) * fps)) + 1, "\nfps = ", fps,
             "\n[domain]\nsize = ", size, "\ncell_size = ", h, "\nsides = { ", dims == 2 ? "y_max" : "z_max",
             " = \"open\" }\n[sand]\nfriction_angle = ", inner, "\nwall_friction = ", std::tan(at_walls * pi / 180),
             "\n[shape.column]\n", column,
             "\n[fill.column]\nshape = \"column\"\nmaterial = \"sand\"\n[force.tilt]\nuniform = { acceleration = ",
             vector, " }\nenabled = { keys = [[0, false], [", when - 1e-6, ", true]] }\n");
}

double speed_along_x(const Frame& frame) {
  double sum = 0;
  std::size_t count = 0;
  for (const Points& points : frame.points)
    for (const Vec3f& v : points.velocities) sum += v.x, ++count;
  return sum / double(count);
}

/// Way of the topmost particle of each column of cells from one frame to another [m].
struct Creep {
  double mean = 0, largest = 0;
};
Creep creep(const Frame& from, const Frame& to) {
  const int up = from.domain.lattice.active.z ? 2 : 1;
  const double h = from.domain.lattice.h;
  std::map<std::pair<int, int>, std::pair<double, std::uint64_t>> tops;
  std::unordered_map<std::uint64_t, Vec3d> first, last;
  for (const Points& points : from.points)
    for (std::size_t i = 0; i < points.count(); ++i) {
      const Vec3d& at = points.positions[i];
      first[points.id[i]] = at;
      const std::pair<int, int> column{int(at.x / h), up == 2 ? int(at.y / h) : 0};
      auto& top = tops.emplace(column, std::pair{-1.0, std::uint64_t(0)}).first->second;
      top = std::max(top, {at[up], points.id[i]});
    }
  for (const Points& points : to.points)
    for (std::size_t i = 0; i < points.count(); ++i) last[points.id[i]] = points.positions[i];
  Creep out;
  for (const auto& [column, top] : tops) {
    const double way = length(last.at(top.second) - first.at(top.second));
    out.mean += way / double(tops.size());
    out.largest = std::max(out.largest, way);
  }
  return out;
}

}  // namespace

/// A heap comes to rest, stays there, and flows when it is tilted.
void rest(Lab& lab) {
  const double rests = lab.quick ? 3 : 10;
  lab.about(str("A column of sand, 0.2 m high and as wide (in 3D: of that radius), collapses, and ", falls,
                " s after it was let go\nlies for ", rests,
                " s, and is then tilted by 40\n"
                "degrees. `energy` is its kinetic energy, the largest of the last second of rest, over that of the "
                "collapse: wanted\n"
                "is 1e-6. `creep` is the mean way of the topmost particle of each column of cells while it rests, over "
                "0.2 m: wanted is\n"
                "1e-3. `full` is how full cells are two cells and more from the surface: wanted is no more than 1 % "
                "over 1 on the\n"
                "mean and 5 % anywhere. `tilted` is its mean speed along the slope 0.2 s after it is tilted over that "
                "of a block that\n"
                "slides with its inner friction, g (sin t - tan(phi) cos t) 0.2 s: only its order is wanted."));
  Plot& plot = lab.plot("energy", "Kinetic energy over the largest.", "t [s]", "E / E_max");
  plot.log_y = true;
  struct Run {
    int dims, cells;
  };
  for (const Run& r : lab.quick ? std::vector<Run>{{2, 12}} : std::vector<Run>{{2, 24}, {3, 16}}) {
    Simulation sim = lab.simulate(lab.scene_of(scene(r.dims, r.cells, rests)));
    std::vector<double> time, energy;
    Frame lies, late;
    double peak = 0, end = 0;
    while (sim.advance_frame()) {
      const double t = sim.time(), now = sim.stats().totals.kinetic_energy, when = falls + rests;
      const auto is = [&](double moment) { return std::abs(t - moment) < 0.5 / fps; };
      if (is(falls)) lies = sim.frame();
      if (is(when)) late = sim.frame();
      if (t < falls) peak = std::max(peak, now);
      if (t > when - 1 && t < when + 0.5 / fps) end = std::max(end, now);
      time.push_back(t);
      energy.push_back(now);
    }
    for (double& e : energy) e = std::max(e / peak, 1e-16);
    const std::string name = str(r.dims, "d");
    plot.line(str(r.dims, "D, ", r.cells, " cells"), time, energy);
    const Creep way = creep(lies, late);
    const Fullness full = fullness_within(late);
    const double t = tilted * pi / 180, block = g * (std::sin(t) - std::tan(inner * pi / 180) * std::cos(t)) * flows;
    lab.measure.at_most(name + ".energy", end / peak, 1e-6);
    lab.measure.at_most(name + ".creep", way.mean / side, lab.quick ? 4e-3 : 1e-3);
    lab.measure.tell(name + ".creep_largest", way.largest / side);
    lab.measure.at_most(name + ".full", full.mean, 1.01);
    lab.measure.at_most(name + ".full_largest", full.largest, 1.05);
    lab.measure.near(name + ".tilted", speed_along_x(sim.frame()) / block, 1, 0.6);
  }
  if (!lab.quick)
    lab.note(
        "What creeps are single grains of the topmost layer, in 3D by 0.016 of a cell, whatever the cell's size. "
        "Tilted, heaps flow\n"
        "at once; they are faster than the block, for they also spread, and the floor is smoother.");
}

}  // namespace silt::validation
