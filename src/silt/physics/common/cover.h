#pragma once

#include <algorithm>
#include <cmath>

#include "silt/fields/domain.h"
#include "silt/fields/images.h"
#include "silt/geometry/shape_on.h"

namespace silt {

/// Where something prescribed holds sway: fully inside `shape`, fading across its surface, over one cell or smoothly
/// over `blur` where that is more. Without a shape: everywhere.
struct Cover {
  const Shape* shape = nullptr;
  double blur = 0;  ///< [m]
};

/// Calls use(cover) for a shape and its copies across periodic sides; once for no shape.
template <class Use>
void for_each_cover(const Domain& domain, const Shape* shape, const Use& use, double blur = 0) {
  if (!shape) return use(Cover{});
  for (const Vec3d& image : periodic_images(domain, *shape, 0.5 * blur)) {
    const Shape there = shape->transformed({{}, image, 1});
    use(Cover{&there, blur});
  }
}

/// A cover as kernels see it.
struct CoverRecipe {
  ShapeView shape;   ///< none: everywhere
  double inv_width;  ///< of what it fades over [1/m]
  bool smooth;
  /// 1 inside, 0 outside; in between linear, or 3 f^2 - 2 f^3, which has no kinks to ring by.
  SILT_HD float at(const Vec3d& x) const {
    ShapeCursor cursor;
    return at(x, cursor);
  }
  SILT_HD float at(const Vec3d& x, ShapeCursor& cursor) const {
    if (shape.count == 0) return 1;
    double f = 0.5 - shape.distance(x, cursor) * inv_width;
    f = f < 0 ? 0 : f > 1 ? 1 : f;
    return float(smooth ? f * f * (3 - 2 * f) : f);
  }
};

/// A cover where kernels run; must outlive the loops that use it.
class CoverOn {
 public:
  CoverOn(const Exec& exec, const Cover& cover, const Lattice& lattice)
      : cover_(cover), lattice_(lattice), shape_(exec, cover.shape) {}

  CoverRecipe recipe() const {
    const bool smooth = cover_.blur > lattice_.h;
    return {shape_.view(), 1 / (smooth ? cover_.blur : lattice_.h), smooth};
  }

  /// The part of `box` (cells or faces) that the cover may reach: loops need not go beyond.
  Box reach(const Box& box) const {
    if (!cover_.shape) return box;
    const Shape::Bounds b = cover_.shape->bounds();
    const double round = 2 + 0.5 * cover_.blur / lattice_.h;
    Box out = box;
    for (int a = 0; a < 3; ++a) {
      if (!lattice_.active[a]) continue;
      const double first = (b.lowest[a] - lattice_.origin[a]) / lattice_.h - round;
      const double last = (b.highest[a] - lattice_.origin[a]) / lattice_.h + round;
      out.lo[a] = int(std::clamp(std::floor(first), double(box.lo[a]), double(box.hi[a])));
      out.hi[a] = int(std::clamp(std::ceil(last), double(box.lo[a]), double(box.hi[a])));
    }
    return out;
  }

 private:
  Cover cover_;
  Lattice lattice_;
  ShapeOn shape_;
};

}  // namespace silt
