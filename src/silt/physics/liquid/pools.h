#pragma once

#include "silt/physics/liquid/liquid_state.h"

namespace silt {

/// Where liquid may be, and how much air its grids have round it.
struct PoolRules {
  Domain scene;             ///< its walls and periodic sides hold the liquid; beyond its open ones the lattice goes on
  Box allowed;              ///< what gets out of here is gone
  int margin = 4;           ///< cells of air on each side
  int pad = 0;              ///< further cells that are allocated and not used: answers do not change
  bool spray = true;        ///< whether drops may go without a grid
  bool leave_out = true;    ///< whether cells far from all particles may be: answers do not change
  std::uint32_t least = 1;  ///< particles of a cube of four cells a side; with fewer no stage does anything to them
  std::vector<Box> crowded{};  ///< where drops may not: cells of solids and nozzles, and near them
};

/// The box of a pool whose particles lie in `particles`, as a domain: whole tiles, but for walls.
Domain pool_domain(const PoolRules& rules, const Box& particles);
Layout pool_layout(const PoolRules& rules, const Domain& pool);

/// Whether most of a pool's box is air: then its memory is not for all of it (core/few_touched.h).
bool spread_thinly(const Domain& box, std::int64_t particles);
bool spread_thinly(const LiquidPool& pool);

/// Grids follow the liquid. Sorts all particles, gives every body of liquid that is far from the others a pool of its
/// own, and joins those that have come near each other (bodies.h); boxes are as large as their particles need. What
/// comes out depends on where particles are and on nothing else. `work` has the scratch of each pool, made anew where
/// its box has changed; their ranges are those of the particles. Pressures are carried over.
void regroup(const Exec& exec, const PoolRules& rules, LiquidState& state,
             std::vector<std::unique_ptr<LiquidWorkspace>>& work, SortScratch& scratch);

}  // namespace silt
