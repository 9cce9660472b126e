#include "silt/surface/clusters.h"

#include "silt/core/joined_sets.h"
#include "silt/surface/block_loop.h"

namespace silt {
namespace {

/// Copies what `keep(i)` wants of every column.
template <class Keep>
Cloud part_of(const Cloud& cloud, const Keep& keep) {
  Cloud out;
  for (std::size_t i = 0; i < cloud.count(); ++i) {
    if (!keep(i)) continue;
    out.x.push_back(cloud.x[i]), out.y.push_back(cloud.y[i]), out.z.push_back(cloud.z[i]);
    out.u.push_back(cloud.u[i]), out.v.push_back(cloud.v[i]), out.w.push_back(cloud.w[i]);
    out.from.push_back(cloud.from[i]), out.image.push_back(cloud.image[i]);
  }
  return out;
}

}  // namespace

Clusters find_clusters(const Exec& exec, const ParticleBins& bins, float apart, std::uint32_t most, float radius,
                       const Vec3f& size) {
  const Cloud& cloud = bins.cloud();
  const std::size_t n = cloud.count();
  JoinedSets sets(n);
  for_each_bin(exec, bins, apart, [&](std::size_t, std::uint32_t first, std::uint32_t last, const NearParticles* near) {
    if (!near) {  // a full bin with full ones round it: all of them belong together
      for (std::uint32_t p = first; p < last; ++p) sets.join(first, p);
      const Vec3f at = Vec3f{cloud.x[first], cloud.y[first], cloud.z[first]};
      for (int a = 0; a < 3; ++a) {
        Vec3f next = at;
        next[a] += bins.size();
        bins.for_runs(next, next, [&](std::uint32_t other, std::uint32_t) { sets.join(first, other); });
      }
      return;
    }
    for (std::uint32_t p = first; p < last; ++p)
      for (std::size_t i = 0; i < std::size_t(near->count); ++i) {
        if (near->number[i] == p) continue;
        const float x = near->x[i] - cloud.x[p], y = near->y[i] - cloud.y[p], z = near->z[i] - cloud.z[p];
        if (x * x + y * y + z * z < apart * apart) sets.join(p, near->number[i]);
      }
  });
  std::vector<std::uint32_t> count(n, 0);
  std::vector<char> body_root(n, 0);
  std::vector<std::uint32_t> root(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    root[i] = sets.root(i);
    ++count[root[i]];
    const Vec3f x{cloud.x[i], cloud.y[i], cloud.z[i]};
    const bool within = x.x >= 0 && x.y >= 0 && x.z >= 0 && x.x <= size.x && x.y <= size.y && x.z <= size.z;
    if (cloud.image[i] || !within) body_root[root[i]] = 1;
  }
  Clusters out;
  out.of.assign(n, Clusters::none);
  std::vector<std::uint32_t> number(n, Clusters::none);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t r = root[i];
    if (body_root[r] || count[r] > most) continue;
    if (count[r] == 1) {
      out.of[i] = Clusters::ball;
      out.alone.push_back(
          {{cloud.x[i], cloud.y[i], cloud.z[i]}, radius, {cloud.u[i], cloud.v[i], cloud.w[i]}, cloud.from[i]});
      continue;
    }
    if (number[r] == Clusters::none) number[r] = std::uint32_t(out.sizes.size()), out.sizes.push_back(count[r]);
    out.of[i] = number[r];
  }
  return out;
}

Cloud without_spray(const Cloud& cloud, const Clusters& clusters) {
  return part_of(cloud, [&](std::size_t i) { return clusters.of[i] == Clusters::none; });
}

Cloud spray_alone(const Cloud& cloud, const Clusters& clusters, float finer) {
  Cloud out = part_of(cloud, [&](std::size_t i) { return clusters.of[i] < clusters.sizes.size(); });
  for (std::vector<float>* column : {&out.x, &out.y, &out.z})
    for (float& x : *column) x *= finer;
  return out;
}

}  // namespace silt
