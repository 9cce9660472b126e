#include <fmt/format.h>

#include <algorithm>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/say.h"
#include "silt/core/error.h"
#include "silt/sim/builtin_scenes.h"

namespace silt {

int scenes_command() {
  const std::vector<BuiltinScene> scenes = builtin_scenes();
  if (scenes.empty()) throw InputError("the built-in scenes were not found");
  std::size_t width = 0;
  for (const BuiltinScene& scene : scenes) width = std::max(width, scene.name.size());
  for (const BuiltinScene& scene : scenes) put(fmt::format("{:<{}}  {}\n", scene.name, width, scene.summary));
  return exit_code::done;
}

}  // namespace silt
