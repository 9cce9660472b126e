#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "silt/physics/smoke/smoke_stepper.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

constexpr double top_speed = 1;    // [m/s]: in the middle of Poiseuille flow, of Couette's belt
constexpr double viscosity = 0.1;  // [m^2/s]; the channel is one metre wide
constexpr double stop_time = 18;   // [s]: what is left of the start has died away to 1e-8

enum class Drive { pressure, belt };  // Poiseuille, Couette

/// The exact profile, y from 0 at one wall to 1 at the other.
double profile(Drive drive, double y) {
  if (y < 0 || y > 1) return 0;
  return drive == Drive::pressure ? 4 * top_speed * y * (1 - y) : top_speed * (1 - y);
}

/// A channel in the x-y plane in a periodic box: it leaves at one side and comes in at the other.
struct Channel {
  Setting setting;
  Vec3d along, across, origin;  ///< unit vectors; a point half-way through a wall
  double period = 0, wall = 0;  ///< from channel to channel; a wall's thickness [m]

  /// How far into a channel a point is, from one wall.
  double depth(const Vec3d& x) const {
    const double d = dot(x - origin, across);
    return d - std::floor((d + wall / 2) / period) * period - wall / 2;
  }
};

Setting flat_setting(const Int3& cells, double h) {
  Setting s;
  s.domain.lattice = {{0, 0, -0.5 * h}, h, {1, 1, 0}};
  s.domain.cells = {{0, 0, 0}, cells};
  s.domain.sides[0] = s.domain.sides[1] = {Side::periodic, Side::periodic};
  return s;
}

void push_along(Channel& channel) {
  ForceField push;
  push.name = "push";
  push.kind = UniformForce{channel.along * (8 * viscosity * top_speed)};
  channel.setting.forces = {push};
}

/// Tilted by atan(15/26), 29.98 degrees: a box of 26 m by 15 m cells holds it exactly, channels 13 m cells apart.
Channel tilted(Drive drive, int m) {
  const double h = 39.0 / 32 / (13 * m);  // 32 cells across at m = 3
  Channel out;
  out.setting = flat_setting({26 * m, 15 * m, 1}, h);
  const Domain& domain = out.setting.domain;
  const double diagonal = std::hypot(26, 15);
  out.along = {26 / diagonal, 15 / diagonal, 0};
  out.across = {-out.along.y, out.along.x, 0};
  out.origin = {0.37 * h, 0.21 * h, 0};  // no symmetry with the grid
  out.period = 13 * m * h * (30 / diagonal);
  out.wall = out.period - 1;
  const double far = 100;
  const Mat3d turn{{out.along.x, out.across.x, 0}, {out.along.y, out.across.y, 0}, {0, 0, 1}};
  const auto add = [&](double low, double high, double speed) {
    Obstacle slab;
    slab.name = "wall";
    slab.shape = Shape::box({-far, low, -far}, {far, high, far}).transformed({turn, out.origin, 1});
    slab.no_slip = true;
    if (speed != 0)
      slab.motion.position =
          Animated<Vec3d>({{0.0, Vec3d{}}, {2 * stop_time, out.along * (2 * stop_time * speed)}}, Between::linear);
    out.setting.obstacles.push_back(slab);
  };
  // Copies of the wall: as many as the box's corners are apart.
  const double reach = length(domain.upper() - domain.lower());
  for (int i = -int(reach / out.period) - 1; i <= int(reach / out.period) + 1; ++i) {
    const double middle = i * out.period;
    if (drive == Drive::pressure) {
      add(middle - out.wall / 2, middle + out.wall / 2, 0);
    } else {
      add(middle - out.wall / 2, middle, 0);
      add(middle, middle + out.wall / 2, top_speed);
    }
  }
  if (drive == Drive::pressure) push_along(out);
  return out;
}

/// Along x, between two walls of the domain.
Channel aligned(Drive drive, int cells) {
  Channel out;
  out.setting = flat_setting({8, cells, 1}, 1.0 / cells);
  out.setting.domain.sides[1] = {Side::wall, Side::wall};
  out.along = {1, 0, 0}, out.across = {0, 1, 0};
  out.period = 2, out.wall = 0;
  const Vec3d belt{drive == Drive::belt ? top_speed : 0, 0, 0};
  out.setting.walls = {{"low", 1, 0, true, belt}, {"high", 1, 1, true, Vec3d{}}};
  if (drive == Drive::pressure) push_along(out);
  return out;
}

