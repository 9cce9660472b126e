#pragma once

#include <algorithm>
#include <cmath>

#include "silt/fields/domain.h"
#include "silt/surface/block_loop.h"
#include "silt/surface/params.h"

namespace silt {

/// Lengths the surface is made with, in voxels.
struct Scale {
  Lattice voxels;
  float cell;   ///< the side of a cube that eight particles fill
  float reach;  ///< R
  int passes;   ///< of smoothing
  int steps;    ///< of evening out
  int beyond;   ///< voxels beyond the domain's sides that are worked out

  Scale(const SurfaceParams& params, const Domain& domain) {
    voxels = {domain.lower(), params.voxel * domain.lattice.h, {1, 1, 1}};
    cell = float(2 * params.spacing / params.voxel);
    reach = 1.5f * std::max(cell, 1.0f);
    // A pass smooths over a voxel: as many more of them where voxels are small.
    passes = params.smooth == 0 ? 0 : std::max(1, int(std::lround(params.smooth * 0.25 * cell * cell)));
    constexpr int most_steps = 16;  // they take time, and of fine voxels there are many
    steps = std::min(4 * passes, most_steps);
    beyond = passes + 2 + steps / 2;
  }
  /// How far beyond the sides there are images [m].
  double depth() const { return (reach + beyond + cell) * voxels.h; }

  /// The domain's voxels, and those beyond that are worked out too.
  VoxelRange of(const Domain& domain) const {
    const Vec3d size = (domain.upper() - domain.lower()) / voxels.h;
    const auto up = [&](double x) { return int(std::ceil(x - 1e-6)); };
    return {Int3{}, {up(size.x), up(size.y), up(size.z)}};
  }
  VoxelRange range(const Domain& domain) const {
    const VoxelRange inner = of(domain);
    const Int3 more{beyond, beyond, beyond};
    return {inner.lo - more, inner.hi + more};
  }
};

}  // namespace silt
