#include <cmath>
#include <unordered_map>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/sand_lab.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double friction = 30, density = 1600, g = 9.81;  // [degrees], [kg/m^3], [m/s^2]
constexpr double high = 0.2;                               // of the bank [m]
constexpr double back = 2, room = 1.5;  // how far it goes back, and the floor before it, in its height
constexpr double lasts = 0.8;           // [s]: 5.6 sqrt(high / g)

/// How high a cut stands: the least upper bound known, by logarithmic spirals [m].
double critical_height(double cohesion) {
  return 3.83 * cohesion / (density * g) * std::tan((45 + friction / 2) * pi / 180);
}

/// A bank with an upright face; in 3D a slice of one between panes without friction. `part` of the height at which it
/// should fall.
std::string scene(int dims, int cells, double part) {
  const double h = high / cells, cohesion = high / part / critical_height(1), deep = 6 * h;
  const auto vector = [&](double x, double y, double up) {
    return dims == 2 ? str("[", x, ", ", up, "]") : str("[", x, ", ", y, ", ", up, "]");
  };
  const char* up = dims == 2 ? "y" : "z";
  std::string walls;
  for (const char* side : {"y_min", "y_max"})
    if (dims == 3) walls += str("[wall.", side, "]\nside = \"", side, "\"\nfriction = 0\n");
  return str("silt = 1\n[run]\nframes = ", int(lasts * 50) + 1,
             "\nfps = 50\n[domain]\nsize = ", vector((back + room) * high, deep, high + 4 * h), "\ncell_size = ", h,
             "\nsides = { ", up, "_max = \"open\" }\n[sand]\nmax_iterations = 4000\ndensity = ", density,
             "\nfriction_angle = ", friction, "\ncohesion = ", cohesion, "\n[wall.floor]\nside = \"", up,
             "_min\"\nslip = \"none\"\n[wall.back]\nside = \"x_min\"\nfriction = 0\n", walls,
             "[shape.bank]\nbox = { min = ", vector(-1, -1, -1), ", max = ", vector(back * high, 1, high),
             " }\n[fill.bank]\nshape = \"bank\"\nmaterial = \"sand\"\n");
}

/// How far the crest has gone down, the part of the bank within 0.2 of its height of its edge: mean over the height.
double crest_sinks(const Frame& from, const Frame& to) {
  const int up = from.domain.lattice.active.z ? 2 : 1;
  std::unordered_map<std::uint64_t, double> crest;
  for (const Points& points : from.points)
    for (std::size_t i = 0; i < points.count(); ++i) {
      const Vec3d& x = points.positions[i];
      if (x.x > (back - 0.2) * high && x[up] > 0.8 * high) crest[points.id[i]] = x[up];
    }
  double sum = 0;
  for (const Points& points : to.points)
    for (std::size_t i = 0; i < points.count(); ++i)
      if (const auto at = crest.find(points.id[i]); at != crest.end()) sum += at->second - points.positions[i][up];
  return sum / double(crest.size()) / high;
}

struct Bank {
  std::vector<double> time, sunk;
  bool falls() const { return sunk.back() > 0.1; }
};

Bank run(const Lab& lab, int dims, int cells, double part) {
  Simulation sim = lab.simulate(lab.scene_of(scene(dims, cells, part)));
  Bank out;
  Frame first;
  while (sim.advance_frame()) {
    const Frame now = sim.frame();
    if (out.time.empty()) first = now;
    out.time.push_back(sim.time());
    out.sunk.push_back(crest_sinks(first, now));
    if (out.sunk.back() > 0.3) break;
  }
  return out;
}

constexpr const char* what_it_is =
    "A bank of damp sand, 0.2 m high and twice as long, whose upright face is let go at t = 0: in 2D with 20 cells, in "
    "3D "
    "as a slice\n"
    "of 10 cells between panes without friction. Inner friction is 30 degrees; the cohesion is such that the bank is "
    "0.5 "
    "or 1.5 times\n"
    "as high as Hc = 3.83 c / (rho g) tan(45 + phi/2), the height at which a cut falls (Fellenius 1927; Taylor 1937, "
    "J. "
    "Boston Soc.\n"
    "Civ. Eng. 24, 197; Chen 1975). `sunk` is how far the crest, 0.2 heights deep and wide, has gone down in the end, "
    "over "
    "the height:\n"
    "at 0.5 it has to stand, at 1.5 to fall. `falls_at` is the height between 0.5 and\n2.5 at which it falls, found by "
    "bisection within 0.03: wanted is 1 to 1.4, for the cone's own Hc is 1.37 times as high.";

constexpr const char* what_it_shows =
    "It falls a quarter above Hc. The cone of silt has tau <= p tan(phi) + c with p the mean of both directions, so "
    "that "
    "layers slide\n"
    "at the angle that is asked for; Coulomb's rule, which Hc is from, has p across the plane that slides, and is the "
    "same "
    "cone with\n"
    "p sin(phi') + c' cos(phi'): sin(phi') = tan(phi), 35.3 degrees in place of 30, and c' = 1.22 c. With those Hc is "
    "1.37 "
    "times as\n"
    "high; that sand keeps its volume as it slides, where the theory lets it swell, makes it fall earlier.";

}  // namespace

/// A bank of cohesive sand stands, or falls.
void cut(Lab& lab) {
  lab.about(what_it_is);
  Plot& plot = lab.plot("crest", "How far the crest has sunk.", "t [s]", "way / height");
  struct Run {
    int dims, cells;
  };
  for (const Run& r : lab.quick ? std::vector<Run>{{2, 10}} : std::vector<Run>{{2, 20}, {3, 10}}) {
    for (const double part : {0.5, 1.5}) {
      const Bank bank = run(lab, r.dims, r.cells, part);
      const std::string name = str(r.dims, "d.height", part, ".sunk");
      if (part < 1)
        lab.measure.at_most(name, bank.sunk.back(), 0.02);
      else
        lab.measure.at_least(name, bank.sunk.back(), 0.1);
      plot.line(str(r.dims, "D, ", part, " Hc"), bank.time, bank.sunk);
    }
    if (lab.quick || r.dims == 3) continue;
    double stands = 0.5, falls = 2.5;  // wider than the bound: an answer that is wrong is found
    while (falls - stands > 0.07) {
      const double part = 0.5 * (stands + falls);
      (run(lab, r.dims, r.cells, part).falls() ? falls : stands) = part;
    }
    lab.measure.near(str(r.dims, "d.falls_at"), 0.5 * (stands + falls), 1.2, 0.2, "Hc");
  }
  if (!lab.quick) lab.note(what_it_shows);
}

}  // namespace silt::validation
