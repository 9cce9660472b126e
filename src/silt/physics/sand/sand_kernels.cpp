#include "silt/physics/sand/sand_kernels.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/level_set.h"
#include "silt/fields/wrap.h"
#include "silt/physics/sand/mass_round.h"

namespace silt {
namespace {

/// Differences over a cell where both faces have particles: the rate of shear, sqrt(2 dev D : dev D) [m/s a cell].
struct ShearRate {
  int dims;
  MacView<const float> u, weight;

  SILT_HD float difference(int axis, Cell low, Cell high) const {
    constexpr float least = 1e-3f;
    const bool both = (weight[axis](low) > least) & (weight[axis](high) > least);
    return both ? u[axis](high) - u[axis](low) : 0.0f;
  }
  SILT_HD float operator()(Cell c) const {
    float stretch[3] = {}, trace = 0, sum = 0;
    for (int a = 0; a < dims; ++a) stretch[a] = difference(a, c, c + unit(a)), trace += stretch[a];
    for (int a = 0; a < dims; ++a) sum += 2 * (stretch[a] - trace / dims) * (stretch[a] - trace / dims);
    for (int a = 0; a < dims; ++a)
      for (int b = a + 1; b < dims; ++b)
        for (int k = 0; k < 4; ++k) {
          const Cell edge = c + unit(a) * (k & 1) + unit(b) * (k >> 1);
          const float shear = difference(a, edge - unit(b), edge) + difference(b, edge - unit(a), edge);
          sum += 0.25f * shear * shear;
        }
    return std::sqrt(sum);
  }
};

struct CountInLine {
  int axis, cells;
  View<const float> friction;
  SILT_HD double operator()(Cell first) const {
    int count = 0;
    for (int i = 0; i < cells; ++i) count += friction(first + unit(axis) * i) > 0 ? 1 : 0;
    return count;
  }
};

struct FindGrains {
  View<const float> part, fraction, rub;
  ShearRate shear_rate;
  View<const double> pressure;
  float least_pressure;
  CellRanges::View ranges;
  const std::uint32_t* source;
  const SandKind* kinds;
  std::uint32_t last;  ///< of the kinds
  View<float> out, of_cohesion, of_tension;

