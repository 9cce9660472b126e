#pragma once

#include <vector>

#include "silt/fields/domain.h"
#include "silt/geometry/shape.h"

namespace silt {

/// Where a shape shows in the domain: along periodic axes, itself and those copies a whole number of periods away that
/// come within two cells of it. The displacements [m]; none for itself.
std::vector<Vec3d> periodic_images(const Domain& domain, const Shape& shape);

}  // namespace silt
