#pragma once

#include "silt/fields/domain.h"

namespace silt {

/// How far beyond open sides particles are followed when nobody says: ten times the domain's longest side [m].
double usual_reach(const Domain& domain);

/// Cells that particles may be in: the scene's, and beyond its open sides as far as they are followed [m].
Box followed_cells(const Domain& scene, double reach);

/// Whether what is in a box may lie beyond them: the box reaches their end at an open side.
bool may_leave(const Domain& scene, const Box& followed, const Box& box);

}  // namespace silt
