#include "validation/settling.h"

#include <algorithm>
#include <cmath>

#include "silt/core/random.h"
#include "silt/core/reduction.h"
#include "silt/fields/halo.h"
#include "silt/fields/test_tools.h"

namespace silt::validation {

using test::for_each;

namespace {

constexpr double gravity = 9.81;
constexpr double free_flight = 1e-3;  ///< below this fraction a face's velocity feels no pressure

}  // namespace

Settling::Settling(const Exec& exec, Int3 n) : exec_(exec), h_(1.0 / n.x) {
  const Int3 active{1, n.y > 1, n.z > 1};
  domain_ = {{{}, h_, active}, {{0, 0, 0}, n}, {}};
  layout_ = make_layout(domain_.cells, active);
  down_ = active.z ? 2 : 1;
  open_ = MacField<float>(layout_);
  u_ = next_ = flux_ = MacField<double>(layout_);
  f_ = b_ = x_ = weighted_x_ = Field<double>(layout_);
  for (int a = 0; a < 3; ++a) for_each(domain_.faces(a), [&](Cell c) { open_[a].at(c) = c[a] > 0 && c[a] < n[a]; });
  solver_.prepare(exec, domain_, open_);
  for_each(domain_.cells, [&](Cell c) {
    bool inside = true;
    for (int a = 0; a < 3; ++a)
      if (active[a]) inside = inside && 8 * c[a] >= n[a] * (a == down_ ? 2 : 1) && 8 * c[a] < 7 * n[a];
    const auto random = [&](std::uint64_t seed) {
      return random_unit(seed, std::uint64_t(c.y * 4096 + c.x), std::uint64_t(c.z));
    };
    if (inside) f_.at(c) = random(12) < 0.1 ? std::pow(10.0, -10 * random(13)) : random(14);
  });
}

double Settling::mass() const {
  double sum = 0;
  for_each(domain_.cells, [&](Cell c) { sum += f_(c); });
  return sum;
}

double Settling::height() const {
  double sum = 0;
  for_each(domain_.cells, [&](Cell c) { sum += f_(c) * (c[down_] + 0.5); });
  return sum / mass();
}

double Settling::packed_height() const {
  const Int3 n = domain_.cells.size();
  const double layer = double(n.x) * n.y * n.z / n[down_];
  double rest = mass(), sum = 0;
  for (int k = 0; rest > 0; ++k, rest -= layer) sum += std::min(rest, layer) * (k + 0.5);
  return sum / mass();
}

/// Cells a second, all axes together.
double Settling::fastest() const {
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    double most = 0;
    for_each(domain_.faces(a), [&](Cell c) { most = std::max(most, std::abs(u_[a](c))); });
    sum += most / h_;
  }
  return sum;
}

/// The velocity along `other` at a face across `axis`: the mean of the four faces round it.
double Settling::across(const MacField<double>& u, int axis, Cell face, int other) const {
  if (axis == other) return u[axis](face);
  const Cell below = face - unit(axis);
  return 0.25 * (u[other](face) + u[other](face + unit(other)) + u[other](below) + u[other](below + unit(other)));
}

/// u -= dt (u . grad) u, upwind, on inner faces; gravity.
void Settling::advect_velocity(double dt) {
  for (int a = 0; a < 3; ++a)
    for_each(domain_.faces(a), [&](Cell c) {
      double change = 0;
      for (int o = 0; o < 3; ++o) {
        if (!layout_.active[o]) continue;
        const double v = across(u_, a, c, o);
        const Cell from = v > 0 ? c - unit(o) : c + unit(o);
        if (!domain_.faces(a).contains(from)) continue;  // nothing comes through a wall
        change -= std::abs(v) * dt / h_ * (u_[a](c) - u_[a](from));
      }
      next_[a].at(c) = open_[a](c) * (u_[a](c) + change - (a == down_ ? gravity * dt : 0));
    });
  std::swap(u_, next_);
}

