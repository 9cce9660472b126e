#include "silt/physics/common/sweep_solids.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/fields/images.h"
#include "silt/fields/sampler.h"
#include "silt/fields/thin_solid.h"
#include "silt/geometry/shape_on.h"
#include "silt/physics/common/particle_sides.h"

namespace silt {
namespace {

constexpr double thin_cells = 3;  ///< from side to side
/// Where particles are looked at whose solids are thick [cells]: deeper than this, or farther on their way.
constexpr float deep_cells = 1, far_cells = 2;
constexpr double gap_cells = 1e-2, difference = 1e-3, endless = 1e30;
/// Where several thin solids meet, what slides along one comes to another: so often it may slide, and then it stops.
constexpr int most_slides = 3;

/// The way out of a shape, by differences over 2 e.
template <class Distance>
SILT_HD Vec3d normal_of(const Distance& distance, const Vec3d& x, double e, Int3 active) {
  Vec3d n{};
  for (int a = 0; a < 3; ++a) {
    if (!active[a]) continue;
    Vec3d up = x, down = x;
    up[a] += e, down[a] -= e;
    n[a] = distance(up) - distance(down);
  }
  return normalized(n);
}

/// Whether a shape is thin near some point of the lattice: from just inside its surface, so far along its normal comes
/// out again. Looks at some hundred thousand points at the most, beside corners: a plate may lie between these.
bool is_thin(const Shape& shape, const Domain& domain, bool beyond) {
  constexpr std::size_t most_blocks = 4096;
  const Lattice& lattice = domain.lattice;
  const double h = lattice.h, deep = thin_cells * h;
  const auto distance = [&](const Vec3d& x) { return shape.distance(x); };
  for (const Box& box : blocks_on_surface(shape, domain, cells_round(shape, domain, beyond), most_blocks))
    for (int z = box.lo.z; z < box.hi.z; ++z)
      for (int y = box.lo.y; y < box.hi.y; ++y)
        for (int x = box.lo.x; x < box.hi.x; ++x) {
          const Vec3d beside = Vec3d{0.37, 0.29, 0.23} * h;
          Vec3d at = lattice.corner({x, y, z}) + beside;
          for (int a = 0; a < 3; ++a)
            if (!lattice.active[a]) at[a] = lattice.centre({x, y, z})[a];
          const double d = distance(at);
          if (d >= 0 || d < -0.5 * deep) continue;
          const Vec3d n = normal_of(distance, at, difference * h, lattice.active);
          if (dot(n, n) == 0 || distance(at - n * (d + deep)) > 0) return true;
        }
  return false;
}

struct StopAt {
  MeetSolid then;
  ShapeView shape;
  Similarity carried;  ///< from where a point of the solid was to where it is
  Vec3d lowest, highest;
  /// What slides along a solid ends at the domain's walls: behind them lies its other side [m].
  Vec3d walls_low, walls_high;
  Lattice lattice;
  Vec3d period;  ///< [m]; 0: not periodic
  ParticleSides sides;
  PositionColumns now;
  const int* cell[3];
  const float* offset[3];
  bool deep_only;
  Box cells;                   ///< where `distance` is known
  View<const float> distance;  ///< of all solids, at corners [m]

