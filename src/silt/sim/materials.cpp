#include "silt/sim/materials.h"

#include "silt/physics/smoke/smoke_model.h"

namespace silt {

std::unique_ptr<Model> make_model(const Scene& scene, int pad) {
  return make_smoke_model(scene.smoke, scene.setting, pad);
}

}  // namespace silt
