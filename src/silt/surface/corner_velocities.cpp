#include "silt/surface/corner_velocities.h"

#include "silt/core/lanes.h"
#include "silt/surface/block_loop.h"

namespace silt {
namespace {

constexpr std::int64_t group = 64;  // corners for which particles are gathered once

/// Eight corners as lanes; the last is there more than once where there are fewer.
struct EightCorners {
  Lanes x, y, z;
  int count = 0;
};

void add_group(const Cloud& cloud, const NearParticles& near, float reach, const EightCorners& at, Vec3f* out) {
  const float inverse = 1 / (reach * reach);
  Lanes weight{}, sum[3]{};
  for (std::size_t i = 0; i < std::size_t(near.count); ++i) {
    const Lanes x = all_lanes(near.x[i]) - at.x, y = all_lanes(near.y[i]) - at.y, z = all_lanes(near.z[i]) - at.z;
    const Lanes rest = positive_part(all_lanes(1) - (x * x + y * y + z * z) * all_lanes(inverse));
    const Lanes k = rest * rest * rest;
    const std::uint32_t p = near.number[i];
    weight += k;
    sum[0] += k * all_lanes(cloud.u[p]), sum[1] += k * all_lanes(cloud.v[p]), sum[2] += k * all_lanes(cloud.w[p]);
  }
  for (int l = 0; l < at.count; ++l)
    if (weight[l] > 0) out[l] = Vec3f{sum[0][l], sum[1][l], sum[2][l]} / weight[l];
}

}  // namespace

void add_velocities(const Exec& exec, const ParticleBins& bins, const Lattice& voxels, float reach, Mesh& mesh) {
  const auto n = std::int64_t(mesh.positions.size());
  mesh.velocities.assign(std::size_t(n), {});
#pragma omp parallel num_threads(exec.threads())
  {
    NearParticles all, near;
    std::vector<Vec3f> x;
#pragma omp for schedule(dynamic, 8)
    for (std::int64_t g = 0; g < (n + group - 1) / group; ++g) {
      x.clear();
      for (std::int64_t i = g * group; i < std::min(n, (g + 1) * group); ++i)
        x.push_back(voxels.to_cells(mesh.positions[std::size_t(i)].as<double>()).as<float>());
      Vec3f lo = x[0], hi = x[0];
      for (const Vec3f& p : x) lo = min(lo, p), hi = max(hi, p);
      gather(bins, lo, hi, reach, all);
      for (std::size_t from = 0; from < x.size(); from += lane_count) {
        EightCorners at;
        at.count = int(std::min<std::size_t>(lane_count, x.size() - from));
        Vec3f low = x[from], high = low;
        for (int l = 0; l < at.count; ++l)
          low = min(low, x[from + std::size_t(l)]), high = max(high, x[from + std::size_t(l)]);
        const Vec3f middle = (low + high) * 0.5f;
        for (int l = 0; l < lane_count; ++l) {
          const Vec3f p = x[from + std::size_t(std::min(l, at.count - 1))] - middle;
          at.x[l] = p.x, at.y[l] = p.y, at.z[l] = p.z;
        }
        pick(all, middle, reach + 0.5f * length(high - low), near);
        add_group(bins.cloud(), near, reach, at, &mesh.velocities[std::size_t(g * group) + from]);
      }
    }
  }
}

}  // namespace silt
