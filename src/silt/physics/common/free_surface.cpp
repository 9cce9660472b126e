#include "silt/physics/common/free_surface.h"

#include <cmath>
#include <limits>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/exterior_derivative.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/hodge_star.h"
#include "silt/fields/level_set.h"
#include "silt/fields/operators.h"
#include "silt/fields/wrap.h"
#include "silt/physics/common/both_sides.h"
#include "silt/physics/common/flow_kernels.h"
#include "silt/physics/common/ghost_gradient.h"
#include "silt/physics/common/sealed_bodies.h"
#include "silt/physics/common/surface_beside_solids.h"
#include "silt/physics/common/surface_crossings.h"

namespace silt {
namespace {

/// A cell that is liquid only because a particle lies in it, with a surface this near its centre [cells].
constexpr float bare_depth = 0.02f;

/// Cells that only a particle in them makes liquid: 1.
struct MarkBare {
  CellRanges::View ranges;
  bool everywhere;  ///< or only beside solids and walls
  bool films;       ///< with those that have air over them, seen from the solid
  BothSides both_sides;
  Box cells;
  float highest;  ///< [m]
  View<const float> phi;
  View<unsigned char> bare;

  SILT_HD bool beside_solid(Cell c) const {
    bool any = false;
    const auto& [distance, open, active] = both_sides;
    for (int a = 0; a < 3; ++a) any = any || (active[a] && (open[a](c) < 1 || open[a](c + unit(a)) < 1));
    return any && !both_sides.cell(c);
  }
  /// Whether the liquid goes on, away from the solids: the open faces lead there.
  SILT_HD bool in_liquid(Cell c) const {
    const auto& [distance, open, active] = both_sides;
    Vec3f n{};
    for (int a = 0; a < 3; ++a) n[a] = active[a] ? open[a](c + unit(a)) - open[a](c) : 0;
    float most = 0;
    for (int a = 0; a < 3; ++a) most = std::abs(n[a]) > most ? std::abs(n[a]) : most;
    bool any = !(most > 0);
    for (int a = 0; a < 3; ++a) {
      const Cell there = n[a] > 0 ? c + unit(a) : c - unit(a);
      if (most > 0 && std::abs(n[a]) >= 0.5f * most && cells.contains(there)) any = any || phi(there) < 0;
    }
    return any;
  }
  SILT_HD void operator()(Cell c) const {
    const bool may_be = phi(c) > highest && ranges.count(c) > 0;
    bare(c) = may_be && (everywhere || (beside_solid(c) && (films || in_liquid(c))));
  }
};

struct IncludeBare {
  float highest;  ///< [m]
  View<const unsigned char> bare;
  View<float> phi;
  SILT_HD void operator()(Cell c) const {
    if (bare(c)) phi(c) = highest;
  }
};

/// A liquid cell whose surface is nearer to its centre than edges may be cut.
struct KeepCentresInside {
  float highest;  ///< [m]
  View<float> phi;
  SILT_HD void operator()(Cell c) const {
    if (phi(c) < 0 && phi(c) > highest) phi(c) = highest;
  }
};

struct FillGaps {
  View<const float> phi, weight;
  Derivative d;
  int axis;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    if (weight.data[n] > 0 || !(phi.data[n] < 0 || phi.data[n - d.step[axis]] < 0)) return;
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; ++a)
      for (int m = n - d.step[a]; d.step[a] && m <= n + d.step[a]; m += 2 * d.step[a])
        if (weight.data[m] > 0) sum += u.data[m], ++count;
    if (count > 0) u.data[n] = sum / float(count);
  }
};

struct ScaleInLiquid {
  View<const unsigned char> air;
  double factor;
  View<double> q;
  SILT_HD void operator()(Cell c) const {
    const double value = air(c) ? 0 : q(c) * factor;
    if (value != q(c)) q(c) = value;  // zeros that nobody has written take no memory
  }
};

