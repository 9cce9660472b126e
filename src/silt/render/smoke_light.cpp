#include "silt/render/smoke_light.h"

#include <array>

#include "silt/fields/layout.h"

namespace silt {

namespace {

/// Without one given: smoke of density 1 lets e^-34 through the domain's narrower horizontal side. [1/m]
double default_density_scale(const Domain& domain) {
  const Vec3d extent = domain.upper() - domain.lower();
  return 34 / std::min(extent.x, extent.y);
}

template <class Visit>
void for_each(const Box& b, const Exec& exec, const Visit& visit) {
#pragma omp parallel for collapse(2) num_threads(exec.threads()) schedule(dynamic, 16)
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) visit(Cell{x, y, z});
}

Vec3f centre(Cell c) {
  return c.as<float>() + Vec3f{0.5f, 0.5f, 0.5f};
}

/// Means of 2^3 cells. Its cell c lies where cells 2c to 2c + 1 of the finer grid do.
Grid<float> coarsen(const Grid<float>& fine, const Exec& exec) {
  const Box& f = fine.cells();
  Box cells;
  for (int a = 0; a < 3; ++a) cells.lo[a] = floor_div(f.lo[a], 2), cells.hi[a] = -floor_div(-f.hi[a], 2);
  Grid<float> coarse(cells);
  for_each(cells, exec, [&](Cell c) {
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
      const Cell d = c * 2 + Int3{i & 1, (i >> 1) & 1, i >> 2};
      if (f.contains(d)) sum += fine.at(d);
    }
    coarse.at(c) = sum / 8;
  });
  return coarse;
}

/// Optical depth by a few ever longer steps: good enough for light from all around.
float rough_depth(const Grid<float>& extinction, const Vec3f& x, const Vec3f& direction, float cell) {
  const float end = clip(extinction.cells(), x, direction).t1;
  float depth = 0, t = 0, step = 1;
  while (t < end) {
    const float used = std::min(step, end - t);
    depth += extinction.linear(x + direction * (t + 0.5f * used)) * used;
    t += step;
    step *= 1.3f;
  }
  return depth * cell;
}

}  // namespace

Vec3f towards_sun(const LookParams& look) {
  const Vec3d d = normalized(look.sun_direction);
  return dot(d, d) > 0 ? d.as<float>() : Vec3f{0, 0, 1};
}

Smoke::Smoke(const Frame& frame, const LookParams& look, const DistanceField& solids, const Fire& fire,
             const Exec& exec)
    : plain_(look.smoke_colour.as<float>()) {
  const Volume* density = frame.find("density");
  if (!density || density->values.empty()) return;
  extinction_ = make_grid(*density);
  const double scale = look.density_scale.value_or(default_density_scale(frame.domain)) * frame.domain.lattice.h;
  for_each(cells(), exec, [&](Cell c) {
    float& k = extinction_.at(c);
    k = std::max(k, 0.0f) * float(scale) * fade_at_open_sides(frame.domain, c);
  });
  sharpen(exec);
  if (fire.any()) {
    Grid<float> visible = extinction_;
    for_each(cells(), exec, [&](Cell c) { visible.at(c) += fire.brightness(c); });
    bricks_ = Bricks(visible, 1e-5f);
  } else {
    bricks_ = Bricks(extinction_, 1e-5f);
  }
  lighting_ = Grid<Lighting>(cells());
  if (!any()) return;
  light_from_around(exec);
  light_from_sun(solids, towards_sun(look), exec);
  read_temperature(frame);
  read_colour(frame, exec);
}

void Smoke::read_colour(const Frame& frame, const Exec& exec) {
  const Volume* colour = frame.find("colour");
  if (!colour || colour->components() != 3 || !(colour->cells == cells())) return;
  coloured_ = make_vector_grid(*colour);
  for_each(cells(), exec, [&](Cell c) { coloured_.at(c) *= extinction_.at(c); });
}

