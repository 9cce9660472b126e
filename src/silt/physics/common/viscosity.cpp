#include "silt/physics/common/viscosity.h"

#include <algorithm>

#include "silt/core/loops.h"
#include "silt/fields/face_corners.h"

namespace silt {

namespace {

/// A surface nearer to a face's centre than this many cells counts as that far: the matrix stays well-conditioned.
constexpr double nearest = 1e-3;
/// What strong viscosity leaves after a while is rest, not ever smaller numbers that no longer fit a float [m/s].
constexpr double at_rest = 1e-18;

/// The faces across one axis as unknowns: which of them move freely, and what lies between two of them.
struct Sites {
  int axis;
  FaceCorners corners;
  int first, last;  ///< indices of the domain's boundary faces along `axis`; out of reach when it is periodic
  Box inside;       ///< faces that exist; on periodic axes everything counts as inside
  View<const float> distance, grip;
  MacView<const float> open;
  View<const float> solid_velocity;

  /// From the nearest solid's surface to the face's centre [m].
  SILT_HD double distance_at(Cell c) const { return corners.mean(distance, c); }
  /// Whether fluid sticks to the solid nearest to the face.
  SILT_HD bool sticks(Cell c) const { return corners.mean(grip, c) >= 0.5; }
  SILT_HD bool exists(Cell c) const { return inside.contains(c); }
  SILT_HD bool on_boundary(Cell c) const { return c[axis] == first || c[axis] == last; }
  SILT_HD bool moves(Cell c) const {
    if (!exists(c)) return false;
    if (on_boundary(c) || !sticks(c)) return open[axis](c) > 0;
    return distance_at(c) > 0;
  }
  /// Open fraction of the square between c and the face before it along `b`.
  SILT_HD double passage(int b, Cell c) const {
    const Cell before = c - unit(b == axis ? b : axis);
    return 0.5 * (double(open[b](c)) + open[b](before));
  }
};

/// What pulls a free face towards something known: strength times the value.
struct Pull {
  double strength = 0, value = 0;
};

/// The coupling of the free face c to its neighbour n, which is not free.
struct Boundary {
  Sites sites;
  float wall_strength[3][2];  ///< beside a domain wall that fluid sticks to, half a cell away: 2
  float wall_velocity[3][2];

