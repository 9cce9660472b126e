#pragma once

#include <cstdint>
#include <vector>

#include "silt/surface/balls.h"
#include "silt/surface/particle_bins.h"

namespace silt {

/// Spray: particles in groups that nothing else comes near to. Voxels as coarse as a body of liquid needs them show
/// such groups angular, and Zhu's field shows them too small, for their surface is strongly curved: see spray.h. What
/// belongs together is the same for any number of threads.
struct Clusters {
  static constexpr std::uint32_t none = 0xffffffff, ball = 0xfffffffe;

  std::vector<std::uint32_t> of;     ///< of each particle in the bins' cloud: its group, or one of the above
  std::vector<std::uint32_t> sizes;  ///< of each group, in the order of their first particles
  std::vector<Ball> alone;           ///< particles that are a group by themselves

  bool empty() const { return sizes.empty() && alone.empty(); }
};

/// Particles nearer to each other than `apart` [voxels] are of one group. Groups of more than `most` are bodies, and so
/// are those that touch images or reach out of the domain, of `size` [voxels]: a part of these is cut away. `radius`:
/// of a ball of one [voxels].
Clusters find_clusters(const Exec& exec, const ParticleBins& bins, float apart, std::uint32_t most, float radius,
                       const Vec3f& size);

/// The cloud without them; and the groups alone, on a lattice that is so much finer.
Cloud without_spray(const Cloud& cloud, const Clusters& clusters);
Cloud spray_alone(const Cloud& cloud, const Clusters& clusters, float finer);

}  // namespace silt
