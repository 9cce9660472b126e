#pragma once

#include <span>
#include <string>
#include <string_view>

#include "silt/surface/balls.h"
#include "silt/surface/particle_bins.h"

namespace silt {

/// The unit of an attribute that all particles may have; of others the particles know it.
inline const char* attribute_unit(std::string_view name) {
  return name == "age" ? "s" : "";
}

/// What else is known of a material's particles, on the corners of its mesh, under the names that points have in other
/// programs: "age", "Cd" (their colour, as the mesh's own) and named numbers as means, with the weights that velocities
/// have; "source" from the nearest. The mesh's last corners are those of the balls, each with the numbers of its own
/// particle. InputError when the particles do not have one of them.
struct AttributeSource {
  const Frame& frame;
  std::string_view material;
  std::span<const std::string> names;
};
void add_attributes(const Exec& exec, const AttributeSource& source, const ParticleBins& bins, const Lattice& voxels,
                    float reach, const std::vector<Ball>& balls, Mesh& mesh);

}  // namespace silt
