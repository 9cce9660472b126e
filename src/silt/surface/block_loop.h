#pragma once

#include <cstdint>
#include <vector>

#include "silt/core/lanes.h"
#include "silt/surface/block_field.h"
#include "silt/surface/particle_bins.h"

namespace silt {

/// The particles within reach of eight points, in columns: places from the points' middle, in voxels, and numbers in
/// the bins' cloud. Those of the last eight that are too many lie far away.
struct NearParticles {
  std::vector<float> x, y, z;
  std::vector<std::uint32_t> number;
  int count = 0;

  void reserve(std::size_t n) {
    if (x.size() >= n + lane_count) return;
    for (std::vector<float>* column : {&x, &y, &z}) column->resize(n + lane_count);
    number.resize(n + lane_count);
  }
};

/// The particles within `reach` of a box [voxels], places as they are.
inline void gather(const ParticleBins& bins, const Vec3f& lo, const Vec3f& hi, float reach, NearParticles& out) {
  const Vec3f r{reach, reach, reach}, from = lo - r, to = hi + r;
  const Cloud& cloud = bins.cloud();
  out.count = 0;
  bins.for_runs(from, to, [&](std::uint32_t first, std::uint32_t last) {
    out.reserve(std::size_t(out.count) + (last - first));
    for (std::uint32_t i = first; i < last; ++i) {
      const float x = cloud.x[i], y = cloud.y[i], z = cloud.z[i];
      const bool in = (x > from.x) & (x < to.x) & (y > from.y) & (y < to.y) & (z > from.z) & (z < to.z);
      const auto n = std::size_t(out.count);
      out.x[n] = x, out.y[n] = y, out.z[n] = z, out.number[n] = i;
      out.count += in;
    }
  });
}

/// Those of them within `reach` of a point; places from it.
inline void pick(const NearParticles& all, const Vec3f& middle, float reach, NearParticles& out) {
  out.reserve(std::size_t(all.count));
  const float most = reach * reach;
  int count = 0;
  for (std::size_t i = 0; i < std::size_t(all.count); ++i) {
    const float x = all.x[i] - middle.x, y = all.y[i] - middle.y, z = all.z[i] - middle.z;
    const auto n = std::size_t(count);
    out.x[n] = x, out.y[n] = y, out.z[n] = z, out.number[n] = all.number[i];
    count += x * x + y * y + z * z < most;
  }
  out.count = count;
}

/// visit(tile, first, last, near) for the particles of each bin, tiles side by side: `near` are those within `reach` of
/// the bin; none (a null pointer) where it is deep.
template <class Visit>
void for_each_bin(const Exec& exec, const ParticleBins& bins, float reach, const Visit& visit) {
  const auto& tiles = bins.tiles();
#pragma omp parallel num_threads(exec.threads())
  {
    NearParticles near;
#pragma omp for schedule(dynamic)
    for (int n = 0; n < int(tiles.size()); ++n) {
      const ParticleBins::Tile& t = tiles[std::size_t(n)];
      for (int b = 0; b < ParticleBins::volume; ++b) {
        const std::uint32_t first = t.first[std::size_t(b)], last = t.first[std::size_t(b) + 1];
        if (first == last) continue;
        const bool deep = t.deep[std::size_t(b)];
        const Vec3f lo = (t.at * 8 + Int3{b % 8, b / 8 % 8, b / 64}).as<float>() * bins.size();
        if (!deep) gather(bins, lo, lo + Vec3f{1, 1, 1} * bins.size(), reach, near);
        visit(std::size_t(n), first, last, deep ? nullptr : &near);
      }
    }
  }
}

/// Where the field is wanted, in voxels: no block beyond, and the value of outside there.
struct VoxelRange {
  Int3 lo, hi;

