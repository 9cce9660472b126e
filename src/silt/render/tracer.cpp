#include "silt/render/tracer.h"

#include "silt/render/fresnel.h"
#include "silt/render/look_scales.h"

namespace silt {
namespace {

constexpr float skin = 2e-3f;  ///< rays begin so far off the surface that they leave [cells]
constexpr float near_by = 3;   ///< flames closer than this are met by chance, further ones are asked for [cells]

float largest(const Colour& c) {
  return std::max({c.x, c.y, c.z});
}

Colour at_most(const Colour& c, float limit) {
  const float m = largest(c);
  return m > limit ? c * (limit / m) : c;
}

Colour left_after(const Colour& absorption, float way) {
  return {std::exp(-absorption.x * way), std::exp(-absorption.y * way), std::exp(-absorption.z * way)};
}

/// How long the picture is exposed [s]. Quick ones are not blurred.
double shutter_of(const RenderParams& params) {
  return params.effort.careful ? params.camera.shutter * params.seconds_per_frame : 0;
}

}  // namespace

/// A path as far as it has come: the next ray, the share of light from there that reaches the camera, and the light
/// that has been found.
struct Tracer::Path {
  Ray ray;
  Colour light, weight{1, 1, 1};
  Seeing seeing = Seeing::directly;
  bool in_water = false;
  bool alive = true;
  float brightest = 12;      ///< light that comes by more than one mirror is no brighter, or single paths were sparks
  bool mirrors_only = true;  ///< so far: it may look into the sun
  bool asked_flames = false;
  Colour behind;      ///< of the light: what the camera sees of the background with nothing before it
  float density = 0;  ///< with which the last direction was chosen; 0: by a mirror
  int bounces = 0, scatterings = 0;

