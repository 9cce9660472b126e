#include "silt/render/medium.h"

#include "silt/render/black_body.h"
#include "silt/render/lights.h"
#include "silt/render/look_scales.h"

namespace silt {
namespace {

constexpr float thickest = 64;   ///< e^-64 of light gets through a cell: steps through thicker smoke would be lost in
                                 ///< rounding, and nobody sees the difference [1/cell]
constexpr float furthest = 128;  ///< blur is not longer [cells]

template <class Visit>
void for_each(const Box& b, const Exec& exec, const Visit& visit) {
#pragma omp parallel for collapse(2) num_threads(exec.threads()) schedule(static)
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) visit(Cell{x, y, z});
}

/// What leaves through an open side thins out over the last cells before it, instead of being cut by the domain's end.
float fade_at_open_sides(const Domain& domain, Cell c) {
  float fade = 1;
  for (int axis = 0; axis < 3; ++axis)
    for (int end = 0; end < 2; ++end) {
      if (domain.side(axis, end) != Side::open) continue;
      const float width = 0.06f * float(domain.cells.size()[axis]);
      const float depth = 0.5f + float(end ? domain.cells.hi[axis] - 1 - c[axis] : c[axis] - domain.cells.lo[axis]);
      const float s = std::clamp(depth / width, 0.0f, 1.0f);
      fade *= s * s * (3 - 2 * s);
    }
  return fade;
}

/// The splines that a grid is sampled with blur by (1, 6, 1) / 8 along each axis: undo that to first order, without
/// leaving the range of the nearest values.
Grid<float> sharpened(const Grid<float>& grid, const Exec& exec) {
  Grid<float> out(grid.cells());
  const Box& b = grid.cells();
  for_each(b, exec, [&](Cell c) {
    const float here = grid.at(c);
    float lowest = here, highest = here, sum = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (const Int3 step : {unit(axis), -unit(axis)}) {
        const float v = b.contains(c + step) ? grid.at(c + step) : here;
        lowest = std::min(lowest, v), highest = std::max(highest, v), sum += here - v;
      }
    out.at(c) = std::clamp(here + sum / 8, lowest, highest);
  });
  return out;
}

}  // namespace

Medium::Medium(const Frame& frame, const LookParams& look, double shutter, const Exec& exec)
    : plain_(look.smoke_colour.as<float>()) {
  const Volume *density = frame.find("density"), *flame = frame.find("flame");
  const bool smokes = density && !density->values.empty(), burns = flame && !flame->values.empty();
  if (!smokes && !burns) return;
  const double scale = smokes ? density_scale_in(frame.domain, look) * frame.domain.lattice.h : 0;
  extinction_ = make_grid(smokes ? *density : *flame);  // flames whose smoke nobody kept shine by themselves
  const Box& cells = extinction_.cells();
  for_each(cells, exec, [&](Cell c) {
    float& k = extinction_.at(c);
    k = std::min(std::max(k, 0.0f) * float(scale) * fade_at_open_sides(frame.domain, c), thickest);
  });
  extinction_ = sharpened(extinction_, exec);
  const Volume* colour = frame.find("colour");
  if (colour && colour->components() == 3 && colour->cells == cells) colour_ = make_vector_grid(*colour);
  read_emission(frame, look);
  read_velocity(frame, shutter);

  if (length(look.sun_colour) > 0) sun_shade_ = SunShade(extinction_, towards_sun(look), exec);
  float longest = 0;
  if (!motion_.empty())
    for (int z = cells.lo.z; z < cells.hi.z; ++z)
      for (int y = cells.lo.y; y < cells.hi.y; ++y)
        for (int x = cells.lo.x; x < cells.hi.x; ++x) longest = std::max(longest, length(motion_.at({x, y, z})));
  constexpr float nothing = 1e-5f;  // [1/cell]
  const int reach = 2 + int(std::ceil(0.5f * longest));
  looks_ = stops_ = Bricks(extinction_, nothing, reach, exec);
  if (!shines()) return;
  Grid<float> looked_for = extinction_;  // light of flames too, every other cell where they are bright
  for_each(cells, exec, [&](Cell c) { looked_for.at(c) += std::min(emission_.at(c).x, 0.5f); });
  looks_ = Bricks(looked_for, nothing, reach, exec);
}

