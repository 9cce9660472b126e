#include "silt/surface/zhu_field.h"

#include <cmath>

#include "silt/fields/neighbourhood.h"

namespace silt {
namespace {

// In cubes that eight particles fill.
constexpr float usual_reach = 1.5f;  // R
constexpr float of_drops = 0.8f;     // their R
constexpr double slack_cells = 0.16;
/// The least radius of drops, in voxels: smaller ones would come and go between the voxels' centres.
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

std::vector<float> find_drops(const Exec& exec, const ParticleBins& bins, float cell, float full_enough) {
  const Cloud& cloud = bins.cloud();
  std::vector<float> out(cloud.count(), 0.0f);
  const float radius = std::max(drop_radius * cell, least_drop);
  const float reach = usual_reach * cell, inverse = 1 / (reach * reach);
  const float full = float(Fullness(usual_reach, 3).full);
  for_each_bin(exec, bins, reach, [&](std::size_t, std::uint32_t first, std::uint32_t last, NearParticles* near) {
    if (!near) return;
    const auto count = std::size_t(near->count);
    near->reserve(count);
    for (std::size_t i = count; i < count + lane_count; ++i) near->x[i] = near->y[i] = near->z[i] = 1e9f;
    for (std::uint32_t p = first; p < last; ++p) {
      Lanes sum{};
      for (std::size_t i = 0; i < count; i += lane_count) {
        const Lanes x = load8(&near->x[i]) - all_lanes(cloud.x[p]), y = load8(&near->y[i]) - all_lanes(cloud.y[p]),
                    z = load8(&near->z[i]) - all_lanes(cloud.z[p]);
        const Lanes rest = positive_part(all_lanes(1) - (x * x + y * y + z * z) * all_lanes(inverse));
        sum += rest * rest * rest;
      }
      const float part = float(total(sum)) / full;
      out[p] = radius * std::clamp((full_enough - part) / (0.5f * full_enough), 0.0f, 1.0f);
    }
  });
  return out;
}

}  // namespace silt
