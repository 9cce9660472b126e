#pragma once

/// What makes no sense though every value by itself does: all of it is reported, each at its place.

#include <map>
#include <string>

#include "silt/sim/scene_blocks.h"

namespace silt {

/// What needs no geometry: durations, what is kept, the camera, temperatures that are not kelvin.
void check_values(const SceneBlocks& blocks, Diagnostics& diagnostics);

/// Parts of check_values: vortices and force fields that a scene of its dimensions cannot have, or that do nothing;
/// blocks that water and sand have no use for, or that only they have; and what is sand's alone.
void check_fills(const SceneBlocks& blocks, Diagnostics& diagnostics);
void check_particles(const SceneBlocks& blocks, Diagnostics& diagnostics);
void check_gas(const SceneBlocks& blocks, Diagnostics& diagnostics);
/// Implicit steps that hide what the frames could show.
void check_shown_sound(const SceneBlocks& blocks, const Domain& domain, Diagnostics& diagnostics);
void check_sand(const SceneBlocks& blocks, Diagnostics& diagnostics);
/// Whether a lattice of vortices fits into a periodic domain.
void check_fill_repeats(const ReadBlock<FillParams>& fill, const Domain& domain, Diagnostics& diagnostics);
void check_forces(const SceneBlocks& blocks, Diagnostics& diagnostics);

/// A scene in which nothing happens, shapes that nobody uses: worth saying of a scene without mistakes.
void check_idle(const SceneBlocks& blocks, Diagnostics& diagnostics);

/// By how much obstacles that are thinner than a cell have to grow on every side to be as thick as one [m], by name.
using Growth = std::map<std::string, double>;

/// Obstacles, sources and inflows against the domain.
Growth check_places(const SceneBlocks& blocks, const Domain& domain, const std::map<std::string, Shape>& shapes,
                    Diagnostics& diagnostics);

}  // namespace silt
