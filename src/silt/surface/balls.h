#pragma once

#include "silt/fields/frame.h"
#include "silt/surface/block_field.h"

namespace silt {

/// A drop that nothing else is near to. Voxels are too coarse for it: its mesh is made directly.
struct Ball {
  Vec3f middle;  ///< [voxels]
  float radius;  ///< [voxels]
  Vec3f velocity;
  std::uint32_t particle = 0;  ///< which of the material's
};

/// Of the mesh of each.
inline constexpr std::size_t ball_corners = 42;

/// Adds a round mesh of 80 triangles for each, of just the ball's volume.
void add_balls(const std::vector<Ball>& balls, const Lattice& voxels, Mesh& mesh);

/// And to the field that the mesh is of.
void add_balls(const std::vector<Ball>& balls, BlockField& field);

}  // namespace silt
