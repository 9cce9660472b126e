#include "silt/surface/anisotropic_field.h"

#include <algorithm>
#include <cmath>

#include "silt/core/mat3.h"

namespace silt {
namespace {

constexpr double shortest_blob = 0.25;
/// The variance along any axis of a full neighbourhood with the weights 1 - s^3, over R^2.
constexpr double full_spread = 0.15;
constexpr int enough_to_tell = 8;  ///< neighbours; with fewer a blob is round

/// Axes (rows) and values of a symmetric matrix, by Jacobi's rotations.
struct Axes {
  Mat3d rows;
  Vec3d values;
};
Axes axes_of(Mat3d m) {
  Axes out;
  for (int sweep = 0; sweep < 12; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (std::abs(m[p][q]) < 1e-14) continue;
        const double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        Mat3d turn;
        turn[p][p] = turn[q][q] = c, turn[p][q] = -s, turn[q][p] = s;
        m = turn * m * transpose(turn);
        out.rows = turn * out.rows;
      }
  out.values = {m.x.x, m.y.y, m.z.z};
  return out;
}

/// Sums over the neighbours of a particle; places from it, in units of R.
struct Spread {
  double weight = 0;
  Vec3d mean;
  Mat3d square{{}, {}, {}};
  int count = 0;

  void add(const Vec3d& y) {
    const double d = length(y);
    if (!(d < 1)) return;
    const double w = 1 - d * d * d;
    weight += w, ++count;
    mean += y * w;
    for (int a = 0; a < 3; ++a) square[a] += y * (w * y[a]);
  }
};

Blob blob_of(Spread s, double cell, double reach) {
  Axes axes;
  Vec3d lengths{1, 1, 1};
  Vec3d move{};
  if (s.count >= enough_to_tell) {
    s.mean = s.mean / s.weight;
    for (int a = 0; a < 3; ++a) s.square[a] = s.square[a] / s.weight - s.mean * s.mean[a];
    axes = axes_of(s.square);
    int across = 0;
    for (int a = 0; a < 3; ++a) {
      lengths[a] =
          std::clamp(std::sqrt(std::max(axes.values[a], 0.0) / full_spread), shortest_blob, double(longest_blob));
      if (axes.values[a] < axes.values[across]) across = a;
    }
    const Vec3d n = axes.rows[across];
    move = (s.mean - n * dot(n, s.mean)) * (0.5 * reach);
  }
  constexpr double pi = 3.14159265358979323846;
  const double volume = cell * cell * cell / 8, det = 1 / (lengths.x * lengths.y * lengths.z * reach * reach * reach);
  Blob out;
  out.move = move.as<float>();
  out.weight = float(volume * det * 315 / (64 * pi));
  int n = 0;
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      double g = 0;
      for (int k = 0; k < 3; ++k) g += axes.rows[k][a] * axes.rows[k][b] / (lengths[k] * reach);
      out.g[n++] = float(g);
    }
  return out;
}

}  // namespace

std::vector<Blob> make_blobs(const Exec& exec, const ParticleBins& bins, float cell, float reach) {
  const Cloud& cloud = bins.cloud();
  std::vector<Blob> out(cloud.count());
  const Blob round = blob_of({}, cell, reach);
  for_each_bin(exec, bins, reach, [&](std::size_t, std::uint32_t first, std::uint32_t last, const NearParticles* near) {
    if (!near) return std::fill(out.begin() + first, out.begin() + last, round);
    for (std::uint32_t p = first; p < last; ++p) {
      Spread spread;
      for (std::size_t i = 0; i < std::size_t(near->count); ++i)
        spread.add(Vec3f{near->x[i] - cloud.x[p], near->y[i] - cloud.y[p], near->z[i] - cloud.z[p]}.as<double>() *
                   (1.0 / reach));
      out[p] = blob_of(spread, cell, reach);
    }
  });
  return out;
}

void AnisotropicKernel::operator()(const NearParticles& near, float* out) const {
  Lanes sum{};
  for (std::size_t i = 0; i < std::size_t(near.count); ++i) {
    const Blob& b = blob[near.number[i]];
    const Lanes x = packet_x - all_lanes(near.x[i] + b.move.x), y = packet_y - all_lanes(near.y[i] + b.move.y),
                z = packet_z - all_lanes(near.z[i] + b.move.z);
    const Lanes p = x * all_lanes(b.g[0]) + y * all_lanes(b.g[1]) + z * all_lanes(b.g[2]);
    const Lanes q = x * all_lanes(b.g[1]) + y * all_lanes(b.g[3]) + z * all_lanes(b.g[4]);
    const Lanes r = x * all_lanes(b.g[2]) + y * all_lanes(b.g[4]) + z * all_lanes(b.g[5]);
    const Lanes rest = positive_part(all_lanes(1) - (p * p + q * q + r * r));
    sum += rest * rest * rest * all_lanes(b.weight);
  }
  for (int l = 0; l < 8; ++l) out[l] = std::min(drops.far, length * (0.5f - sum[l]));
  drops.add_drops(near, out);
}

}  // namespace silt