/// Fluxes without pressure, from the cell they leave; b = f - div q* - 1.
void Settling::advect_fractions(double dt) {
  for (int a = 0; a < 3; ++a)
    for_each(domain_.faces(a), [&](Cell c) {
      const double u = u_[a](c);
      flux_[a].at(c) = open_[a](c) == 0 ? 0 : dt / h_ * u * (u > 0 ? f_(c - unit(a)) : f_(c));
    });
  for_each(domain_.cells, [&](Cell c) {
    double f = f_(c);
    for (int a = 0; a < 3; ++a)
      if (layout_.active[a]) f += flux_[a](c) - flux_[a](c + unit(a));
    b_.at(c) = f - 1;
  });
}

/// Finds x, and with it fluxes, fractions and velocities.
Settling::Report Settling::push_apart(double dt) {
  Report report;
  report.solve = solver_.solve(exec_, {1e-9, 5000}, not_negative, b_, x_);
  for (int a = 0; a < 3; ++a)
    for_each(domain_.faces(a), [&](Cell c) {
      if (open_[a](c) == 0) return;
      flux_[a].at(c) -= x_(c) - x_(c - unit(a));
      const double q = flux_[a](c), donor = q > 0 ? f_(c - unit(a)) : f_(c);
      if (donor > free_flight) u_[a].at(c) = q * h_ / (dt * donor);
      if (f_(c) == 0 && f_(c - unit(a)) == 0 && q == 0) u_[a].at(c) = 0;  // no sand, no velocity
    });
  report.lowest = 1;
  for_each(domain_.cells, [&](Cell c) {
    double f = f_(c);
    for (int a = 0; a < 3; ++a)
      if (layout_.active[a]) f += flux_[a](c) - flux_[a](c + unit(a));
    f_.at(c) = f;
    report.complementarity = Max::combine(report.complementarity, std::abs(std::min(x_(c), 1 - f)));
    report.overfull = Max::combine(report.overfull, f - 1);
    report.lowest = std::min(report.lowest, f);
    report.near_empty += f > 0 && f < 1e-3;
  });
  return report;
}

Settling::Report Settling::step() {
  const double dt = std::min(0.8 / (fastest() + std::sqrt(gravity / h_)), 0.1 * std::sqrt(1 / gravity));
  time_ += dt;
  advect_velocity(dt);
  advect_fractions(dt);
  return push_apart(dt);
}

Settling::Weighted Settling::weighted_form(double floor) {
  const double dt = 0.5 * std::sqrt(h_ / gravity);
  const auto density = [&](Cell c) { return std::max(f_(c), floor); };
  MacField<float> weights(layout_);
  double lightest = 1e300, heaviest = 0;
  for (int a = 0; a < 3; ++a)
    for_each(domain_.faces(a), [&](Cell c) {
      if (open_[a](c) == 0) return;
      const double w = 2 / (density(c) + density(c - unit(a)));
      weights[a].at(c) = float(w);
      lightest = std::min(lightest, w), heaviest = std::max(heaviest, w);
    });
  Field<double> b(layout_);
  for_each(domain_.cells, [&](Cell c) {
    double outflow = 0;
    for (int a = 0; a < 3; ++a)
      if (layout_.active[a]) {
        const auto u = [&](Cell face) {
          return open_[a](face) * (u_[a](face) - (a == down_ ? gravity * dt : 0)) * dt / h_;
        };
        outflow += u(c + unit(a)) - u(c);
      }
    b.at(c) = -((1 - density(c)) / density(c) + outflow);
  });
  BoundedSolver solver;
  solver.prepare(exec_, domain_, weights);
  Weighted report;
  report.decades = std::log10(heaviest / lightest);
  report.solve =
      solver.solve(exec_, {.tolerance = 0, .max_iterations = 5000, .absolute = 1e-8}, not_negative, b, weighted_x_);
  Field<double> r(layout_);
  PoissonOperator(exec_, domain_, weights).residual(exec_, weighted_x_, b, r);
  for_each(domain_.cells, [&](Cell c) {
    report.complementarity =
        Max::combine(report.complementarity, std::abs(std::min(weighted_x_(c), -r(c) * density(c))));
  });
  return report;
}

}  // namespace silt::validation