  /// The mean of the particles in a cell; of none, the last.
  SILT_HD SandKind kind(Cell c) const {
    if (last == 0) return kinds[0];
    SandKind sum{};
    const std::uint32_t first = ranges.first(c), end = ranges.last(c);
    for (std::uint32_t i = first; i < end; ++i) {
      const SandKind& own = kinds[source[i] < last ? source[i] : last];
      sum.friction += own.friction, sum.cohesion += own.cohesion, sum.tension += own.tension;
      sum.rise += own.rise, sum.slowness += own.slowness;
    }
    if (end == first) return kinds[last];
    const float part_of_all = 1 / float(end - first);
    return {part_of_all * sum.friction, part_of_all * sum.cohesion, part_of_all * sum.tension, part_of_all * sum.rise,
            part_of_all * sum.slowness};
  }
  SILT_HD float friction(const SandKind& sand, Cell c) const {
    if (!(sand.rise * sand.slowness > 0)) return sand.friction;
    const float p = pressure(c) > least_pressure ? float(pressure(c)) : least_pressure;
    const float shears = sand.slowness * shear_rate(c), resists = std::sqrt(p) + 1e-20f;
    return sand.friction + sand.rise * shears / (resists + shears);
  }
  SILT_HD void operator()(Cell c) const {
    constexpr float least = 0.12f;                // part of a cell, away from walls: half of it along every axis
    constexpr float loose = 0.7f, packed = 0.9f;  // where cohesion begins, and is whole
    const bool bears = part(c) > (rub(c) < 0 ? least : 0.0f);
    float fade = (fraction(c) - loose) / (packed - loose);
    fade = fade < 0 ? 0 : fade > 1 ? 1 : fade;
    fade = fade * fade * (3 - 2 * fade);
    const SandKind sand = bears ? kind(c) : SandKind{};
    out(c) = bears ? friction(sand, c) : 0.0f;
    of_cohesion(c) = fade * sand.cohesion;
    of_tension(c) = fade * sand.tension;
  }
};

/// What is too much in a cell, in volumes of a cell, as flows through what solids leave of its faces are counted.
struct FindCrowds {
  View<const float> fullness, capacity;
  View<double> rhs;
  SILT_HD void operator()(Cell c) const {
    // What empty cells could take counts to the solver's tolerance: all of it, and crowds were too small to see.
    constexpr float at_once = 0.5f, most = 0.3f, least = -0.1f;
    const float over = at_once * capacity(c) * (fullness(c) - 1);
    rhs(c) = over > most ? most : over < least ? least : over;
  }
};

struct MovingSand {
  int axis;
  float scale, most;
  View<const float> velocity, open;
  View<const double> q;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    float by = open(c) > 0 ? -float(q(c) - q(c - unit(axis))) : 0.0f;
    by = by > most ? most : by < -most ? -most : by;
    out(c) = velocity(c) + by * scale;
  }
};

struct LeaveOutLoose {
  View<const float> fraction;
  float nearest;  ///< [m]
  float loose;
  View<float> phi;
  SILT_HD void operator()(Cell c) const {
    if (phi(c) < 0 && fraction(c) < loose) phi(c) = -phi(c) > nearest ? -phi(c) : nearest;
  }
};

struct TakeMomentum {
  Int3 beyond;
  View<const float> mass;
  View<float> velocity;
  SILT_HD void operator()(Cell c) const {
    const float here = mass(c), there = mass(c + beyond);
    if (there > 0) velocity(c) = (here * velocity(c) + there * velocity(c + beyond)) / (here + there);
  }
};

struct TakeFrom {
  Int3 by;
  View<float> values;
  SILT_HD void operator()(Cell c) const { values(c) = values(c + by); }
};

struct FindFlowFace {
  int axis;
  MassRound mass_round;
  View<const float> part, open;
  View<float> star, mass, moves;
  SILT_HD void operator()(Cell c) const {
    constexpr float slit = 0.2f;
    const bool passes = open(c) >= slit;
    const bool flows = passes & (star(c) > 0), flies = passes & (part(c) + part(c - unit(axis)) > 0);
    if (!passes) star(c) = 0;
    mass(c) = flows ? mass_round(c) : 0.0f;
    moves(c) = flows | flies ? 1.0f : 0.0f;
  }
};

}  // namespace

void find_grains(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                 const Packing& packing, const SandKinds& kinds, const Shearing& shearing, GrainFields& out) {
  const bool alike = std::all_of(kinds.begin(), kinds.end(), [&](const SandKind& k) { return k == kinds[0]; });
  Buffer<SandKind> table(kinds.size());
  std::copy(kinds.begin(), kinds.end(), table.host());
  for_each_cell(exec, "sand.grains", domain.cells,
                FindGrains{packing.part.read(exec),
                           packing.fraction.read(exec),
                           out.contacts.rub.read(exec),
                           {domain.lattice.dims(), shearing.velocity.read(exec), shearing.weight.read(exec)},
                           shearing.pressure.read(exec),
                           float(shearing.least),
                           ranges.read(exec),
                           particles.source.read(exec),
                           std::as_const(table).read(exec),
                           alike ? 0 : std::uint32_t(kinds.size() - 1),
                           out.friction.update(exec),
                           out.cohesion.update(exec),
                           out.tension.update(exec)});
}

namespace {

/// The same where few cells of a large box are in use: on the host, which knows them row by row.
double longest_used_line(const Cells& cells, int axis, const Field<float>& friction) {
  const Int3 n = cells.size();
  std::vector<int> counts(axis == 0 ? 1 : std::size_t(n.x) * (axis == 1 ? n.z : n.y));
  const float* values = friction.values().host();
  int longest = 0;
  cells.visit_used_rows(0, cells.row_count(), [&](int y, int z) {
    int in_row = 0;
    int* lines = counts.data() + (axis == 0 ? 0 : std::size_t(n.x) * (axis == 1 ? z - cells.lo.z : y - cells.lo.y));
    cells.visit_row(y, z, [&](int begin, int end) {
      const float* row = values + friction.layout().index(begin, y, z);
      for (int x = begin; x < end; ++x) {
        const int has = row[x - begin] > 0 ? 1 : 0;
        in_row += has;
        if (axis > 0) longest = std::max(longest, lines[x - cells.lo.x] += has);
      }
    });
    if (axis == 0) longest = std::max(longest, in_row);
  });
  return longest;
}

}  // namespace

