#include "silt/fields/redistance.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "silt/fields/halo.h"
#include "silt/fields/local_surface.h"
#include "silt/fields/region_loops.h"

namespace silt {

namespace {

constexpr float nowhere = 1e6f;     // cells to a surface that has not been found
constexpr double at_least = 1e-6;   // cells: a distance of zero would lose its sign
constexpr double longest_here = 1;  // cells: one of the cell's edges is cut, so nothing is farther
constexpr double trusted = 0.1;     // cells by which the nearest point may be farther than one that was known

SILT_HD Vec3d vector(const MacView<const float>& field, Cell c) {
  return {field.x(c), field.y(c), field.z(c)};
}

struct Forget {
  MacView<float> a, b;
  SILT_HD void operator()(Cell c) const {
    a.x(c) = b.x(c) = nowhere;
    a.y(c) = b.y(c) = a.z(c) = b.z(c) = 0;
  }
};

/// From the centre of a cell that the surface passes to the surface.
struct FootHere {
  Box cells;
  bool wraps[3];
  double inv_h;
  View<const float> phi;
  MacView<float> foot;

  /// How far along an axis the surface is, signed; 0: it does not cross there.
  SILT_HD double crossing(Cell c, int axis) const {
    const double here = phi(c);
    double nearest = 0;
    for (int side = -1; side <= 1; side += 2) {
      const Cell n = c + unit(axis) * side;
      if (!wraps[axis] && (n[axis] < cells.lo[axis] || n[axis] >= cells.hi[axis])) continue;
      const double there = phi(n);
      if ((here < 0) == (there < 0)) continue;
      double theta = here / (here - there);
      theta = theta < at_least ? at_least : theta;
      if (nearest == 0 || theta < std::abs(nearest)) nearest = side * theta;
    }
    return nearest;
  }
  /// The foot on the plane through the crossings t_a: x_a = d^2 / t_a, 1 / d^2 = sum 1 / t_a^2.
  SILT_HD static Vec3d on_plane(const Vec3d& t) {
    Vec3d over;
    for (int a = 0; a < 3; ++a) over[a] = t[a] != 0 ? 1 / t[a] : 0;
    return over / dot(over, over);
  }
  SILT_HD void operator()(Cell c) const {
    const Vec3d t{crossing(c, 0), crossing(c, 1), crossing(c, 2)};
    if (!(dot(t, t) > 0)) return;
    const LocalSurface surface = LocalSurface::at(phi, inv_h, c);
    const Vec3d plane = on_plane(t);
    Vec3d x = plane;
    if (surface.nearest({}, x) != LocalSurface::Search::found || dot(x, x) > longest_here) x = plane;
    foot.x(c) = float(x.x), foot.y(c) = float(x.y), foot.z(c) = float(x.z);
  }
};

/// The nearest of what a cell has and what its neighbours have.
struct TakeOver {
  Int3 active;
  MacView<const float> foot;
  MacView<float> next;
  SILT_HD void operator()(Cell c) const {
    Vec3f best{foot.x(c), foot.y(c), foot.z(c)};
    float least = dot(best, best);
    for (int a = 0; a < 3; ++a)
      for (int side = -1; side <= 1; side += 2) {
        const Int3 step = unit(a) * (side * active[a]);
        const Cell n = c + step;
        const Vec3f other = Vec3f{foot.x(n), foot.y(n), foot.z(n)} + step.as<float>();
        const float far = dot(other, other);
        const bool better = far < least;
        best = {better ? other.x : best.x, better ? other.y : best.y, better ? other.z : best.z};
        least = better ? far : least;
      }
    next.x(c) = best.x, next.y(c) = best.y, next.z(c) = best.z;
  }
};

struct Beyond {
  float farthest;  ///< [m]
  View<const float> phi;
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = phi(c) < 0 ? -farthest : farthest; }
};

/// The distance to the surface near the foot that a cell has.
struct Distance {
  Box cells;
  Int3 period;  ///< 0: the axis is not periodic
  double h, band;
  View<const float> phi;
  MacView<const float> foot;
  View<float> out;

