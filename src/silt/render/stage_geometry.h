#pragma once

#include <memory>

#include "silt/core/exec.h"
#include "silt/render/coated.h"
#include "silt/render/params.h"

namespace silt {

struct Frame;

/// A ray in cells; the direction has length 1, `time` is 0 when the shutter opens and 1 when it closes.
struct Ray {
  Vec3f origin, direction;
  float time = 0.5f;
};

/// What a ray meets.
struct Hit {
  enum class What : char { nothing, ground, coated, water };
  What what = What::nothing;
  float t = 1e30f;
  bool from_inside = false;  ///< it comes out of the water or the solid
  bool grain = false;        ///< one of many balls, which may overlap
  Vec3f flat_normal;         ///< of the surface itself, towards where the ray comes from
  Vec3f normal;              ///< the one it seems to have, out of what it bounds; of length 1
  Coated surface;            ///< of everything but water
};

/// All that has a surface: obstacles and bodies, grains, meshes, water; and the ground below them. In cells.
///
/// What is clear (water) and what is not are kept apart, so that light of the sun can be followed straight through the
/// first and asks of the second only whether anything is there.
class StageGeometry {
 public:
  /// `shutter`: how long the picture is exposed [s]; `careful` takes longer to build, and rays then go faster.
  StageGeometry(const Frame& frame, const LookParams& look, double shutter, bool careful, const Exec& exec);
  ~StageGeometry();
  StageGeometry(const StageGeometry&) = delete;
  StageGeometry& operator=(const StageGeometry&) = delete;

  /// Where water ends close before something solid, there is no air between the two.
  Hit nearest(const Ray& ray, bool coherent) const;
  /// The part of light that comes straight along a ray from t_max: none through solids and the ground; through water
  /// what its surface lets through, bent by nothing, and what the way through it leaves of each colour. `in_water`: the
  /// ray starts there.
  Colour light_along(const Ray& ray, float t_max, bool in_water, const Colour& absorption) const;
  bool under_water(const Vec3f& x) const;

  std::size_t bytes() const;  ///< of memory

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace silt
