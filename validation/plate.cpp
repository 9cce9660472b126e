#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/sand_lab.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double h = 0.01, density = 1600, g = 9.81;  // [m], [kg/m^3], [m/s^2]
constexpr double speed = 0.2, begins = 0.1;           // of the plate [m/s]; when it begins to sink [s]
constexpr double gap = 0.1 * h;                       // between it and the sand at first [m]
constexpr int a_cell = 5;                             // frames while it sinks by one

/// A block with a flat, rough base, as deep as it is wide in the end; in 2D. All in cells.
struct Plate {
  double friction;  ///< of the sand [degrees]
  int wide;

  int room() const { return (friction > 30 ? 20 : 14) * wide; }  ///< sand has to give way as far as that
  int deep() const { return 5 * wide; }
  double width() const { return wide * h; }
  std::string name() const { return str("friction", friction, ".cells", wide); }

  double nq() const {
    const double t = friction * pi / 180;
    return std::exp(pi * std::tan(t)) * std::pow(std::tan(pi / 4 + t / 2), 2);
  }
  /// What a strip of this width bears so deep below the sand beside it [Pa].
  double theory(double depth) const {
    const double t = friction * pi / 180, n_gamma = 2 * (nq() + 1) * std::tan(t);
    const double by_depth = 1 + 2 * std::tan(t) * std::pow(1 - std::sin(t), 2) * depth / width();
    return density * g * (depth * nq() * by_depth + 0.5 * width() * n_gamma);
  }
};

std::string scene(const Plate& p) {
  const double top = p.deep() * h, way = p.width() + gap, ends = begins + way / speed;
  const auto x = [&](int side) { return 0.5 * (p.room() + side * p.wide) * h; };
  return str("silt = 1\n[run]\nframes = ", int(ends * speed / h * a_cell) + 1, "\nfps = ", a_cell * speed / h,
             "\n[domain]\nsize = [", p.room() * h, ", ", top + 2 * p.width(), "]\ncell_size = ", h,
             "\nsides = { y_max = \"open\" }\n[sand]\nmax_iterations = 4000\ntolerance = 3e-3\ndensity = ", density,
             "\nfriction_angle = ", p.friction, "\n[shape.sand]\nbox = { min = [-1, -1], max = [100, ", top,
             "] }\n[fill.sand]\nshape = \"sand\"\nmaterial = \"sand\"\n[shape.plate]\nbox = { min = [", x(-1), ", ",
             top + gap, "], max = [", x(1), ", ", top + 3 * p.width(),
             "] }\n[obstacle.plate]\nshape = \"plate\"\nmotion = { position = { keys = [[", begins, ", [0, 0]], [",
             ends, ", [0, ", -way, "]]] } }\n");
}

/// What the first whole row of cells below the base bears downwards, its mean along the base [Pa].
double bearing_below(const Frame& frame, const Plate& p, double base) {
  const int row = int(std::floor(base / h + 1e-9)) - 1, from = (p.room() - p.wide) / 2;
  double sum = 0;
  for (const Volume& v : frame.volumes)
    if (v.name == "bearing")
      for (int i = from; i < from + p.wide; ++i) sum += v.at({i, row, 0}, 1) / p.wide;
  return sum;
}

/// Means over each cell of its way.
struct Push {
  std::vector<double> depth;         ///< below the sand beside it [m]
  std::vector<double> bears, below;  ///< force on the plate over its width; what the sand below it bears [Pa]
};

Push run(const Lab& lab, const Plate& p) {
  Simulation sim = lab.simulate(lab.scene_of(scene(p)));
  const double top = p.deep() * h, middle = 0.5 * p.room() * h;
  Push out;
  double depth = 0, bears = 0, below = 0;
  int frames = 0;
  while (sim.advance_frame()) {
    const double base = top + gap - speed * std::max(0.0, sim.time() - begins);
    if (base >= top) continue;
    const Frame frame = sim.frame();
    const SandProfile profile(frame);
    const double half = 0.5 * p.width(), left = profile.depth(middle - 3 * half, middle - half),
                 right = profile.depth(middle + half, middle + 3 * half);
    depth += 0.5 * (left + right) - base;
    bears += sim.stats().forces().at("plate").y / p.width();
    below += bearing_below(frame, p, base);
    if (++frames < a_cell) continue;
    out.depth.push_back(depth / frames), out.bears.push_back(bears / frames), out.below.push_back(below / frames);
    depth = bears = below = frames = 0;
  }
  return out;
}

/// Mean down to a depth [Pa].
double mean_to(const Push& push, double depth) {
  std::vector<double> some;
  for (std::size_t i = 0; i < push.depth.size(); ++i)
    if (push.depth[i] <= depth) some.push_back(push.bears[i]);
  return mean(some);
}

