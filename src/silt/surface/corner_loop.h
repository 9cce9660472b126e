#pragma once

#include "silt/core/lanes.h"
#include "silt/surface/block_loop.h"

namespace silt {

/// Eight corners of a mesh as lanes; the last is there more than once where there are fewer. Places from the middle of
/// them, in voxels, as those of the particles near them.
struct EightCorners {
  Lanes x, y, z;
  std::size_t first = 0;
  int count = 0;

  /// Zhu's kernel of a particle at each of them.
  Lanes weight(const NearParticles& near, std::size_t i, float inverse_square) const {
    const Lanes dx = all_lanes(near.x[i]) - x, dy = all_lanes(near.y[i]) - y, dz = all_lanes(near.z[i]) - z;
    const Lanes rest = positive_part(all_lanes(1) - (dx * dx + dy * dy + dz * dz) * all_lanes(inverse_square));
    return rest * rest * rest;
  }
};

/// visit(corners, near) for all corners of a mesh, with the particles within `reach` of any of the eight. Corners near
/// each other should come one after the other.
template <class Visit>
void for_each_eight(const Exec& exec, const ParticleBins& bins, const Lattice& voxels, float reach,
                    const std::vector<Vec3f>& corners, const Visit& visit) {
  constexpr std::int64_t group = 64;  // corners for which particles are gathered once
  const auto n = std::int64_t(corners.size());
#pragma omp parallel num_threads(exec.threads())
  {
    NearParticles all, near;
    std::vector<Vec3f> x;
#pragma omp for schedule(dynamic, 8)
    for (std::int64_t g = 0; g < (n + group - 1) / group; ++g) {
      x.clear();
      for (std::int64_t i = g * group; i < std::min(n, (g + 1) * group); ++i)
        x.push_back(voxels.to_cells(corners[std::size_t(i)].as<double>()).as<float>());
      Vec3f lo = x[0], hi = x[0];
      for (const Vec3f& p : x) lo = min(lo, p), hi = max(hi, p);
      gather(bins, lo, hi, reach, all);
      for (std::size_t from = 0; from < x.size(); from += lane_count) {
        EightCorners at;
        at.first = std::size_t(g * group) + from;
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
        visit(at, near);
      }
    }
  }
}

}  // namespace silt
