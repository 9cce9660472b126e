#pragma once

#include <cstdint>
#include <vector>

#include "silt/physics/liquid/pools.h"

namespace silt {

constexpr int of_spray = -1;

/// The particles of one tile that are in one pool, in the order of their cells; or one of the spray.
struct TileShare {
  Int3 tile;
  int pool = of_spray;
  std::size_t first = 0, count = 0;
  const std::uint32_t* begin = nullptr;  ///< of each of the tile's cells, and of what follows; none: of the spray
  std::uint64_t bricks = 0;  ///< that have particles (tile_bricks.h); of a pool's, when it has been looked at
};

/// Particles that stay together: from a pool, or the spray, to that of a body, or to the spray.
struct ParticleRun {
  int pool, body;
  std::size_t first, count;
};

/// Bodies of liquid, each of which is to be a pool, numbered by where they are; and whose particle is whose.
struct Bodies {
  std::size_t count = 0;
  std::vector<ParticleRun> runs;  ///< in the order of the shares
};

/// Finds the bodies. Liquid within 16 cells and more is one as long as its box is not much larger than itself. Where it
/// is, as in a splash, it is looked at closer. Where no cube of four cells a side has enough particles for there to be
/// liquid in it (`rules.least`), nothing but gravity acts on them: unless walls or solids are near, or liquid is within
/// two cells, they are spray and need no grid. The others are bodies, each four cells and more from all others, as far
/// as boxes of their own are smaller than common ones. What comes out depends on where particles are and on nothing
/// else.
Bodies find_bodies(const PoolRules& rules, std::vector<TileShare> shares);

}  // namespace silt