struct SubtractGhostGradient {
  GhostGradient gradient;
  const float* solid;
  const unsigned char* released;  ///< cells that walls have let go of
  int axis;
  Box inner;
  float* kick;
  bool add;  ///< to the kick that is there
  View<float> u;
  /// Whether what is beside this face of a wall has been let go and moves away from it.
  SILT_HD bool leaves(Cell c, int n) const {
    const bool low = c[axis] < inner.lo[axis];
    return released[low ? n : n - gradient.back] && (low ? u.data[n] > solid[n] : u.data[n] < solid[n]);
  }
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    if (gradient.star[n] > 0) {
      const float change = -float(gradient(n));
      kick[n] = (add ? kick[n] : 0) + change;
      u.data[n] += change;
    } else {
      if (kick[n] != 0) kick[n] = 0;  // zeros that nobody has written take no memory
      if (!(gradient.open[n] > 0) && !inner.contains(c) && !leaves(c, n)) u.data[n] = solid[n];
    }
  }
};

}  // namespace

void include_particles(const Exec& exec, const Domain& domain, const CellRanges& ranges, const CutCells& cut,
                       Included which, Field<unsigned char>& scratch, Field<float>& phi) {
  const float highest = float(-bare_depth * domain.lattice.h);
  for_each_cell(exec, "liquid.bare", domain.cells,
                MarkBare{ranges.read(exec), which == Included::all, which == Included::beside_solids,
                         BothSides(exec, domain, cut), domain.cells, highest, std::as_const(phi).read(exec),
                         scratch.update(exec)});
  for_each_cell(exec, "liquid.include", domain.cells,
                IncludeBare{highest, std::as_const(scratch).read(exec), phi.update(exec)});
}

void fill_gaps(const Exec& exec, const Domain& domain, const Field<float>& phi, const MacField<float>& weight,
               MacField<float>& velocity) {
  for (int a = 0; a < 3; ++a)
    for_each_cell(
        exec, "liquid.gaps", domain.faces(a),
        FillGaps{phi.read(exec), weight[a].read(exec), Derivative(phi.layout()), a, velocity[a].update(exec)});
}

void scale_in_liquid(const Exec& exec, const Domain& domain, const Field<unsigned char>& air, double factor,
                     Field<double>& q) {
  for_each_cell(exec, "liquid.scale", domain.cells, ScaleInLiquid{air.read(exec), factor, q.update(exec)});
}

void subtract_liquid_gradient(const Exec& exec, const Domain& domain, const Field<double>& q,
                              const MacField<float>& star, const CutCells& cut, const Field<unsigned char>& released,
                              MacField<float>& kick, MacField<float>& velocity, bool add) {
  for (int a = 0; a < 3; ++a)
    for_each_cell(
        exec, "liquid.gradient", domain.faces(a),
        SubtractGhostGradient{ghost_gradient(exec, domain.lattice.h, q, star, cut, a),
                              cut.solid_velocity[a].read(exec).data, released.values().read(exec), a,
                              inner_faces(domain, a), kick[a].update(exec).data, add, velocity[a].update(exec)});
}

namespace {
SurfaceOptions surface_options(bool thin) {
  SurfaceOptions options;
  if (thin) options.slack = std::numeric_limits<double>::infinity();
  return options;
}
}  // namespace

void find_free_surface(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                       const CutCells& cut, const Field<float>* capacity, bool thin, BesideSolidsScratch& beside,
                       Field<float>& phi, Field<float>& scratch, Field<unsigned char>& air, bool films_are_air) {
  const SurfaceOptions options = surface_options(thin);
  surface_of_particles(exec, domain, particles, ranges, options, phi);
  include_particles(exec, domain, ranges, cut,
                    thin            ? Included::all
                    : films_are_air ? Included::in_liquid
                                    : Included::beside_solids,
                    air, phi);
  if (capacity) surface_beside_solids(exec, domain, particles, ranges, options, cut, *capacity, beside, phi, scratch);
  for_each_cell(exec, "surface.centres", domain.cells,
                KeepCentresInside{float(-least_theta * domain.lattice.h), phi.update(exec)});
  fill_level_set_halo(exec, domain, phi);
  cells_of_air(exec, domain, phi, air);
}

