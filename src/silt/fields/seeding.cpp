#include "silt/fields/seeding.h"

#include <cmath>

#include "silt/core/packed.h"
#include "silt/core/scan_sort.h"
#include "silt/fields/images.h"
#include "silt/fields/seed_places.h"
#include "silt/geometry/shape_loop.h"
#include "silt/geometry/shape_on.h"

namespace silt {
namespace {

/// Where a particle is.
struct Place {
  Cell cell;
  Vec3f offset;
};

/// Decides which parts of a cell get a particle, and where it is put.
struct Seeder {
  ShapeView shape, solids;
  Lattice lattice;
  Box cells;
  Int3 periodic;       ///< 1: across this axis
  Vec3d lower, upper;  ///< the domain's corners [m]
  std::uint64_t seed;
  double jitter;

  Seeder(const ShapeView& in, const ShapeView& not_in, const Domain& domain, const SeedOptions& options)
      : shape(in),
        solids(not_in),
        lattice(domain.lattice),
        cells(domain.cells),
        periodic{domain.periodic(0), domain.periodic(1), domain.periodic(2)},
        lower(domain.lower()),
        upper(domain.upper()),
        seed(options.seed),
        jitter(options.jitter) {}

  SILT_HD Vec3d position(const Place& p) const {
    return lattice.origin + (p.cell.as<double>() + p.offset.as<double>()) * lattice.h;
  }
  SILT_HD bool solid(const Vec3d& x) const { return solids.count > 0 && solids.distance(x) <= 0; }

  /// Whether the shape's surface at x is free: within the domain and not on a wall or a solid.
  SILT_HD bool free_surface(const Vec3d& x) const {
    const double h = lattice.h, skin = 1e-3 * h;
    for (int a = 0; a < 3; ++a) {
      if (!lattice.active[a] || periodic[a]) continue;
      const double from = x[a] - lower[a], to = upper[a] - x[a];
      if (from < skin || to < skin) return false;
    }
    return solids.count == 0 || solids.distance(x) > skin;
  }

  /// The way out of a shape at x.
  template <class... Cursor>
  SILT_HD Vec3d slope(const ShapeView& of, const Vec3d& x, Cursor&... cursor) const {
    const double e = 1e-3 * lattice.h;
    Vec3d n{};
    for (int a = 0; a < 3; ++a) {
      if (!lattice.active[a]) continue;
      Vec3d up = x, down = x;
      up[a] += e, down[a] -= e;
      n[a] = of.distance(up, cursor...) - of.distance(down, cursor...);
    }
    return normalized(n);
  }
  SILT_HD Vec3d outward(const Vec3d& x, ShapeCursor& cursor) const { return slope(shape, x, cursor); }

  /// A free surface as a plane.
  struct Surface {
    Vec3d point, normal;
    SILT_HD double distance(const Vec3d& x) const { return dot(normal, x - point); }
  };
  static constexpr double no_surface = -1e30;  ///< [m]; the distance where none is near

  /// Where a line along an axis leaves the shape within `seen` cells of x; false: it does not, or into a wall or solid.
  SILT_HD bool leave(const Vec3d& x, int axis, double way, ShapeCursor& cursor, Surface& out) const {
    constexpr double step = 0.25, seen = 2;  // farther than a cell along any normal
    constexpr int halvings = 24;
    const double h = lattice.h;
    const auto at = [&](double s) {
      Vec3d y = x;
      y[axis] += way * s * h;
      return y;
    };
    for (double s = step; s <= seen; s += step) {
      if (shape.distance(at(s), cursor) <= 0) continue;
      double in = s - step, past = s;
      for (int i = 0; i < halvings; ++i) {
        const double middle = 0.5 * (in + past);
        (shape.distance(at(middle), cursor) > 0 ? past : in) = middle;
      }
      out.point = at(past);
      if (!free_surface(out.point)) return false;
      out.normal = outward(out.point, cursor);
      return true;
    }
    return false;
  }

  /// The free surface near x where a wall or a solid is nearer than it: that which lines along the axes come to, the
  /// nearest of them. It goes on as a plane.
  SILT_HD bool see_surface(const Vec3d& x, ShapeCursor& cursor, Surface& out) const {
    double nearest = no_surface;
    for (int a = 0; a < 3; ++a)
      for (const double way : {-1.0, 1.0}) {
        Surface one;
        if (!lattice.active[a] || !leave(x, a, way, cursor, one) || one.distance(x) <= nearest) continue;
        nearest = one.distance(x), out = one;
      }
    return nearest > no_surface;
  }

  /// Distance from x, which is `distance` from the shape's surface, to the free surface, and its normal.
  SILT_HD double find_surface(const Vec3d& x, double distance, ShapeCursor& cursor, Vec3d& n) const {
    n = outward(x, cursor);
    if (free_surface(x - n * distance)) return distance;
    Surface seen;
    if (!see_surface(x, cursor, seen)) return no_surface;
    n = seen.normal;
    return seen.distance(x);
  }

  /// Outside of the shape, and not where a wall or a solid is.
  SILT_HD bool in_the_air(const Vec3d& x, ShapeCursor& cursor) const {
    return shape.distance(x, cursor) > 0 && free_surface(x);
  }

  /// Moves x out of solids along a surface of normal n: where a slope comes out of the water, what is in the wedge
  /// between them goes to where the wedge is half a cell deep. In a corner it comes out of one slope after the other.
  SILT_HD bool out_of_solids(const Vec3d& n, Vec3d& x) const {
    constexpr int slopes = 16;
    constexpr double farthest = 4, least_rise = 0.1;  // cells; sine of the solid against the surface
    const double h = lattice.h, skin = 1e-3 * h;
    double way = 0;
    for (int i = 0; i < slopes; ++i) {
      const double inside = skin - solids.distance(x);
      const Vec3d m = slope(solids, x), t = normalized(m - n * dot(m, n));
      const double rise = dot(m, t), step = inside / (rise > least_rise ? rise : least_rise);
      x += t * step, way += step;
      if (way > farthest * h) return false;
      if (!solid(x)) return true;
    }
    return false;
  }

