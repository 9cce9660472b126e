#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/sand_lab.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double deep = 0.1, h = deep / 10;    // of the layer, of a cell [m]
constexpr double push = 0.3;                   // its speed at first, when it is pushed [m/s]
constexpr double still = 1e-3, moving = 0.02;  // [m/s]
constexpr double seconds = 5;

/// A layer on a floor that it sticks to, endless along x; the slope is in the gravity.
std::string layer(double friction, double slope, double speed) {
  const double t = slope * pi / 180;
  return str("silt = 1\n[run]\nframes = ", int(seconds * 50) + 1, "\nfps = 50\n[domain]\nsize = [", 24 * h, ", ",
             deep + 4 * h, "]\ncell_size = ", h, "\ngravity = [", 9.81 * std::sin(t), ", ", -9.81 * std::cos(t),
             "]\nsides = { x_min = \"periodic\", x_max = \"periodic\", y_max = \"open\" }\n[sand]\nmax_iterations = "
             "4000\ntolerance = 1e-3\nfriction_angle = ",
             friction,
             "\n[wall.floor]\nside = \"y_min\"\nslip = \"none\"\n[shape.layer]\nbox = { min = [-1, -1], max = [1, ",
             deep, "] }\n[fill.layer]\nshape = \"layer\"\nmaterial = \"sand\"\nvelocity = [", speed, ", 0]\n");
}

double mean_speed(const Frame& frame) {
  double sum = 0;
  std::size_t count = 0;
  for (const Points& points : frame.points)
    for (const Vec3f& v : points.velocities) sum += v.x, ++count;
  return sum / double(count);
}

struct Slide {
  std::vector<double> time, speed;  ///< mean along x
  bool flows = false;
};

/// Until it stands or is plainly faster than at first.
Slide slide(const Lab& lab, double friction, double slope, double speed) {
  Simulation sim = lab.simulate(lab.scene_of(layer(friction, slope, speed)));
  Slide out;
  while (sim.advance_frame()) {
    const double now = mean_speed(sim.frame());
    out.time.push_back(sim.time());
    out.speed.push_back(now);
    if (sim.time() < 0.2) continue;
    const bool faster = now > speed + moving, stands = speed > 0 && now < still;
    out.flows = speed > 0 ? !stands : faster;
    if (faster || stands) break;
  }
  return out;
}

/// The slope above which it flows, to half a degree.
double switching_angle(const Lab& lab, double friction, double speed) {
  double stops = friction - 4, flows = friction + 4;
  while (flows - stops > 0.5) {
    const double slope = 0.5 * (stops + flows);
    (slide(lab, friction, slope, speed).flows ? flows : stops) = slope;
  }
  return 0.5 * (stops + flows);
}

}  // namespace

/// A layer of sand on a slope.
void incline(Lab& lab) {
  lab.about(
      "A layer of sand, ten cells deep and endless along the slope (periodic, the gravity tilted), on a floor that it "
      "sticks\n"
      "to. Pushed to 0.3 m/s, it has to come to rest on slopes below its angle of friction, and to run ever faster "
      "above it:\n"
      "a layer in simple shear has tau/p = tan(slope), whatever its depth. `switch` is the slope between, found by "
      "bisection\n"
      "to half a degree, and is wanted within 2 degrees; `start` is the slope at which a layer at rest begins to flow. "
      "Quick:\n"
      "whether it stops 2 degrees below, and runs 2 degrees above.");
  Plot& plot = lab.plot("speed", "Mean speed of a layer of 30 degrees on slopes of these.", "t [s]", "speed [m/s]");
  if (lab.quick) {
    for (const double slope : {28.0, 32.0}) {
      const Slide s = slide(lab, 30, slope, push);
      if (slope < 30)
        lab.measure.at_most("slope28.speed", s.speed.back(), still, "m/s");
      else
        lab.measure.at_least("slope32.speed", s.speed.back(), push, "m/s");
      plot.line(str(slope), s.time, s.speed);
    }
    return;
  }
  for (const double friction : {20.0, 30.0, 40.0}) {
    const std::string name = str("friction", friction);
    lab.measure.near(name + ".switch", switching_angle(lab, friction, push), friction, 2, "degrees");
    lab.measure.near(name + ".start", switching_angle(lab, friction, 0), friction, 2, "degrees");
  }
  for (const double slope : {26.0, 28.0, 30.0, 32.0}) {
    const Slide s = slide(lab, 30, slope, push);
    plot.line(str(slope), s.time, s.speed);
  }
  lab.note(
      "The yield stress has one constant, sqrt 2 tan(phi), and a cell one pressure; each corner rubs with the push "
      "that "
      "its\n"
      "own end of the cell has. With the cell's pressure for all of them layers flowed 1 to 4 degrees too early. A "
      "layer "
      "at\n"
      "rest starts a degree below: it has been seeded at rest, not come to rest, and its stresses are found in the "
      "first "
      "step.");
}

}  // namespace silt::validation
