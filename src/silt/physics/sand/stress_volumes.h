#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/particle_sort.h"
#include "silt/physics/sand/cell_density.h"
#include "silt/solve/corner_stress.h"

/// Stresses of sand as frames have them: one value a cell, of Packed cells.
namespace silt {

/// Stresses as a solve has them, in velocities: those times density and `per_density` are pressures [Pa].
struct CellStress {
  const Field<double>& pressure;
  const CornerStress& deviator;
  double per_density;  ///< h / dt [m/s]
};

/// The mean of all directions [Pa].
void pack_pressure(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                   const SandDensities& densities, const CellStress& stress, Buffer<float>& out);

/// What is pushed along each axis, p less the mean of the corners' s_aa, three numbers a cell [Pa].
void pack_bearing(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                  const SandDensities& densities, const CellStress& stress, Buffer<float>& out);

}  // namespace silt
