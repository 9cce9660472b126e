#include "silt/app/surface_files.h"

#include <set>

#include "silt/cache/mesh_file.h"
#include "silt/cache/run_folder.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/surface/level_set_file.h"
#include "silt/surface/surface.h"

namespace silt {
namespace {

std::set<std::string> materials_of(const Frame& frame) {
  std::set<std::string> out;
  for (const Points& points : frame.points) out.insert(points.material);
  for (const Volume& volume : frame.volumes)
    if (volume.name == "surface" && volume.kind == Volume::Kind::level_set) out.insert(volume.material);
  return out;
}

}  // namespace

std::vector<SurfaceFile> surface_files(const Frame& frame, const SurfaceParams& params, bool level_set,
                                       const std::string& instant, const Exec& exec) {
  std::vector<SurfaceFile> out;
  for (const std::string& material : materials_of(frame)) {
    BlockField field;
    Mesh mesh = surface_of_frame(frame, material, params, exec, level_set ? &field : nullptr);
    if (!instant.empty()) mesh.name += '.' + instant;
    // Only the frame's own surface is part of the frame when it is read again.
    out.push_back({RunFolder::mesh_name(material, mesh.name, frame.number), instant.empty() ? "mesh" : "between",
                   encode_mesh(frame, mesh)});
    if (level_set)
      out.push_back({RunFolder::level_set_name(material, mesh.name, frame.number), "level_set",
                     encode_level_set(frame, material, field)});
  }
  return out;
}

}  // namespace silt