  /// What is carried along is radiance over the square of the index of refraction, which no surface of water changes:
  /// light that is found in water counts for this much of its radiance.
  float found() const { return in_water ? 1 / (water_index * water_index) : 1; }
  void add_background(const Colour& c) {
    add(c);
    if (seeing == Seeing::directly) behind += weight * c;
  }
  void add(const Colour& c) { light += mirrors_only && bounces < 2 ? weight * c : at_most(weight * c, brightest); }
  void go(const Vec3f& x, const Vec3f& direction) { ray.origin = x, ray.direction = direction; }
};

Tracer::Tracer(const Frame& frame, const RenderParams& params, const Exec& exec)
    : camera_(make_camera(frame.domain, params.camera)),
      origin_(frame.domain.lattice.to_cells(camera_.position).as<float>()),
      h_(frame.domain.lattice.h),
      lights_(params.look),
      medium_(frame, params.look, shutter_of(params), exec),
      geometry_(frame, params.look, shutter_of(params), params.effort.careful, exec),
      most_bounces_(params.effort.careful ? 256 : 4),
      most_scatterings_(params.effort.careful ? 128 : 32),
      roulette_from_(params.effort.careful ? 3 : 2),
      faint_(params.effort.careful ? 0.003f : 0.03f),
      brightest_(params.effort.careful ? 12 : 4) {
  const Box& cells = frame.domain.cells;
  middle_ = 0.5f * (cells.lo + cells.hi).as<float>();
  reach_ = 0.5f * length(cells.size().as<float>());
  in_water_ = geometry_.under_water(origin_);
  brightest_ *= std::max(1.0f, largest(lights_.on_floor()));  // what the light lights is no spark

  const double depth = water_depth_in(frame.domain, params.look) / h_;
  for (int a = 0; a < 3; ++a)
    absorption_[a] = float(-std::log(std::clamp(params.look.water_colour[a], 1e-4, 1.0)) / std::max(depth, 1e-6));
  // A little of what is swallowed comes back: more of those colours that go further.
  const float most = std::max(largest(absorption_), 1e-9f);
  for (int a = 0; a < 3; ++a) glow_[a] = 0.12f * std::pow(1 - 0.85f * absorption_[a] / most, 2.0f);
}

Sighting Tracer::sample(int x, int y, Sampler& sampler) const {
  const Pair in_pixel = sampler.pair(), when = sampler.pair();
  Path path;
  path.ray = {origin_, normalized(camera_.direction(x + double(in_pixel.u), y + double(in_pixel.v))).as<float>(),
              when.u};
  path.in_water = in_water_, path.brightest = brightest_;
  Sighting seen;
  follow(path, sampler, seen);
  seen.light = path.light, seen.behind = path.behind;
  for (int a = 0; a < 3; ++a)
    if (!std::isfinite(seen.light[a])) seen.light = {};
  return seen;
}

/// The light that comes to x from a direction,  L(x) = L_e + integral of f L cos,  by one path: at each surface, and at
/// each grain of smoke that stops it, the sun is asked for directly and one direction is followed for all other light.
void Tracer::follow(Path& path, Sampler& sampler, Sighting& seen) const {
  for (bool first = path.bounces == 0; path.alive; first = false) {
    const Hit hit = geometry_.nearest(path.ray, first);
    if (first) note(path, hit, seen);
    if (hit.what == Hit::What::water) path.in_water = hit.from_inside;
    if (path.in_water && hit.what != Hit::What::nothing) {
      go_through_water(path, hit.t);
    } else if (medium_.any()) {
      const Medium::Event event = medium_.track(path.ray.origin, path.ray.direction, hit.t,
                                                path.asked_flames ? near_by : 1e30f, path.ray.time, sampler);
      path.add(event.emitted);
      if (event.scattered) {
        if (first) seen.alpha = 1;
        scatter_in_smoke(path, event, sampler);
        continue;
      }
    }
    if (hit.what == Hit::What::nothing) return leave(path);
    const float lit = hit.what == Hit::What::ground ? lit_share(path.ray.origin + path.ray.direction * hit.t) : 1;
    if (lit < 1) {  // a lit floor round the domain that sinks into the background with distance
      path.add_background(lights_.around(path.ray.direction, path.seeing) * (1 - lit));
      path.weight *= lit;
      if (lit < 1e-3f) return;
    }
    if (hit.grain && hit.from_inside)
      leave_grain(path, hit);
    else if (hit.what == Hit::What::water && path.bounces == 0)
      part_at_water(path, hit, sampler, seen);
    else if (hit.what == Hit::What::water)
      cross_water(path, hit, sampler.one(), sampler);
    else
      bounce(path, hit, sampler);
  }
}

float Tracer::lit_share(const Vec3f& x) const {
  const Vec3f d{x.x - middle_.x, x.y - middle_.y, 0};
  return std::exp(-dot(d, d) / (2.2f * 2.2f * reach_ * reach_));
}

/// Nothing is in the way any more. The sun is seen in mirrors; by way of a film with the share of it that directions
/// chosen like this one count for, beside those chosen towards the sun [Veach & Guibas 1995, the power heuristic].
void Tracer::leave(Path& path) const {
  path.alive = false;
  path.add_background(lights_.around(path.ray.direction, path.seeing));
  if (path.seeing == Seeing::directly || !lights_.shines() || !lights_.in_sun(path.ray.direction)) return;
  if (path.density > 0) {
    const float a = path.density * path.density, b = lights_.sun_density() * lights_.sun_density();
    path.add(lights_.sun_light() * (a / (a + b)));
  } else if (path.mirrors_only) {
    path.add(lights_.sun_light());
  }
}

/// A path that has come far enough ends as if nothing were in its way any more: closer than to end in the dark.
void Tracer::give_up(Path& path) const {
  path.alive = false;
  path.add(lights_.around(path.ray.direction, path.seeing));
}

Colour Tracer::sun_along(const Path& path, const Vec3f& x, const Vec3f& direction) const {
  const Colour left = geometry_.light_along({x, direction, path.ray.time}, 1e30f, path.in_water, absorption_);
  if (largest(left) <= 0) return {};
  return lights_.sun_light() * left * (medium_.sun_through(x, direction) * path.found());
}

/// Light of a place in the flames. `share(direction)` of it goes on along the path.
template <class Share>
void Tracer::ask_flames(Path& path, const Vec3f& x, Sampler& sampler, const Share& share) const {
  path.asked_flames = medium_.shines();
  if (!path.asked_flames) return;
  const Medium::Lamp lamp = medium_.lamp(sampler);
  const Vec3f d = lamp.position - x;
  const float distance = length(d);
  if (distance < near_by) return;
  const Vec3f l = d / distance;
  const Colour most = share(l) * lamp.power * (path.found() / (distance * distance));
  // What would be little is looked for now and then, and counts for more.
  const float chance = std::min(largest(path.weight * most) / faint_, 1.0f);
  if (!(chance > 0) || (chance < 1 && sampler.one() >= chance)) return;
  const Colour left = geometry_.light_along({x, l, path.ray.time}, distance, path.in_water, absorption_);
  if (!(largest(left) > 0)) return;
  const float through = medium_.through(x, l, distance, path.ray.time, sampler);
  path.add(most * left * (through / chance));
}

void Tracer::scatter_in_smoke(Path& path, const Medium::Event& event, Sampler& sampler) const {
  const Vec3f x = path.ray.origin + path.ray.direction * event.t;
  path.weight = path.weight * event.albedo;
  path.seeing = Seeing::by_its_light, path.mirrors_only = false;
  if (lights_.shines()) {
    const Vec3f l = lights_.sun_direction(sampler.pair());
    const float share = phase(dot(path.ray.direction, l), Medium::forward) / lights_.sun_density();
    path.add(sun_along(path, x, l) * share);
  }
  ask_flames(path, x, sampler, [&](const Vec3f& l) {
    const float p = phase(dot(path.ray.direction, l), Medium::forward);
    return Colour{p, p, p};
  });
  path.go(x, phase_direction(path.ray.direction, Medium::forward, sampler.pair()));
  path.density = 0;
  if (++path.scatterings < most_scatterings_)
    path.alive = roulette(path, sampler);
  else
    give_up(path);
}

void Tracer::go_through_water(Path& path, float way) const {
  const Colour left = left_after(absorption_, way);
  path.add((Colour{1, 1, 1} - left) * glow_ * lights_.on_floor() * path.found());
  path.weight = path.weight * left;
}

/// Where grains overlap a path can come to start within one: it goes on as if it were not there.
void Tracer::leave_grain(Path& path, const Hit& hit) const {
  path.go(path.ray.origin + path.ray.direction * (hit.t + skin), path.ray.direction);
  path.alive = ++path.bounces < most_bounces_;
}

/// A smooth surface mirrors a share of light [Fresnel] and bends the rest [Snell]: one of the two is followed, as
/// `choice` in [0, 1] says: the first where it is less than its share.
void Tracer::cross_water(Path& path, const Hit& hit, float choice, Sampler& sampler) const {
  const Vec3f& d = path.ray.direction;
  const Vec3f x = path.ray.origin + d * hit.t, n = hit.from_inside ? -hit.normal : hit.normal;
  if (choice < water_reflectance(-dot(d, n), hit.from_inside)) {
    Vec3f way = mirror(d, n);
    if (dot(way, hit.flat_normal) <= 0) way = mirror(d, hit.flat_normal);
    path.seeing = Seeing::by_its_light;
    path.go(x + hit.flat_normal * skin, way);
  } else {
    const Vec3f way = bend(d, n, hit.from_inside).value_or(d);
    path.seeing = std::max(path.seeing, Seeing::through_water);
    path.in_water = !hit.from_inside;
    path.go(x - hit.flat_normal * skin, dot(way, hit.flat_normal) < 0 ? way : d);
  }
  path.density = 0;
  if (++path.bounces < 2 * most_bounces_)
    path.alive = roulette(path, sampler);
  else
    give_up(path);
}

/// The first surface of water that is seen is followed both ways: what it mirrors is rare and bright.
void Tracer::part_at_water(Path& path, const Hit& hit, Sampler& sampler, Sighting& seen) const {
  const float share = water_reflectance(std::abs(dot(path.ray.direction, hit.normal)), hit.from_inside);
  Path mirrored = path;
  mirrored.light = {};
  mirrored.weight *= share;
  cross_water(mirrored, hit, 0, sampler);
  follow(mirrored, sampler, seen);
  path.light += mirrored.light;
  path.weight *= 1 - share;
  cross_water(path, hit, 1, sampler);
}

void Tracer::bounce(Path& path, const Hit& hit, Sampler& sampler) const {
  const Vec3f x = path.ray.origin + path.ray.direction * hit.t + hit.flat_normal * skin;
  Axes axes(dot(hit.normal, hit.flat_normal) > 0 ? hit.normal : -hit.normal);
  if (dot(axes.z, path.ray.direction) >= 0) axes = Axes(hit.flat_normal);
  const Vec3f v = axes.in(-path.ray.direction);
  path.seeing = Seeing::by_its_light;
  if (hit.surface.film <= 0 || hit.surface.roughness > 0.1f || path.in_water) path.mirrors_only = false;

  if (lights_.shines()) {
    const Vec3f l = lights_.sun_direction(sampler.pair()), local = axes.in(l);
    if (local.z > 0 && dot(l, hit.flat_normal) > 0) {
      // Out of the water no direction leads to the sun but by a bend, so that only those chosen towards it count.
      const float a = lights_.sun_density(), b = path.in_water ? 0 : coated_.density(hit.surface, v, local);
      const Colour f = coated_.value(hit.surface, v, local) * (a / (a * a + b * b));  // by 1 / a, and a^2 / (a^2 + b^2)
      path.add(f * sun_along(path, x, l));
    }
  }
  ask_flames(path, x, sampler, [&](const Vec3f& l) {
    return dot(l, hit.flat_normal) > 0 ? coated_.value(hit.surface, v, axes.in(l)) : Colour{};
  });
  const Scattered next = coated_.sample(hit.surface, v, sampler.pair(), sampler.one());
  const Vec3f way = axes.out(next.direction);
  path.weight = path.weight * next.weight;
  path.density = next.density;
  path.alive =
      next.density > 0 && dot(way, hit.flat_normal) > 0 && ++path.bounces < most_bounces_ && roulette(path, sampler);
  path.go(x, way);
}

/// Paths that carry little end early; those that go on carry more for it.
bool Tracer::roulette(Path& path, Sampler& sampler) const {
  const float m = largest(path.weight);
  if (!(m > 0)) return false;
  if (path.bounces + path.scatterings < roulette_from_ || m >= 1) return true;
  const float chance = std::max(m, 0.05f);
  if (sampler.one() >= chance) return false;
  path.weight *= 1 / chance;
  return true;
}

void Tracer::note(const Path& path, const Hit& hit, Sighting& seen) const {
  if (hit.what == Hit::What::nothing) return;
  seen.alpha = hit.what == Hit::What::ground ? lit_share(path.ray.origin + path.ray.direction * hit.t) : 1;
  seen.depth = float(h_) * hit.t * float(dot(path.ray.direction.as<double>(), camera_.forward));
  seen.normal = dot(hit.normal, path.ray.direction) < 0 ? hit.normal : -hit.normal;
  if (hit.what != Hit::What::water) seen.albedo = hit.surface.albedo;
}

}  // namespace silt
