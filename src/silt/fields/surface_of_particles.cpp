#include "silt/fields/surface_of_particles.h"

#include <cassert>
#include <cmath>

#include "silt/core/lanes.h"
#include "silt/core/loops.h"
#include "silt/core/mat3.h"
#include "silt/fields/halo.h"

namespace silt {

namespace {

/// The largest eigenvalue of a symmetric matrix, by the cosine that solves its cubic.
SILT_HD double largest_eigenvalue(const Mat3d& m) {
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

  SILT_HD explicit Neighbourhood(const NeighbourLanes& lanes) : count(lanes.count), weight(total(lanes.weight)) {
    int product = 0;
    for (int a = 0; a < 3; ++a) {
      places[a] = total(lanes.places[a]), slopes[a] = total(lanes.slopes[a]);
      for (int b = a; b < 3; ++b) products[a][b] = products[b][a] = total(lanes.products[product++]);
    }
  }
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
};

/// How much of the way from `alone` to `radius` it is for so many particles in the cells round one: a surface has 72
/// and more of them in 3D, 12 in 2D.
SILT_HD double among_others(int count, int dims) {
  const double t = (count - 1) / (dims == 3 ? 11.0 : 5.0);
  return t >= 1 ? 1 : t;
}

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

/// How many particles each cell has, or 255.
struct CountParticles {
  CellRanges::View ranges;
  View<unsigned char> out;
  SILT_HD void operator()(Cell c) const {
    const auto n = ranges.count(c);
    out(c) = static_cast<unsigned char>(n < 255 ? n : 255);
  }
};

struct Surface {
  static constexpr bool uneven = true;
  Box cells;
  Int3 active;
  bool periodic[3];
  double h, radius, alone, reach, slack;  ///< [m], [cells] each
  bool concave;
  Fullness fullness;
  int enough;  ///< particles in a cell and those round it, with which it cannot be hollow
  CellRanges::View ranges;
  ParticleView particles;
  View<const unsigned char> counts;
  View<float> phi;

  /// A neighbour of a cell, or what stands in for it beyond a side.
  struct Neighbour {
    Cell cell;
    Int3 mirrored{};  ///< along which axes
  };
  SILT_HD Neighbour at(Cell n) const {
    Neighbour out{n};
    for (int a = 0; a < 3; ++a) {
      const int below = cells.lo[a] - n[a], above = n[a] - (cells.hi[a] - 1);
      if (below <= 0 && above <= 0) continue;
      const int size = cells.hi[a] - cells.lo[a];
      if (periodic[a]) {
        out.cell[a] += below > 0 ? size : -size;
      } else {
        out.cell[a] = below > 0 ? cells.lo[a] + below - 1 : cells.hi[a] - above;
        out.mirrored[a] = 1;
      }
    }
    return out;
  }

  SILT_HD void operator()(Cell c) const {
    int count = 0;
    bool all = true;
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {  // flat axes: thrice the same
          const int n = counts(c.x + x, c.y + y, c.z + z);
          count += n, all = all && n > 0;
        }
    const bool deep = all && count >= enough;
    double value = deep ? -radius : reach - radius;
    if (count > 0 && !deep) {
      const Neighbourhood near = gather(c);
      if (near.weight > 0) {
        const double off = reach * length(near.mean());
        const double among = among_others(near.count, active.x + active.y + active.z);
        const double by_places = off - (alone + (radius - alone) * among) * (concave ? near.factor() : 1);
        const double by_fullness = fullness.outside(near.weight) - slack;
        value = by_places > by_fullness ? by_places : by_fullness;
      }
    }
    phi(c) = float(value * h);
  }

  SILT_HD Neighbourhood gather(Cell c) const {
    NeighbourLanes near;
    for (int z = -active.z; z <= active.z; ++z)
      for (int y = -active.y; y <= active.y; ++y)
        for (int x = -1; x <= 1; ++x) add({x, y, z}, c, near);
    return Neighbourhood(near);
  }
  /// The particles of one neighbour.
  SILT_HD_INLINE void add(Int3 step, Cell c, NeighbourLanes& near) const {
    constexpr float far = 10;  // where lanes that no particle fills are put
    const Neighbour neighbour = at(c + step);
    if (ranges.count(neighbour.cell) == 0) return;
    const std::uint32_t last = ranges.last(neighbour.cell);
    const float scale = float(1 / reach);
    for (std::uint32_t i = ranges.first(neighbour.cell); i < last; i += lane_count) {
      const int n = last - i < lane_count ? int(last - i) : lane_count;
      Lanes y[3];
      for (int a = 0; a < 3; ++a) {
        if (!particles.offset[a]) {
          y[a] = Lanes{};
          continue;
        }
        const Lanes offset = load_lanes(particles.offset[a] + i, n);
        const Lanes from_low = neighbour.mirrored[a] ? all_lanes(1) - offset : offset;
        y[a] = (from_low + all_lanes(float(step[a]) - 0.5f)) * all_lanes(scale);
      }
      y[0] = first_lanes(y[0], n, far);
      near.add(y, n);
    }
  }
};

}  // namespace

void surface_of_particles(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                          const SurfaceOptions& options, Field<float>& phi) {
  assert(options.reach > 0 && options.reach <= 1.5 && "one layer of cells is looked at");
  const Lattice& lattice = domain.lattice;
  Field<unsigned char> counts(phi.layout());
  for_each_cell(exec, "surface.counts", domain.cells, CountParticles{ranges.read(exec), counts.write(exec)});
  fill_halo(exec, domain, domain.cells, HaloRule{}, counts);
  const Fullness fullness(options.reach, lattice.dims());
  const int most = 27 << lattice.dims();  // in a cell and those round it
  Surface kernel{domain.cells,
                 lattice.active,
                 {},
                 lattice.h,
                 options.radius,
                 options.alone,
                 options.reach,
                 options.slack * fullness.noise,
                 options.concave,
                 fullness,
                 std::isinf(options.slack) ? 0 : int(0.7 * most),
                 ranges.read(exec),
                 read(exec, particles),
                 counts.read(exec),
                 phi.update(exec)};
  for (int a = 0; a < 3; ++a) kernel.periodic[a] = domain.periodic(a);
  for_each_cell(exec, "surface.particles", domain.cells, kernel);
}

}  // namespace silt
