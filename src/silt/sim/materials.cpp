#include "silt/sim/materials.h"

#include <cassert>

#include "silt/physics/gas/gas_model.h"
#include "silt/physics/liquid/liquid_model.h"
#include "silt/physics/sand/sand_model.h"
#include "silt/physics/smoke/smoke_model.h"

namespace silt {

std::unique_ptr<Model> make_model(const Scene& scene, int pad) {
  if (scene.water) return make_liquid_model(*scene.water, scene.setting, pad);
  if (scene.sand) return make_sand_model(*scene.sand, scene.setting, pad);
  if (scene.gas) return make_gas_model(*scene.gas, scene.setting, pad, 1 / scene.run.fps);
  assert(scene.smoke && "a scene has a material");
  return make_smoke_model(*scene.smoke, scene.setting, pad);
}

}  // namespace silt
