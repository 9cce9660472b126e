#include "silt/fields/surface_of_particles.h"

#include <cassert>
#include <cmath>

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

/// What particles near a point add up to; places from the point, in units of R.
struct Neighbourhood {
  int count = 0;
  double weight = 0;
  Vec3d places, slopes;  ///< sum k y, sum c y with grad k = c y
  Mat3d products{{}, {}, {}};

  SILT_HD void add(const Vec3d& y) {
    const double rest = 1 - dot(y, y);
    if (rest <= 0) return;
    const double k = rest * rest * rest, c = 6 * rest * rest;
    weight += k;
    places += y * k;
    slopes += y * c;
    for (int a = 0; a < 3; ++a) products[a] += y * (c * y[a]);
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

struct MarkOccupied {
  CellRanges::View ranges;
  View<unsigned char> out;
  SILT_HD void operator()(Cell c) const { out(c) = ranges.count(c) > 0; }
};

struct Surface {
  Box cells;
  Int3 active;
  bool periodic[3];
  double h, radius, alone, reach;  ///< [m], [cells] each
  bool concave;
  CellRanges::View ranges;
  ParticleView particles;
  View<const unsigned char> occupied;
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
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) count += occupied(c.x + x, c.y + y, c.z + z);  // flat axes: thrice the same
    const bool any = count > 0, all = count == 27;
    double value = all ? -radius : reach - radius;
    if (any && !all) {
      const Neighbourhood near = gather(c);
      if (near.weight > 0) {
        const double off = reach * length(near.mean());
        const double among = among_others(near.count, active.x + active.y + active.z);
        value = off - (alone + (radius - alone) * among) * (concave ? near.factor() : 1);
      }
    }
    phi(c) = float(value * h);
  }

  SILT_HD Neighbourhood gather(Cell c) const {
    Neighbourhood near;
    for (int z = -active.z; z <= active.z; ++z)
      for (int y = -active.y; y <= active.y; ++y)
        for (int x = -1; x <= 1; ++x) add({x, y, z}, c, near);
    return near;
  }
  /// The particles of one neighbour.
  SILT_HD void add(Int3 step, Cell c, Neighbourhood& near) const {
    const Neighbour neighbour = at(c + step);
    if (ranges.count(neighbour.cell) == 0) return;
    const Vec3d from = step.as<double>() - Vec3d{0.5, 0.5, 0.5};
    near.count += int(ranges.count(neighbour.cell));
    for (std::uint32_t i = ranges.first(neighbour.cell); i < ranges.last(neighbour.cell); ++i) {
      Vec3d offset = particles.offset_at(i).as<double>();
      for (int a = 0; a < 3; ++a)
        if (neighbour.mirrored[a]) offset[a] = 1 - offset[a];
      near.add((from + offset) / reach);
    }
  }
};

}  // namespace

void surface_of_particles(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                          const SurfaceOptions& options, Field<float>& phi) {
  assert(options.reach > 0 && options.reach <= 1.5 && "one layer of cells is looked at");
  Field<unsigned char> occupied(phi.layout());
  for_each_cell(exec, "surface.occupied", domain.cells, MarkOccupied{ranges.read(exec), occupied.write(exec)});
  fill_halo(exec, domain, domain.cells, HaloRule{}, occupied);
  Surface kernel{domain.cells,          domain.lattice.active, {},
                 domain.lattice.h,      options.radius,        options.alone,
                 options.reach,         options.concave,       ranges.read(exec),
                 read(exec, particles), occupied.read(exec),   phi.update(exec)};
  for (int a = 0; a < 3; ++a) kernel.periodic[a] = domain.periodic(a);
  for_each_cell(exec, "surface.particles", domain.cells, kernel);
}

}  // namespace silt
