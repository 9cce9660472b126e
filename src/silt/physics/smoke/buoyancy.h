#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// How hot air rises and smoke falls, in units of g upwards:
///   b (T - T0) / T - w s
/// An ideal gas at the pressure around it has the density rho0 T0 / T, so that (T - T0) / T = 1 - T0 / T is what it
/// displaces less what it weighs, over rho0: the inertia that flow of constant density has. Where T - T0 is small that
/// is Boussinesq's (T - T0) / T0; a flame, where that is 4 or more, gets no more than 1.
struct BuoyancyLaw {
  float ambient;   ///< T0 [K]
  float buoyancy;  ///< b
  float weight;    ///< w, of density 1

  /// `heat` = T - T0 [K]. Air colder than a tenth of T0 counts as that, so that nothing an advection scheme undershoots
  /// to divides by 0.
  SILT_HD float lift(float heat) const {
    const float coldest = 0.1f * ambient, t = ambient + heat;
    return t > coldest ? buoyancy * heat / t : -9 * buoyancy;
  }
};

/// u += -dt g (lift - weight density). Reads one layer of halo of both fields.
void add_buoyancy(const Exec& exec, const Domain& domain, const Vec3d& gravity, const BuoyancyLaw& law, double dt,
                  const Field<float>& temperature, const Field<float>& density, MacField<float>& velocity);

/// What the fuel in a cell that is hot enough is about to become.
struct BuoyantFuel {
  float ignition = 0;  ///< above ambient [K]
  float heat = 0;      ///< [K] a unit of fuel
  float soot = 0;      ///< density a unit of fuel
};

/// Bound on |lift - weight density| over the domain, before and after all the fuel that can burn has burnt. `fuel` may
/// be unallocated.
double largest_buoyancy(const Exec& exec, const Domain& domain, const BuoyancyLaw& law, const BuoyantFuel& burning,
                        const Field<float>& temperature, const Field<float>& density, const Field<float>& fuel);

}  // namespace silt