  /// Whether a particle has gone far, or come in again on the other side.
  SILT_HD bool far(std::int64_t i) const {
    float way2 = 0;
    for (int a = 0; a < 3; ++a) {
      const float by = cell[a] ? float(now.cell[a][i] - cell[a][i]) + (now.offset[a][i] - offset[a][i]) : 0;
      way2 += by * by;
    }
    return way2 > far_cells * far_cells;
  }
  SILT_HD bool deep(std::int64_t i) const {
    constexpr float across = 1.74f;  // a cell
    const Cell c = now.cell_at(i);
    const float h = float(lattice.h);
    if (!cells.contains(c)) return true;
    if (distance(c) > (across - deep_cells) * h) return false;  // one corner tells it
    const Vec3f f = now.offset_at(i);
    const auto axis = [&](int a) { return SampleAxis{c[a], f[a]}; };
    return Corners::at(distance, {axis(0), axis(1), axis(2)}).value() < -deep_cells * h;
  }
  SILT_HD Vec3d before(std::int64_t i) const {
    Vec3d x{};
    for (int a = 0; a < 3; ++a) x[a] = cell[a] ? double(cell[a][i]) + offset[a][i] : 0.5;
    return lattice.origin + x * lattice.h;
  }
  SILT_HD Vec3d after(std::int64_t i) const {
    return lattice.origin + (now.cell_at(i).as<double>() + now.offset_at(i).as<double>()) * lattice.h;
  }
  SILT_HD Vec3d normal(const Vec3d& x) const {
    return normal_of([&](const Vec3d& y) { return shape.distance(y); }, x, difference * lattice.h, lattice.active);
  }
  /// How far from x along the unit vector `way` it is free, up to `length`; `d` is the distance at x.
  SILT_HD double free_way(const Vec3d& x, const Vec3d& way, double length, double d) const {
    const double least = 0.05 * lattice.h;
    double s = 0;
    for (int steps = 0; steps < 64 && s < length; ++steps) {
      const double next = s + (d > least ? d : least) < length ? s + (d > least ? d : least) : length;
      const double there = shape.distance(x + way * next);
      if (there < 0) {
        double low = s, high = next;
        for (int half = 0; half < 6; ++half) {
          const double middle = 0.5 * (low + high);
          (shape.distance(x + way * middle) < 0 ? high : low) = middle;
        }
        return low;
      }
      s = next, d = there;
    }
    return s < length ? s : length;
  }

  /// How far along the unit vector `way` walls let it go, up to `length`; 0 beyond one.
  SILT_HD double within_walls(const Vec3d& x, const Vec3d& way, double length) const {
    double out = length;
    for (int a = 0; a < 3; ++a) {
      if (!lattice.active[a]) continue;
      const double room = way[a] < 0 ? walls_low[a] - x[a] : walls_high[a] - x[a];
      if (way[a] != 0 && room / way[a] < out) out = room / way[a];
      if (x[a] < walls_low[a] || x[a] > walls_high[a]) out = 0;
    }
    return out > 0 ? out : 0;
  }

