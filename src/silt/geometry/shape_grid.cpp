#include "silt/geometry/shape_grid.h"

#include "silt/core/packed.h"
#include "silt/geometry/shape_loop.h"
#include "silt/geometry/shape_on.h"

namespace silt {
namespace {

struct DistanceAt {
  ShapeView shape;
  Vec3d origin;
  double spacing;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c, ShapeCursor& cursor) const {
    out[at(c)] = float(shape.distance(origin + c.as<double>() * spacing, cursor));
  }
};

}  // namespace

void shape_distances(const Exec& exec, const Shape& shape, const Vec3d& origin, double spacing, const Box& box,
                     Buffer<float>& out) {
  if (out.size() != std::size_t(box.count())) out = Buffer<float>(box.count());
  const ShapeOn on(exec, shape);
  for_each_shape_cell(exec, "shape.distances", box, DistanceAt{on.view(), origin, spacing, {box}, out.write(exec)});
}

}  // namespace silt
