#include "silt/physics/liquid/liquid_viscosity.h"

#include <cmath>

#include "silt/core/loops.h"

namespace silt {

namespace {

struct HoldWithoutMass {
  View<const float> mass;
  View<unsigned char> held;
  SILT_HD void operator()(Cell c) const { held(c) = !(mass(c) > 0); }
};

/// A first guess: the velocity as it is, or nothing.
struct Guess {
  View<const float> mass, velocity;
  double scale;
  View<double> x;
  SILT_HD void operator()(Cell c) const { x(c) = mass(c) > 0 ? scale * velocity(c) : 0.0; }
};

struct Dot {
  View<const double> a;
  View<const float> b;
  SILT_HD double operator()(Cell c) const { return a(c) * b(c); }
};

struct NextDirection {
  View<const float> z;
  float beta;
  View<float> s;
  SILT_HD void operator()(Cell c) const { s(c) = beta == 0 ? z(c) : z(c) + beta * s(c); }
};

/// x += alpha s, r -= alpha A s; |r|^2.
struct Advance {
  double alpha;
  View<const float> s;
  View<const double> as;
  View<double> x, r;
  SILT_HD double operator()(Cell c) const {
    x(c) += alpha * s(c);
    const double next = r(c) - alpha * as(c);
    r(c) = next;
    return next * next;
  }
};

}  // namespace

LiquidViscosity::LiquidViscosity(const Layout& layout)
    : system_(layout), x_(layout), b_(layout), r_(layout), as_(layout), s_(layout), held_(layout) {}

/// Component a alone: a Laplacian on its faces, which is zero on those that are not free and beyond the domain.
void LiquidViscosity::prepare_multigrid(const Exec& exec) {
  const Domain& domain = system_.domain();
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a]) continue;
    Domain faces = domain;
    faces.cells = domain.faces(a);
    for (auto& ends : faces.sides)
      if (ends[0] != Side::periodic) ends = {Side::open, Side::open};
    for_each_cell(exec, "viscosity.hold", faces.cells,
                  HoldWithoutMass{system_.mass()[a].read(exec), held_.update(exec)});
    block_[a].prepare(exec, faces, system_.own(a), &system_.mass()[a], &held_);
    multigrid_[a].prepare(exec, block_[a]);
  }
}

/// z ~ A^-1 r, component by component, in the multigrids' own fields; returns r . z.
double LiquidViscosity::precondition(const Exec& exec) {
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    if (!system_.domain().lattice.active[a]) continue;
    multigrid_[a].set_right_side(exec, r_[a]);
    multigrid_[a].cycle(exec);
    sum += reduce<Sum>(exec, "viscosity.dot", system_.domain().faces(a),
                       Dot{r_[a].read(exec), multigrid_[a].correction().read(exec)});
  }
  return sum;
}

int LiquidViscosity::iterate(const Exec& exec, double stop, int most, double norm2) {
  const Domain& domain = system_.domain();
  double rz_before = 0;
  int iterations = 0;
  for (; iterations < most && std::sqrt(norm2) > stop; ++iterations) {
    const double rz = precondition(exec);
    const float beta = iterations == 0 ? 0.0f : float(rz / rz_before);
    for (int a = 0; a < 3; ++a)
      if (domain.lattice.active[a])
        for_each_cell(exec, "viscosity.direction", domain.faces(a),
                      NextDirection{multigrid_[a].correction().read(exec), beta, s_[a].update(exec)});
    const double s_as = system_.apply(exec, s_, as_);
    if (!(s_as > 0) || !std::isfinite(rz) || !std::isfinite(s_as)) break;  // breakdown: x is still the best so far
    norm2 = 0;
    for (int a = 0; a < 3; ++a)
      norm2 +=
          reduce<Sum>(exec, "viscosity.advance", domain.faces(a),
                      Advance{rz / s_as, s_[a].read(exec), as_[a].read(exec), x_[a].update(exec), r_[a].update(exec)});
    rz_before = rz;
  }
  return iterations;
}

SolveReport LiquidViscosity::run(const Exec& exec, const Domain& domain, const ViscousLiquid& liquid, double dt,
                                 const SolveOptions& options, MacField<float>& velocity) {
  SolveReport report;
  if (!liquid.viscosities && !(liquid.viscosity > 0)) return report;
  system_.prepare(exec, domain, liquid, dt);
  const double b_norm = std::sqrt(system_.right_side(exec, velocity, b_));
  if (!std::isfinite(b_norm)) return {.residual = 1, .converged = false};
  const auto guess = [&](double scale) {
    for (int a = 0; a < 3; ++a)
      for_each_cell(exec, "viscosity.guess", domain.faces(a),
                    Guess{system_.mass()[a].read(exec), velocity[a].read(exec), scale, x_[a].update(exec)});
    return system_.residual(exec, x_, b_, r_);
  };
  double norm2 = guess(1);
  if (!(norm2 <= b_norm * b_norm)) norm2 = guess(0);
  const double stop = options.tolerance * b_norm;
  if (std::sqrt(norm2) > stop) prepare_multigrid(exec);
  // The recursion's residual drifts from the true one; when it says "done" and the truth does not, start from the
  // truth.
  for (int pass = 0; pass < 4 && !(std::sqrt(norm2) <= stop) && report.iterations < options.max_iterations; ++pass) {
    report.iterations += iterate(exec, 0.9 * stop, options.max_iterations - report.iterations, norm2);
    norm2 = system_.residual(exec, x_, b_, r_);
  }
  report.residual = b_norm > 0 ? std::sqrt(norm2) / b_norm : 0;
  report.converged = std::sqrt(norm2) <= stop;
  if (!std::isfinite(norm2)) return {.iterations = report.iterations, .residual = 1, .converged = false};
  system_.take(exec, x_, velocity);
  return report;
}

}  // namespace silt
