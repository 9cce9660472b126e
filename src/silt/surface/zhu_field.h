#pragma once

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
///   the same field of a shorter reach and of the radius of a ball of their volume. What nothing else comes near to is
///   in neither: see spray.h.
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

/// The radius of a ball of a particle's volume, in cubes that eight of them fill.
inline constexpr float drop_radius = 0.31f;

/// Of each particle that has few others near it its radius as a drop [voxels]; 0 for most. `full_enough`: the part of
/// the full weight W from which on a particle is no drop; with half of that it is one altogether.
std::vector<float> find_drops(const Exec& exec, const ParticleBins& bins, float cell, float full_enough);

ZhuKernel zhu_kernel(float cell, float reach, const float* drop);

}  // namespace silt