/// Flames shine by the fuel that burns in them, smoke by what it stops of the light it would be in among bodies as hot.
void Medium::read_emission(const Frame& frame, const LookParams& look) {
  const Volume* flame = frame.find("flame");
  const Volume* temperature = frame.find("temperature");
  if (!temperature || temperature->values.empty() || temperature->unit != "K") return;
  const double scale = flame_scale_in(frame.domain, look) * frame.domain.lattice.h;
  Grid<Colour> emission(extinction_.cells());
  bool any = false;
  const Box& b = emission.cells();
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) {
        const Cell c{x, y, z};
        const float burning = flame && std::isfinite(flame->at(c)) ? std::max(flame->at(c), 0.0f) : 0;
        emission.at(c) = black_body(temperature->at(c)) *
                         (float(scale) * burning * fade_at_open_sides(frame.domain, c) + extinction_.at(c));
        any = any || emission.at(c).x > 0;
      }
  if (!any) return;
  emission_ = std::move(emission);
  gather_lamps();
}

void Medium::gather_lamps() {
  const Box& b = emission_.cells();
  double sum = 0;
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) {
        const Colour& j = emission_.at({x, y, z});
        if (!(j.x > 0)) continue;
        lamps_.push_back({x, y, z}), power_.push_back(sum += j.x + j.y + j.z);
      }
}

Medium::Lamp Medium::lamp(Sampler& sampler) const {
  const double u = (double(sampler.one()) + double(sampler.one()) * 0x1.0p-24) * power_.back();
  const auto at = std::size_t(std::upper_bound(power_.begin(), power_.end() - 1, u) - power_.begin());
  const Cell c = lamps_[at];
  const Colour& j = emission_.at(c);
  const Vec3f in_cell{sampler.one(), sampler.one(), sampler.one()};
  return {c.as<float>() + in_cell, j * float(power_.back() / double(j.x + j.y + j.z))};
}

void Medium::read_velocity(const Frame& frame, double shutter) {
  const Volume* velocity = frame.find("velocity");
  if (shutter <= 0 || !velocity || velocity->components() != 3 || !(velocity->cells == extinction_.cells())) return;
  motion_ = make_vector_grid(*velocity);
  const Box& b = motion_.cells();
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) {
        Vec3f& way = motion_.at({x, y, z});
        way *= float(shutter / frame.domain.lattice.h);
        if (const float l = length(way); !(l <= furthest)) way = l < 1e30f ? way * (furthest / l) : Vec3f{};
      }
}

/// Places along a ray, at random with a density M that is the largest extinction nearby [Woodcock et al. 1965]. At each
/// one visits a cell among those an interpolation would weigh, chosen with its weight: whatever is linear in the
/// extinction has the mean that the interpolated field gives, for a single look. `visit(t, cell, M)` says whether to go
/// on.
template <class Visit>
void Medium::walk(const Bricks& bricks, const Vec3f& origin, const Vec3f& direction, float t_max, float time,
                  Sampler& sampler, const Visit& visit) const {
  const Span span = clip(bricks.cells(), origin, direction);
  // Counted from where the ray comes in: from a camera far away, the steps would be lost in rounding.
  const float end = std::min(span.t1, t_max) - span.t0;
  if (!(end > 0)) return;
  const Vec3f start = origin + direction * span.t0;
  bricks.walk(start, direction, end, [&](float s, float until, float most) {
    for (const float way = 1 / most;;) {
      s -= std::log(1 - sampler.one()) * way;
      if (s >= until) return true;
      Vec3f x = start + direction * s;
      if (!motion_.empty()) x -= motion_.nearest(x) * (time - 0.5f);
      if (!visit(span.t0 + s, extinction_.random_tap(x, sampler.three()), most)) return false;
    }
  });
}

/// Light stops at a place with probability k / M. Emission j along the way: each look adds j / M.
Medium::Event Medium::track(const Vec3f& origin, const Vec3f& direction, float t_max, float shines_until, float time,
                            Sampler& sampler) const {
  Event event{t_max, false, {}, {}};
  walk(looks_, origin, direction, t_max, time, sampler, [&](float t, Cell c, float most) {
    if (shines() && t < shines_until) event.emitted += emission_.at(c) * (1 / most);
    if (sampler.one() * most >= extinction_.at(c)) return true;
    event.t = t, event.scattered = true;
    event.albedo = colour_.empty() ? plain_ : colour_.at(c);
    return false;
  });
  return event;
}

/// The product of 1 - k / M over all looks [Novak et al. 2014, ratio tracking], ended by roulette once little is left.
float Medium::through(const Vec3f& origin, const Vec3f& direction, float t_max, float time, Sampler& sampler) const {
  float left = 1;
  walk(stops_, origin, direction, t_max, time, sampler, [&](float, Cell c, float most) {
    left *= std::max(1 - extinction_.at(c) / most, 0.0f);
    if (left > 0.1f) return true;
    if (sampler.one() < 0.5f) left = 0;
    left *= 2;
    return left > 0;
  });
  return left;
}

}  // namespace silt
