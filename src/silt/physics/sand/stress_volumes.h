#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/solve/corner_stress.h"

/// Stresses of sand as frames have them: one value a cell, of Packed cells.
namespace silt {

/// Stresses as a solve has them, in velocities: those times `unit` are pressures [Pa].
struct CellStress {
  const Field<double>& pressure;
  const CornerStress& deviator;
  double unit;  ///< density of the usual sand times h / dt
};

/// The mean of all directions [Pa].
void pack_pressure(const Exec& exec, const Domain& domain, const CellStress& stress, Buffer<float>& out);

/// What is pushed along each axis, p less the mean of the corners' s_aa, three numbers a cell [Pa].
void pack_bearing(const Exec& exec, const Domain& domain, const CellStress& stress, Buffer<float>& out);

}  // namespace silt