void draw(const Plate& p, const Push& push, std::vector<double> law, Plot& plot) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < push.depth.size(); ++i) {
    x.push_back(push.depth[i] / p.width());
    y.push_back(push.bears[i] / (density * g * p.width()));
    law[i] /= density * g * p.width();
  }
  plot.line(p.name(), x, y);
  plot.dashed("theory, " + p.name(), x, law);
}

constexpr const char* what_it_is =
    "A block with a flat base, 6 to 12 cells wide, is pushed at 0.2 m/s into a bed of sand five widths deep, in 2D, "
    "until "
    "its base is\n"
    "as deep as wide. What it meets is the force on it over its width, a mean over each cell of its way; `below` is "
    "what "
    "the sand bears\n"
    "downwards in the first whole row of cells below its base, over that: two ways to know it. Theory is that of strip "
    "foundations "
    "(Prandtl, "
    "Reissner,\n"
    "Vesic 1973): q = rho g (D Nq d + B N / 2), Nq = exp(pi tan(phi)) tan^2(45 + phi/2), N = 2 (Nq + 1) tan(phi), d = "
    "1 + "
    "2 tan(phi)\n"
    "(1 - sin(phi))^2 D/B, D the depth below the sand beside it, one width to both sides. `factor` is the mean of what "
    "was "
    "measured\n"
    "over that, wanted within 0.3 of 1; `grows` the slope of a line through it over that of the theory; `off_line` the "
    "root mean\n"
    "square distance from that line over the mean. `wider` is how many times the force on 12 cells is that on 6, at "
    "the "
    "same depth,\n"
    "over theory: wanted within 0.3 of 1.";

constexpr const char* what_it_shows =
    "From 20 to 30 degrees what the plate meets is within a fifth of theory, as deep as it goes and as wide as it is. "
    "At 35 and 40\n"
    "it is told and not held to that: rougher sand bears more. silt's cone has tau <= p tan(phi) with p the mean of "
    "both directions,\n"
    "so that layers slide, and heaps lie, at phi; in Coulomb's terms that is sin(phi') = tan(phi), 35 degrees for 30, "
    "44 for 35 and\n"
    "57 for 40. Theory is of sand that widens as it shears, by phi': of 44 degrees it would bear five times as much "
    "as of 35. Sand\n"
    "that keeps its volume bears more than theory has for phi, and less than for phi'. The load at which it gives way "
    "is not one\n"
    "number either, for what it does depends on what it did: forces wander by some hundredths while the plate sinks.";

}  // namespace

/// A flat plate is pushed into sand.
void plate(Lab& lab) {
  lab.about(what_it_is);
  Plot& plot = lab.plot("bearing", "What the plate meets.", "depth / width", "stress / (rho g width)");
  plot.log_y = true;
  struct Run {
    Plate plate;
    bool bound;  ///< or only told
  };
  const std::vector<Run> runs =
      lab.quick ? std::vector<Run>{{{30, 6}, true}}
                : std::vector<Run>{{{20, 8}, true},   {{25, 8}, true},  {{30, 8}, true}, {{35, 6}, false},
                                   {{35, 12}, false}, {{40, 6}, false}, {{30, 6}, true}, {{30, 12}, true}};
  Push small, large;
  for (const auto& [p, bound] : runs) {
    const Push a = run(lab, p);
    if (p.friction == 30 && p.wide == 6) small = a;
    if (p.friction == 30 && p.wide == 12) large = a;
    std::vector<double> law, ratio;
    for (std::size_t i = 0; i < a.depth.size(); ++i) {
      law.push_back(p.theory(a.depth[i]));
      ratio.push_back(a.bears[i] / law.back());
    }
    const double grows = slope(a.depth, a.bears), at_start = mean(a.bears) - grows * mean(a.depth);
    double off = 0;
    for (std::size_t i = 0; i < a.depth.size(); ++i)
      off += std::pow(a.bears[i] - at_start - grows * a.depth[i], 2) / double(a.depth.size());
    const double line = std::sqrt(off) / mean(a.bears);
    if (bound) {
      lab.measure.near(p.name() + ".factor", mean(ratio), 1, 0.3);
      lab.measure.at_most(p.name() + ".off_line", line, 0.15);
    } else {
      lab.measure.tell(p.name() + ".factor", mean(ratio));
      lab.measure.tell(p.name() + ".off_line", line);
    }
    lab.measure.near(p.name() + ".below", mean(a.below) / mean(a.bears), 1, 0.1);
    lab.measure.tell(p.name() + ".grows", grows / slope(a.depth, law));
    draw(p, a, law, plot);
  }
  if (lab.quick) return;
  const double both = std::min(small.depth.back(), large.depth.back());
  const double force = 2 * mean_to(large, both) / mean_to(small, both);
  const double by_law = 2 * Plate{30, 12}.theory(0.5 * both) / Plate{30, 6}.theory(0.5 * both);
  lab.measure.near("wider", force / by_law, 1, 0.3);
  lab.note(what_it_shows);
}

}  // namespace silt::validation
