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

/// What rows are made of, and where they go.
struct RowViews {
  Int3 active;
  Box box;   ///< of all rows
  double k;  ///< inertia
  View<const float> before;
  MacView<float> weights;
  View<float> screen;
  View<double> rhs, guess;
};

/// Row of face c:  (k m + sum of pulls) u + sum w (u - u_neighbour) = k m u_before + sum of pulled-to values,
/// k = h^2 / (nu dt), m the open part of the face's surroundings.
struct BuildRow {
  Boundary boundary;
  RowViews rows;
  SILT_HD void operator()(Cell c) const {
    const auto& [active, box, k, before, weights, screen, rhs, guess] = rows;
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
        // What lies above the last row is nobody's: its weight is written from below.
        if (end == 1 && !box.contains(n)) weights[b](n) = 0;
        if (moves && !both) {
          const Pull p = boundary.between(c, n, b, end);
          pull += p.strength, pulled += p.value;
        }
      }
    }
    const double mass = sticks || counted == 0 ? 1 : room / counted;
    screen(c) = moves ? float(k * mass + pull) : 0.0f;
    rhs(c) = moves ? k * mass * before(c) + pulled : 0.0;
    guess(c) = moves ? before(c) : 0.0;
  }
};

/// The same away from walls and solids, where most faces are.
struct BuildClearRow {
  RowViews rows;
  SILT_HD void operator()(Cell c) const {
    const auto& [active, box, k, before, weights, screen, rhs, guess] = rows;
    weights.x(c) = float(active.x), weights.y(c) = float(active.y), weights.z(c) = float(active.z);
    screen(c) = float(k);
    rhs(c) = k * before(c);
    guess(c) = before(c);
  }
};

/// Either, whichever serves; a GPU takes every face alike.
struct BuildRows {
  static constexpr bool splits_rows = true;
  static constexpr int block = 16;  ///< faces along x that are asked together
  BuildRow any;
  BuildClearRow clear;
  Box inner;  ///< what is two faces from every side: neighbours of these exist and lie on no side

  SILT_HD void operator()(Cell c) const { any(c); }

  template <class Visit>
  void split(int x0, int x1, int y, int z, const Visit& visit) const {
    const bool may_be = inner.contains(Cell{inner.lo.x, y, z});
    const int last = may_be ? std::min(x1, inner.hi.x) - block : x0 - 1;
    int done = x0;
    for (int x = std::max(x0, inner.lo.x), end; x <= last; x = std::max(end, x + block)) {
      for (end = x; end <= last && are_clear(Cell{end, y, z});) end += block;
      if (end == x) continue;
      if (done < x) visit(any, done, x);
      visit(clear, x, end);
      done = end;
    }
    if (done < x1) visit(any, done, x1);
  }

 private:
  /// Whether nothing closes, in part or wholly, a block of faces, their neighbours, or what lies between them.
  bool are_clear(Cell c) const {
    const FaceSites& sites = any.boundary.sites;
    const Int3 across = unit(sites.axis);
    int others = 0;
    const auto look = [&](int axis, Cell from) {
      for (int i = 0; i < block; ++i) others += sites.open[axis](from.x + i, from.y, from.z) != 1;
    };
    look(sites.axis, c);
    for (int b = 0; b < 3; ++b) {
      if (!clear.rows.active[b]) continue;
      look(sites.axis, c - unit(b)), look(sites.axis, c + unit(b));
      if (b == sites.axis) continue;
      for (const Cell from : {c, c + unit(b)}) look(b, from), look(b, from - across);
    }
    return others == 0;
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
  const Int3 active = domain.lattice.active;
  // One box that holds the faces across any axis: the solver keeps its memory from one component to the next. Rows that
  // are no faces have no weights.
  Domain unknowns = domain;
  for (int a = 0; a < 3; ++a) unknowns.cells.hi[a] = std::max(domain.cells.hi[a], domain.faces(a).hi[a]);
  for (int a = 0; a < 3; ++a) {
    if (!active[a]) continue;
    const FaceSites sites = face_sites(exec, domain, cut, a);
    const RowViews rows{active,
                        unknowns.cells,
                        h * h / nu_dt,
                        velocity[a].read(exec),
                        weights_.update(exec),
                        screen_.write(exec),
                        rhs_.write(exec),
                        x_.write(exec)};
    for_each_cell(exec, "viscosity.rows", unknowns.cells,
                  BuildRows{{boundary_of(sites, domain, walls), rows}, {rows}, grow(domain.faces(a), active * -2)});
    for (int b = 0; b < 3; ++b)
      if (active[b] && domain.periodic(b)) fill_halo(exec, unknowns, unknowns.cells, HaloRule{}, weights_[b]);
    solver_.prepare(exec, unknowns, weights_, &screen_);
    keep_worst(worst, solver_.solve(exec, options, rhs_, x_));
    for_each_cell(exec, "viscosity.result", domain.faces(a),
                  TakeResult{sites, x_.read(exec), velocity[a].update(exec)});
  }
  return worst;
}

}  // namespace silt
