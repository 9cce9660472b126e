#include "silt/physics/common/viscosity.h"

#include <algorithm>

#include "silt/core/loops.h"
#include "silt/physics/common/face_sites.h"

namespace silt {

namespace {

/// What strong viscosity leaves after a while is rest, not ever smaller numbers that no longer fit a float [m/s].
constexpr double at_rest = 1e-18;

/// What pulls a free face towards something known: strength times the value.
struct Pull {
  double strength = 0, value = 0;
};

/// The coupling of the free face c to its neighbour n, which is not free.
struct Boundary {
  FaceSites sites;
  float wall_strength[3][2];  ///< beside a domain wall that fluid sticks to, half a cell away: 2
  float wall_velocity[3][2];

  SILT_HD Pull between(Cell c, Cell n, int b, int end) const {
    if (!sites.exists(n)) return {wall_strength[b][end], double(wall_strength[b][end]) * wall_velocity[b][end]};
    if (sites.on_boundary(n)) return {1, sites.solid_velocity(n)};
    if (!sites.sticks(n)) return {};
    const double theta = sites.way_to_solid(c, n);
    return {1 / theta, sites.surface_velocity(c, n, theta) / theta};
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
    const FaceSites& sites = boundary.sites;
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
  FaceSites sites;
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

Boundary boundary_of(const FaceSites& sites, const Domain& domain, const SideWalls& walls) {
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
    const FaceSites sites = face_sites(exec, domain, cut, a);
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
