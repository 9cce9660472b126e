#include "silt/sim/combinations.h"

#include <algorithm>

namespace silt {

const std::vector<Material>& materials() {
  static const std::vector<Material> all{
      {"smoke", "smoke and hot air", true},           {"gas", "compressible gas and blasts", true},
      {"water", "liquids with a free surface", true}, {"porous", "what soaks a liquid up", false},
      {"sand", "grains that flow and pile up", true}, {"wind", "air that pushes on structures", false},
      {"elastic", "structures that bend", false},
  };
  return all;
}

const Material* find_material(const std::string& name) {
  for (const Material& material : materials())
    if (material.name == name) return &material;
  return nullptr;
}

const std::vector<std::vector<std::string>>& combinations() {
  static const std::vector<std::vector<std::string>> all{{"smoke"}, {"gas"}, {"water"}, {"sand"}};
  return all;
}

bool has_stepper(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return std::any_of(combinations().begin(), combinations().end(), [&](std::vector<std::string> known) {
    std::sort(known.begin(), known.end());
    return known == names;
  });
}

std::string combinations_text() {
  std::string out;
  for (const auto& names : combinations()) {
    if (!out.empty()) out += "; ";
    for (const std::string& name : names) out += (&name == &names.front() ? "[" : " with [") + name + "]";
  }
  return out;
}

}  // namespace silt
