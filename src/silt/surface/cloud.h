#pragma once

#include <cstdint>
#include <vector>

#include "silt/fields/frame.h"
#include "silt/surface/solid.h"

namespace silt {

/// Particles of one material as the surface is made of them, in columns: places in voxels (voxel i reaches from i to
/// i + 1), velocities in m/s. Beyond sides and solids stand images of those before them, so that liquid goes on there
/// and its surface meets the side at a right angle.
struct Cloud {
  std::vector<float> x, y, z, u, v, w;
  std::vector<std::uint32_t> from;  ///< which of the material's particles each is, or is an image of
  std::vector<std::uint8_t> image;  ///< whether it is one

  std::size_t count() const { return x.size(); }
};

/// `depth` [m]: how far beyond sides there are images; `reach` [m]: how far beyond solids.
Cloud make_cloud(const Frame& frame, std::string_view material, const Lattice& voxels, double depth, double reach,
                 const Solid& solid);

}  // namespace silt
