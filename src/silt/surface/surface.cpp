#include "silt/surface/surface.h"

#include <algorithm>
#include <cmath>

#include "silt/core/error.h"
#include "silt/surface/anisotropic_field.h"
#include "silt/surface/block_mesh.h"
#include "silt/surface/corner_attributes.h"
#include "silt/surface/corner_velocities.h"
#include "silt/surface/cut.h"
#include "silt/surface/level_set_surface.h"
#include "silt/surface/smoothing.h"
#include "silt/surface/voxel_velocities.h"
#include "silt/surface/zhu_field.h"

namespace silt {
namespace {

/// Lengths the surface is made with, in voxels.
struct Scale {
  Lattice voxels;
  float cell;   ///< the side of a cube that eight particles fill
  float reach;  ///< R
  int passes;   ///< of smoothing
  int beyond;   ///< voxels beyond the domain's sides that are worked out

  Scale(const SurfaceParams& params, const Domain& domain) {
    voxels = {domain.lower(), params.voxel * domain.lattice.h, {1, 1, 1}};
    cell = float(2 * params.spacing / params.voxel);
    reach = 1.5f * std::max(cell, 1.0f);
    // A pass smooths over a voxel: as many more of them where voxels are small.
    passes = params.smooth == 0 ? 0 : std::max(1, int(std::lround(params.smooth * 0.25 * cell * cell)));
    beyond = passes + 2;
  }
  /// How far beyond the sides there are images [m].
  double depth() const { return (reach + beyond + cell) * voxels.h; }

  VoxelRange range(const Domain& domain) const {
    const Vec3d size = (domain.upper() - domain.lower()) / voxels.h;
    const auto up = [&](double x) { return int(std::ceil(x - 1e-6)) + beyond; };
    return {Int3{-beyond, -beyond, -beyond}, {up(size.x), up(size.y), up(size.z)}};
  }
};

bool has_points(const Frame& frame, std::string_view material) {
  return std::any_of(frame.points.begin(), frame.points.end(),
                     [&](const Points& p) { return p.material == material && p.count() > 0; });
}

Mesh surface_of_points(const Frame& frame, std::string_view material, const SurfaceParams& params, const Exec& exec,
                       bool with_velocities, BlockField& field) {
  const Scale scale(params, frame.domain);
  const Solid solid(frame);
  const Cut cut(frame.domain, scale.voxels, solid);
  const VoxelRange range = scale.range(frame.domain);
  const double reach = scale.reach * scale.voxels.h;
  const ParticleBins bins(exec, make_cloud(frame, material, scale.voxels, scale.depth(), reach, solid), scale.cell);

  const Vec3d size = (frame.domain.upper() - frame.domain.lower()) / scale.voxels.h;
  const bool flat_blobs = params.kernel == SurfaceParams::Kernel::anisotropic;
  const Drops drops = find_drops(exec, bins, scale.cell, size.as<float>(), flat_blobs ? 0.3f : 0.4f);
  const ZhuKernel kernel = zhu_kernel(scale.cell, scale.reach, drops.radius.data());
  const float farthest = flat_blobs ? longest_blob * scale.reach : scale.reach;
  field.lattice = scale.voxels;
  field.inside = -kernel.radius, field.outside = kernel.far;
  list_blocks(
      exec, bins, farthest, range, [&](Int3 block) { return cut.near(block); }, field);
  if (flat_blobs) {
    const std::vector<Blob> blobs = make_blobs(exec, bins, scale.cell, scale.reach);
    fill_blocks(exec, bins, farthest, range, AnisotropicKernel{kernel, blobs.data(), kernel.length}, field);
  } else {
    fill_blocks(exec, bins, farthest, range, kernel, field);
  }
  field.link(exec);
  smooth_down(exec, scale.passes, field);
  cut.apply(exec, field);
  field.close_gaps(exec);
  Mesh mesh = mesh_of(exec, field);
  add_velocities(exec, bins, scale.voxels, scale.reach, mesh);
  add_balls(drops.alone, scale.voxels, mesh);
  add_balls(drops.alone, field);
  add_attributes(exec, {frame, material, params.attributes}, bins, scale.voxels, scale.reach, drops.alone, mesh);
  if (with_velocities) add_voxel_velocities(exec, bins, scale.reach, field);
  return mesh;
}

Mesh surface_of_level_set(const Frame& frame, std::string_view material, const SurfaceParams& params, const Exec& exec,
                          bool with_velocities, BlockField& field) {
  const Lattice voxels{frame.domain.lower(), params.voxel * frame.domain.lattice.h, {1, 1, 1}};
  const Solid solid(frame);
  const Cut cut(frame.domain, voxels, solid);
  if (!field_of_level_set(frame, material, voxels, cut, exec, field)) return {};
  cut.apply(exec, field);
  field.close_gaps(exec);
  Mesh mesh = mesh_of(exec, field);
  add_velocities_of_volume(frame, material, exec, mesh);
  if (with_velocities) add_voxel_velocities(exec, frame, material, field);
  return mesh;
}

}  // namespace

Mesh surface_of_frame(const Frame& frame, std::string_view material, const SurfaceParams& params, const Exec& exec,
                      BlockField* level_set) {
  if (frame.domain.lattice.dims() < 3) throw InputError("surfaces are made of 3D runs; this one is flat");
  BlockField own;
  BlockField& field = level_set ? *level_set : own;
  field = {};
  const bool with_velocities = level_set != nullptr;
  Mesh mesh = has_points(frame, material) ? surface_of_points(frame, material, params, exec, with_velocities, field)
                                          : surface_of_level_set(frame, material, params, exec, with_velocities, field);
  mesh.material = material;
  mesh.name = "surface";
  return mesh;
}

}  // namespace silt
