#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/sand_lab.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double h = 0.01, rests = 0.6;  // [m]; after the last has been poured [s]
constexpr int fps = 50, around = 16;

/// Sand strewn over the middle of a floor that it sticks to, from a spout that rises with the heap.
struct Heap {
  int dims;
  double friction;  ///< [degrees]
  int high;         ///< what it would be as a heap of that slope [cells]
  double rate;      ///< [m^2/s], [m^3/s]

  double reach() const { return high * h / std::tan(friction * pi / 180); }
  double side() const { return 2 * h * std::ceil(1.3 * reach() / h + 4); }
  double pours() const { return (dims == 2 ? reach() : pi * reach() * reach() / 3) * high * h / rate; }  ///< [s]
  std::string name() const { return str(dims, "d.friction", friction); }
};

std::string scene(const Heap& p, int seed) {
  const double middle = 0.5 * p.side(), top = p.high * h;
  const auto vector = [&](double across, double up) {
    return p.dims == 2 ? str("[", across, ", ", up, "]") : str("[", across, ", ", across, ", ", up, "]");
  };
  const std::string spout = p.dims == 2 ? str("box = { min = [", middle - 2 * h, ", ", 3 * h, "], max = [",
                                              middle + 2 * h, ", ", 5 * h, "] }")
                                        : str("cylinder = { from = ", vector(middle, 3 * h),
                                              ", to = ", vector(middle, 5 * h), ", radius = ", 3 * h, " }");
  std::string rises;
  for (int i = 0; i <= 8; ++i) {
    const double part = i / 8.0, height = p.dims == 2 ? std::sqrt(part) : std::cbrt(part);
    rises += str(i ? ", " : "", "[", part * p.pours(), ", ", vector(0, height * top), "]");
  }
  const char* up = p.dims == 2 ? "y" : "z";
  return str("silt = 1\n[run]\nseed = ", seed, "\nframes = ", int((p.pours() + rests) * fps) + 1, "\nfps = ", fps,
             "\n[domain]\nsize = ", vector(p.side(), top + 7 * h), "\ncell_size = ", h, "\nsides = { ", up,
             "_max = \"open\" }\n[sand]\nmax_iterations = 4000\ntolerance = 0.01\nfriction_angle = ", p.friction,
             "\n[wall.floor]\nside = \"", up, "_min\"\nslip = \"none\"\n[shape.spout]\n", spout,
             "\n[source.spout]\nshape = \"spout\"\nmaterial = \"sand\"\nrate = ", p.rate,
             "\nmotion = { position = { keys = [", rises, "] } }\nenabled = { keys = [[0, true], [", p.pours(),
             ", false]] }\n");
}

/// Slope of depths on one side of the middle, between these parts of the largest [degrees].
double slope_of(const std::vector<double>& x, const std::vector<double>& depth, double sign) {
  constexpr double from = 0.2, to = 0.8;
  const double largest = *std::max_element(depth.begin(), depth.end());
  std::vector<double> xs, ys;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (sign * x[i] > 0 && depth[i] > from * largest && depth[i] < to * largest)
      xs.push_back(x[i]), ys.push_back(depth[i]);
  return std::atan(-sign * slope(xs, ys)) * 180 / pi;
}

struct Answer {
  double angle = 0, unevenness = 0;
  std::vector<double> x, depth;  ///< [m]
};

Answer run(const Lab& lab, const Heap& p, int seed) {
  Simulation sim = lab.simulate(lab.scene_of(scene(p, seed)));
  while (sim.advance_frame()) {
  }
  const Frame frame = sim.frame();
  Answer out;
  if (p.dims == 2) {
    const SandProfile profile(frame);
    out.x = profile.places(), out.depth = profile.depths();
    for (double& x : out.x) x -= 0.5 * p.side();
    out.angle = 0.5 * (slope_of(out.x, out.depth, 1) + slope_of(out.x, out.depth, -1));
  } else {
    const SandFoot foot(frame, 0.5 * p.side(), 0.5 * p.side(), around);
    out.unevenness = unevenness(foot.radii(0.5 * h));
    out.depth = foot.profile();
    for (std::size_t i = 0; i < out.depth.size(); ++i) out.x.push_back((double(i) + 0.5) * foot.ring());
    out.angle = slope_of(out.x, out.depth, 1);
  }
  return out;
}

constexpr const char* what_it_is =
    "Sand strewn slowly from a spout that rises with the heap, three cells above it, on a floor that it sticks to; "
    "6e-3 m^2/s in 2D,\n"
    "1e-3 m^3/s in 3D. `angle` is the slope of its flanks 0.6 s after the last has been poured: a line through the "
    "depths between 20\n"
    "and 80 % of the largest, the mean of both sides and of five heaps, three in 3D, each poured with other random "
    "numbers; `least` "
    "and `most` are\n"
    "those of single heaps. Wanted is the inner friction within 3 degrees. `uneven`: how far the foot in 3D is from "
    "round, the largest\n"
    "distance from the mean radius in 16 directions, where it is half a cell deep, over the mean; wanted within 0.04. "
    "Heaps are 14 to\n"
    "18 cells high in 2D, 10 in 3D.";

constexpr const char* what_it_shows =
    "The line through the flank of one heap is uncertain by some three degrees, for depths are those of single columns "
    "of cells. What\n"
    "falls on the top of the heap in 3D rounds it, over some six cells; the slope is that of its flank.";

}  // namespace

/// Sand is poured to a heap.
void pile(Lab& lab) {
  lab.about(what_it_is);
  Plot& plot = lab.plot("heaps", "Depth of the sand at the end.", "x [m]", "depth [m]");
  const std::vector<Heap> heaps =
      lab.quick ? std::vector<Heap>{{2, 30, 10, 0.006}}
                : std::vector<Heap>{{2, 20, 14, 0.006}, {2, 30, 16, 0.006}, {2, 40, 18, 0.006}, {3, 30, 10, 1e-3}};
  for (const Heap& p : heaps) {
    const int times = p.dims == 3 ? 3 : lab.quick ? 2 : 5;
    std::vector<double> angles;
    for (int seed = 0; seed < times; ++seed) {
      const Answer a = run(lab, p, seed);
      angles.push_back(a.angle);
      if (p.dims == 3) lab.measure.at_most(p.name() + ".uneven", a.unevenness, 0.04);
      if (seed == 0) plot.line(p.name(), a.x, a.depth);
    }
    if (p.dims == 2) {
      lab.measure.near(p.name() + ".angle", mean(angles), p.friction, lab.quick ? 4 : 3, "degrees");
      const auto [least, most] = std::minmax_element(angles.begin(), angles.end());
      lab.measure.tell(p.name() + ".least", *least, "degrees");
      lab.measure.tell(p.name() + ".most", *most, "degrees");
    } else {
      lab.measure.near(p.name() + ".angle", mean(angles), p.friction, 3, "degrees");
    }
  }
  if (!lab.quick) lab.note(what_it_shows);
}

}  // namespace silt::validation
