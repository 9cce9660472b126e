#include "silt/render/grid.h"

namespace silt {

Grid<float> make_grid(const Volume& volume) {
  Grid<float> grid(volume.cells);
  const Box& b = volume.cells;
  const auto value = [&](Cell c) {
    return volume.components() == 1 ? volume.at(c) : length(Vec3f{volume.at(c, 0), volume.at(c, 1), volume.at(c, 2)});
  };
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) {
        const float v = value({x, y, z});
        grid.at({x, y, z}) = std::isfinite(v) ? v : volume.background;
      }
  return grid;
}

Grid<Vec3f> make_vector_grid(const Volume& volume) {
  Grid<Vec3f> grid(volume.cells);
  const Box& b = volume.cells;
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) {
        const Vec3f v{volume.at({x, y, z}, 0), volume.at({x, y, z}, 1), volume.at({x, y, z}, 2)};
        const bool good = std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
        grid.at({x, y, z}) = good ? v : Vec3f{volume.background, volume.background, volume.background};
      }
  return grid;
}

}  // namespace silt
