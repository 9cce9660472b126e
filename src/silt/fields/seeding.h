#pragma once

#include <cstdint>

#include "silt/fields/domain.h"
#include "silt/fields/particles.h"
#include "silt/fields/seed_places.h"
#include "silt/geometry/shape.h"

namespace silt {

/// What new particles are like.
struct SeedOptions {
  std::uint64_t seed = 0;  ///< of the random places
  Vec3d velocity{};        ///< [m/s]
  std::uint32_t source = 0;
  std::uint32_t colour = no_colour;
  const Shape* solids = nullptr;  ///< where there is no room
  double jitter =
      usual_jitter;  ///< part of its part of a cell that a particle may be found in, deep inside; 1: anywhere
};

/// Fills a shape with 2^D particles a cell, each at a random place in its own part of the cell. Particles less than a
/// cell from the shape's surface are moved to half a cell below it [ZB05, 3.2], so that a surface drawn round them
/// lies where the shape's does; not so where the shape ends at a wall or a solid, for there is no surface. Down to
/// three cells below it less is left to chance, so that the surface is even. Where a particle is put depends on its
/// cell and the seed alone. Returns how many there are. What other particles fill is filled again: subtract it from the
/// shape.
///   [ZB05] Zhu & Bridson 2005, Animating sand as a fluid
std::size_t seed_particles(const Exec& exec, const Domain& domain, const Shape& shape, const SeedOptions& options,
                           Particles& particles);

}  // namespace silt
