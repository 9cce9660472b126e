#pragma once

#include <string>

#include "silt/fields/frame.h"
#include "silt/fields/particles.h"

namespace silt {

/// Particles as a frame has them.
Points points_of(const std::string& material, const Lattice& lattice, const Particles& particles);

}  // namespace silt
