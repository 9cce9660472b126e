#pragma once

/// The one place that lists materials, and which of them go together.

#include <string>
#include <vector>

namespace silt {

/// A material is a block of a scene: [smoke]. Those without a solver are known so that a message can say so.
struct Material {
  std::string name, help;
  bool has_solver = false;
};
const std::vector<Material>& materials();
/// nullptr when nobody has heard of it.
const Material* find_material(const std::string& name);

/// Materials that one stepper advances together.
const std::vector<std::vector<std::string>>& combinations();
bool has_stepper(std::vector<std::string> names);

/// For a sentence: "[smoke]; [water] with [sand]".
std::string combinations_text();

}  // namespace silt
