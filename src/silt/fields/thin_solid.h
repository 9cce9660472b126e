#pragma once

#include <optional>
#include <vector>

#include "silt/fields/domain.h"
#include "silt/geometry/shape.h"

namespace silt {

/// A place where a solid is thinner than a cell, measured straight through it. Solids are known at the corners of cells
/// (see cut_cells.h): from a cell on nothing passes them; below, it depends on where they lie among the corners.
struct ThinPlace {
  double thickness = 0;  ///< [m]
  Vec3d place{};         ///< on the surface [m]
};

/// What a solid's thickness is measured with.
struct Around {
  std::vector<Shape> others{};  ///< solids that lie beside it for good: what they cover is not its surface
  bool moves = false;           ///< it comes from outside of the domain or leaves it: walls are nothing to lean on
};

/// The cells of a solid's bounds: within the domain, or `beyond` it too where these end.
Box cells_round(const Shape& solid, const Domain& domain, bool beyond);

/// Boxes of some cells in `within` that a solid's surface may pass through; of more than `most`, as many, evenly.
std::vector<Box> blocks_on_surface(const Shape& solid, const Domain& domain, const Box& within, std::size_t most);

/// The thinnest place of a solid, if it is thinner than a cell somewhere. Two sides that lean to each other by more
/// than about ten degrees are an edge or a tip, thin over less than six cells, and no plate. Samples the surface once a
/// cell, and the triangles of meshes; some tens of thousands of places where there are more.
std::optional<ThinPlace> find_thin(const Shape& solid, const Domain& domain, const Around& around = {});

}  // namespace silt
