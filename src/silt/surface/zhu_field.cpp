#include "silt/surface/zhu_field.h"

#include <cmath>

#include "silt/fields/neighbourhood.h"

namespace silt {
namespace {

// In cubes that eight particles fill.
constexpr float ball = 0.31f;        // of the volume of one of them, 1/8
constexpr float usual_reach = 1.5f;  // R
constexpr float of_drops = 0.8f;     // their R
constexpr double slack_cells = 0.16;
/// A drop with none nearer than this is alone: the surfaces of two that are farther apart do not meet.
constexpr float alone_beyond = 0.8f;
/// The least radius of drops that are not, in voxels: smaller ones would come and go between the voxels' centres.
constexpr float least_drop = 0.7f;
/// How deep xbar lies below a flat surface, over R: 0.246, the mean of s with the weights (1 - s^2)^4 that the kernel
/// has left when summed along the surface; and what the factor f takes off there.
constexpr float depth_of_mean = 0.266f;

Lanes load8(const float* from) {
  Lanes out;
  __builtin_memcpy(&out, from, sizeof out);
  return out;
}

}  // namespace

void ZhuKernel::operator()(const NearParticles& near, float* out) const {
  const float inverse = 1 / reach;
  NeighbourLanes sum;
  for (std::size_t i = 0; i < std::size_t(near.count); ++i) {
    const Lanes y[3] = {(all_lanes(near.x[i]) - packet_x) * all_lanes(inverse),
                        (all_lanes(near.y[i]) - packet_y) * all_lanes(inverse),
                        (all_lanes(near.z[i]) - packet_z) * all_lanes(inverse)};
    sum.add(y, 1);
  }
  for (int l = 0; l < 8; ++l) {
    const double weight = sum.weight[l];
    out[l] = far;
    if (!(weight > 1e-12)) continue;
    const double by_fullness = length * (0.5 - weight / full) - slack;
    const double off =
        reach *
        std::sqrt(double(sum.places[0][l]) * sum.places[0][l] + double(sum.places[1][l]) * sum.places[1][l] +
                  double(sum.places[2][l]) * sum.places[2][l]) /
        weight;
    double by_places = off - radius;
    // Where it is nearly full nothing is hollow, and where it is far outside nobody asks.
    if (weight < 0.9 * full && by_places < 2 && by_fullness < 2)
      by_places = off - radius * Neighbourhood(sum, l).factor();
    out[l] = std::min(far, float(std::max(by_places, by_fullness)));
  }
  add_drops(near, out);
}

void ZhuKernel::add_drops(const NearParticles& near, float* out) const {
  float widest = 0;
  for (std::size_t i = 0; i < std::size_t(near.count); ++i) widest = std::max(widest, drop[near.number[i]]);
  if (!(widest > 0)) return;
  NeighbourLanes drops;
  Lanes radii{};
  const float drop_inverse = 1 / drop_reach;
  for (std::size_t i = 0; i < std::size_t(near.count); ++i) {
    const float r = drop[near.number[i]];
    if (!(r > 0)) continue;
    const Lanes y[3] = {(all_lanes(near.x[i]) - packet_x) * all_lanes(drop_inverse),
                        (all_lanes(near.y[i]) - packet_y) * all_lanes(drop_inverse),
                        (all_lanes(near.z[i]) - packet_z) * all_lanes(drop_inverse)};
    const Lanes before = drops.weight;
    drops.add(y, 1);
    radii += (drops.weight - before) * all_lanes(r);
  }
  for (int l = 0; l < 8; ++l) {
    if (!(drops.weight[l] > 1e-9f)) continue;
    const Neighbourhood n(drops, l);
    const double value = drop_reach * silt::length(n.mean()) - radii[l] / n.weight * n.factor();
    out[l] = std::min(out[l], float(value));
  }
}

ZhuKernel zhu_kernel(float cell, float reach, const float* drop) {
  const Fullness fullness(double(reach) / cell, 3);
  ZhuKernel k;
  k.reach = reach;
  k.radius = depth_of_mean * reach;
  k.drop_reach = std::min(of_drops * cell, reach);
  k.far = reach - k.radius;
  k.slack = float(slack_cells) * cell;
  k.full = float(fullness.full);
  k.length = float(fullness.length) * cell;
  k.drop = drop;
  return k;
}

Drops find_drops(const Exec& exec, const ParticleBins& bins, float cell, const Vec3f& size, float full_enough) {
  const Cloud& cloud = bins.cloud();
  Drops out;
  out.radius.assign(cloud.count(), 0.0f);
  std::vector<std::vector<Ball>> alone(bins.tiles().size());
  const float apart = alone_beyond * cell, radius = std::max(ball * cell, least_drop);
  const float reach = usual_reach * cell, inverse = 1 / (reach * reach);
  const float full = float(Fullness(usual_reach, 3).full);
  for_each_bin(exec, bins, reach, [&](std::size_t tile, std::uint32_t first, std::uint32_t last, NearParticles* near) {
    if (!near) return;
    const auto count = std::size_t(near->count);
    near->reserve(count);
    for (std::size_t i = count; i < count + lane_count; ++i) near->x[i] = near->y[i] = near->z[i] = 1e9f;
    for (std::uint32_t p = first; p < last; ++p) {
      Lanes sum{}, nearest = all_lanes(1e30f);
      for (std::size_t i = 0; i < count; i += lane_count) {
        const Lanes x = load8(&near->x[i]) - all_lanes(cloud.x[p]), y = load8(&near->y[i]) - all_lanes(cloud.y[p]),
                    z = load8(&near->z[i]) - all_lanes(cloud.z[p]);
        const Lanes square = x * x + y * y + z * z;
        const Lanes rest = positive_part(all_lanes(1) - square * all_lanes(inverse));
        const auto other = (square > Lanes{}) & (square < nearest);
        nearest = other ? square : nearest;
        sum += rest * rest * rest;
      }
      const float part = float(total(sum)) / full;
      const float t_drop = (full_enough - part) / (0.5f * full_enough);
      float least = nearest[0];
      for (int l = 1; l < lane_count; ++l) least = std::min(least, nearest[l]);
      if (least > apart * apart)
        alone[tile].push_back(
            {{cloud.x[p], cloud.y[p], cloud.z[p]}, ball * cell, {cloud.u[p], cloud.v[p], cloud.w[p]}, p});
      else
        out.radius[p] = radius * std::clamp(t_drop, 0.0f, 1.0f);
    }
  });
  for (const auto& list : alone)
    for (const Ball& b : list) {
      const Vec3f m = b.middle;
      if (m.x >= 0 && m.y >= 0 && m.z >= 0 && m.x <= size.x && m.y <= size.y && m.z <= size.z) out.alone.push_back(b);
    }
  return out;
}

}  // namespace silt