void find_free_surface_star(const Exec& exec, const Domain& domain, const Particles& particles,
                            const CellRanges& ranges, const CutCells& cut, const Field<float>* capacity, bool thin,
                            const BesideSolidsScratch& beside, const Field<float>& phi, MacField<float>& star) {
  hodge_star(exec, domain, {.open = &cut.open, .liquid = &phi}, star);
  place_crossings(exec, domain, particles, ranges, surface_options(thin), capacity ? &cut : nullptr,
                  capacity ? &beside : nullptr, phi, star);
}

namespace {

/// Solves anew with the cells that pull released, and those bound again that are pressed together, until none is left.
/// Where only a little pulls, it is held for this step and let go in the next; what presses by less than the solve is
/// exact to is bound in the next.
SolveReport solve_letting_go(const Exec& exec, const FreeSurfaceFlow& flow, const LetGo& walls,
                             const SolveOptions& options, Field<double>& q) {
  constexpr int most_passes = 8;
  constexpr double little = 0.01;  // of all pressure
  const auto& [domain, wet, cut, star, air, rhs, asked, released, solver] = flow;
  wrap_cells(exec, domain, q);
  guess_released(exec, domain, cut, star, walls, rhs, q, air, released);
  bind_sealed(wet, star, walls, rhs, options.tolerance, false, air, released, q);
  SolveReport report;
  for (int pass = 0; pass < most_passes; ++pass) {
    wrap_cells(exec, wet, released);
    with_released(exec, wet, star, walls, air, released, rhs, asked);
    scale_in_liquid(exec, wet, air, 1, q);
    solver.prepare(exec, wet, star, nullptr, &air);
    const SolveReport once = solver.solve(exec, options, asked, q);
    const int before = report.iterations;
    keep_worst(report, once);
    report.iterations = before + once.iterations;
    if (walls.least != 0 || walls.per_cell) set_released(exec, wet, walls, released, q);
    wrap_cells(exec, wet, q);
    BoundMissed missed = update_released(exec, wet, cut, star, walls, rhs, q, air, released);
    const BoundSealed bound = bind_sealed(wet, star, walls, rhs, options.tolerance, true, air, released, q);
    missed.pull -= bound.pull;
    if (!bound.apart && missed.push <= options.tolerance * missed.all && missed.pull <= little * missed.all) break;
    bind_pressed(exec, wet, air, released);
  }
  wrap_cells(exec, wet, released);
  wrap_cells(exec, wet, q);
  return report;
}

}  // namespace

SolveReport project_free_surface(const Exec& exec, const FreeSurfaceFlow& flow, const LetGo& walls,
                                 const SolveOptions& options, Field<double>& q, MacField<float>& kick,
                                 MacField<float>& velocity, bool add) {
  const auto& [domain, wet, cut, star, air, rhs, asked, released, solver] = flow;
  const double h = domain.lattice.h;
  divergence(exec, wet.cells, h, velocity, cut.open, cut.closed_velocity(), rhs, -h * h);
  if (cut.growth.allocated()) add_expansion(exec, wet, h * h, cut.open, cut.growth, rhs);
  scale_in_liquid(exec, wet, air, 1, rhs);
  SolveReport report;
  if (walls.on) {
    report = solve_letting_go(exec, flow, walls, options, q);
  } else {
    solver.prepare(exec, wet, star, nullptr, &air);
    report = solver.solve(exec, options, rhs, q);
  }
  subtract_liquid_gradient(exec, domain, q, star, cut, released, kick, velocity, add);
  return report;
}

}  // namespace silt
