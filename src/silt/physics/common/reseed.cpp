#include "silt/physics/common/reseed.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/core/scan_sort.h"
#include "silt/fields/seed_places.h"
#include "silt/physics/common/chosen.h"
#include "silt/physics/common/flow_columns.h"
#include "silt/physics/common/particle_sides.h"

namespace silt {
namespace {

/// The cells of a domain and who is in them, across periodic sides too.
struct Crowd {
  CellRanges::View ranges;
  const int* occupied;  ///< tiles that have particles: nothing is done in others
  std::int64_t places;  ///< cells of these
  ParticleView particles;
  ParticleSides sides;
  Int3 active;

  /// The cell at a place: those of occupied tiles, in order.
  SILT_HD Cell cell_at(std::int64_t place) const {
    const int each = ranges.order.cells_each();
    return ranges.order.lowest_cell(occupied[place / each]) + ranges.order.within(int(place % each));
  }
  SILT_HD Cell wrapped(Cell c) const {
    for (int a = 0; a < 3; ++a)
      c[a] += c[a] < sides.lo[a] ? sides.period[a] : c[a] >= sides.hi[a] ? -sides.period[a] : 0;
    return c;
  }
  SILT_HD bool in_domain(Cell c) const { return Box{sides.lo, sides.hi}.contains(c); }

  /// visit(neighbour, how far away) for the cell and those round it that are in the domain.
  template <class Visit>
  SILT_HD void round(Cell c, const Visit& visit, int reach = 1) const {
    for (int z = -active.z * reach; z <= active.z * reach; ++z)
      for (int y = -active.y * reach; y <= active.y * reach; ++y)
        for (int x = -active.x * reach; x <= active.x * reach; ++x)
          if (const Cell n = wrapped(c + Int3{x, y, z}); in_domain(n)) visit(n, Int3{x, y, z});
  }
  /// Whether the cells round it all have particles. It may be empty itself.
  SILT_HD bool inside(Cell c) const {
    bool all = true;
    round(c, [&](Cell n, Int3 away) { all = all && (away == Int3{} || ranges.count(n) > 0); });
    return all;
  }
  /// Whether it is a void deep in the material, and no gap in a spray, in a sheet, or below particles that were seeded
  /// near the surface: those up to two cells away all have particles, and half of their share together.
  SILT_HD bool hollow(Cell c, int share) const {
    int cells = 0, count = 0;
    bool all = true;
    const auto look = [&](Cell n, Int3 away) {
      const int here = int(ranges.count(n));
      ++cells, count += here;
      all = all && (away == Int3{} || here > 0);
    };
    round(c, look, 2);
    return all && 2 * count >= cells * share;
  }
  /// The particle nearest to a place in a cell; needs one in it or in a neighbour.
  SILT_HD std::uint32_t nearest(Cell c, const Vec3f& f, Vec3f& from) const {
    float least = 1e30f;
    std::uint32_t best = 0;
    round(c, [&](Cell n, Int3 away) {
      for (std::uint32_t i = ranges.first(n); i < ranges.last(n); ++i) {
        const Vec3f d = f - (particles.offset_at(i) + away.as<float>());
        if (dot(d, d) < least) least = dot(d, d), best = i, from = d;
      }
    });
    return best;
  }
};

/// How many particles each part of a cell has.
struct Parts {
  int count[8] = {};
  SILT_HD Parts(const Crowd& crowd, Cell c) {
    for (std::uint32_t i = crowd.ranges.first(c); i < crowd.ranges.last(c); ++i)
      ++count[part_of(crowd.active, crowd.particles.offset_at(i))];
  }
  /// The emptiest, or the fullest.
  SILT_HD int pick(Int3 active, bool fullest) const {
    int best = 0;
    for (int part = 1; part < 8; ++part)
      if (has_part(active, part) && (fullest ? count[part] > count[best] : count[part] < count[best])) best = part;
    return best;
  }
};

/// Per cell: how many should be born, and how many die.
struct Balance {
  Crowd crowd;
  int least, most, share;
  std::uint32_t *born, *died;
  SILT_HD void operator()(std::int64_t place) const {
    const Cell c = crowd.cell_at(place);
    born[place] = died[place] = 0;
    if (!crowd.in_domain(c)) return;
    const int n = int(crowd.ranges.count(c));
    if ((n >= least && n <= most) || !crowd.inside(c)) return;
    if (n < least && crowd.hollow(c, share)) born[place] = std::uint32_t(least - n);
    if (n > most) died[place] = std::uint32_t(n - most);
  }
};

/// Marks those that die.
struct Thin {
  Crowd crowd;
  const std::uint32_t* begin;  ///< of those that should die, by cell
  std::uint32_t all;
  Chosen chosen;
  int* cell_x;
  SILT_HD void operator()(std::int64_t place) const {
    const std::uint32_t last = place + 1 < crowd.places ? begin[place + 1] : all;
    if (begin[place] == last) return;
    const Cell c = crowd.cell_at(place);
    Parts parts(crowd, c);
    for (std::uint32_t n = begin[place]; n < last; ++n) {
      if (!chosen.has(n)) continue;
      const int part = parts.pick(crowd.active, true);
      --parts.count[part];
      // The last in order that still lives: what is marked has left its cell, so it is not found again.
      for (std::uint32_t i = crowd.ranges.last(c); i-- > crowd.ranges.first(c);)
        if (cell_x[i] != Particles::dead && part_of(crowd.active, crowd.particles.offset_at(i)) == part) {
          cell_x[i] = Particles::dead;
          break;
        }
    }
  }
};

struct Fill {
  Crowd crowd;
  const std::uint32_t* begin;  ///< of those that should be born, by cell
  std::uint32_t all;
  Chosen chosen;
  std::uint64_t seed, step, first_id;
  std::size_t first;
  PositionColumns at;
  FlowColumns flow;
  std::uint64_t* id;
  float* age;
  std::uint32_t *source, *colour;

