#pragma once

#include "silt/surface/balls.h"
#include "silt/surface/block_field.h"
#include "silt/surface/block_loop.h"

namespace silt {

/// The level set of the liquid that particles stand for, as fields/surface_of_particles.h has it on a solver's grid, on
/// blocks of voxels of any size. Two things differ, because this one is looked at:
///   phi = min(body, drops)
/// - body(x) = max(|x - xbar| - r f, l (1/2 - W) - slack): r is the depth of xbar below a flat surface, 0.27 R, so
/// that
///   liquid ends where its volume does; the slack is that with which a sheet of one layer is as thick as it should be.
/// - drops: particles that have few others near them (W at the particle below 0.4) are too few for the body. They have
///   the same field of a shorter reach and of the radius of a ball of their volume; where one is alone it
///   is that ball, and meshed as such.
/// Lengths in voxels; `cell`: the side of a cube that eight particles fill.
struct ZhuKernel {
  float reach, radius;        ///< R, r
  float drop_reach, far;      ///< R of drops; the value where nothing is
  float slack, full, length;  ///< of the fullness, see fields/neighbourhood.h
  const float* drop;          ///< of each particle in the bins' cloud: its radius as a drop, 0 for most
  void operator()(const NearParticles& near, float* out) const;
  /// The least of `out` and the field of the drops.
  void add_drops(const NearParticles& near, float* out) const;
};

/// The particles that have few others near them.
struct Drops {
  std::vector<float> radius;  ///< of each particle as a drop [voxels]; 0 for most, and for those that are alone
  std::vector<Ball> alone;    ///< nothing else touches them: they are not left to the voxels, which are too coarse
};
/// `size`: of the domain, in voxels; images beyond it are no balls. `full_enough`: the part of the full weight W from
/// which on a particle is no drop; with half of that it is one altogether.
Drops find_drops(const Exec& exec, const ParticleBins& bins, float cell, const Vec3f& size, float full_enough);

ZhuKernel zhu_kernel(float cell, float reach, const float* drop);

}  // namespace silt
