#pragma once

#include <cmath>

#include "silt/core/lanes.h"
#include "silt/core/mat3.h"

namespace silt {

/// What surfaces round particles are made of: the sums over the particles near a point, with Zhu's kernel k(s) = max(0,
/// (1 - s^2)^3), s the distance in units of its reach R. See surface_of_particles.h.

/// The largest eigenvalue of a symmetric matrix, by the cosine that solves its cubic.
SILT_HD inline double largest_eigenvalue(const Mat3d& m) {
  const double mean = (m.x.x + m.y.y + m.z.z) / 3;
  const Vec3d a = m.x - Vec3d{mean, 0, 0}, b = m.y - Vec3d{0, mean, 0}, c = m.z - Vec3d{0, 0, mean};
  const double size = std::sqrt((dot(a, a) + dot(b, b) + dot(c, c)) / 6);
  if (!(size > 1e-12)) return mean;
  double cosine = dot(a, cross(b, c)) / (2 * size * size * size);
  cosine = cosine < -1 ? -1 : cosine > 1 ? 1 : cosine;
  return mean + 2 * size * std::cos(std::acos(cosine) / 3);
}

/// The sum of the lanes, always in the same order.
SILT_HD_INLINE double total(const Lanes& v) {
  return (double(v[0] + v[1]) + double(v[2] + v[3])) + (double(v[4] + v[5]) + double(v[6] + v[7]));
}

/// What particles near a point add up to, eight at a time; places from the point, in units of R.
struct NeighbourLanes {
  int count = 0;
  Lanes weight{}, places[3]{}, slopes[3]{};
  Lanes products[6]{};  ///< xx, xy, xz, yy, yz, zz

  SILT_HD_INLINE void add(const Lanes (&y)[3], int n) {
    const Lanes rest = positive_part(all_lanes(1) - (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]));
    const Lanes square = rest * rest, k = square * rest, c = all_lanes(6) * square;
    count += n;
    weight += k;
    int product = 0;
    for (int a = 0; a < 3; ++a) {
      places[a] += k * y[a];
      const Lanes slope = c * y[a];
      slopes[a] += slope;
      for (int b = a; b < 3; ++b) products[product++] += slope * y[b];
    }
  }
};

/// The same, summed up.
struct Neighbourhood {
  int count = 0;
  double weight = 0;
  Vec3d places, slopes;  ///< sum k y, sum c y with grad k = c y
  Mat3d products{{}, {}, {}};

  /// Of one point, whose particles were spread over the lanes.
  SILT_HD explicit Neighbourhood(const NeighbourLanes& lanes)
      : Neighbourhood(lanes, [](const Lanes& v) { return total(v); }) {}
  /// Of one of eight points that saw the same particles, each in its own lane.
  SILT_HD Neighbourhood(const NeighbourLanes& lanes, int lane)
      : Neighbourhood(lanes, [lane](const Lanes& v) { return double(v[lane]); }) {}

  SILT_HD Vec3d mean() const { return places / weight; }
  /// 1 where the surface is flat or convex; less as grad xbar grows [SSP07].
  SILT_HD double factor() const {
    constexpr double low = 0.4, high = 3.5;
    const Vec3d m = mean();
    Mat3d gradient;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        gradient[a][b] = (products[a][b] - 0.5 * (m[a] * slopes[b] + m[b] * slopes[a])) / weight;
    const double t = (high - largest_eigenvalue(gradient)) / (high - low);
    return t >= 1 ? 1 : t <= 0 ? 0 : ((t - 3) * t + 3) * t;
  }

 private:
  template <class Sum>
  SILT_HD Neighbourhood(const NeighbourLanes& lanes, const Sum& sum) : count(lanes.count), weight(sum(lanes.weight)) {
    int product = 0;
    for (int a = 0; a < 3; ++a) {
      places[a] = sum(lanes.places[a]), slopes[a] = sum(lanes.slopes[a]);
      for (int b = a; b < 3; ++b) products[a][b] = products[b][a] = sum(lanes.products[product++]);
    }
  }
};

/// How much liquid there is round a point, by the sum W of its neighbours' weights; lengths in cells.
struct Fullness {
  double full;    ///< what the sum is with 2^D particles in every cell
  double length;  ///< in which the part of that falls by 1, across a flat surface
  double noise;   ///< of the surface that half full room has, for places at random, over what it is in 3D

  explicit Fullness(double reach, int dims)
      : full(dims == 3 ? 8 * reach * reach * reach * 64 * pi / 315 : 4 * reach * reach * pi / 4),
        length(reach * (dims == 3 ? 256.0 / 315 : 35 * pi / 128)),
        noise(dims == 3 ? 1 : 1.86) {}

  /// How far outside the surface that half full room has.
  SILT_HD double outside(double weight) const { return length * (0.5 - weight / full); }

 private:
  static constexpr double pi = 3.14159265358979323846;
};

}  // namespace silt
