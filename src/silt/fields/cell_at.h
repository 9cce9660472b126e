#pragma once

#include "silt/fields/layout.h"

namespace silt {

/// The cell whose value lies at `index`: what Layout::index undoes.
inline Cell cell_at(const Layout& layout, int index) {
  const Box stored = layout.storage();
  const Int3 n = stored.size();
  return stored.lo + Int3{index % n.x, index / n.x % n.y, index / (n.x * n.y)};
}

}  // namespace silt
