#pragma once

#include "silt/fields/domain.h"
#include "silt/surface/block_field.h"
#include "silt/surface/solid.h"

namespace silt {

/// Where liquid cannot be: beyond the domain's sides, and in obstacles.
class Cut {
 public:
  /// `voxels`: the lattice of the field.
  Cut(const Domain& domain, const Lattice& voxels, const Solid& solid);

  /// Whether a side or an obstacle comes within a voxel of a block.
  bool near(Int3 block) const;
  /// phi = max(phi, distance into what is cut away): exact planes at the sides.
  void apply(const Exec& exec, BlockField& field) const;

 private:
  Lattice voxels_;
  Vec3d lo_, hi_;  ///< the domain [voxels]
  const Solid& solid_;
};

}  // namespace silt
