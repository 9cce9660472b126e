#pragma once

#include "silt/surface/block_loop.h"
#include "silt/surface/zhu_field.h"

namespace silt {

/// A blob for each particle, as flat or long as its neighbourhood is: in a thin sheet they lie in the sheet and reach
/// farther along it, so that it holds together where balls would leave holes [YT13].
///
/// From the places of the particles within R, weighted by 1 - (d / R)^3, come their mean and covariance. Its axes are
/// those of the blob, and its spread over that of room full of liquid is their length, between 0.25 and 1.3 R. Blobs
/// sum up to 1 in liquid and to 1/2 at its surface, whatever their form:
///   phi(x) = l (1/2 - sum_i V det(G_i) k(|G_i (x - x_i)|) / int k),   G_i = axes . diag(1 / length) . axes^T
/// Their middles move half of the way to the mean of their neighbours, but not across the sheet, which would get
/// thinner. Drops are as in zhu_field.h.
///   [YT13] Yu & Turk 2013, Reconstructing surfaces of particle-based fluids using anisotropic kernels
struct Blob {
  Vec3f move;    ///< of its middle, from the particle [voxels]
  float g[6];    ///< G: xx, xy, xz, yy, yz, zz [1/voxel]
  float weight;  ///< of k
};
std::vector<Blob> make_blobs(const Exec& exec, const ParticleBins& bins, float cell, float reach);

struct AnisotropicKernel {
  ZhuKernel drops;
  const Blob* blob;
  float length;  ///< l
  void operator()(const NearParticles& near, float* out) const;
};

/// How far a blob may reach, over R.
inline constexpr float longest_blob = 1.3f;

}  // namespace silt
