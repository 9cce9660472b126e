#pragma once

#include <vector>

#include "silt/core/buffer.h"
#include "silt/physics/common/cover.h"

namespace silt {

/// How much a cover holds sway in the cells and faces that it reaches, worked out once for all the fields it holds, and
/// good while it stands still: to look at a mesh is far dearer than to look it up.
struct CoverAmounts {
  /// Over a box, x fastest.
  struct Part {
    Box box;
    Buffer<float> amount;
  };
  Part cells;
  Part faces[3];  ///< empty unless asked for
};

/// What a source or an inlet covers, with its copies across periodic sides.
struct HeldCovers {
  std::vector<CoverAmounts> images;
  bool known = false;
};

/// Of the cells of `box`, and of all faces if asked for.
CoverAmounts cover_amounts(const Exec& exec, const Domain& domain, const Box& box, const Cover& cover, bool faces);

}  // namespace silt
