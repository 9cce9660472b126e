#include "silt/physics/common/setting.h"

#include <algorithm>

namespace silt {

PlacedShape place(const Obstacle& obstacle, double time) {
  const Pose pose = obstacle.motion.at(time);
  return {obstacle.shape.at(time).transformed(pose.place), pose.velocity, obstacle.no_slip ? 1.0 : 0.0};
}

std::vector<PlacedShape> place(const std::vector<Obstacle>& obstacles, double time) {
  std::vector<PlacedShape> out;
  for (const Obstacle& o : obstacles) out.push_back(place(o, time));
  return out;
}

double fastest_part(const Obstacle& obstacle, const Domain& domain, double time) {
  const PlacedShape placed = place(obstacle, time);
  Shape::Bounds b = placed.shape.bounds();
  b = {max(b.lowest, domain.lower()), min(b.highest, domain.upper())};
  // The speed of a rigid body is convex: it is largest in a corner of its bounds.
  double speed = 0;
  for (int i = 0; i < 8; ++i) {
    const Vec3d corner{(i & 1 ? b.highest : b.lowest).x, (i & 2 ? b.highest : b.lowest).y,
                       (i & 4 ? b.highest : b.lowest).z};
    speed = std::max(speed, length(placed.velocity.at(corner)));
  }
  return speed + obstacle.shape.top_speed();
}

std::array<std::array<double, 2>, 3> side_friction(const Setting& setting, double usual) {
  std::array<std::array<double, 2>, 3> out;
  for (auto& ends : out) ends.fill(usual);
  for (const Wall& wall : setting.walls)
    out[std::size_t(wall.axis)][std::size_t(wall.end)] = wall.friction.value_or(usual);
  return out;
}

}  // namespace silt
