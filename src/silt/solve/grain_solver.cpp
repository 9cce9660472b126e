#include "silt/solve/grain_solver.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/fields/copy_cells.h"
#include "silt/fields/wrap.h"
#include "silt/solve/grain_kernels.h"

namespace silt {
namespace {

constexpr int most_passes = 300, most_turns = 60, turns_to_guess = 6;
/// After so many passes bounds go a smaller part of the way to those of the last stresses where what these exceed them
/// by does not shrink, and a larger one again where it does. Else they need not settle at all: the flow rule is not
/// associated, and stress and bound chase each other for ever. No smaller than this: bounds that hardly move look
/// settled, and slabs slid too slowly; but 6/n of the way in the n-th pass, for that settles in the end. (3/n from the
/// start took hundreds of passes, for slabs on slopes.)
constexpr int settled_passes = 3;
constexpr double shrinks = 0.95, shorter = 0.6, longer = 1.3, least_part = 0.3, parts_of_many = 6;
/// Not where stresses exceed bounds by this part of what they may in the end: what grows then is a load.
constexpr double small_excess = 0.1;
/// What squeezes grains under a load counts by this: they may be too few to be seen in the mean of all, and a plate
/// then sinks into sand that gives way.
constexpr double of_load = 0.3;
/// Coarser lattices are made anew after so many turns: they see little of what changes from one to the next.
constexpr int coarse_turns = 3;
/// How exactly the first pass is minimised: to a tenth of what is left with the last step's stress, or better; each
/// that follows to three tenths of that, down to the tolerance. Sand at rest takes two or three passes, sand that flows
/// four.
constexpr double first_part = 0.1, first_within = 0.1, next_within = 0.3;
/// Against being squeezed cells are so many times as firm as against being sheared, and no less than so firm: then
/// neither rules the system, which is what multigrid likes.
constexpr double firmness = 4, least_firm = 5;
/// Cells that are so near to bearing, in units of speed, count as if they did: where many more bear after a step than
/// before it, the step was far too long. (With 2, columns that fall take a tenth fewer turns, and pinched sand many
/// times as many.)
constexpr double near_bearing = 0.3;
/// Stresses have settled when their change is so many times the tolerance: it is of what they are, not of a step;
/// unless they are smaller than what a step of gravity does, as in sand that flies. Or so small: where rough sand is
/// about to slide they wander by that, whatever the tolerance.
constexpr double stress_tolerance = 10, stress_wanders = 0.01;
/// Stresses of so many steps of gravity are those of sand pinched between solids: where there is more, tolerances grow
/// with it.
constexpr double large_stress = 300;
/// What stresses may exceed friction's bounds by. Mostly it is a tenth of that; where rough sand is about to slide the
/// two wander about each other, whatever the tolerance.
constexpr double yield_tolerance = 0.05;

}  // namespace

void GrainSolver::place(const Domain& domain, const Layout& layout) {
  if (!downhill_[0].allocated() || !(downhill_.layout() == layout)) {
    for (MacField<float>* field : {&downhill_, &before_, &conditioned_, &direction_}) *field = MacField<float>(layout);
    used_ = {};
  }
  domain_ = domain;
  used_.move_to(domain.cells, downhill_, before_, conditioned_, direction_);
  force_.place(domain, layout);
  multigrid_.place(domain, layout);
}

GrainReport GrainSolver::solve(const Exec& exec, const GrainParts& parts, const GrainOptions& options,
                               const Vec3d& push, MacField<double>& u, Field<double>& p, CornerStress& s) {
  GrainReport report;
  const Unknowns x{u, p, s};
  force_.begin(exec, parts,
               {options.stiffness, near_bearing * options.speed, options.box, options.crushing, options.column,
                large_stress * options.speed},
               u);
  const double unit = options.speed * std::sqrt(take_parts(exec, parts, push, x));
  if (unit == 0) {
    report.balanced = report.separated = report.bounded = report.converged = true;
    return report;
  }
  double within = first_within, part = 1, before = 0;
  const bool cold = !(reduce<Max>(exec, "grain.largest", domain_.cells, grain::Value{p.read(exec)}) > 0);

  while (report.passes < std::max(most_passes, options.max_iterations)) {
    const bool guessing = cold && report.passes == 0;  // as if it were one piece, to know about how much it bears
    if (report.passes > settled_passes) {
      const double may_be = std::max(shrinks * before, small_excess * yield_tolerance);
      const double least = std::min(least_part, parts_of_many / report.passes);
      part = report.yield > may_be ? std::max(least, part * shorter) : std::min(1.0, part * longer);
    }
    before = report.yield;
    const GrainForce::Excess excess = force_.bound(exec, p, s, guessing, part);  // of what the last pass has left
    report.yield = excess.over / std::max(excess.bounds, unit);
    report.bounded = report.yield <= yield_tolerance;
    report.converged = report.balanced && report.separated && report.bounded;
    if (report.converged || report.iterations >= options.max_iterations) break;
    if (report.passes == 0) {
      force_.firm_up(exec, 0, options.stiffness, p, multigrid_.system());
      const double left = std::sqrt(evaluate(exec, x, guessing).squares) / unit;
      if (!guessing) within = std::min(first_within, first_part * left);
    } else {
      within *= next_within;
    }
    within = std::max(within, options.tolerance);
    force_.firm_up(exec, firmness, least_firm, p, multigrid_.system());
    const int turns = std::min(guessing ? turns_to_guess : most_turns, options.max_iterations - report.iterations);
    const double left = std::sqrt(minimise(exec, within * unit, turns, guessing, x, report).squares);
    const GrainForce::Change change = force_.take_stress(exec, p, s);
    ++report.passes;
    report.momentum = left / unit;
    report.stress = change.stress / std::max(change.size, unit);
    report.compression = std::max(change.squeezed * options.speed / unit, of_load * change.under_load) / options.inflow;
    const double settled = std::max(stress_tolerance * options.tolerance, stress_wanders);
    report.balance = std::max(report.momentum, report.stress / settled * options.tolerance);
    report.balanced = report.balance <= options.tolerance;
    report.separated = report.compression <= options.tolerance;
  }
  return report;
}

double GrainSolver::take_parts(const Exec& exec, const GrainParts& parts, const Vec3d& push, const Unknowns& x) {
  StrainSystem& system = multigrid_.system();
  system.extended = force_.extends() ? parts.extended : nullptr, system.lends = parts.lends;
  system.going_on = force_.going_on();
  double squares = 0;
  for (int a = 0; a < 3; ++a) {
    const Cells faces = domain_.faces(a);
    for_each_cell(exec, "grain.open", faces,
                  CopyCells<float>{(*parts.open)[a].read(exec), system.open[a].update(exec)});
    for_each_cell(exec, "grain.guess", faces,
                  grain::Guess{a, push[a], (*parts.mass)[a].read(exec), x.p.read(exec), x.u[a].update(exec)});
    squares += reduce<Sum>(exec, "grain.masses", faces, grain::Squares{(*parts.mass)[a].read(exec)});
  }
  wrap_faces(exec, domain_, system.open);
  return squares;
}

GrainForce::Sums GrainSolver::evaluate(const Exec& exec, const Unknowns& x, bool all_bear) {
  return force_.evaluate(exec, x.u, x.p, x.s, direction_, all_bear, multigrid_.system(), downhill_);
}

GrainForce::Sums GrainSolver::minimise(const Exec& exec, double within, int turns, bool all_bear, const Unknowns& x,
                                       GrainReport& report) {
  GrainForce::Sums force = evaluate(exec, x, all_bear);
  for (int n = 0; n < turns && force.squares > within * within; ++n) {
    multigrid_.prepare(exec, report.iterations % coarse_turns == 0);
    multigrid_.precondition(exec, downhill_, conditioned_);
    ++report.iterations;
    const double slope = turn(exec, n == 0);
    if (!(slope < 0)) break;
    force = step_along(exec, slope, x);
  }
  return force;
}

/// The next direction, d = z + beta d with beta = z . (r - r_before) / z_before . r_before, or 0; returns its slope.
double GrainSolver::turn(const Exec& exec, bool first) {
  const std::array<Cells, 3> faces = faces_of(domain_);
  const Several<2> sums = reduce_faces<Each<Sum, Sum>>(
      exec, "grain.remember", faces, of_each_axis([&](int a) {
        return grain::Remember{conditioned_[a].read(exec), downhill_[a].read(exec), before_[a].update(exec)};
      }));
  const double promised = sums[0], changed = sums[1];
  const auto turn_by = [&](double beta) {
    return -reduce_faces<Sum>(exec, "grain.turn", faces, of_each_axis([&](int a) {
                                return grain::Turn{float(beta), conditioned_[a].read(exec), downhill_[a].read(exec),
                                                   direction_[a].update(exec)};
                              }));
  };
  const double beta = first || !(promised_ > 0) ? 0 : std::max(0.0, changed / promised_);
  promised_ = promised;
  const double slope = turn_by(beta);
  return slope < 0 ? slope : turn_by(0);
}

/// As far as the second derivative says; and on, or back, as long as the slope there is more than 0.4 of what it was.
GrainForce::Sums GrainSolver::step_along(const Exec& exec, double slope, const Unknowns& x) {
  constexpr int tries = 3;
  constexpr double flat = 0.4, shortest = 0.1, longest = 3;
  const double curvature = multigrid_.energy(exec, direction_);
  double length = curvature > 0 ? -slope / curvature : 0, gone = 0;
  GrainForce::Sums force;
  for (int n = 0; n < tries; ++n) {
    for_each_face(exec, "grain.step", faces_of(domain_), of_each_axis([&](int a) {
                    return grain::Step{length - gone, direction_[a].read(exec).data, x.u[a].update(exec)};
                  }));
    gone = length;
    force = evaluate(exec, x, false);
    if (std::abs(force.slope) <= flat * std::abs(slope)) break;
    const double by = slope / (slope - force.slope);  // where the slope would be 0, were it linear
    length *= by > 0 ? std::clamp(by, shortest, longest) : longest;
  }
  return force;
}

}  // namespace silt