/// The splines that `extinction` samples with blur by (1, 6, 1) / 8 along each axis: undo that to first order, without
/// leaving the range of the nearest values.
void Smoke::sharpen(const Exec& exec) {
  const Grid<float> before = extinction_;
  const Box& b = cells();
  for_each(b, exec, [&](Cell c) {
    const float here = before.at(c);
    float lowest = here, highest = here, sum = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (const Int3 step : {unit(axis), -unit(axis)}) {
        const float v = b.contains(c + step) ? before.at(c + step) : here;
        lowest = std::min(lowest, v), highest = std::max(highest, v), sum += here - v;
      }
    extinction_.at(c) = std::clamp(here + sum / 8, lowest, highest);
  });
}

float Smoke::depth_along(const Vec3f& x, const Vec3f& direction, float jitter) const {
  if (!any()) return 0;
  const Span span = clip(cells(), x, direction);
  float depth = 0;
  for (float t = span.t0; t < span.t1; t += 1) {
    const float ds = std::min(1.0f, span.t1 - t);
    const Vec3f p = x + direction * (t + jitter * ds);
    if (bricks_.full(p))
      depth += extinction_.linear(p) * ds;
    else
      t += std::floor(bricks_.to_exit(p, direction));
  }
  return depth;
}

float Smoke::sky_at(const Vec3f& x) const {
  if (!any()) return 1;
  const Vec3f inside = max(min(x, cells().hi.as<float>()), cells().lo.as<float>());
  const Vec3f n = cells().size().as<float>();
  const float away = std::min(1.0f, length(x - inside) / (0.5f * std::max(n.x, n.y)));
  const float near = (1 - away) * (1 - away);  // forgets the smoke half a domain away from it
  return 1 - near * (1 - lighting_.linear(inside).sky);
}

void Smoke::light_from_sun(const DistanceField& solids, const Vec3f& to_sun, const Exec& exec) {
  for_each(cells(), exec, [&](Cell c) {
    if (!bricks_.full(c)) return;
    const Vec3f x = solids.outside(centre(c), 0.5f);
    lighting_.at(c).sun = solids.sun_seen(x, to_sun, sun_radius);
    lighting_.at(c).sun_depth = depth_along(x, to_sun, 0.5f);
  });
}

/// Light from the sky (above) and from the ground (below) along a few directions, on cells twice as large. Scattered
/// light finds ways round: the optical depth counts by a third.
void Smoke::light_from_around(const Exec& exec) {
  constexpr float a = 0.82f, b = 0.57f;  // 35 degrees above or below the horizon
  constexpr float r = 0.70710678f;
  constexpr std::array<Vec3f, 5> above{
      {{0, 0, 1}, {a * r, a * r, b}, {-a * r, a * r, b}, {a * r, -a * r, b}, {-a * r, -a * r, b}}};
  const Grid<float> coarse = coarsen(extinction_, exec);
  Grid<Lighting> around(coarse.cells());
  for_each(coarse.cells(), exec, [&](Cell c) {
    Lighting light{.sun = 1, .sky = 0, .ground = 0};
    for (const Vec3f& d : above) {
      const Vec3f down{d.y, -d.x, -d.z};
      light.sky += std::exp(-0.3f * rough_depth(coarse, centre(c), d, 2)) / above.size();
      light.ground += std::exp(-0.3f * rough_depth(coarse, centre(c), down, 2)) / above.size();
    }
    around.at(c) = light;
  });
  for_each(cells(), exec, [&](Cell c) { lighting_.at(c) = around.linear(centre(c) * 0.5f); });
}

void Smoke::read_temperature(const Frame& frame) {
  const Volume* temperature = frame.find("temperature");
  if (!temperature || temperature->unit != "K") return;
  for (int z = cells().lo.z; z < cells().hi.z; ++z)
    for (int y = cells().lo.y; y < cells().hi.y; ++y)
      for (int x = cells().lo.x; x < cells().hi.x; ++x) {
        const float t = temperature->at({x, y, z});
        if (!std::isfinite(t)) continue;
        lighting_.at({x, y, z}).emission = t;
        glows_ = glows_ || t > glow_from;
      }
}

}  // namespace silt