struct Error {
  double h = 0, largest = 0, mean_square = 0;
  std::vector<double> depth, speed;  ///< of some faces across x: what flow along the channel they tell of
};

/// From rest to the steady state; compared on every face whose centre is in the fluid.
Error run(const Lab& lab, const Channel& channel, Drive drive) {
  const Domain& domain = channel.setting.domain;
  const Layout layout = make_layout(domain.cells, domain.lattice.active);
  const SmokeParams params{.viscosity = viscosity, .tolerance = 1e-8};
  SmokeState state(layout);
  SmokeStepper stepper(params, channel.setting, layout);
  Error out;
  out.h = domain.lattice.h;
  const double dt = 4 * out.h / top_speed;
  for (double t = 0; t < stop_time; t += dt) {
    StepContext step(lab.exec, domain, t, dt);
    stepper.substep(state, step);
  }
  const CutCells& cut = stepper.workspace().cut;
  double count = 0;
  for (int axis = 0; axis < 2; ++axis) {
    const Box faces = domain.faces(axis);
    for (int j = faces.lo.y; j < faces.hi.y; ++j)
      for (int i = faces.lo.x; i < faces.hi.x; ++i) {
        const Cell f{i, j, 0};
        const double y = channel.depth(domain.lattice.face_centre(axis, f));
        if (cut.open[axis](f) == 0 || y <= 0 || y >= 1 || channel.along[axis] == 0) continue;
        const double u = state.velocity[axis](f), error = u - profile(drive, y) * channel.along[axis];
        out.largest = std::max(out.largest, std::abs(error) / top_speed);
        out.mean_square += error * error / (top_speed * top_speed);
        count += 1;
        if (axis == 0 && (7 * i + j) % 11 == 0) out.depth.push_back(y), out.speed.push_back(u / channel.along.x);
      }
  }
  out.mean_square = std::sqrt(out.mean_square / count);
  return out;
}

}  // namespace

void channel(Lab& lab) {
  lab.about(
      "Flow between two walls that it sticks to, from rest to its steady state, Re 10: Poiseuille (pushed) and "
      "Couette\n"
      "(dragged by one wall). Exact profiles: u = 4 U y (1 - y) and u = U (1 - y). The channel lies along the grid, "
      "and "
      "at\n"
      "30 degrees to it (atan 15/26 = 29.98, which a periodic box can hold), where the walls are solids that cut the "
      "cells\n"
      "anywhere. Errors are those of single face velocities, as a share of U; `largest` is the worst of all faces, "
      "the\n"
      "ones that a wall all but covers included.");
  const std::vector<int> sizes = lab.quick ? std::vector<int>{2, 3} : std::vector<int>{2, 3, 4, 6};
  Plot& profiles =
      lab.plot("profiles", "Single faces at 32 cells across, channel at 30 degrees.", "y / width", "u / U");
  Plot& orders = lab.plot("orders", "Error over the cell size, channel at 30 degrees.", "cell / width", "error / U");
  orders.log_x = orders.log_y = true;
  std::vector<double> y;
  for (int i = 0; i <= 100; ++i) y.push_back(i / 100.0);
  for (const auto& [drive, name] : {std::pair{Drive::pressure, "poiseuille"}, {Drive::belt, "couette"}}) {
    std::vector<double> h, largest, mean_square;
    for (const int m : sizes) {
      const Error e = run(lab, tilted(drive, m), drive);
      h.push_back(e.h), largest.push_back(e.largest), mean_square.push_back(e.mean_square);
      if (m != 3) continue;
      lab.measure.at_most(str(name, ".tilted.largest"), e.largest, 0.02);
      profiles.markers(name, e.depth, e.speed);
    }
    lab.measure.at_least(str(name, ".tilted.order"), log_slope(h, mean_square), 1);
    lab.measure.tell(str(name, ".tilted.order_of_largest"), log_slope(h, largest));
    orders.points(str(name, ", root mean square"), h, mean_square);
    orders.points(str(name, ", largest"), h, largest);
    lab.measure.at_most(str(name, ".aligned.largest"), run(lab, aligned(drive, 32), drive).largest, 0.001);
    std::vector<double> u;
    for (const double at : y) u.push_back(profile(drive, at));
    profiles.dashed(str(name, ", exact"), y, u);
  }
}

}  // namespace silt::validation
