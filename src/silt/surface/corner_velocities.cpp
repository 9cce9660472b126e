#include "silt/surface/corner_velocities.h"

#include "silt/surface/corner_loop.h"

namespace silt {

void add_velocities(const Exec& exec, const ParticleBins& bins, const Lattice& voxels, float reach, Mesh& mesh) {
  mesh.velocities.assign(mesh.positions.size(), {});
  const Cloud& cloud = bins.cloud();
  const float inverse = 1 / (reach * reach);
  for_each_eight(exec, bins, voxels, reach, mesh.positions, [&](const EightCorners& at, const NearParticles& near) {
    Lanes weight{}, sum[3]{};
    for (std::size_t i = 0; i < std::size_t(near.count); ++i) {
      const Lanes k = at.weight(near, i, inverse);
      const std::uint32_t p = near.number[i];
      weight += k;
      sum[0] += k * all_lanes(cloud.u[p]), sum[1] += k * all_lanes(cloud.v[p]), sum[2] += k * all_lanes(cloud.w[p]);
    }
    for (int l = 0; l < at.count; ++l)
      if (weight[l] > 0)
        mesh.velocities[at.first + std::size_t(l)] = Vec3f{sum[0][l], sum[1][l], sum[2][l]} / weight[l];
  });
}

}  // namespace silt