  SILT_HD void operator()(std::int64_t i) const {
    if (now.cell[0][i] == Particles::dead || cell[0][i] == Particles::dead) return;
    if (deep_only && !far(i) && !deep(i)) return;
    const Vec3d end = after(i);
    Vec3d start = before(i);
    for (int a = 0; a < 3; ++a)  // come in again on the other side
      if (period[a] > 0 && std::abs(start[a] - end[a]) > 0.5 * period[a])
        start[a] += start[a] < end[a] ? period[a] : -period[a];
    start = carried(start);
    bool near = true;
    for (int a = 0; a < 3; ++a)
      near = near && (!lattice.active[a] ||
                      ((start[a] > lowest[a] || end[a] > lowest[a]) && (start[a] < highest[a] || end[a] < highest[a])));
    if (!near) return;
    const double gap = gap_cells * lattice.h;
    double d = shape.distance(start);
    if (d < gap) {  // the grid's solid is not quite this one: onto the side that it is nearer to
      start += normal(start) * (gap - d);
      d = shape.distance(start);
      if (d < 0) return;
    }
    const Vec3d by = end - start;
    const double way = length(by);
    if (!(way > 0) || d > way) return;
    const double free = free_way(start, by * (1 / way), way, d);
    if (free >= way) return;
    if (then == MeetSolid::go_back) {
      for (int a = 0; a < 3; ++a)
        if (cell[a]) now.cell[a][i] = cell[a][i], now.offset[a][i] = offset[a][i];
      return;
    }
    const Vec3d met = start + by * (free / way), n = normal(met);
    const Vec3d on = met + n * within_walls(met, n, gap);
    Vec3d rest = by * (1 - free / way);
    const double into = dot(rest, n);
    if (into < 0) rest = rest - n * into;
    const double left = then == MeetSolid::slide ? length(rest) : 0;
    Vec3d put = on - end;
    if (left > 0) {
      const Vec3d along = rest * (1 / left);
      put += along * free_way(on, along, within_walls(on, along, left), shape.distance(on));
    }
    now.shift(sides, i, (put * (1 / lattice.h)).as<float>());
  }
};

}  // namespace

SweepSolids::SweepSolids(const Domain& domain, const std::vector<Obstacle>& obstacles) {
  for (const Obstacle& o : obstacles) {
    if (o.shape.deforms()) continue;
    const Shape shape = place(o, 0).shape;  // beyond the domain, too: it may come in, and water goes out
    const bool thin = is_thin(shape, domain, false) || is_thin(shape, domain, true);
    (thin ? thin_ : thick_).push_back(o);
  }
}

void SweepSolids::remember(const Particles& particles) {
  for (int a = 0; a < 3; ++a) cell_[a] = particles.cell[a], offset_[a] = particles.offset[a];
}

void SweepSolids::stop(const Exec& exec, const Domain& domain, double from, double to, Particles& particles) const {
  const int rounds = thin_.size() > 1 ? most_slides + 1 : 1;
  for (int round = 0; round < rounds; ++round)
    for (const Obstacle& o : thin_)
      stop_at(o, exec, domain, from, to, round < most_slides ? MeetSolid::slide : MeetSolid::stop, false, nullptr,
              particles);
}

void SweepSolids::take_back(const Exec& exec, const Domain& domain, double time, Particles& particles) const {
  for (const Obstacle& o : thin_) stop_at(o, exec, domain, time, time, MeetSolid::go_back, false, nullptr, particles);
}

bool SweepSolids::may_go_deep(double cells, double before) const {
  return !thick_.empty() && before + cells > 0.5 * thin_cells;
}

void SweepSolids::stop_deep(const Exec& exec, const Domain& domain, double from, double to,
                            const Field<float>* distance, Particles& particles) const {
  for (const Obstacle& o : thick_) stop_at(o, exec, domain, from, to, MeetSolid::slide, true, distance, particles);
}

void SweepSolids::stop_at(const Obstacle& o, const Exec& exec, const Domain& domain, double from, double to,
                          MeetSolid then, bool deep_only, const Field<float>* distance, Particles& particles) const {
  const Lattice& lattice = domain.lattice;
  const Shape there = place(o, to).shape;
  const Similarity carried = o.motion.still() ? Similarity{} : o.motion.at(to).place * inverse(o.motion.at(from).place);
  for (const Vec3d& image : periodic_images(domain, there)) {
    const Similarity moved{{}, image, 1};
    const Shape shape = there.transformed(moved);
    const ShapeOn on(exec, shape);
    const Shape::Bounds b = shape.bounds();
    const Vec3d margin = Vec3d{1, 1, 1} * lattice.h;
    StopAt kernel{then,
                  on.view(),
                  moved * carried * inverse(moved),
                  b.lowest - margin,
                  b.highest + margin,
                  Vec3d{-1, -1, -1} * endless,
                  Vec3d{1, 1, 1} * endless,
                  lattice,
                  {},
                  ParticleSides::of(domain),
                  PositionColumns::of(exec, particles),
                  {},
                  {},
                  deep_only,
                  distance ? Box(domain.cells) : Box{},
                  distance ? distance->read(exec) : View<const float>{}};
    for (int a = 0; a < 3; ++a) {
      if (domain.side(a, 0) == Side::wall) kernel.walls_low[a] = domain.lower()[a] + wall_gap * lattice.h;
      if (domain.side(a, 1) == Side::wall) kernel.walls_high[a] = domain.upper()[a] - wall_gap * lattice.h;
      if (lattice.active[a] && domain.periodic(a)) kernel.period[a] = domain.cells.size()[a] * lattice.h;
      kernel.cell[a] = cell_[a].read(exec), kernel.offset[a] = offset_[a].read(exec);
    }
    for_each_index(exec, "particles.sweep", std::int64_t(particles.count), kernel);
  }
}

}  // namespace silt
