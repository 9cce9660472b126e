#include "silt/render/fresnel.h"

#include <algorithm>
#include <cmath>

namespace silt {

float water_reflectance(float cosine, bool from_water) {
  const float ratio = from_water ? water_index : 1 / water_index;
  const float c = std::clamp(cosine, 0.0f, 1.0f), sine2 = ratio * ratio * (1 - c * c);
  if (sine2 >= 1) return 1;
  const float beyond = std::sqrt(1 - sine2);
  const float across = (ratio * c - beyond) / (ratio * c + beyond), along = (c - ratio * beyond) / (c + ratio * beyond);
  return 0.5f * (across * across + along * along);
}

std::optional<Vec3f> bend(const Vec3f& direction, const Vec3f& normal, bool from_water) {
  const float ratio = from_water ? water_index : 1 / water_index;
  const float c = std::clamp(-dot(direction, normal), 0.0f, 1.0f), sine2 = ratio * ratio * (1 - c * c);
  if (sine2 >= 1) return {};
  return normalized(direction * ratio + normal * (ratio * c - std::sqrt(1 - sine2)));
}

}  // namespace silt
