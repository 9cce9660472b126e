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

/// How many rays a pixel needs in each direction beside another: three where an outline passes between them, of a solid
/// or of water, before other water too; two where water bends what is behind it.
int rays_between(const Met& a, const Met& b) {
  constexpr float jump = 3, contrast = 0.12f;
  const bool wet = a.what == Seen::water, both_wet = wet && b.what == Seen::water;
  if (both_wet && std::abs(a.t - b.t) <= jump) return length(a.light - b.light) > contrast ? 2 : 1;
  const bool outline =
      a.what != b.what && (a.what == Seen::solid || b.what == Seen::solid || wet || b.what == Seen::water);
  return both_wet || outline ? 3 : 1;
}

int rays_of_pixel(const std::vector<Met>& met, PictureSize size, int x, int y) {
  const Met& here = met[std::size_t(y) * size.width + x];
  int most = 1;
  for (int j = std::max(y - 1, 0); j <= std::min(y + 1, size.height - 1); ++j)
    for (int i = std::max(x - 1, 0); i <= std::min(x + 1, size.width - 1); ++i)
      most = std::max(most, rays_between(here, met[std::size_t(j) * size.width + i]));
  return most;
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

      // More rays for pixels on an outline.
#pragma omp parallel for num_threads(exec.threads()) schedule(dynamic, 4)
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int n = rays_of_pixel(met, size, x, y);
      if (n == 1) continue;
      Colour sum;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          sum += shade(x + (i + 0.5) / n, y + (j + 0.5) / n, pixel_jitter(n * x + i, n * y + j), nullptr);
      image.at(x, y) = sum * (1.0f / float(n * n));
    }
  return image;
}

}  // namespace silt
