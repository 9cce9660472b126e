#pragma once

#include "silt/core/box.h"
#include "silt/fields/particles.h"

namespace silt {

/// The box of cells that particles lie in, the dead left out.
Box particle_bounds(const Exec& exec, const Particles& particles);

/// Kills those that lie outside of these cells: they are gone when they are next sorted. How many there were.
std::int64_t lose_outside(const Exec& exec, const Box& cells, Particles& particles);

/// How many of them lie in these cells.
std::size_t particles_in(const Box& cells, const Particles& particles);

}  // namespace silt
