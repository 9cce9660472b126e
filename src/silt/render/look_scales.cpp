#include "silt/render/look_scales.h"

#include <algorithm>

namespace silt {
namespace {

double narrow_side(const Domain& domain) {
  const Vec3d size = domain.upper() - domain.lower();
  return std::min(size.x, size.y);
}

}  // namespace

double water_depth_in(const Domain& domain, const LookParams& look) {
  return look.water_depth.value_or(0.5 * narrow_side(domain));
}

double density_scale_in(const Domain& domain, const LookParams& look) {
  return look.density_scale.value_or(34 / narrow_side(domain));
}

double flame_scale_in(const Domain& domain, const LookParams& look) {
  return look.flame_scale.value_or(8 / narrow_side(domain));
}

int balls_per_grain(std::int64_t grains, const LookParams& look) {
  constexpr double wanted = 2e6, most = 24;
  if (look.grains) return *look.grains;
  return int(std::clamp(wanted / double(std::max<std::int64_t>(grains, 1)), 1.0, most));
}

}  // namespace silt
