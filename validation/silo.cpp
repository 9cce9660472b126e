#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/sand_lab.h"

namespace silt::validation {

namespace {

constexpr double h = 0.01, density = 1600, g = 9.81, friction = 30;  // [m], [kg/m^3], [m/s^2], [degrees]
constexpr double floor_at = 5 * h, lowered = h;                      // [m]
constexpr double begins = 0.2, ends = 0.6;                           // of the lowering [s]
constexpr double speed = 0.05;                                       // of walls that rise [m/s]
constexpr int fps = 50;

/// What moves, so that the sand slides down along the walls.
enum class Mobilised { walls_rise, floor_sinks };

/// A silo between the domain's own walls; wide and high in cells.
struct Silo {
  int dims, wide, high;
  double at_walls;  ///< coefficient of friction
  Mobilised by;

  bool rises() const { return by == Mobilised::walls_rise; }
  double width() const { return wide * h; }
  double top() const { return floor_at + high * h; }
  /// Section over the length of wall round it, over the coefficient: K times Janssen's length [m].
  double length() const { return width() / (dims == 2 ? 2 : 4) / at_walls; }
  double from() const { return rises() ? 0.6 : 0.5 * (begins + ends); }  ///< when stresses are looked at [s]
  double to() const { return rises() ? 1.2 : ends - 0.01; }
  std::string name() const { return str(dims, "d.", rises() ? "walls" : "sinking", at_walls); }
};

std::string vector(int dims, double across, double up) {
  return dims == 2 ? str("[", across, ", ", up, "]") : str("[", across, ", ", across, ", ", up, "]");
}

std::string scene(const Silo& s) {
  const auto box = [&](const char* name, double lo, double hi) {
    return str("[shape.", name, "]\nbox = { min = ", vector(s.dims, -1, lo), ", max = ", vector(s.dims, 2, hi), " }\n");
  };
  std::string moves;
  if (s.rises())
    for (const char* side : {"x_min", "x_max", "y_min", "y_max"})
      if (side[0] == 'x' || s.dims == 3)
        moves += str("[wall.", side, "]\nside = \"", side, "\"\nvelocity = ", vector(s.dims, 0, speed), "\n");
  return str("silt = 1\n[run]\nframes = ", int(s.to() * fps) + 1, "\nfps = ", fps,
             "\n[domain]\nsize = ", vector(s.dims, s.width(), std::ceil(s.top() / h + 3) * h), "\ncell_size = ", h,
             "\nsides = { ", s.dims == 2 ? "y" : "z",
             "_max = \"open\" }\n[sand]\nmax_iterations = 4000\ndensity = ", density, "\nfriction_angle = ", friction,
             "\nwall_friction = ", s.at_walls, "\n", box("floor", -1, floor_at), box("sand", floor_at, s.top()),
             "[obstacle.floor]\nshape = \"floor\"\n",
             s.rises() ? std::string()
                       : str("motion = { position = { keys = [[", begins, ", ", vector(s.dims, 0, 0), "], [", ends,
                             ", ", vector(s.dims, 0, -lowered), "]] } }\n"),
             "[fill.sand]\nshape = \"sand\"\nmaterial = \"sand\"\n", moves);
}

/// What a row of cells bears: on the mean, and along the walls against them [Pa].
struct Row {
  double up = 0, against = 0;
};

/// From the domain's floor to its top.
std::vector<Row> rows_of(const Frame& frame) {
  const Int3 n = frame.domain.cells.size();
  const int up = frame.domain.lattice.active.z ? 2 : 1;
  std::vector<Row> out(static_cast<std::size_t>(n[up]));
  for (const Volume& v : frame.volumes) {
    if (v.name != "bearing") continue;
    const Box both = intersect(v.cells, frame.domain.cells);
    for (int k = both.lo.z; k < both.hi.z; ++k)
      for (int j = both.lo.y; j < both.hi.y; ++j)
        for (int i = both.lo.x; i < both.hi.x; ++i) {
          const Cell c{i, j, k};
          Row& row = out[std::size_t(c[up])];
          row.up += v.at(c, up) / (n[0] * (up == 2 ? n[1] : 1));
          for (int a = 0; a < up; ++a)
            if (c[a] == 0 || c[a] == n[a] - 1) row.against += v.at(c, a) / (2 * up * n[0]) * (up == 2 ? 1 : n[0]);
        }
  }
  return out;
}

double janssen(double z, double scale) {
  return density * g * scale * (1 - std::exp(-z / scale));
}

/// Means over the time that is looked at.
struct Answer {
  std::vector<double> depth, up, against;  ///< of rows of cells: [m], [Pa], [Pa]
  double k = 0;                            ///< what pushes against walls over what pushes down
  double bottom = 0;                       ///< over Janssen's
  double floor = 0;                        ///< force on it, over Janssen's
  double of_weight = 0;                    ///< what the lowest row bears of all that is above
};

Answer run(const Lab& lab, const Silo& s) {
  Simulation sim = lab.simulate(lab.scene_of(scene(s)));
  std::vector<Row> sum;
  double sunk = 0, force = 0;
  int frames = 0;
  while (sim.advance_frame()) {
    if (sim.time() < s.from() || sim.time() > s.to()) continue;
    const std::vector<Row> rows = rows_of(sim.frame());
    sum.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) sum[i].up += rows[i].up, sum[i].against += rows[i].against;
    force -= sim.stats().forces().at("floor")[s.dims - 1];
    sunk += s.rises() ? 0 : lowered * (sim.time() - begins) / (ends - begins);
    ++frames;
  }
  Answer out;
  const double top = s.top() - sunk / frames;
  for (int i = int(sum.size()) - 1; i >= std::lround(floor_at / h); --i) {  // rows that are whole
    const double depth = top - (i + 0.5) * h;
    if (depth < 2 * h) continue;
    out.depth.push_back(depth);
    out.up.push_back(sum[std::size_t(i)].up / frames);
    out.against.push_back(sum[std::size_t(i)].against / frames);
  }
  out.k = mean(out.against) / mean(out.up);
  out.bottom = out.up.back() / janssen(out.depth.back(), s.length() / out.k);
  out.floor = force / frames / std::pow(s.width(), s.dims - 1) / janssen(s.high * h, s.length() / out.k);
  out.of_weight = out.up.back() / (density * g * out.depth.back());
  return out;
}

constexpr const char* what_it_is =
    "Sand between rough walls, 5 times as high as wide in 2D, 4 times in a square silo in 3D. Either the walls rise at "
    "5 "
    "cm/s\n"
    "for 1.2 s, and stresses are means of the last 0.6 s; or, `sinking`, the floor sinks by a cell in 0.4 s, and they "
    "are "
    "means of\n"
    "the later half of its way. Janssen's law (1895) for what the sand bears at depth z is rho g l (1 - exp(-z/l)), l "
    "= A "
    "/ (K mu U),\n"
    "A the section, U the length of wall round it. mu is 0.2 or 0.4, the inner friction 30 degrees; `k` is the run's "
    "own, "
    "the mean\n"
    "stress against the walls over that downwards. `bottom` is what the lowest whole row of cells bears over the law, "
    "`floor` the force\n"
    "on the floor: wanted within 15 %. `of_weight` is what that row bears of the weight above it; without friction it "
    "were "
    "1.\nk has to lie between the cone's active state, 0.27 (sin(phi') = tan(phi), see cut), and Jaky's at rest, 0.5.";

constexpr const char* what_it_shows =
    "K lies at or above Rankine's active state, 0.33 for 30 degrees; Jaky's at rest is 0.5. After a sudden stop of the "
    "floor "
    "it goes on\n"
    "bearing what it did in the stop, a fifth more.";

}  // namespace