  bool meets(Int3 block) const {
    for (int a = 0; a < 3; ++a)
      if (block[a] * 8 >= hi[a] || (block[a] + 1) * 8 <= lo[a]) return false;
    return true;
  }
};

/// Whether no surface comes near to any voxel of a block, from its first centre to its last.
inline bool is_deep(const ParticleBins& bins, Int3 block) {
  const Vec3f first = (block * BlockField::side).as<float>() + Vec3f{0.5f, 0.5f, 0.5f};
  constexpr float across = BlockField::side - 1;
  return bins.deep(first, first + Vec3f{across, across, across});
}

/// The blocks within `reach` of a particle [voxels]: those without surface as all inside, unless `must_cut(block)`.
template <class MustCut>
void list_blocks(const Exec& exec, const ParticleBins& bins, float reach, const VoxelRange& range,
                 const MustCut& must_cut, BlockField& field);

/// The same eight points in every block: 2 x 2 x 2 voxels, x first. From their middle, in voxels.
inline const Lanes packet_x{-0.5f, 0.5f, -0.5f, 0.5f, -0.5f, 0.5f, -0.5f, 0.5f},
    packet_y{-0.5f, -0.5f, 0.5f, 0.5f, -0.5f, -0.5f, 0.5f, 0.5f},
    packet_z{-0.5f, -0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
inline constexpr float packet_radius = 0.8660254f;

/// For all packets of all slots: where needs(slot, at, count) says so, `count` particles being near, visit(slot, at,
/// near) with the particles within `reach` of its eight points; `at` is its first voxel within the block.
template <class Needs, class Visit>
void for_each_packet(const Exec& exec, const ParticleBins& bins, float reach, const BlockField& field,
                     const Needs& needs_in, const Visit& visit_in) {
#pragma omp parallel num_threads(exec.threads())
  {
    const Needs needs = needs_in;
    const Visit visit = visit_in;
    NearParticles all, quarter, near;
#pragma omp for schedule(dynamic, 4)
    for (int slot = 0; slot < field.slots(); ++slot) {
      const Vec3f lo = (field.at[std::size_t(slot)] * 8).as<float>();
      gather(bins, lo, lo + Vec3f{8, 8, 8}, reach, all);
      for (int q = 0; q < 8; ++q) {
        const Int3 part = Int3{q & 1, q >> 1 & 1, q >> 2 & 1} * 4;
        pick(all, lo + part.as<float>() + Vec3f{2, 2, 2}, reach + 3 * packet_radius, quarter);
        for (int p = 0; p < 8; ++p) {
          const Int3 at = part + Int3{p & 1, p >> 1 & 1, p >> 2 & 1} * 2;
          if (!needs(slot, at, quarter.count)) continue;
          pick(quarter, (at - part).as<float>() + Vec3f{-1, -1, -1}, reach + packet_radius, near);
          visit(slot, at, near);
        }
      }
    }
  }
}

/// The place in a block of one of a packet's eight points.
constexpr int packet_voxel(Int3 at, int lane) {
  return ((at.z + (lane >> 2)) * 8 + at.y + (lane >> 1 & 1)) * 8 + at.x + (lane & 1);
}

/// Values of all slots: kernel(near, out) gives those of eight points from the particles within `reach` of them.
template <class Kernel>
void fill_blocks(const Exec& exec, const ParticleBins& bins, float reach, const VoxelRange& range, const Kernel& kernel,
                 BlockField& field) {
  field.values.resize(std::size_t(field.slots()) * BlockField::volume);
  const auto put_all = [&field](int slot, Int3 at, float value) {
    for (int l = 0; l < 8; ++l) field.block(slot)[packet_voxel(at, l)] = value;
    return false;
  };
  const auto needs = [&bins, &range, &field, put_all](int slot, Int3 at, int count) {
    const Int3 voxel = field.at[std::size_t(slot)] * 8 + at;
    for (int a = 0; a < 3; ++a)
      if (voxel[a] + 2 <= range.lo[a] || voxel[a] >= range.hi[a]) return put_all(slot, at, field.outside);
    if (count == 0) return put_all(slot, at, field.outside);
    const Vec3f from = voxel.as<float>() + Vec3f{0.5f, 0.5f, 0.5f};
    return bins.deep(from, from + Vec3f{1, 1, 1}) ? put_all(slot, at, field.inside) : true;
  };
  for_each_packet(exec, bins, reach, field, needs, [kernel, &field](int slot, Int3 at, const NearParticles& near) {
    alignas(32) float out[8];
    kernel(near, out);
    for (int l = 0; l < 8; ++l) field.block(slot)[packet_voxel(at, l)] = out[l];
  });
}

template <class MustCut>
void list_blocks(const Exec& exec, const ParticleBins& bins, float reach, const VoxelRange& range,
                 const MustCut& must_cut, BlockField& field) {
  const auto& tiles = bins.tiles();
  std::vector<std::vector<Int3>> near(tiles.size());
  const auto block_of = [](float x) { return int(std::floor(x / 8)); };
#pragma omp parallel for schedule(dynamic) num_threads(exec.threads())
  for (int n = 0; n < int(tiles.size()); ++n) {
    const ParticleBins::Tile& t = tiles[std::size_t(n)];
    const float bin = bins.size();
    // The blocks that the tile reaches, and which of them its particles do.
    const Vec3f low = (t.at * 8).as<float>() * bin;
    const auto around = [&](float x, float size) {
      return std::pair{block_of(x - reach - 0.5f), block_of(x + size + reach + 0.5f)};
    };
    const auto [x0, x1] = around(low.x, 8 * bin);
    const auto [y0, y1] = around(low.y, 8 * bin);
    const auto [z0, z1] = around(low.z, 8 * bin);
    const Int3 size = Int3{x1 - x0, y1 - y0, z1 - z0} + Int3{1, 1, 1};
    std::vector<char> reached(std::size_t(size.x) * size.y * size.z, 0);
    for (int b = 0; b < ParticleBins::volume; ++b) {
      if (t.first[std::size_t(b)] == t.first[std::size_t(b) + 1]) continue;
      const Vec3f at = low + Int3{b % 8, b / 8 % 8, b / 64}.as<float>() * bin;
      const auto [bx0, bx1] = around(at.x, bin);
      const auto [by0, by1] = around(at.y, bin);
      const auto [bz0, bz1] = around(at.z, bin);
      for (int z = bz0; z <= bz1; ++z)
        for (int y = by0; y <= by1; ++y)
          for (int x = bx0; x <= bx1; ++x)
            reached[(std::size_t(z - z0) * size.y + std::size_t(y - y0)) * size.x + std::size_t(x - x0)] = 1;
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const Int3 block{x0 + int(i) % size.x, y0 + int(i) / size.x % size.y, z0 + int(i) / size.x / size.y};
      if (reached[i] && range.meets(block)) near[std::size_t(n)].push_back(block);
    }
  }
  std::vector<Int3> all;
  for (const auto& list : near) all.insert(all.end(), list.begin(), list.end());
  std::sort(all.begin(), all.end(), block_before);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<char> inside(all.size());
#pragma omp parallel for schedule(dynamic, 16) num_threads(exec.threads())
  for (std::int64_t i = 0; i < std::int64_t(all.size()); ++i) {
    const Int3 block = all[std::size_t(i)];
    inside[std::size_t(i)] = is_deep(bins, block) && !must_cut(block);
  }
  for (std::size_t i = 0; i < all.size(); ++i) (inside[i] ? field.full : field.at).push_back(all[i]);
}

}  // namespace silt
