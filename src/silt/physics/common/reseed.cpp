#include "silt/physics/common/reseed.h"

#include <cmath>

#include "silt/core/loops.h"
#include "silt/core/scan_sort.h"
#include "silt/fields/seed_places.h"
#include "silt/physics/common/particle_sides.h"

namespace silt {
namespace {

/// The cells of a domain and who is in them, across periodic sides too.
struct Crowd {
  CellRanges::View ranges;
  ParticleView particles;
  ParticleSides sides;
  Int3 active;

  SILT_HD Cell wrapped(Cell c) const {
    for (int a = 0; a < 3; ++a)
      c[a] += c[a] < sides.lo[a] ? sides.period[a] : c[a] >= sides.hi[a] ? -sides.period[a] : 0;
    return c;
  }
  SILT_HD bool in_domain(Cell c) const { return Box{sides.lo, sides.hi}.contains(c); }

  /// visit(neighbour, how far away) for the cell and those round it that are in the domain.
  template <class Visit>
  SILT_HD void round(Cell c, const Visit& visit) const {
    for (int z = -active.z; z <= active.z; ++z)
      for (int y = -active.y; y <= active.y; ++y)
        for (int x = -active.x; x <= active.x; ++x)
          if (const Cell n = wrapped(c + Int3{x, y, z}); in_domain(n)) visit(n, Int3{x, y, z});
  }
  /// Whether the cells round it all have particles. It may be empty itself.
  SILT_HD bool inside(Cell c) const {
    bool all = true;
    round(c, [&](Cell n, Int3 away) { all = all && (away == Int3{} || ranges.count(n) > 0); });
    return all;
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

/// Per cell: how many are to be born; and marks those that are to die.
struct Balance {
  Crowd crowd;
  int least, most;
  std::uint32_t* born;
  int* cell_x;  ///< of particles, to mark the dead
  SILT_HD void operator()(std::int64_t place) const {
    const TileOrder& o = crowd.ranges.order;
    const int each = o.cells_each();
    const Cell c = o.lowest_cell(int(place / each)) + o.within(int(place % each));
    born[place] = 0;
    if (!crowd.in_domain(c)) return;
    const int n = int(crowd.ranges.count(c));
    if ((n >= least && n <= most) || !crowd.inside(c)) return;
    if (n < least) born[place] = std::uint32_t(least - n);
    Parts parts(crowd, c);
    for (int extra = n - most; extra > 0; --extra) {
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
  const std::uint32_t* begin;  ///< of the born, by cell
  std::uint32_t all;
  std::uint64_t seed, step, first_id;
  std::size_t first;
  PositionColumns at;
  float* velocity[3];
  float* mode[3][Particles::products];
  std::uint64_t* id;
  float* age;
  std::uint32_t *source, *colour;

  /// The parent's velocity field at a distance d from it, and its modes as seen from there: their products of axes
  /// expanded about the new place.
  SILT_HD void take_flow(std::uint32_t parent, std::size_t i, const Vec3f& d) const {
    for (int a = 0; a < 3; ++a) {
      if (!velocity[a]) continue;
      for (int of = 0; of < Particles::products; ++of) {
        float* to = of ? mode[a][of] : velocity[a];
        if (!to) continue;
        float sum = 0;
        for (int from = 0; from < Particles::products; ++from) {
          const float* column = from ? mode[a][from] : velocity[a];
          if (!column || (from & of) != of) continue;
          float term = column[parent];
          for (int b = 0; b < 3; ++b)
            if ((from & ~of) >> b & 1) term *= d[b];
          sum += term;
        }
        to[i] = sum;
      }
    }
  }

  SILT_HD void operator()(std::int64_t place) const {
    const TileOrder& o = crowd.ranges.order;
    const int each = o.cells_each();
    const std::uint32_t last = place + 1 < o.cells() ? begin[place + 1] : all;
    if (begin[place] == last) return;
    const Cell c = o.lowest_cell(int(place / each)) + o.within(int(place % each));
    Parts parts(crowd, c);
    for (std::uint32_t n = begin[place]; n < last; ++n) {
      const int part = parts.pick(crowd.active, false);
      const Vec3f f = random_place(crowd.active, random_bits(seed, step, std::uint64_t(parts.count[part]++)), c, part);
      Vec3f from{};
      const std::uint32_t parent = crowd.nearest(c, f, from);
      const std::size_t i = first + n;
      for (int a = 0; a < 3; ++a)
        if (at.cell[a]) at.cell[a][i] = c[a], at.offset[a][i] = f[a];
      take_flow(parent, i, from);
      id[i] = first_id + n;
      age[i] = age[parent], source[i] = source[parent], colour[i] = colour[parent];
    }
  }
};

struct IsDead {
  const int* cell_x;
  SILT_HD double operator()(Cell i) const { return cell_x[i.x] == Particles::dead ? 1.0 : 0.0; }
};

double count_dead(const Exec& exec, const Particles& p) {
  return reduce<Sum>(exec, "particles.dead", Box{{0, 0, 0}, {int(p.count), 1, 1}}, IsDead{p.cell[0].read(exec)});
}

}  // namespace

ReseedReport reseed_particles(const Exec& exec, const Domain& domain, const CellRanges& ranges,
                              const ReseedOptions& options, Particles& particles) {
  const int share = 1 << domain.lattice.dims();
  const int least = options.least ? options.least : (share + 1) / 2, most = options.most ? options.most : share * 3 / 2;
  const auto crowd = [&] {
    return Crowd{ranges.read(exec), read(exec, particles), ParticleSides::of(domain), domain.lattice.active};
  };
  const std::int64_t places = ranges.order.cells();
  Buffer<std::uint32_t> begin{std::size_t(places)};
  const double dead_before = count_dead(exec, particles);
  int* cell_x = particles.cell[0].update(exec);
  for_each_index(exec, "particles.balance", places, Balance{crowd(), least, most, begin.write(exec), cell_x});
  ReseedReport report;
  report.died = std::size_t(count_dead(exec, particles) - dead_before);
  report.born = exclusive_scan(exec, begin, begin);
  if (report.born == 0) return report;

  const std::size_t first = append(exec, particles, report.born);
  Fill fill{crowd(),
            begin.read(exec),
            std::uint32_t(report.born),
            options.seed,
            options.step,
            particles.born,
            first,
            PositionColumns::of(exec, particles),
            {},
            {},
            particles.id.update(exec),
            particles.age.update(exec),
            particles.source.update(exec),
            particles.colour.update(exec)};
  for (int a = 0; a < 3; ++a) {
    fill.velocity[a] = particles.velocity[a].update(exec);
    for (int m = 1; m < Particles::products; ++m) fill.mode[a][m] = particles.mode[a][m].update(exec);
  }
  for_each_index(exec, "particles.reseed", places, fill);
  particles.born += report.born;
  return report;
}

}  // namespace silt
