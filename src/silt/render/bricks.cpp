#include "silt/render/bricks.h"

namespace silt {

Bricks::Bricks(const Grid<float>& grid, float threshold, int reach) : lo_(grid.cells().lo) {
  const Box& cells = grid.cells();
  n_ = (cells.size() + Int3{side - 1, side - 1, side - 1}) / side;
  most_.assign(std::size_t(n_.x) * n_.y * n_.z, 0);
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      for (int x = cells.lo.x; x < cells.hi.x; ++x) {
        const float value = grid.at({x, y, z});
        if (!(value > threshold)) continue;
        any_ = true;
        const Int3 d = Int3{x, y, z} - lo_, r{reach, reach, reach};
        const Int3 first = max(d - r, Int3{}) / side, last = min((d + r) / side, n_ - Int3{1, 1, 1});
        for (int k = first.z; k <= last.z; ++k)
          for (int j = first.y; j <= last.y; ++j)
            for (int i = first.x; i <= last.x; ++i) {
              float& most = most_[index({i, j, k})];
              most = std::max(most, value);
            }
      }
}

}  // namespace silt