double longest_line(const Exec& exec, const Domain& domain, int axis, const Field<float>& friction) {
  Box ends = domain.cells;
  if (ends.empty()) return 0;
  if (domain.cells.rows) return longest_used_line(domain.cells, axis, friction);
  ends.hi[axis] = ends.lo[axis] + 1;
  return reduce<Max>(exec, "sand.longest_line", ends,
                     CountInLine{axis, domain.cells.size()[axis], friction.read(exec)});
}

void find_crowds(const Exec& exec, const Domain& domain, const Field<float>& fullness, const Field<float>& capacity,
                 Field<double>& rhs) {
  for_each_cell(exec, "sand.crowds", domain.cells,
                FindCrowds{fullness.read(exec), capacity.read(exec), rhs.update(exec)});
}

void moving_sand(const Exec& exec, const Domain& domain, const MacField<float>& velocity, const Field<double>& q,
                 double scale, const CutCells& cut, MacField<float>& out) {
  constexpr float most = 0.2f;  // cells a step
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "sand.moving", domain.faces(a),
                  MovingSand{a, float(scale), most, velocity[a].read(exec), cut.open[a].read(exec), q.read(exec),
                             out[a].update(exec)});
}

void find_flow_faces(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& part,
                     const MacField<float>& weight, MacField<float>& star, GrainFields& out) {
  for (int a = 0; a < 3; ++a) {
    for_each_cell(exec, "sand.flow_faces", domain.faces(a),
                  FindFlowFace{a,
                               {domain, a, weight[a].read(exec)},
                               part.read(exec),
                               cut.open[a].read(exec),
                               star[a].update(exec),
                               out.mass[a].update(exec),
                               out.moves[a].update(exec)});
  }
  wrap_faces(exec, domain, out.moves);
  wrap_faces(exec, domain, star);
}

void leave_out_loose(const Exec& exec, const Domain& domain, const Packing& packing, Field<float>& phi) {
  constexpr double nearest = 0.1;  // cells
  constexpr float loose = 0.8f;
  for_each_cell(exec, "sand.loose", domain.cells,
                LeaveOutLoose{packing.fraction.read(exec), float(nearest * domain.lattice.h), loose, phi.update(exec)});
  fill_level_set_halo(exec, domain, phi);
}

void take_beyond_walls(const Exec& exec, const Domain& domain, const MacField<float>& mass, MacField<float>& velocity) {
  const WallSides walls(domain);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int end = 0; end < 2; ++end) {
        if (a == b || !domain.lattice.active[a] || !walls.is_wall[b][end]) continue;
        Cells beside = domain.faces(a);
        (end == 0 ? beside.hi[b] : beside.lo[b]) = end == 0 ? beside.lo[b] + 1 : beside.hi[b] - 1;
        for_each_cell(exec, "sand.beyond_walls", beside,
                      TakeMomentum{unit(b) * (end == 0 ? -1 : 1), mass[a].read(exec), velocity[a].update(exec)});
      }
}

void wrap_beside_walls(const Exec& exec, const Domain& domain, MacField<float>& faces) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      if (!domain.lattice.active[a] || !domain.lattice.active[b] || !domain.periodic(b)) continue;
      const int period = domain.cells.size()[b];
      for (int end = 0; end < 2; ++end) {
        Box layer = grow(Box(domain.faces(a)), domain.lattice.active);
        layer.lo[b] = end == 0 ? domain.cells.lo[b] - 1 : domain.cells.hi[b];
        layer.hi[b] = end == 0 ? domain.cells.lo[b] : domain.cells.hi[b] + 1 + (a == b ? 1 : 0);
        for_each_cell(exec, "sand.wrap", layer,
                      TakeFrom{unit(b) * (end == 0 ? period : -period), faces[a].update(exec)});
      }
    }
}

void wrap_marks(const Exec& exec, const Domain& domain, Field<unsigned char>& marks) {
  if (!domain.wraps()) return;
  fill_halo(exec, bare_sides(domain), domain.cells, {.open_repeats = false, .open_value = 0}, marks);
}

}  // namespace silt
