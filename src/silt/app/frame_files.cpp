#include "silt/app/frame_files.h"

#include <algorithm>

#include "silt/app/surface_files.h"

namespace silt {
namespace {

Frame kept_parts(Frame frame, const OutputParams& output) {
  if (!output.points) frame.points.clear();
  std::erase_if(frame.volumes, [&](const Volume& volume) {
    return std::find(output.volumes.begin(), output.volumes.end(), volume.name) == output.volumes.end();
  });
  return frame;
}

}  // namespace

bool is_kept(int frame, const Scene& scene) {
  return (frame - 1) % std::max(1, scene.output.every) == 0;
}

void write_parts(RunFolder& folder, const Frame& frame, const Scene& scene) {
  if (!is_kept(frame.number, scene)) return;
  const Frame kept = kept_parts(frame, scene.output);
  folder.write_volumes(kept, {.half = scene.output.half});
  folder.write_points(kept, {.half = scene.output.half});
  folder.write_bodies(kept);
}

void write_surface(RunFolder& folder, const Frame& frame, const Scene& scene, const Exec& exec) {
  if (!scene.output.surface || !is_kept(frame.number, scene)) return;
  for (const SurfaceFile& file : surface_files(frame, scene.surface, /*level_set=*/false, "", exec))
    folder.write_file(file.name, file.kind, frame.number, file.bytes.text());
}

}  // namespace silt
