#include "silt/sim/estimate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "silt/geometry/mesh_sequence.h"
#include "silt/physics/common/force_fields.h"
#include "silt/render/camera.h"
#include "silt/render/look_scales.h"
#include "silt/sim/estimate_parts.h"

namespace silt {
namespace {

/// The fastest any part of an obstacle moves in the domain, looked at often.
double fastest_motion(const Scene& scene, const Obstacle& obstacle) {
  constexpr int looks = 200;
  double out = 0;
  for (int i = 0; i <= looks && !(still(obstacle) && i > 0); ++i)
    out = std::max(out, fastest_part(obstacle, scene.setting.domain, scene.run.frames / scene.run.fps * i / looks));
  return out;
}

}  // namespace

double fastest(const Animated<Vec3d>& velocity) {
  double out = 0;
  for (const auto& key : velocity.keys()) out = std::max(out, length(key.second));
  return out;
}

double highest(const Animated<double>& value) {
  double out = 0;
  for (const auto& key : value.keys()) out = std::max(out, key.second);
  return out;
}

double speed_beside_solids(const Scene& scene) {
  double out = 0;
  for (const Obstacle& obstacle : scene.setting.obstacles) out = std::max(out, 1.5 * fastest_motion(scene, obstacle));
  for (const Wall& wall : scene.setting.walls)
    if (wall.no_slip || wall.friction.value_or(0) > 0) out = std::max(out, fastest(wall.velocity));
  return out;
}

double driven_speed(const Scene& scene) {
  const Setting& s = scene.setting;
  double push = 0, wind = 0;
  for (int i = 0; i <= 16; ++i) {
    const double t = scene.run.frames / scene.run.fps * i / 16;
    push = std::max(push, largest_push(s.forces, t));
    wind = std::max(wind, fastest_wind(s.forces, t));
  }
  const Vec3d extent = s.domain.upper() - s.domain.lower();
  return std::max(wind, 0.5 * std::sqrt(push * std::max({extent.x, extent.y, extent.z})));
}

double mesh_bytes(const Setting& s) {
  std::map<const void*, std::size_t> meshes;
  const auto include = [&](const Shape& shape) {
    for (const Shape::MeshPart& part : shape.meshes()) {
      meshes[part.data.get()] = part.data->bytes();
      if (part.sequence) meshes[part.sequence.get()] = part.sequence->bytes();
    }
  };
  for (const Obstacle& o : s.obstacles) include(o.shape);
  for (const Source& source : s.sources) include(source.shape);
  for (const Emitter& emitter : s.emitters) include(emitter.shape);
  for (const Sink& sink : s.sinks) include(sink.shape);
  const auto include_any = [&](const auto& blocks) {
    for (const auto& b : blocks)
      if (b.shape) include(*b.shape);
  };
  include_any(s.inflows);
  include_any(s.fills);
  include_any(s.forces);
  double out = 0;
  for (const auto& [mesh, bytes] : meshes) out += double(bytes);
  return out;
}

double substeps_per_frame(const Scene& scene, double longest) {
  return std::max(1.0, std::ceil(1 / scene.run.fps / longest));
}

namespace {

/// What a picture takes while a run goes on, measured at half a megapixel to eight.
void include_pictures(const Scene& scene, SceneEstimate& out) {
  const PictureSize size = picture_size(scene.setting.domain, scene.picture.camera);
  const double pixels = double(size.width) * size.height;
  const bool flat = !scene.setting.domain.lattice.active.z;
  // [bytes]: light, what is known of a pixel beside it, and two layers of the denoiser; grains with their place in
  // Embree's tree.
  constexpr double per_pixel = 153, per_flat_pixel = 19, per_grain = 50;
  constexpr double on_disk = 0.6, flat_on_disk = 0.3;  // [bytes] a pixel, its film's share included
  out.picture_memory = pixels * (flat ? per_flat_pixel : per_pixel);
  if (scene.sand && !flat)
    out.picture_memory += per_grain * double(out.particles) * balls_per_grain(out.particles, scene.picture.look);
  out.disk_bytes_per_picture = pixels * (flat ? flat_on_disk : on_disk);
}

}  // namespace

SceneEstimate estimate(const Scene& scene) {
  SceneEstimate out = scene.has_particles() ? estimate_particles(scene)
                      : scene.gas           ? estimate_gas(scene)
                                            : estimate_smoke(scene);
  include_pictures(scene, out);
  return out;
}

double peak_memory(const SceneEstimate& cost, bool pictures) {
  constexpr double program = 6e7;  // with its libraries, of which 5e7 are pages of their files
  return program + cost.memory_bytes + (pictures ? cost.picture_memory : 0);
}

double disk_needed(const Scene& scene, const SceneEstimate& cost, bool pictures, int after) {
  constexpr double stats_line = 2e3;  // [bytes], and its lines in the manifest
  const auto kept = [&](int frames) { return std::ceil(double(frames) / scene.output.every); };
  const int all = scene.run.frames, done = std::min(after, all);
  return (kept(all) - kept(done)) * cost.disk_bytes_per_frame +
         (all - done) * (stats_line + (pictures ? cost.disk_bytes_per_picture : 0)) + 2 * cost.checkpoint_bytes;
}

}  // namespace silt
