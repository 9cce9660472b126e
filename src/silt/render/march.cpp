#include "silt/render/march.h"

#include <algorithm>
#include <cmath>

#include "silt/render/camera.h"
#include "silt/render/smoke_light.h"
#include "silt/render/solids.h"

namespace silt {

namespace {

enum class Seen : char { nothing, ground, solid };

struct Surface {
  Seen what = Seen::nothing;
  float t = 1e30f;  ///< along the ray [cells]
  Colour radiance;
};

float smooth_step(float lo, float hi, float x) {
  const float s = std::clamp((x - lo) / (hi - lo), 0.0f, 1.0f);
  return s * s * (3 - 2 * s);
}

Colour mix(Colour a, Colour b, float t) {
  return a * (1 - t) + b * t;
}

/// A number in [0, 1) for each pixel whose neighbours differ much: hides the steps of a march behind fine grain.
float pixel_jitter(int x, int y) {
  const double v = 0.7548776662466927 * x + 0.5698402909980532 * y;  // the R2 sequence [Roberts 2018]
  return float(v - std::floor(v));
}

/// The frame ready to be seen, in cells.
class Stage {
 public:
  Stage(const Frame& frame, const LookParams& look, const Exec& exec)
      : solids_(frame),
        fire_(frame, look),
        smoke_(frame, look, solids_, fire_, exec),
        cells_(frame.domain.cells),
        to_sun_(towards_sun(look)),
        sun_(look.sun_colour.as<float>()),
        sky_(look.sky_colour.as<float>()),
        top_(look.background_top.as<float>()),
        bottom_(look.background_bottom.as<float>()),
        ground_(look.ground_colour.as<float>()),
        solid_(look.solid_colour.as<float>()) {
    const Vec3f n = cells_.size().as<float>();
    middle_ = 0.5f * (cells_.lo + cells_.hi).as<float>();
    reach_ = 0.5f * length(n);
    bounce_ = ground_ * (sun_ * std::max(to_sun_.z, 0.0f) + sky_) * 0.8f;
  }

  Surface surface(const Vec3f& origin, const Vec3f& direction, float jitter) const;
  Colour smoke_over(const Surface& behind, const Vec3f& origin, const Vec3f& direction, float step, float jitter) const;