  /// To the cell whose surroundings say best where the surface is: the one that the foot lies in, or the domain's last
  /// on the way there.
  SILT_HD Int3 step_to(const Vec3d& x, Cell c) const {
    Int3 step{int(std::floor(x.x + 0.5)), int(std::floor(x.y + 0.5)), int(std::floor(x.z + 0.5))};
    for (int a = 0; a < 3; ++a) {
      if (period[a]) continue;
      const int lowest = cells.lo[a] - c[a], highest = cells.hi[a] - 1 - c[a];
      step[a] = step[a] < lowest ? lowest : step[a] > highest ? highest : step[a];
    }
    return step;
  }
  SILT_HD Cell wrapped(Cell c) const {
    for (int a = 0; a < 3; ++a) {
      if (period[a] && c[a] < cells.lo[a]) c[a] += period[a];
      if (period[a] && c[a] >= cells.hi[a]) c[a] -= period[a];
    }
    return c;
  }
  /// From the cell to the surface, the nearest point of which is near x.
  SILT_HD double search(Cell c, Vec3d x) const {
    for (int part = 0; part < 4; ++part) {
      const Int3 step = step_to(x, c);
      const Vec3d base = step.as<double>();
      Vec3d from_base = x - base;
      const auto result = LocalSurface::at(phi, 1 / h, wrapped(c + step)).nearest(-base, from_base);
      if (result == LocalSurface::Search::none) break;
      x = from_base + base;
      if (result == LocalSurface::Search::found) return length(x);
    }
    return nowhere;
  }
  SILT_HD void operator()(Cell c) const {
    const Vec3d x = vector(foot, c);
    double d = length(x);
    if (d < band + 1) {
      const double searched = search(c, x);
      if (searched < d + trusted && searched > d - 1) d = searched;
    }
    d = d < at_least ? at_least : d > band ? band : d;
    out(c) = float(phi(c) < 0 ? -d * h : d * h);
  }
};

}  // namespace

namespace {

/// Cells that may be looked at when those of `near` are: these and their neighbours, beyond the domain's sides too.
Region with_neighbours(const Domain& domain, const Layout& layout, const Region& near) {
  if (domain.wraps()) return layout.storage();
  std::vector<Int3> tiles;
  const Int3 active = domain.lattice.active;
  const Int3* list = near.tiles().host();
  for (std::size_t t = 0; t < near.tiles().size(); ++t)
    for (int z = -active.z; z <= active.z; ++z)
      for (int y = -active.y; y <= active.y; ++y)
        for (int x = -1; x <= 1; ++x) tiles.push_back(list[t] + Int3{x, y, z});
  const auto before = [](const Int3& a, const Int3& b) { return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x); };
  std::sort(tiles.begin(), tiles.end(), before);
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  return Region(layout.storage(), active, tiles);
}

}  // namespace

Redistance::Redistance(const Layout& layout) : foot_(layout), next_(layout), out_(layout) {}

void Redistance::find_feet(const Exec& exec, const Domain& domain, int rounds, const Region& near) {
  Domain ring = domain;  // beyond sides that do not wrap there is no surface
  bool wraps = false;
  for (int a = 0; a < 3; ++a) {
    wraps = wraps || (domain.lattice.active[a] && domain.periodic(a));
    if (!domain.periodic(a)) ring.sides[a] = {Side::open, Side::open};
  }
  for (int round = 0; round < rounds; ++round) {
    for (int a = 0; a < 3 && wraps; ++a)
      fill_halo(exec, ring, domain.cells, {.open_repeats = false, .open_value = nowhere}, foot_[a]);
    for_each_cell(exec, "redistance.take_over", near,
                  TakeOver{domain.lattice.active, foot_.read(exec), next_.update(exec)});
    std::swap(foot_, next_);
  }
}

void Redistance::run(const Exec& exec, const Domain& domain, int band, Field<float>& phi) {
  const Lattice& lattice = domain.lattice;
  if (foot_.layout() != phi.layout()) *this = Redistance(phi.layout());
  fill_level_set_halo(exec, domain, phi);
  const Region near = tiles_near_surface(exec, domain, phi, band + 1);
  FootHere here{domain.cells, {}, 1 / lattice.h, phi.read(exec), {}};
  Int3 period{};
  for (int a = 0; a < 3; ++a) {
    here.wraps[a] = !lattice.active[a] || domain.periodic(a);
    if (lattice.active[a] && domain.periodic(a)) period[a] = domain.cells.size()[a];
  }
  for_each_cell(exec, "redistance.forget", with_neighbours(domain, phi.layout(), near),
                Forget{foot_.update(exec), next_.update(exec)});
  here.foot = foot_.update(exec);
  for_each_cell(exec, "redistance.here", near, here);
  // Points come by way of faces, one cell a round: so many rounds for a cell that lies `band` away across a corner.
  find_feet(exec, domain, int(std::ceil(std::sqrt(double(lattice.dims())) * band)), near);
  for_each_cell(exec, "redistance.beyond", domain.cells,
                Beyond{float(band * lattice.h), phi.read(exec), out_.update(exec)});
  for_each_cell(
      exec, "redistance.distance", near,
      Distance{domain.cells, period, lattice.h, double(band), phi.read(exec), foot_.read(exec), out_.update(exec)});
  std::swap(phi, out_);
  fill_level_set_halo(exec, domain, phi);
}

}  // namespace silt
