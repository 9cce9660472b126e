#pragma once

#include <string>
#include <vector>

namespace silt {

/// How the surface of a material is made from its particles, as [surface] has it. Lengths in cells of the domain.
struct SurfaceParams {
  enum class Kernel {
    zhu,          ///< distance from the mean of the particles near a point [ZB05]
    anisotropic,  ///< a flattened blob for each particle, for thin sheets [YT13]
  };

  double voxel = 0.5;    ///< the side of a voxel
  double spacing = 0.5;  ///< of particles where there is nothing but liquid
  Kernel kernel = Kernel::zhu;
  int smooth = 2;  ///< passes of smoothing, each over about half a cell
  /// What else of the particles its corners have: "age", "source", "Cd", or the name of a number they have.
  std::vector<std::string> attributes{};
};

}  // namespace silt