  SILT_HD void operator()(std::int64_t place) const {
    const std::uint32_t last = place + 1 < crowd.places ? begin[place + 1] : all;
    if (begin[place] == last) return;
    const Cell c = crowd.cell_at(place);
    Parts parts(crowd, c);
    for (std::uint32_t candidate = begin[place]; candidate < last; ++candidate) {
      if (!chosen.has(candidate)) continue;
      const std::uint64_t n = chosen.number(candidate);
      const int part = parts.pick(crowd.active, false);
      const Vec3f f = random_place(crowd.active, random_bits(seed, step, std::uint64_t(parts.count[part]++)), c, part);
      Vec3f from{};
      const std::uint32_t parent = crowd.nearest(c, f, from);
      const std::size_t i = first + n;
      for (int a = 0; a < 3; ++a)
        if (at.cell[a]) at.cell[a][i] = c[a], at.offset[a][i] = f[a];
      flow.take(parent, i, from);
      id[i] = first_id + n;
      age[i] = age[parent], source[i] = source[parent], colour[i] = colour[parent];
    }
  }
};

struct Scatter {
  Crowd crowd;
  int most, share;
  std::uint64_t seed, step;
  PositionColumns at;
  FlowColumns flow;
  SILT_HD void operator()(std::int64_t place) const {
    const Cell c = crowd.cell_at(place);
    const int count = int(crowd.ranges.count(c));
    if (count <= most || !crowd.in_domain(c) || (count <= 2 * most && !crowd.inside(c))) return;
    for (std::uint32_t i = crowd.ranges.first(c); i < crowd.ranges.last(c); ++i) {
      const std::uint64_t n = i - crowd.ranges.first(c);
      const int part = int(n % std::uint64_t(share));
      const Vec3f f = random_place(crowd.active, random_bits(seed, step, n), c, part, 1), d = f - at.offset_at(i);
      flow.take(i, i, d);
      for (int a = 0; a < 3; ++a)
        if (at.offset[a]) at.offset[a][i] = f[a];
    }
  }
};

Crowd crowd_of(const Exec& exec, const Domain& domain, const CellRanges& ranges, const Particles& particles) {
  return {ranges.read(exec),
          ranges.occupied.read(exec),
          std::int64_t(ranges.occupied.size()) * ranges.order.cells_each(),
          read(exec, particles),
          ParticleSides::of(domain),
          domain.lattice.active};
}

}  // namespace

ReseedReport reseed_particles(const Exec& exec, const Domain& domain, const CellRanges& ranges,
                              const ReseedOptions& options, Particles& particles) {
  const int share = 1 << domain.lattice.dims();
  const int least = options.least ? options.least : (share + 1) / 2, most = options.most ? options.most : share * 3 / 2;
  const auto crowd = [&] { return crowd_of(exec, domain, ranges, particles); };
  const std::int64_t places = crowd().places;
  Buffer<std::uint32_t> born{std::size_t(places)}, died{std::size_t(places)};
  for_each_index(exec, "particles.balance", places,
                 Balance{crowd(), least, most, share, born.write(exec), died.write(exec)});
  const std::uint32_t too_few = exclusive_scan(exec, born, born), too_many = exclusive_scan(exec, died, died);
  const std::uint32_t n = std::min(too_few, too_many);
  if (n == 0) return {};

  for_each_index(exec, "particles.thin", places,
                 Thin{crowd(), died.read(exec), too_many, {n, too_many}, particles.cell[0].update(exec)});
  const std::size_t first = append(exec, particles, n);
  const Fill fill{crowd(),
                  born.read(exec),
                  too_few,
                  {n, too_few},
                  options.seed,
                  options.step,
                  particles.born,
                  first,
                  PositionColumns::of(exec, particles),
                  FlowColumns::of(exec, particles),
                  particles.id.update(exec),
                  particles.age.update(exec),
                  particles.source.update(exec),
                  particles.colour.update(exec)};
  for_each_index(exec, "particles.reseed", places, fill);
  particles.born += n;
  return {n, n};
}

void scatter_crowds(const Exec& exec, const Domain& domain, const CellRanges& ranges, const ReseedOptions& options,
                    Particles& particles) {
  const int share = 1 << domain.lattice.dims(), most = options.most ? options.most : 2 * share;
  const Scatter kernel{crowd_of(exec, domain, ranges, particles),
                       most,
                       share,
                       options.seed,
                       options.step,
                       PositionColumns::of(exec, particles),
                       FlowColumns::of(exec, particles)};
  for_each_index(exec, "particles.scatter", kernel.crowd.places, kernel);
}

}  // namespace silt
