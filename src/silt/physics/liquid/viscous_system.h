#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/walls.h"

namespace silt {

/// A liquid as viscosity sees it.
///   surface      level set at cell centres, one layer of halo, or nullptr: liquid everywhere. It goes on into solids
///                and beyond walls: where those are is said by `solids`, and by the domain
///   viscosity    kinematic [m^2/s]; `viscosities`, at cell centres with a layer of halo, in its place where it varies
struct ViscousLiquid {
  const CutCells* solids = nullptr;
  const Field<float>* surface = nullptr;
  SideWalls walls{};
  double viscosity = 0;
  const Field<float>* viscosities = nullptr;
};

/// The minimum of  1/2 sum_f m (u - u*)^2 + nu dt sum V D : D  over the velocities of faces, after
///   [BB08] Batty & Bridson 2008, Accurate viscous free surfaces for buckling, coiling, and rotating liquids
/// as a linear system. Rates of strain D_aa sit in cells, D_ab on edges; m and V are the parts of a cell's volume about
/// the face, cell or edge that are liquid. That nothing outside holds the surface is then all that is said of it: its
/// traction vanishes. D is the whole symmetric part of the gradient, so that a liquid may turn as one.
///
/// With x zero on all faces that are not free,
///   (A x)_f = m x + sum_b d_b^T (own_b d_b x) + sum_b d_b^T (cross d_a x_b)
/// for component a; `own` is 2 nu dt V / h^2 along a and nu dt V / h^2 across, `cross` the latter. Where a solid's
/// surface lies theta of the way to the next face, the difference is over theta, and so is V.
class ViscousSystem {
 public:
  explicit ViscousSystem(const Layout& layout);

  void prepare(const Exec& exec, const Domain& domain, const ViscousLiquid& liquid, double dt);

  const Domain& domain() const { return domain_; }
  const Layout& layout() const { return mass_.layout(); }
  /// 0 on faces that are no unknowns.
  const MacField<float>& mass() const { return mass_; }
  /// The stiffness of component a's differences along each axis; own(a)[b] at c is between c - b and c.
  const MacField<float>& own(int a) const { return own_[a]; }

  /// b = m u* less what known velocities do, 0 on faces that are not free; returns |b|^2.
  double right_side(const Exec& exec, const MacField<float>& velocity, MacField<double>& b) const;
  /// out = A x; returns x . A x. Fills x's halo.
  double apply(const Exec& exec, MacField<float>& x, MacField<double>& out) const;
  /// out = b - A x; returns |out|^2. Fills x's halo.
  double residual(const Exec& exec, MacField<double>& x, const MacField<double>& b, MacField<double>& out) const;
  /// Velocities from x: on free faces x, on faces in solids that the liquid sticks to the solid's.
  void take(const Exec& exec, const MacField<double>& x, MacField<float>& velocity) const;

 private:
  template <class T>
  void wrap(const Exec& exec, MacField<T>& x) const;

  Domain domain_, ring_;  ///< ring: beyond all sides that are not periodic, fields are zero
  ViscousLiquid liquid_;
  double dt_ = 0;
  MacField<float> mass_, own_[3], cross_;
};

}  // namespace silt
