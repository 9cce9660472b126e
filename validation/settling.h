#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/solve/bounded_solver.h"

namespace silt::validation {

/// Sand without friction in a closed box: packed fractions f that fall, and cannot exceed 1.
///   [BON07] Bonner 2007, chapter 4
/// Each step moves f by its fluxes and finds the pressure that keeps it from overfilling,
///   f_new = f - div q,   q = q* - grad x,   0 <= x  perp  1 - f_new >= 0,
/// q* the flux f u dt / h without pressure and x = p dt^2 / (rho_max h^2). The pressure acts on the flux f u and not on
/// u: its operator then has weights of geometry alone, and near-empty cells do no harm. Mass is kept whatever x is.
class Settling {
 public:
  /// A box of n cells a side, 1 m wide; axes of one cell are flat. A block of random fractions hangs in it,
  /// some of them next to nothing.
  Settling(const Exec& exec, Int3 n);

  struct Report {
    BoundedReport solve;
    double complementarity = 0;  ///< largest |min(x, 1 - f_new)| [fraction]
    double overfull = 0;         ///< largest f_new - 1
    double lowest = 0;           ///< smallest f_new
    int near_empty = 0;          ///< cells of 0 < f_new < 0.001
  };
  /// One step, as long as nothing moves more than 0.8 of a cell over all axes together.
  Report step();

  struct Weighted {
    BoundedReport solve;
    double complementarity = 0;  ///< largest |min(x, rho_max - rho_new)| [of rho_max]
    double decades = 0;          ///< of the weights
  };
  /// The pressure that keeps the present state from overfilling in [BON07]'s own form, which moves nothing:
  ///   (rho_max - rho) / rho + dt div u - dt^2 div((1 / rho_f) grad p) >= 0,
  /// his row (4.10), mended, divided by the density: weights 1 / rho_f, near-empty cells down to `floor`.
  Weighted weighted_form(double floor);

  const Domain& domain() const { return domain_; }
  const Field<double>& fraction() const { return f_; }
  double mass() const;           ///< sum of f
  double height() const;         ///< of the centre of mass [cells]
  double packed_height() const;  ///< the same of all of it packed at the bottom [cells]
  double time() const { return time_; }

 private:
  double fastest() const;
  double across(const MacField<double>& u, int axis, Cell face, int other) const;
  void advect_velocity(double dt);
  void advect_fractions(double dt);
  Report push_apart(double dt);

  const Exec& exec_;
  Domain domain_;
  Layout layout_;
  int down_;  ///< the axis of gravity
  double h_, time_ = 0;
  MacField<float> open_;  ///< 1, and 0 on the walls
  MacField<double> u_, next_, flux_;
  Field<double> f_, b_, x_, weighted_x_;
  BoundedSolver solver_;
};

}  // namespace silt::validation
