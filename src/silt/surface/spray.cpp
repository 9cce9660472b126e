#include "silt/surface/spray.h"

#include <algorithm>
#include <cmath>

#include "silt/core/joined_sets.h"
#include "silt/surface/block_mesh.h"
#include "silt/surface/zhu_field.h"

namespace silt {
namespace {

constexpr int rounds = 6;  // of growing, at the most
constexpr double close_enough = 0.01;
constexpr float most_growth = 0.35f, most_shrinking = -0.2f;  // [cells]

}  // namespace

int Spray::finer_for(float cell) {
  return cell < 1.5f ? 4 : cell < 3 ? 2 : 1;
}

Spray::Spray(const Exec& exec, const Cloud& cloud, const Clusters& clusters, const Scale& scale, int finer,
             const Domain& domain, const Solid& solid)
    : finer_(finer),
      cell_(scale.cell),
      reach_(scale.reach),
      bins_(exec, spray_alone(cloud, clusters, float(finer)), cell_),
      sizes_(clusters.sizes) {
  std::uint32_t most = 0;
  for (const std::uint32_t from : bins_.cloud().from) most = std::max(most, from);
  std::vector<std::uint32_t> group_of(std::size_t(most) + 1, 0);
  for (std::size_t i = 0; i < cloud.count(); ++i)
    if (clusters.of[i] < sizes_.size()) group_of[cloud.from[i]] = clusters.of[i];
  for (const std::uint32_t from : bins_.cloud().from) group_.push_back(group_of[from]);

  const std::vector<float> drops = find_drops(exec, bins_, cell_, 0.4f);
  const ZhuKernel kernel = zhu_kernel(cell_, reach_, drops.data());
  const VoxelRange range = scale.range(domain);
  field_.lattice = scale.voxels;
  field_.inside = -kernel.radius, field_.outside = kernel.far;
  list_blocks(
      exec, bins_, reach_, range, [](Int3) { return true; }, field_);
  fill_blocks(exec, bins_, reach_, range, kernel, field_);
  field_.link(exec);
  let_grow(exec, Cut(domain, scale.voxels, solid));
}

void Spray::let_grow(const Exec& exec, const Cut& cut) {
  const std::vector<float> base = field_.values;
  const float inverse = 1 / (reach_ * reach_);
  std::vector<float> growth(sizes_.size(), 0.0f);
  for (int round = 0;; ++round) {
    cut.apply(exec, field_);
    mesh_ = mesh_of(exec, field_);
    if (round == rounds) return;
    const std::vector<Size> now = measured(mesh_);
    if (std::all_of(now.begin(), now.end(),
                    [](const Size& s) { return std::abs(s.volume / s.wanted - 1) < close_enough; }))
      return;
    for (std::size_t g = 0; g < growth.size(); ++g) {
      const double more = now[g].area > 0 ? (now[g].wanted - now[g].volume) / now[g].area : 0.1 * cell_;
      growth[g] = std::clamp(growth[g] + float(more), most_shrinking * cell_, most_growth * cell_);
    }
    field_.values = base;
    for_each_packet(
        exec, bins_, reach_, field_, [](int, Int3, int count) { return count > 0; },
        [&, inverse](int slot, Int3 at, const NearParticles& near) {
          Lanes weight{}, sum{};
          for (std::size_t i = 0; i < std::size_t(near.count); ++i) {
            const Lanes x = all_lanes(near.x[i]) - packet_x, y = all_lanes(near.y[i]) - packet_y,
                        z = all_lanes(near.z[i]) - packet_z;
            const Lanes rest = positive_part(all_lanes(1) - (x * x + y * y + z * z) * all_lanes(inverse));
            const Lanes k = rest * rest * rest;
            weight += k, sum += k * all_lanes(growth[group_[near.number[i]]]);
          }
          for (int l = 0; l < 8; ++l)
            if (weight[l] > 0) field_.block(slot)[packet_voxel(at, l)] -= sum[l] / weight[l];
        });
  }
}

/// How much the mesh of each group encloses, and how much it should [voxels]. Groups whose meshes have met are one.
std::vector<Spray::Size> Spray::measured(const Mesh& mesh) const {
  const std::size_t corners = mesh.positions.size();
  JoinedSets parts(corners), groups(sizes_.size());
  for (const Int3& t : mesh.triangles)
    parts.join(std::uint32_t(t.x), std::uint32_t(t.y)), parts.join(std::uint32_t(t.y), std::uint32_t(t.z));
  std::vector<Vec3d> place(corners);
  std::vector<std::uint32_t> group_of(corners, Clusters::none);  // by the root of a part
  for (std::uint32_t i = 0; i < corners; ++i) {
    place[i] = field_.lattice.to_cells(mesh.positions[i].as<double>());
    const std::uint32_t near = group_near(place[i].as<float>());
    if (near == Clusters::none) continue;
    std::uint32_t& of_part = group_of[parts.root(i)];
    if (of_part == Clusters::none) of_part = near;
    groups.join(of_part, near);
  }
  std::vector<Size> sums(sizes_.size());
  for (std::uint32_t g = 0; g < sizes_.size(); ++g)
    sums[groups.root(g)].wanted += double(sizes_[g]) * std::pow(double(cell_), 3) / 8;
  for (const Int3& t : mesh.triangles) {
    const std::uint32_t part = parts.root(std::uint32_t(t.x));
    if (group_of[part] == Clusters::none) continue;
    Size& size = sums[groups.root(group_of[part])];
    const Vec3d o = place[part], a = place[std::size_t(t.x)] - o, b = place[std::size_t(t.y)] - o,
                c = place[std::size_t(t.z)] - o;
    size.volume += dot(a, cross(b, c)) / 6;
    size.area += 0.5 * length(cross(b - a, c - a));
  }
  std::vector<Size> out;
  for (std::uint32_t g = 0; g < sizes_.size(); ++g) out.push_back(sums[groups.root(g)]);
  return out;
}

/// That of the nearest particle within a cell, if there is one.
std::uint32_t Spray::group_near(const Vec3f& at) const {
  const Cloud& cloud = bins_.cloud();
  const Vec3f r{cell_, cell_, cell_};
  std::uint32_t found = Clusters::none;
  float least = cell_;
  bins_.for_runs(at - r, at + r, [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
      const float d = length(Vec3f{cloud.x[i], cloud.y[i], cloud.z[i]} - at);
      if (d < least) least = d, found = group_[i];
    }
  });
  return found;
}

