#include "silt/fields/images.h"

#include <cmath>

namespace silt {

std::vector<Vec3d> periodic_images(const Domain& domain, const Shape& shape) {
  const double reach = 2 * domain.lattice.h;
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

}  // namespace silt
