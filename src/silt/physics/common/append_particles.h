#pragma once

#include "silt/fields/particles.h"

namespace silt {

/// Copies `count` particles from one set behind those of another.
void append_particles(const Exec& exec, const Particles& from, std::size_t first, std::size_t count, Particles& to);

}  // namespace silt
