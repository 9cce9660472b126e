#include "silt/render/distance_field.h"

namespace silt {

/// The splines blur by (1, 6, 1) / 8 along each axis: undone to first order.
DistanceField::DistanceField(const Frame& frame, std::string_view name) {
  const Volume* volume = frame.find(name);
  if (!volume || volume->values.empty()) return;
  const Grid<float> before = make_grid(*volume);
  const float per_cell = float(1 / frame.domain.lattice.h);
  const Box& b = before.cells();
  phi_ = Grid<float>(b);
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) {
        const Cell c{x, y, z};
        const float here = before.at(c);
        float sum = 0;
        for (int axis = 0; axis < 3; ++axis)
          for (const Int3 step : {unit(axis), -unit(axis)})
            sum += here - (b.contains(c + step) ? before.at(c + step) : here);
        phi_.at(c) = per_cell * (here + sum / 8);
      }
}

}  // namespace silt