void Spray::add_to(BlockField& field) const {
  const int each = BlockField::side / finer_;
  for (int slot = 0; slot < field_.slots(); ++slot) {
    const Int3 corner = field_.at[std::size_t(slot)] * each;  // in voxels of `field`
    const int to_slot = field.find({corner.x >> 3, corner.y >> 3, corner.z >> 3});
    if (to_slot < 0) continue;
    const float* const from = field_.block(slot);
    float* const to = field.block(to_slot);
    for (int v = 0; v < each * each * each; ++v) {
      const Int3 at{v % each, v / each % each, v / each / each};
      // The middle of a voxel is that of a finer one, or lies between eight.
      float sum = 0;
      const Int3 low = at * finer_ + (finer_ == 1 ? Int3{} : Int3{1, 1, 1} * (finer_ / 2 - 1));
      const int step = finer_ == 1 ? 0 : 1;
      for (int k = 0; k < 8; ++k) {
        const Int3 x = low + Int3{k & 1, k >> 1 & 1, k >> 2 & 1} * step;
        sum += from[(x.z * 8 + x.y) * 8 + x.x];
      }
      const Int3 voxel = corner + at;
      float& phi = to[((voxel.z & 7) * 8 + (voxel.y & 7)) * 8 + (voxel.x & 7)];
      phi = std::min(phi, sum / float(8 * finer_));
    }
  }
}

}  // namespace silt
