#include "silt/fields/images.h"

#include <algorithm>
#include <cmath>

namespace silt {

std::vector<Vec3d> periodic_images(const Domain& domain, const Shape& shape, double more) {
  const double reach = 2 * domain.lattice.h + more;
  const Shape::Bounds bounds = shape.bounds();
  std::vector<Vec3d> images{Vec3d{}};
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a] || !domain.periodic(a)) continue;
    const double lower = domain.lower()[a], upper = domain.upper()[a], period = upper - lower;
    const double low = bounds.lowest[a] - reach, high = bounds.highest[a] + reach;
    if (high - low > 8 * period) continue;  // it reaches across everything as it is
    // n with  low + n period < upper  and  high + n period > lower.
    const int first = int(std::floor((lower - high) / period)) + 1, last = int(std::ceil((upper - low) / period)) - 1;
    std::vector<Vec3d> along;
    for (Vec3d image : images) {
      const double from = image[a];
      for (int n = first; n <= last; ++n) {
        image[a] = from + n * period;
        along.push_back(image);
      }
    }
    images = std::move(along);
  }
  return images;
}

Shape with_images(const Domain& domain, const Shape& shape) {
  Shape out = shape;
  for (const Vec3d& image : periodic_images(domain, shape))
    if (!(image == Vec3d{})) out = Shape::unite(out, shape.transformed({{}, image, 1}));
  return out;
}

Box cells_near(const Domain& domain, const Shape& shape) {
  const Shape::Bounds b = shape.bounds();
  Box out = domain.cells;
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a]) continue;
    const double low = (b.lowest[a] - domain.lattice.origin[a]) / domain.lattice.h - 1;
    const double high = (b.highest[a] - domain.lattice.origin[a]) / domain.lattice.h + 1;
    out.lo[a] = int(std::clamp(std::floor(low), double(out.lo[a]), double(out.hi[a])));
    out.hi[a] = int(std::clamp(std::ceil(high), double(out.lo[a]), double(out.hi[a])));
  }
  return out;
}

}  // namespace silt
