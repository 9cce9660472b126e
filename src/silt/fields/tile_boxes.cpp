#include "silt/fields/tile_boxes.h"

#include <cstdint>

#include "silt/fields/layout.h"

namespace silt {

std::vector<Box> tile_boxes(const RowSpans& rows, Int3 active) {
  const Int3 tile = tile_extent(active), size = rows.box.size();
  Int3 count;
  for (int a = 0; a < 3; ++a) count[a] = (size[a] + tile[a] - 1) / tile[a];
  const auto number = [&](int x, int y, int z) { return (std::size_t(z) * count.y + y) * count.x + x; };
  std::vector<std::uint8_t> marked(number(0, 0, count.z));
  const Cells cells(rows.box, &rows);
  for (int n = 0; n < cells.row_count(); ++n) {
    const int y = cells.row_y(n) - rows.box.lo.y, z = cells.row_z(n) - rows.box.lo.z;
    cells.visit_row(cells.row_y(n), cells.row_z(n), [&](int from, int to) {
      for (int x = (from - rows.box.lo.x) / tile.x; x * tile.x < to - rows.box.lo.x; ++x)
        marked[number(x, y / tile.y, z / tile.z)] = 1;
    });
  }
  const auto all = [&](const Box& tiles) {
    for (int z = tiles.lo.z; z < tiles.hi.z; ++z)
      for (int y = tiles.lo.y; y < tiles.hi.y; ++y)
        for (int x = tiles.lo.x; x < tiles.hi.x; ++x)
          if (!marked[number(x, y, z)]) return false;
    return true;
  };
  std::vector<Box> out;
  for (int z = 0; z < count.z; ++z)
    for (int y = 0; y < count.y; ++y)
      for (int x = 0; x < count.x; ++x) {
        if (!marked[number(x, y, z)]) continue;
        Box tiles{{x, y, z}, {x + 1, y + 1, z + 1}};
        for (int a = 0; a < 3; ++a)  // along x as far as it goes, then as many such rows, then as many such layers
          for (Box next = tiles; next.hi[a] < count[a]; tiles.hi[a] = next.hi[a]) {
            next.lo[a] = tiles.hi[a], next.hi[a] = tiles.hi[a] + 1;
            if (!all(next)) break;
          }
        for (int k = tiles.lo.z; k < tiles.hi.z; ++k)
          for (int j = tiles.lo.y; j < tiles.hi.y; ++j)
            for (int i = tiles.lo.x; i < tiles.hi.x; ++i) marked[number(i, j, k)] = 0;
        out.push_back(intersect({rows.box.lo + tiles.lo * tile, rows.box.lo + tiles.hi * tile}, rows.box));
      }
  return out;
}

}  // namespace silt
