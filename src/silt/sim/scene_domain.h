#pragma once

#include <optional>

#include "silt/sim/machine.h"
#include "silt/sim/scene_blocks.h"

namespace silt {

/// The domain that [domain] asks for, with cells `scale` times as fine; nothing when it makes no sense. The block then
/// says all of it by itself (size, cell_size, sides and gravity as used), so that it reads back without a scale.
std::optional<Domain> make_domain(SceneBlocks& blocks, double scale, const Machine& machine, Diagnostics& diagnostics);

/// Whether the scene fits into the machine's memory, for materials that do not fill the domain; `asked` is the block as
/// the file has it.
void check_memory(const Scene& scene, const SceneBlocks& blocks, const DomainParams& asked, double scale,
                  const Machine& machine, Diagnostics& diagnostics);

}  // namespace silt
