#pragma once

#include <cmath>

#include "silt/core/vec.h"
#include "silt/fields/sampler.h"

/// For KERNELS sources.
namespace silt {

/// The solids' distance [cells], from that at corners.
struct SolidDistance {
  View<const float> distance;
  Int3 active;
  float inv_h;

  /// Whether the centre of a cell may be more than so deep in solids and less than so far from them, by one corner
  /// alone.
  SILT_HD bool may_be_between(Cell c, float deep, float far) const {
    constexpr float corner = 0.87f;  // from the centre
    const float d = distance(c) * inv_h;
    return d > deep - corner && d < far + corner;
  }
  SILT_HD float centre(Cell c) const {
    float sum = 0;
    corners(c, [&](float d, Int3) { sum += d; });
    return 0.125f * sum * inv_h;
  }
  /// Points out of the solid; not of length 1.
  SILT_HD Vec3f slope(Cell c) const {
    Vec3f n{};
    corners(c, [&](float d, Int3 at) { n += Vec3f{at.x ? d : -d, at.y ? d : -d, at.z ? d : -d}; });
    for (int a = 0; a < 3; ++a) n[a] = active[a] ? n[a] : 0;
    return n;
  }

  /// The direction out of the nearest solid at a place, in cells from the centre of cell 0; zero where there is none.
  /// Seen over a cell to each side: between the corners of one cell the slope of an edge, where two solids meet, comes
  /// and goes.
  SILT_HD Vec3f normal(const Vec3f& x) const {
    Vec3f g{};
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      Vec3f below = x, above = x;
      below[a] -= 1, above[a] += 1;
      g[a] = at(above) - at(below);
    }
    return normalized(g);
  }

  /// At a place, in cells from the centre of cell 0.
  SILT_HD float at(const Vec3f& x) const {
    const auto axis = [&](int a) {
      const float from_corner = x[a] + 0.5f, whole = std::floor(from_corner);
      return active[a] ? SampleAxis{int(whole), from_corner - whole} : SampleAxis{int(x[a]), 0};
    };
    return Corners::at(distance, {axis(0), axis(1), axis(2)}).value() * inv_h;
  }

 private:
  template <class Visit>
  SILT_HD void corners(Cell c, const Visit& visit) const {
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) visit(distance(c.x + x, c.y + y, c.z + z), Int3{x, y, z});
  }
};

}  // namespace silt
