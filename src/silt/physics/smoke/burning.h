#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// What burning does to a cell in one step. Where it is hot enough, fuel F burns at a rate proportional to itself,
/// dF/dt = -k F, and what burns turns into heat, smoke and volume:
///   burnt = F (1 - e^(-k dt)),   T' += heat burnt,   density += soot burnt,   div u = swelling burnt / (dt T)
struct BurnLaw {
  double share;     ///< 1 - e^(-k dt)
  double ignition;  ///< above ambient [K]
  double heat;      ///< [K] a unit of fuel
  double soot;      ///< density a unit of fuel
  double ambient;   ///< [K]
  double swelling;  ///< expansion heat / dt [K/s] a unit of fuel; air swells as its absolute temperature rises
};

/// `colour` is that of the soot, premultiplied into the three fields; they may be unallocated. Writes div u [1/s] into
/// `expansion`.
void burn_fuel(const Exec& exec, const Domain& domain, const BurnLaw& law, const Vec3d& colour, Field<float>& fuel,
               Field<float>& temperature, Field<float>& density, Field<float> (&coloured)[3], Field<float>& expansion);

/// Fuel that burns a second, for a frame: rate F where it is hot enough, else 0. Packed, x fastest.
void pack_flame(const Exec& exec, const Domain& domain, const Field<float>& fuel, const Field<float>& temperature,
                double ignition, double rate, Buffer<float>& out);

}  // namespace silt