  /// The same place, or half a cell below the surface if that is near. Where a sheet is too thin for it, it stays.
  SILT_HD Place below_surface(const Place& p, double distance, ShapeCursor& cursor) const {
    const double h = lattice.h;
    const Vec3d x = position(p);
    Vec3d n;
    distance = find_surface(x, distance, cursor, n);
    if (distance <= -h) return p;
    Vec3d moved = x - n * (distance + 0.5 * h);
    if (solid(moved) && !out_of_solids(n, moved)) return p;
    if (in_the_air(moved, cursor) || in_the_air(moved - n * (0.4 * h), cursor)) return p;
    Place out = p;
    for (int a = 0; a < 3; ++a) {
      if (!lattice.active[a]) continue;
      split(float(p.offset[a] + (moved[a] - x[a]) / h), out.cell[a], out.offset[a]);
      const int lo = cells.lo[a], hi = cells.hi[a];
      if (periodic[a]) out.cell[a] += out.cell[a] < lo ? hi - lo : out.cell[a] >= hi ? lo - hi : 0;
    }
    return cells.contains(out.cell) ? out : p;
  }

  /// Less is left to chance near the shape's surface: waves that an uneven one begins with do not end.
  SILT_HD double jitter_at(double distance) const {
    constexpr double least = 0.3, even = 1, usual = 3;  // part of the jitter; cells below the surface
    const double part = (-distance / lattice.h - even) / (usual - even);
    return jitter * (part < least ? least : part > 1 ? 1 : part);
  }

  /// Whether a particle near the surface counts as one of its layer hangs on its place: were that random, some columns
  /// in a row would have one more than others, and the surface bumps.
  SILT_HD Chance chance_at(double distance) const { return distance > -3 * lattice.h ? Chance::even : Chance::random; }

  /// put(Place) for every particle of a cell.
  template <class Put>
  SILT_HD void in_cell(Cell c, ShapeCursor& cursor, const Put& put) const {
    const double h = lattice.h, corner = 0.87 * h;  // from a cell's centre to its corners
    const double middle = shape.distance(lattice.centre(c), cursor);
    if (middle > corner) return;
    const bool deep = middle < -(corner + h);
    for (int part = 0; part < 8; ++part) {
      if (!has_part(lattice.active, part)) continue;
      const Place p{c, random_place(lattice.active, seed, c, part, jitter_at(middle), chance_at(middle))};
      const double distance = deep ? middle : shape.distance(position(p), cursor);
      if (distance > 0 || solid(position(p))) continue;
      put(distance > -h ? below_surface(p, distance, cursor) : p);
    }
  }
};

struct CountCell {
  Seeder seeder;
  Packed at;
  std::uint32_t* count;
  SILT_HD void operator()(Cell c, ShapeCursor& cursor) const {
    std::uint32_t n = 0;
    seeder.in_cell(c, cursor, [&](const Place&) { ++n; });
    count[at(c)] = n;
  }
};

struct FillCell {
  Seeder seeder;
  Packed at;
  const std::uint32_t* begin;
  std::size_t first;  ///< of the new particles
  std::uint64_t first_id;
  Vec3f flow;
  std::uint32_t source_of_all, colour_of_all;
  int* cell[3];
  float *offset[3], *velocity[3];
  std::uint64_t* id;
  std::uint32_t *source, *colour;

  SILT_HD void operator()(Cell c, ShapeCursor& cursor) const {
    std::uint32_t n = begin[at(c)];
    seeder.in_cell(c, cursor, [&](const Place& p) {
      const std::size_t i = first + n;
      for (int a = 0; a < 3; ++a)
        if (cell[a]) cell[a][i] = p.cell[a], offset[a][i] = p.offset[a], velocity[a][i] = flow[a];
      id[i] = first_id + n++;
      source[i] = source_of_all, colour[i] = colour_of_all;
    });
  }
};

}  // namespace

std::size_t seed_particles(const Exec& exec, const Domain& domain, const Shape& shape, const SeedOptions& options,
                           Particles& particles) {
  const Shape all = with_images(domain, shape);
  const ShapeOn on(exec, all), solids(exec, options.solids);
  const Seeder seeder(on.view(), solids.view(), domain, options);
  const Box box = cells_near(domain, all);
  if (box.empty()) return 0;
  Buffer<std::uint32_t> begin(std::size_t(box.count()));
  for_each_shape_cell(exec, "particles.count", box, CountCell{seeder, {box}, begin.write(exec)});
  const std::size_t more = exclusive_scan(exec, begin, begin);
  const std::size_t first = append(exec, particles, more);
  FillCell fill{seeder,
                {box},
                begin.read(exec),
                first,
                particles.born,
                options.velocity.as<float>(),
                options.source,
                options.colour,
                {},
                {},
                {},
                particles.id.update(exec),
                particles.source.update(exec),
                particles.colour.update(exec)};
  for (int a = 0; a < 3; ++a) {
    fill.cell[a] = particles.cell[a].update(exec);
    fill.offset[a] = particles.offset[a].update(exec);
    fill.velocity[a] = particles.velocity[a].update(exec);
  }
  for_each_shape_cell(exec, "particles.fill", box, fill);
  particles.born += more;
  return more;
}

}  // namespace silt
