#pragma once

#include <array>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/solve/going_on.h"

namespace silt {

/// Velocities on faces that resist being squeezed, stretched and sheared:
///   (A x)_f = m x + D^T (k D x)
/// for differences D x of a cell's faces, unscaled: it is the same on every lattice. With edges along c, and a, b the
/// two axes after it:
///   squeeze   of a cell, of its net outflow  sum_a +-open_a x_a
///   stretch   of a cell, of each difference along an axis
///   shear     of an edge, of  (difference of x_a along b) + (difference of x_b along a)
/// A face with mass 0 is no unknown; x is zero there, and beyond all sides that are not periodic. Or it is E x, the
/// mean of faces next to it that have mass, each with the share `extended`, and what resists there acts on them: E^T A
/// E.
struct StrainSystem {
  Domain domain;
  MacField<float> mass, open;
  Field<float> squeeze, stretch;
  MacField<float> shear;                      ///< [c]: on edges along c
  const MacField<float>* extended = nullptr;  ///< 0 where x does not go on; null: nowhere
  const MacField<float>* lends = nullptr;     ///< 1 on faces that it goes on from
  const GoingOn* going_on = nullptr;          ///< lists of the two; null: none have been made

  StrainSystem() = default;
  explicit StrainSystem(const Layout& layout)
      : mass(layout), open(layout), squeeze(layout), stretch(layout), shear(layout) {}
  const Layout& layout() const { return mass.layout(); }
};

/// Those across each axis, for loops over all three components.
inline std::array<Cells, 3> faces_of(const Domain& domain) {
  return {domain.faces(0), domain.faces(1), domain.faces(2)};
}

/// out = 1 / sum of what each row of A has, without signs: no eigenvalue of `out` A is larger than 1. 0 on faces that
/// are no unknowns.
void invert_row_sums(const Exec& exec, const StrainSystem& system, MacField<float>& out);

/// out = A x; returns x . A x. `outflow` is scratch. Fills x's halo, and where it goes on.
double apply(const Exec& exec, const StrainSystem& system, MacField<float>& x, Field<float>& outflow,
             MacField<float>& out);
/// out = b - A x.
void residual(const Exec& exec, const StrainSystem& system, const MacField<float>& b, MacField<float>& x,
              Field<float>& outflow, MacField<float>& out);
/// A step of a three-term recurrence:  before = x + keep (x - before) + add `inverse` (b - A x).  The caller swaps the
/// two.
void relax(const Exec& exec, const StrainSystem& system, const MacField<float>& inverse, const MacField<float>& b,
           double keep, double add, MacField<float>& x, Field<float>& outflow, MacField<float>& before);
/// x = add `inverse` b,  before = 0.
void first_relax(const Exec& exec, const StrainSystem& system, const MacField<float>& inverse, const MacField<float>& b,
                 double add, MacField<float>& x, MacField<float>& before);

/// The system on a lattice of half the resolution, for x that is linear between its faces: masses add up, and a
/// difference over two cells counts a quarter. Halos of the fine one are filled round periodic sides.
void coarsen(const Exec& exec, const StrainSystem& fine, StrainSystem& coarse);
/// coarse = P^T fine,  P linear interpolation on the staggered lattice. Fills the halo of `fine`.
void restrict_faces(const Exec& exec, const StrainSystem& from, MacField<float>& fine, const StrainSystem& to,
                    MacField<float>& coarse);
/// fine += P coarse.
void prolong_faces(const Exec& exec, const StrainSystem& from, MacField<float>& coarse, const StrainSystem& to,
                   MacField<float>& fine);

}  // namespace silt
