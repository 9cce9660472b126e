#pragma once

#include <vector>

#include "silt/fields/domain.h"
#include "silt/geometry/shape.h"

namespace silt {

/// Where a shape shows in the domain: along periodic axes, itself and those copies a whole number of periods away that
/// come within two cells of it, and so much more [m]. The displacements [m]; none for itself.
std::vector<Vec3d> periodic_images(const Domain& domain, const Shape& shape, double more = 0);
/// A shape with those copies.
Shape with_images(const Domain& domain, const Shape& shape);

/// The domain's cells that a shape reaches, and one more round it.
Box cells_near(const Domain& domain, const Shape& shape);

}  // namespace silt
