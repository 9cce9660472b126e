#include "silt/sim/obstacle_bodies.h"

#include "silt/fields/solid_mesh.h"

namespace silt {

std::vector<Body> ObstacleBodies::at(const Setting& setting, double time) {
  std::vector<Body> out;
  if (!setting.domain.lattice.active.z) return out;
  shapes_.resize(setting.obstacles.size());
  for (std::size_t i = 0; i < setting.obstacles.size(); ++i) {
    const Obstacle& o = setting.obstacles[i];
    std::shared_ptr<const Mesh> shape = shapes_[i];
    if (!shape) shape = std::make_shared<const Mesh>(solid_mesh(o.shape.at(time), setting.domain));
    if (!o.shape.deforms()) shapes_[i] = shape;
    out.push_back({o.name, o.motion.at(time), std::move(shape)});
  }
  return out;
}

}  // namespace silt
