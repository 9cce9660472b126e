#include "silt/surface/surface.h"

#include <algorithm>
#include <optional>

#include "silt/core/error.h"
#include "silt/surface/anisotropic_field.h"
#include "silt/surface/balls.h"
#include "silt/surface/block_mesh.h"
#include "silt/surface/corner_attributes.h"
#include "silt/surface/corner_velocities.h"
#include "silt/surface/cut.h"
#include "silt/surface/level_set_surface.h"
#include "silt/surface/smoothing.h"
#include "silt/surface/spray.h"
#include "silt/surface/voxel_velocities.h"
#include "silt/surface/zhu_field.h"

namespace silt {
namespace {

/// Particles farther apart than this [cells] have surfaces that do not meet.
constexpr float apart = 0.8f;
/// Of so many particles at the most a group is spray: a ball of three cells, which Zhu's field has right to 5 %.
constexpr std::uint32_t most_of_spray = 1000;

bool has_points(const Frame& frame, std::string_view material) {
  return std::any_of(frame.points.begin(), frame.points.end(),
                     [&](const Points& p) { return p.material == material && p.count() > 0; });
}

/// Where there is no liquid: the same voxels and the same attributes as in other frames, and nothing in them.
Mesh nothing(const Frame& frame, const SurfaceParams& params, BlockField& field) {
  const Scale scale(params, frame.domain);
  const ZhuKernel kernel = zhu_kernel(scale.cell, scale.reach, nullptr);
  field.lattice = scale.voxels;
  field.inside = -kernel.radius, field.outside = kernel.far;
  Mesh mesh;
  for (const std::string& name : params.attributes) {
    const bool again =
        std::any_of(mesh.attributes.begin(), mesh.attributes.end(), [&](const Attribute& a) { return a.name == name; });
    if (name != "Cd" && !again) mesh.attributes.push_back({name, attribute_unit(name), {}});
  }
  return mesh;
}

void append(Mesh& to, const Mesh& from) {
  const auto add = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
  const int first = int(to.positions.size());
  add(to.positions, from.positions), add(to.normals, from.normals), add(to.velocities, from.velocities);
  add(to.colour, from.colour);
  for (const Int3& t : from.triangles) to.triangles.push_back(t + Int3{first, first, first});
  for (std::size_t a = 0; a < from.attributes.size(); ++a) add(to.attributes[a].values, from.attributes[a].values);
}

/// The field of all but the spray, on all blocks that any particle reaches. Only the body itself makes a block full:
/// within a large drop of spray there is nothing of it.
void fill_body(const Exec& exec, const ParticleBins& all, const ParticleBins& body, const Scale& scale,
               const SurfaceParams& params, const Cut& cut, const VoxelRange& range, BlockField& field) {
  const bool flat_blobs = params.kernel == SurfaceParams::Kernel::anisotropic;
  const std::vector<float> drops = find_drops(exec, body, scale.cell, flat_blobs ? 0.3f : 0.4f);
  const ZhuKernel kernel = zhu_kernel(scale.cell, scale.reach, drops.data());
  const float farthest = flat_blobs ? longest_blob * scale.reach : scale.reach;
  field.lattice = scale.voxels;
  field.inside = -kernel.radius, field.outside = kernel.far;
  list_blocks(
      exec, all, farthest, range, [&](Int3 block) { return cut.near(block) || !is_deep(body, block); }, field);
  if (flat_blobs) {
    const std::vector<Blob> blobs = make_blobs(exec, body, scale.cell, scale.reach);
    fill_blocks(exec, body, farthest, range, AnisotropicKernel{kernel, blobs.data(), kernel.length}, field);
  } else {
    fill_blocks(exec, body, farthest, range, kernel, field);
  }
}

Mesh surface_of_points(const Frame& frame, std::string_view material, const SurfaceParams& params, const Exec& exec,
                       bool with_velocities, BlockField& field) {
  const Scale scale(params, frame.domain);
  const Solid solid(frame);
  const Cut cut(frame.domain, scale.voxels, solid);
  const double reach = scale.reach * scale.voxels.h;
  const AttributeSource attributes{frame, material, params.attributes};
  const ParticleBins all(exec, make_cloud(frame, material, scale.voxels, scale.depth(), reach, solid), scale.cell);
  const Vec3f size = ((frame.domain.upper() - frame.domain.lower()) / scale.voxels.h).as<float>();
  const Clusters clusters = find_clusters(exec, all, apart * scale.cell, most_of_spray, drop_radius * scale.cell, size);
  std::optional<ParticleBins> rest;
  if (!clusters.empty()) rest.emplace(exec, without_spray(all.cloud(), clusters), scale.cell);
  const ParticleBins& body = rest ? *rest : all;

  fill_body(exec, all, body, scale, params, cut, scale.range(frame.domain), field);
  field.link(exec);
  const VoxelRange domain = scale.of(frame.domain);
  smooth_down(exec, scale.passes, domain, field);
  even_out(exec, scale.steps, find_thick(exec, body, field), domain, field);
  cut.apply(exec, field);
  field.close_gaps(exec);
  Mesh mesh = mesh_of(exec, field);
  add_velocities(exec, body, scale.voxels, scale.reach, mesh);
  add_attributes(exec, attributes, body, scale.voxels, scale.reach, {}, mesh);
  if (!clusters.sizes.empty()) {
    const int finer = Spray::finer_for(scale.cell);
    SurfaceParams fine = params;
    fine.voxel /= finer;
    const Scale small(fine, frame.domain);
    const Spray spray(exec, all.cloud(), clusters, small, finer, frame.domain, solid);
    Mesh drops = spray.mesh();
    add_velocities(exec, spray.bins(), small.voxels, small.reach, drops);
    add_attributes(exec, attributes, spray.bins(), small.voxels, small.reach, {}, drops);
    append(mesh, drops);
    spray.add_to(field);
  }
  if (!clusters.alone.empty()) {
    Mesh balls;
    add_balls(clusters.alone, scale.voxels, balls);
    add_attributes(exec, attributes, all, scale.voxels, scale.reach, clusters.alone, balls);
    append(mesh, balls);
    add_balls(clusters.alone, field);
  }
  if (with_velocities) add_voxel_velocities(exec, all, scale.reach, field);
  return mesh;
}

Mesh surface_of_level_set(const Frame& frame, std::string_view material, const SurfaceParams& params, const Exec& exec,
                          bool with_velocities, BlockField& field) {
  const Lattice voxels{frame.domain.lower(), params.voxel * frame.domain.lattice.h, {1, 1, 1}};
  const Solid solid(frame);
  const Cut cut(frame.domain, voxels, solid);
  if (!field_of_level_set(frame, material, voxels, cut, exec, field)) return nothing(frame, params, field);
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
