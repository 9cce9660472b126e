#pragma once

#include "silt/fields/domain.h"

namespace silt {

/// How far beyond open sides particles are followed when nobody says: ten times the domain's longest side [m].
double usual_reach(const Domain& domain);

/// Cells that particles may be in: the scene's, and beyond its open sides as far as they are followed [m].
Box followed_cells(const Domain& scene, double reach);

}  // namespace silt
