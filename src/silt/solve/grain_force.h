#pragma once

#include <array>

#include "silt/core/reduction.h"
#include "silt/fields/used_rows.h"
#include "silt/solve/corner_stress.h"
#include "silt/solve/grain_parts.h"
#include "silt/solve/strain_system.h"

namespace silt {

namespace grain {
template <int D>
struct CornerCut;
struct Force;
}  // namespace grain

/// What holds and drives grains at a velocity u, in a pass of GrainSolver in which bounds stay as they are: with
///   z_p = p + firm (-outflow - slack),   z_s = s + stiffness dev D(u)     what p and s would be
///   P, S = z_p, z_s cut at their bounds, and so the tractions on walls
/// the function to be made smallest is 1/2 m |u - u*|^2 + sum P^2 / (2 firm) + (|S|^2 or what is linear beyond the
/// bound), and its slope F = m (u - u*) + D^T (P, S).
class GrainForce {
 public:
  struct Sums {
    double squares = 0;  ///< |F|^2; where grains are pinched, over how much more they bear
    double slope = 0;    ///< F . direction
  };
  struct Change {
    double stress = 0;      ///< root of the sum of squares of how much stresses changed [m/s]
    double size = 0;        ///< the same of the stresses
    double squeezed = 0;    ///< root of the sum of squares of what flows in too much, or out under pressure [m/s]
    double under_load = 0;  ///< root of its mean square, by p^2, where grains bear more than a column weighs [m/s]
  };

  /// Roots of sums of squares [m/s].
  struct Excess {
    double over = 0;    ///< what stresses exceed the bounds by that they give
    double bounds = 0;  ///< these
  };

  struct Rules {
    double stiffness = 0;    ///< of the augmented Lagrangian
    double near = 0;         ///< cells that are so near to bearing [m/s] count as if they did, to the second derivative
    bool box = false;        ///< components of s are bounded one by one
    double crushing = 1e30;  ///< pressure at which grains give way [m/s]
    double column = 1e30;    ///< that below the highest column of them [m/s]
    double large = 1e30;     ///< that of pinched ones: what is left is judged by what they bear [m/s]
  };

  /// Where cells are in use. Scratch is made anew where the layout has changed.
  void place(const Domain& domain, const Layout& layout);
  /// `u` is u*.
  void begin(const Exec& exec, const GrainParts& parts, const Rules& rules, const MacField<double>& u);

  /// Bounds of friction become those of the stresses; `holds`: none, whatever pulls at it; or they go a `part` of the
  /// way there.
  Excess bound(const Exec& exec, const Field<double>& p, const CornerStress& s, bool holds, double part);
  /// Cells are so many times as firm against being squeezed as they were found stiff against being sheared, between
  /// `least` and the stiffness; and the harder, against both, the more columns p weighs.
  void firm_up(const Exec& exec, double ratio, double least, const Field<double>& p, const StrainSystem& found);

  /// force = -F at u, and the second derivative as a system; a little more than that where cuts make it less. Halos of
  /// the system are filled round periodic sides. `all_bear`: as if all cells resisted being squeezed.
  Sums evaluate(const Exec& exec, MacField<double>& u, const Field<double>& p, const CornerStress& s,
                const MacField<float>& direction, bool all_bear, StrainSystem& system, MacField<float>& force);
  /// p and s become P and S as they were last found.
  Change take_stress(const Exec& exec, Field<double>& p, CornerStress& s);
  /// Whether velocities go on into solids anywhere.
  bool extends() const { return extends_; }
  /// Where; null: not known as lists.
  const GoingOn* going_on() const { return has_lists_ ? &going_on_ : nullptr; }

 private:
  template <int D>
  grain::CornerCut<D> corner_cut(const Exec& exec) const;
  template <int D>
  void find_cell_rates(const Exec& exec, const MacField<double>& u);
  template <int D>
  Excess find_bounds(const Exec& exec, const Field<double>& p, const CornerStress& s, bool holds, double part);
  template <int D>
  void find_kinds(const Exec& exec);
  template <int D>
  void cut_corners(const Exec& exec, const CornerStress& s, Field<float>& stretch);
  template <int D>
  void take_corners(const Exec& exec, CornerStress& s);
  template <class Use>
  void in_dimensions(const Use& use) const {
    const int dims = domain_.lattice.dims();
    dims == 3 ? use.template operator()<3>() : dims == 2 ? use.template operator()<2>() : use.template operator()<1>();
  }
  /// Velocities go on into solids that cut cells aslant, and round periodic sides.
  void extend(const Exec& exec, MacField<double>& u);
  std::array<Cells, 3> edges() const;
  void find_edge_rates(const Exec& exec, const MacField<double>& u);
  void gather_edges(const Exec& exec, StrainSystem& system);
  Several<2> add_beside(const Exec& exec, const std::array<grain::Force, 3>& kernels);

  Domain domain_;
  UsedRows used_;
  GrainParts parts_;
  Rules rules_;
  bool extends_ = false;    ///< anywhere
  bool has_lists_ = false;  ///< of where
  GoingOn going_on_;
  MacField<double> before_;          ///< u*
  Field<float> bound_, floor_;       ///< of each cell: of |s|, and of p
  MacField<float> tilt_;             ///< how much more |s| may be at the upper end of a cell than in its middle
  Field<float> hold_;                ///< of tractions on what cells touch
  Field<float> firm_, hard_;         ///< stiffness against being squeezed; how many times the usual one
  Field<float> kind_;                ///< grain::Kind of each cell
  Field<float> squeezed_, pushed_;   ///< -outflow - slack, and P
  MacField<float> deviator_, rate_;  ///< of stretching in cells; of shears on edges, over sqrt 2
  MacField<float> slip_;             ///< of a cell's mean velocity, on what it touches
  MacField<float> normal_, shear_;   ///< S_aa of cells; what edges do, sqrt 2 S_ab
  MacField<float> pull_, drag_;      ///< what surfaces do to cells, and how stiff they are
  MacField<float> kept_[4];          ///< of a cell's four edges along c: sums of S
};

}  // namespace silt
