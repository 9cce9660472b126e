#pragma once

#include "silt/fields/domain.h"

namespace silt {

/// The box of a grid that has particles in it and `margin` cells round them, as a domain: whole tiles, and more of them
/// for a large box, but for the scene's walls. Where it does not reach the scene's side there is only air.
Domain domain_round(const Domain& scene, const Box& particles, int margin);
/// The same of its own cells.
Domain part_of(const Domain& scene, const Box& cells);

}  // namespace silt