  SILT_HD Pull between(Cell c, Cell n, int b, int end) const {
    if (!sites.exists(n)) return {wall_strength[b][end], double(wall_strength[b][end]) * wall_velocity[b][end]};
    if (sites.on_boundary(n)) return {1, sites.solid_velocity(n)};
    if (!sites.sticks(n)) return {};
    const double here = sites.distance_at(c), there = sites.distance_at(n);
    double theta = there < here ? here / (here - there) : 1;
    theta = theta < nearest ? nearest : theta > 1 ? 1 : theta;
    const double surface = (1 - theta) * sites.solid_velocity(c) + theta * sites.solid_velocity(n);
    return {1 / theta, surface / theta};
  }
};

/// Row of face c:  (k m + sum of pulls) u + sum w (u - u_neighbour) = k m u_before + sum of pulled-to values,
/// k = h^2 / (nu dt), m the open part of the face's surroundings.
struct BuildRow {
  Boundary boundary;
  Int3 active;
  double inertia;  ///< k
  View<const float> before;
  MacView<float> weights;
  View<float> screen;
  View<double> rhs, guess;
  SILT_HD void operator()(Cell c) const {
    const Sites& sites = boundary.sites;
    const bool moves = sites.moves(c), sticks = sites.sticks(c);
    double pull = 0, pulled = 0, room = 0, counted = 0;
    for (int b = 0; b < 3; ++b) {
      if (!active[b]) continue;
      for (int end = 0; end < 2; ++end) {
        const Cell n = end == 0 ? c - unit(b) : c + unit(b), upper = end == 0 ? c : n;
        const bool both = moves && sites.moves(n);
        const double passage = sites.passage(b, upper);
        if (sites.exists(n)) room += passage, counted += 1;
        if (end == 0) weights[b](c) = float(!both ? 0 : sticks || sites.sticks(n) ? 1 : passage);
        // The face above the last is nobody's row: its weight is written from below.
        if (end == 1 && !sites.exists(n)) weights[b](n) = 0;
        if (moves && !both) {
          const Pull p = boundary.between(c, n, b, end);
          pull += p.strength, pulled += p.value;
        }
      }
    }
    const double mass = sticks || counted == 0 ? 1 : room / counted;
    screen(c) = moves ? float(inertia * mass + pull) : 0.0f;
    rhs(c) = moves ? inertia * mass * before(c) + pulled : 0.0;
    guess(c) = moves ? before(c) : 0.0;
  }
};

struct TakeResult {
  Sites sites;
  View<const double> x;
  View<float> velocity;
  SILT_HD void operator()(Cell c) const {
    if (sites.moves(c)) {
      velocity(c) = std::abs(x(c)) < at_rest ? 0.0f : float(x(c));
    } else if (sites.sticks(c) && !sites.on_boundary(c)) {
      velocity(c) = sites.solid_velocity(c);
    }
  }
};

Sites sites_of(const Exec& exec, const Domain& domain, const CutCells& cut, int axis) {
  constexpr int nowhere = std::numeric_limits<int>::min(), everywhere = std::numeric_limits<int>::max();
  const Box faces = domain.faces(axis);
  const Int3 active = domain.lattice.active;
  Box inside = faces;
  for (int a = 0; a < 3; ++a)
    if (active[a] && domain.periodic(a)) inside.lo[a] = nowhere, inside.hi[a] = everywhere;
  const bool periodic = domain.periodic(axis);
  return {axis,
          {axis, active},
          periodic ? nowhere : faces.lo[axis],
          periodic ? nowhere : faces.hi[axis] - 1,
          inside,
          cut.distance.read(exec),
          cut.grip.read(exec),
          cut.open.read(exec),
          cut.solid_velocity[axis].read(exec)};
}

Boundary boundary_of(const Sites& sites, const Domain& domain, const SideWalls& walls) {
  Boundary out{sites, {}, {}};
  for (int b = 0; b < 3; ++b)
    for (int end = 0; end < 2; ++end)
      if (b != sites.axis && domain.side(b, end) == Side::wall && walls[b][end].no_slip) {
        out.wall_strength[b][end] = 2;
        out.wall_velocity[b][end] = float(walls[b][end].velocity[sites.axis]);
      }
  return out;
}

}  // namespace

Viscosity::Viscosity(const Layout& layout)
    : weights_(layout), screen_(layout), rhs_(layout), x_(layout), solver_(layout) {}

SolveReport Viscosity::run(const Exec& exec, const Domain& domain, const CutCells& cut, const SideWalls& walls,
                           double nu_dt, const SolveOptions& options, MacField<float>& velocity) {
  SolveReport worst;
  if (nu_dt <= 0) return worst;
  const double h = domain.lattice.h;
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a]) continue;
    const Sites sites = sites_of(exec, domain, cut, a);
    Domain unknowns = domain;
    unknowns.cells = domain.faces(a);
    for_each_cell(
        exec, "viscosity.rows", unknowns.cells,
        BuildRow{boundary_of(sites, domain, walls), domain.lattice.active, h * h / nu_dt, velocity[a].read(exec),
                 weights_.update(exec), screen_.write(exec), rhs_.write(exec), x_.write(exec)});
    for (int b = 0; b < 3; ++b)
      if (domain.lattice.active[b] && domain.periodic(b))
        fill_halo(exec, unknowns, unknowns.cells, HaloRule{}, weights_[b]);
    solver_.prepare(exec, unknowns, weights_, &screen_);
    keep_worst(worst, solver_.solve(exec, options, rhs_, x_));
    for_each_cell(exec, "viscosity.result", unknowns.cells, TakeResult{sites, x_.read(exec), velocity[a].update(exec)});
  }
  return worst;
}

}  // namespace silt
