#include "silt/render/march.h"

#include <algorithm>
#include <cmath>

#include "silt/render/camera.h"
#include "silt/render/stage.h"

namespace silt {

namespace {

/// A number in [0, 1) for each pixel whose neighbours differ much: hides the steps of a march behind fine grain.
float pixel_jitter(int x, int y) {
  const double v = 0.7548776662466927 * x + 0.5698402909980532 * y;  // the R2 sequence [Roberts 2018]
  return float(v - std::floor(v));
}

/// Rays in cells: origin, and for a pixel position the direction of length 1.
struct RayMaker {
  Camera camera;
  Vec3f origin;

  RayMaker(const Camera& c, const Lattice& lattice) : camera(c), origin(lattice.to_cells(c.position).as<float>()) {}
  Vec3f direction(double px, double py) const { return normalized(camera.direction(px, py)).as<float>(); }
};

/// What a pixel's ray met, how far off [cells], and what it saw there.
struct Met {
  Seen what = Seen::nothing;
  float t = 0;
  Colour light;
};

/// Whether an outline passes between two pixels: of a solid, or of water, before other water too, or in it.
bool is_outline(const Met& a, const Met& b) {
  constexpr float jump = 3, contrast = 0.12f;
  if (a.what == Seen::water && b.what == Seen::water)
    return std::abs(a.t - b.t) > jump || length(a.light - b.light) > contrast;
  return a.what != b.what &&
         (a.what == Seen::solid || b.what == Seen::solid || a.what == Seen::water || b.what == Seen::water);
}

bool at_edge(const std::vector<Met>& met, PictureSize size, int x, int y) {
  const Met& here = met[std::size_t(y) * size.width + x];
  for (int j = std::max(y - 1, 0); j <= std::min(y + 1, size.height - 1); ++j)
    for (int i = std::max(x - 1, 0); i <= std::min(x + 1, size.width - 1); ++i)
      if (is_outline(here, met[std::size_t(j) * size.width + i])) return true;
  return false;
}

}  // namespace

Image march_frame(const Frame& frame, const RenderParams& params, const Exec& exec) {
  const Stage stage(frame, params.look, exec);
  const RayMaker rays(make_camera(frame.domain, params.camera), frame.domain.lattice);
  const PictureSize size = rays.camera.size;
  const Vec3f middle = 0.5f * (frame.domain.cells.lo + frame.domain.cells.hi).as<float>();
  const float pixel =
      float(2 * rays.camera.tan_y / size.height) * length(middle - rays.origin);  // at the domain [cells]
  const float step = std::max(0.5f, pixel);

  Image image(size.width, size.height);
  std::vector<Met> met(std::size_t(size.width) * size.height);
  const auto shade = [&](double px, double py, float jitter, Met* what) {
    const Vec3f direction = rays.direction(px, py);
    const Surface surface = stage.surface(rays.origin, direction, jitter);
    const Colour light = stage.smoke_over(surface, rays.origin, direction, step, jitter);
    if (what) *what = {surface.what, surface.t, light};
    return light;
  };
#pragma omp parallel for num_threads(exec.threads()) schedule(dynamic, 4)
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      image.at(x, y) = shade(x + 0.5, y + 0.5, pixel_jitter(x, y), &met[std::size_t(y) * size.width + x]);

      // Nine rays for each pixel on an outline.
#pragma omp parallel for num_threads(exec.threads()) schedule(dynamic, 4)
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      if (!at_edge(met, size, x, y)) continue;
      Colour sum;
      for (int i = 0; i < 9; ++i)
        sum += shade(x + (i % 3 + 0.5) / 3, y + (i / 3 + 0.5) / 3, pixel_jitter(3 * x + i % 3, 3 * y + i / 3), nullptr);
      image.at(x, y) = sum * (1.0f / 9);
    }
  return image;
}

}  // namespace silt
