#include "silt/physics/common/followed_cells.h"

#include <algorithm>

namespace silt {

double usual_reach(const Domain& domain) {
  const Vec3d size = domain.upper() - domain.lower();
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis)
    if (domain.lattice.active[axis]) longest = std::max(longest, size[axis]);
  return 10 * longest;
}

Box followed_cells(const Domain& scene, double reach) {
  const int cells = int(std::min(reach / scene.lattice.h, 1e6));
  Box out = scene.cells;
  for (int a = 0; a < 3; ++a) {
    if (!scene.lattice.active[a]) continue;
    if (scene.side(a, 0) == Side::open) out.lo[a] -= cells;
    if (scene.side(a, 1) == Side::open) out.hi[a] += cells;
  }
  return out;
}

bool may_leave(const Domain& scene, const Box& followed, const Box& box) {
  bool out = false;
  for (int a = 0; a < 3; ++a) {
    out = out || (scene.side(a, 0) == Side::open && box.lo[a] <= followed.lo[a]);
    out = out || (scene.side(a, 1) == Side::open && box.hi[a] >= followed.hi[a]);
  }
  return out;
}

}  // namespace silt