/// Sand in a silo hangs on its walls.
void silo(Lab& lab) {
  lab.about(what_it_is);
  Plot& plot = lab.plot("bearing", "What sand bears downwards, by depth.", "depth [m]", "stress [Pa]");
  using enum Mobilised;
  const std::vector<Silo> silos = lab.quick
                                      ? std::vector<Silo>{{2, 8, 32, 0.4, walls_rise}, {3, 5, 14, 0.4, walls_rise}}
                                      : std::vector<Silo>{{2, 12, 60, 0.4, walls_rise},
                                                          {2, 12, 60, 0.2, walls_rise},
                                                          {2, 12, 60, 0.4, floor_sinks},
                                                          {3, 8, 32, 0.4, walls_rise}};
  for (const Silo& s : silos) {
    const Answer a = run(lab, s);
    lab.measure.near(s.name() + ".bottom", a.bottom, 1, 0.15);
    lab.measure.near(s.name() + ".floor", a.floor, 1, 0.15);
    lab.measure.at_most(s.name() + ".of_weight", a.of_weight, 0.85);
    if (s.wide >= 8)  // of fewer cells k is a quarter too large in 3D
      lab.measure.near(s.name() + ".k", a.k, 0.385, 0.115);
    else
      lab.measure.tell(s.name() + ".k", a.k);
    plot.line(s.name(), a.depth, a.up);
    std::vector<double> law;
    for (const double z : a.depth) law.push_back(janssen(z, s.length() / a.k));
    plot.dashed("Janssen, " + s.name(), a.depth, law);
  }
  if (!lab.quick) lab.note(what_it_shows);
}

}  // namespace silt::validation
