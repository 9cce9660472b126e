#include "silt/surface/level_set_surface.h"

#include <algorithm>
#include <cmath>

#include "silt/surface/volume_sampler.h"

namespace silt {
namespace {

/// Blocks that a volume's boxes reach.
std::vector<Int3> blocks_of(const VolumeSampler& phi, const Domain& domain, const Lattice& voxels) {
  std::vector<Int3> blocks;
  for (const Volume* part : phi.parts()) {
    const Lattice& lattice = domain.lattice;
    const Vec3d margin{2, 2, 2};  // cells: one between which it falls to the background, one beyond sides
    const Vec3d lo = voxels.to_cells(lattice.origin + (part->cells.lo.as<double>() - margin) * lattice.h);
    const Vec3d hi = voxels.to_cells(lattice.origin + (part->cells.hi.as<double>() + margin) * lattice.h);
    const auto down = [](double x) { return int(std::floor(x / BlockField::side)); };
    for (int z = down(lo.z); z <= down(hi.z); ++z)
      for (int y = down(lo.y); y <= down(hi.y); ++y)
        for (int x = down(lo.x); x <= down(hi.x); ++x) blocks.push_back({x, y, z});
  }
  std::sort(blocks.begin(), blocks.end(), block_before);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

enum class Where : char { outside, inside, between };

}  // namespace

bool field_of_level_set(const Frame& frame, std::string_view material, const Lattice& voxels, const Cut& cut,
                        const Exec& exec, BlockField& field) {
  const VolumeSampler phi(frame, "surface", Volume::Kind::level_set, material);
  if (phi.none()) return false;
  field.lattice = voxels;
  field.outside = float(phi.background() / voxels.h);
  field.inside = -field.outside;
  const std::vector<Int3> blocks = blocks_of(phi, frame.domain, voxels);
  // The middle tells which blocks the surface cannot reach: a distance falls by at most 1 a voxel, about.
  constexpr double half_diagonal = 7.5;
  std::vector<Where> where(blocks.size());
#pragma omp parallel for schedule(dynamic, 16) num_threads(exec.threads())
  for (std::int64_t i = 0; i < std::int64_t(blocks.size()); ++i) {
    const Int3 block = blocks[std::size_t(i)];
    const double value = phi.at(voxels.origin + ((block * 8).as<double>() + Vec3d{4, 4, 4}) * voxels.h) / voxels.h;
    const double far = std::min(half_diagonal, 0.99 * double(field.outside));
    const bool decided = half_diagonal < field.outside && std::abs(value) > far && !cut.near(block);
    where[std::size_t(i)] = !decided ? Where::between : value < 0 ? Where::inside : Where::outside;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (where[i] == Where::inside) field.full.push_back(blocks[i]);
    if (where[i] == Where::between) field.at.push_back(blocks[i]);
  }
  field.values.resize(field.at.size() * BlockField::volume);
#pragma omp parallel for schedule(dynamic, 4) num_threads(exec.threads())
  for (int slot = 0; slot < field.slots(); ++slot) {
    float* value = field.block(slot);
    const Int3 corner = field.at[std::size_t(slot)] * 8;
    for (int v = 0; v < BlockField::volume; ++v) {
      const Int3 voxel = corner + Int3{v % 8, v / 8 % 8, v / 64};
      value[v] = float(phi.at(voxels.centre(voxel)) / voxels.h);
    }
  }
  field.link(exec);
  return true;
}

void add_velocities_of_volume(const Frame& frame, std::string_view material, const Exec& exec, Mesh& mesh) {
  const VolumeSampler velocity(frame, "velocity", Volume::Kind::vector, material);
  if (velocity.none()) return;
  mesh.velocities.resize(mesh.positions.size());
#pragma omp parallel for schedule(static) num_threads(exec.threads())
  for (std::int64_t i = 0; i < std::int64_t(mesh.positions.size()); ++i)
    for (int a = 0; a < 3; ++a)
      mesh.velocities[std::size_t(i)][a] = float(velocity.at(mesh.positions[std::size_t(i)].as<double>(), a));
}

}  // namespace silt