 private:
  Colour background(const Vec3f& direction) const {
    return mix(bottom_, top_, smooth_step(-0.32f, 0.30f, direction.z));
  }
  float sun_at(const Vec3f& x, float jitter) const {
    const float seen = solids_.sun_seen(x, to_sun_, sun_radius);
    return seen > 0 ? seen * std::exp(-smoke_.depth_along(x, to_sun_, jitter)) : 0;
  }
  Colour shade_ground(const Vec3f& x, const Vec3f& direction, float jitter) const;
  Colour shade_solid(const Vec3f& x, const Vec3f& direction) const;
  Solids solids_;
  Fire fire_;
  Smoke smoke_;
  Box cells_;
  Vec3f to_sun_, middle_;
  Colour sun_, sky_, top_, bottom_, ground_, solid_, bounce_;
  float reach_ = 1;  // half the domain's diagonal [cells]
};

/// A lit floor round the domain that sinks into the background with distance: a studio, without a horizon.
Colour Stage::shade_ground(const Vec3f& x, const Vec3f& direction, float jitter) const {
  const Vec3f up{0, 0, 1}, d = x - Vec3f{middle_.x, middle_.y, x.z};
  const float lit = std::exp(-dot(d, d) / (2.2f * 2.2f * reach_ * reach_));
  if (lit < 1e-3f) return background(direction);
  const float sun = std::max(to_sun_.z, 0.0f) * sun_at(x, jitter);
  const float sky = smoke_.sky_at(x) * solids_.openness(x, up, 0.35f * reach_);
  return mix(background(direction), ground_ * (sun_ * sun + sky_ * sky + fire_.on_surface(x, up)), lit);
}

Colour Stage::shade_solid(const Vec3f& x, const Vec3f& direction) const {
  const Vec3f n = solids_.normal(x), above = x + n * 1.0f;
  const float facing = dot(n, to_sun_);
  // No jitter here: smoke begins abruptly at a solid, and moving the samples from pixel to pixel would show as a
  // pattern.
  const float sun = facing > 0 ? sun_at(x + n * 0.3f, 0.5f) : 0;
  const float open = smoke_.sky_at(above), up = 0.5f + 0.5f * n.z;
  const float height = (x.z - float(cells_.lo.z)) / reach_;
  const Colour around = mix(bounce_ * smooth_step(-0.3f, 0.5f, height), sky_, up) * open;
  // A plain matt paint with a soft highlight, and a brighter edge where the surface is seen at a grazing angle.
  const Vec3f half = normalized(to_sun_ - direction);
  const float shine = 0.10f * std::pow(std::max(dot(n, half), 0.0f), 40.0f) * sun;
  const float grazing = std::pow(std::clamp(1 + dot(n, direction), 0.0f, 1.0f), 4.0f);
  return solid_ * (sun_ * (std::max(facing, 0.0f) * sun) + around + fire_.on_surface(x, n)) + sun_ * shine +
         sky_ * (0.35f * grazing * open);
}

Surface Stage::surface(const Vec3f& origin, const Vec3f& direction, float jitter) const {
  Surface s;
  const float floor = float(cells_.lo.z);
  if (direction.z < 0 && origin.z > floor) s.t = (floor - origin.z) / direction.z, s.what = Seen::ground;
  if (const auto hit = solids_.trace(origin, direction, s.t)) s.t = *hit, s.what = Seen::solid;
  const Vec3f x = origin + direction * (s.what == Seen::nothing ? 0 : s.t);
  s.radiance = s.what == Seen::solid    ? shade_solid(x, direction)
               : s.what == Seen::ground ? shade_ground(x, direction, jitter)
                                        : background(direction);
  return s;
}

/// Front to back: L += T (1 - exp(-k ds)) S, T *= exp(-k ds). With the optical depth d to the sun, the source S adds
/// light scattered once, p(angle) exp(-d); light scattered often, m exp(-0.6 d) (1 - 0.6 exp(-d)), which is weak at the
/// lit skin and reaches deeper; light from the sky and the ground, and of flames; and heat. Flames add light of
/// their own, j ds, that smoke in front of them dims.
Colour Stage::smoke_over(const Surface& behind, const Vec3f& origin, const Vec3f& direction, float step,
                         float jitter) const {
  if (!smoke_.any()) return behind.radiance;
  const Span span = clip(smoke_.cells(), origin, direction);
  const float end = std::min(span.t1, behind.t);
  constexpr float g = 0.35f, many = 1.15f;  // forward scattering [Henyey-Greenstein], and weight of many scatterings
  const float angle = dot(direction, to_sun_), base = 1 + g * g - 2 * g * angle;
  const float once = 0.25f * (1 - g * g) / (base * std::sqrt(base));  // 1/4: E / (4 pi) in units of E / pi

  Colour light;
  float through = 1;
  // Smoke ends abruptly at a solid: shorter steps there, or the jitter shows as a pattern.
  const float fine_from = behind.what == Seen::solid ? end - 3 : end;
  for (float t = span.t0, ds = 0; t < end; t += ds) {
    const float reach = t < fine_from ? step : 0.2f * step;
    ds = std::min(reach, end - t);
    const Vec3f x = origin + direction * (t + jitter * ds);
    if (!smoke_.bricks().full(x)) {
      t += reach * std::floor(smoke_.bricks().to_exit(x, direction) / reach);
      continue;
    }
    const float k = smoke_.extinction(x);
    const float stopped = 1 - std::exp(-k * ds);
    if (fire_.any()) light += fire_.emission(x) * (through * (k * ds > 1e-3f ? stopped / k : ds));
    if (k < 1e-6f) continue;
    const Lighting l = smoke_.lighting(x);
    const float deep = std::exp(-0.6f * l.sun_depth), skin = std::exp(-l.sun_depth);
    const float sun = l.sun * (once * skin + many * deep * (1 - 0.6f * skin));
    Colour around = sun_ * sun + sky_ * (0.5f * l.sky) + bounce_ * (0.5f * l.ground);
    if (fire_.any()) around += fire_.in_smoke(x);
    Colour source = smoke_.albedo(x, k) * around;
    if (smoke_.glows()) source += black_body(l.emission);
    light += source * (through * stopped);
    through *= 1 - stopped;
    if (through < 3e-3f) return light * (1 / (1 - through));
  }
  return light + behind.radiance * through;
}

/// Rays in cells: origin, and for a pixel position the direction of length 1.
struct RayMaker {
  Camera camera;
  Vec3f origin;

  RayMaker(const Camera& c, const Lattice& lattice) : camera(c), origin(lattice.to_cells(c.position).as<float>()) {}
  Vec3f direction(double px, double py) const { return normalized(camera.direction(px, py)).as<float>(); }
};

bool at_edge(const std::vector<Seen>& seen, PictureSize size, int x, int y) {
  const Seen here = seen[std::size_t(y) * size.width + x];
  for (int j = std::max(y - 1, 0); j <= std::min(y + 1, size.height - 1); ++j)
    for (int i = std::max(x - 1, 0); i <= std::min(x + 1, size.width - 1); ++i) {
      const Seen there = seen[std::size_t(j) * size.width + i];
      if (there != here && (there == Seen::solid || here == Seen::solid)) return true;
    }
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
  std::vector<Seen> seen(std::size_t(size.width) * size.height);
  const auto shade = [&](double px, double py, float jitter, Seen* what) {
    const Vec3f direction = rays.direction(px, py);
    const Surface surface = stage.surface(rays.origin, direction, jitter);
    if (what) *what = surface.what;
    return stage.smoke_over(surface, rays.origin, direction, step, jitter);
  };
#pragma omp parallel for num_threads(exec.threads()) schedule(dynamic, 4)
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      image.at(x, y) = shade(x + 0.5, y + 0.5, pixel_jitter(x, y), &seen[std::size_t(y) * size.width + x]);

      // Nine rays for each pixel on an obstacle's outline.
#pragma omp parallel for num_threads(exec.threads()) schedule(dynamic, 4)
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      if (!at_edge(seen, size, x, y)) continue;
      Colour sum;
      for (int i = 0; i < 9; ++i)
        sum += shade(x + (i % 3 + 0.5) / 3, y + (i / 3 + 0.5) / 3, pixel_jitter(3 * x + i % 3, 3 * y + i / 3), nullptr);
      image.at(x, y) = sum * (1.0f / 9);
    }
  return image;
}

}  // namespace silt
