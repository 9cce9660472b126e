#pragma once

#include "silt/fields/frame.h"
#include "silt/render/camera.h"
#include "silt/render/lights.h"
#include "silt/render/medium.h"
#include "silt/render/stage_geometry.h"

namespace silt {

/// What one path brought to its pixel: light, and what surface it first met, for the denoiser and compositing.
struct Sighting {
  Colour light;
  Colour behind;  ///< of the light: the background, where nothing is before it
  Colour albedo{1, 1, 1};
  Vec3f normal;     ///< towards the camera's side; zero when nothing was met
  float depth = 0;  ///< along the camera's axis [m]; 0 when nothing was met
  float alpha = 0;  ///< 1 when something was met, smoke too, 0 for the background
};

/// Follows light from the camera back to where it came from, through a frame: a path tracer [Kajiya 1986].
class Tracer {
 public:
  Tracer(const Frame& frame, const RenderParams& params, const Exec& exec);

  PictureSize size() const { return camera_.size; }
  /// A path through the pixel with its top left corner at (x, y).
  Sighting sample(int x, int y, Sampler& sampler) const;
  std::size_t bytes() const { return geometry_.bytes(); }

 private:
  struct Path;
  void follow(Path& path, Sampler& sampler, Sighting& seen) const;
  void leave(Path& path) const;
  void give_up(Path& path) const;
  void scatter_in_smoke(Path& path, const Medium::Event& event, Sampler& sampler) const;
  void go_through_water(Path& path, float way) const;
  void cross_water(Path& path, const Hit& hit, float choice, Sampler& sampler) const;
  void part_at_water(Path& path, const Hit& hit, Sampler& sampler, Sighting& seen) const;
  void leave_grain(Path& path, const Hit& hit) const;
  void bounce(Path& path, const Hit& hit, Sampler& sampler) const;
  bool roulette(Path& path, Sampler& sampler) const;
  Colour sun_along(const Path& path, const Vec3f& x, const Vec3f& direction) const;
  template <class Share>
  void ask_flames(Path& path, const Vec3f& x, Sampler& sampler, const Share& share) const;
  void note(const Path& path, const Hit& hit, Sighting& seen) const;
  float lit_share(const Vec3f& x) const;

  Camera camera_;
  Vec3f origin_;   // of the camera [cells]
  double h_;       // [m]
  bool in_water_;  // the camera is
  Lights lights_;
  CoatedLook coated_;
  Medium medium_;
  StageGeometry geometry_;
  Colour absorption_, glow_;  // of water [1/cell]; share of its light that deep water sends back
  Vec3f middle_;
  float reach_;  // half the domain's diagonal; the ground's height [cells]
  int most_bounces_, most_scatterings_, roulette_from_;
  float faint_, brightest_;  // light that is asked for only now and then; that a path brings at most, but by a mirror
};

}  // namespace silt
