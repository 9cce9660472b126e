#include "silt/surface/voxel_velocities.h"

#include <cmath>

#include "silt/surface/block_loop.h"
#include "silt/surface/volume_sampler.h"

namespace silt {

void add_voxel_velocities(const Exec& exec, const ParticleBins& bins, float reach, BlockField& field) {
  field.velocities.assign(field.values.size(), {});
  const Cloud& cloud = bins.cloud();
  const float inverse = 1 / (reach * reach);
  const auto is_near = [&field](int slot, Int3 at, int count) {
    if (count == 0) return false;
    for (int l = 0; l < 8; ++l)
      if (std::abs(field.block(slot)[packet_voxel(at, l)]) < velocity_band) return true;
    return false;
  };
  for_each_packet(exec, bins, reach, field, is_near, [&, inverse](int slot, Int3 at, const NearParticles& near) {
    Lanes weight{}, sum[3]{};
    for (std::size_t i = 0; i < std::size_t(near.count); ++i) {
      const Lanes x = all_lanes(near.x[i]) - packet_x, y = all_lanes(near.y[i]) - packet_y,
                  z = all_lanes(near.z[i]) - packet_z;
      const Lanes rest = positive_part(all_lanes(1) - (x * x + y * y + z * z) * all_lanes(inverse));
      const Lanes k = rest * rest * rest;
      const std::uint32_t p = near.number[i];
      weight += k;
      sum[0] += k * all_lanes(cloud.u[p]), sum[1] += k * all_lanes(cloud.v[p]), sum[2] += k * all_lanes(cloud.w[p]);
    }
    Vec3f* const to = field.velocities.data() + std::size_t(slot) * BlockField::volume;
    for (int l = 0; l < 8; ++l)
      if (weight[l] > 0) to[packet_voxel(at, l)] = Vec3f{sum[0][l], sum[1][l], sum[2][l]} / weight[l];
  });
}

void add_voxel_velocities(const Exec& exec, const Frame& frame, std::string_view material, BlockField& field) {
  const VolumeSampler velocity(frame, "velocity", Volume::Kind::vector, material);
  if (velocity.none()) return;
  field.velocities.assign(field.values.size(), {});
#pragma omp parallel for schedule(dynamic, 4) num_threads(exec.threads())
  for (int slot = 0; slot < field.slots(); ++slot)
    for (int v = 0; v < BlockField::volume; ++v) {
      if (!(std::abs(field.block(slot)[v]) < velocity_band)) continue;
      const Vec3d x = field.lattice.centre(field.at[std::size_t(slot)] * 8 + Int3{v % 8, v / 8 % 8, v / 64});
      Vec3f& to = field.velocities[std::size_t(slot) * BlockField::volume + std::size_t(v)];
      for (int a = 0; a < 3; ++a) to[a] = float(velocity.at(x, a));
    }
}

}  // namespace silt
