#include "silt/physics/common/surface_beside_solids.h"

#include <cmath>
#include <utility>

#include "silt/core/loops.h"
#include "silt/core/packed.h"
#include "silt/fields/halo.h"
#include "silt/fields/particles_near.h"
#include "silt/fields/sampler.h"
#include "silt/physics/common/crowd_kernel.h"

namespace silt {
namespace {

/// Lengths in cells.
constexpr float clear_of_solids = 1.25f;  ///< from here on a cell's phi is that of liquid and air alone: the kernel of
                                          ///< surface_of_particles ends at 1.5, and what is beyond 1.25 hardly counts
constexpr float whole_cell = 0.9f;        ///< the centre of a cell that no solid cuts is at least this far from them
constexpr float deepest = -1.5f;          ///< of cells whose phi is asked for; kernels reach 1.75 farther
constexpr float certain = 0.6f;           ///< beyond so far from the surface phi is that of too few particles, or ends
constexpr int nearest_blocks = 2, farthest_blocks = 5;  ///< from which the liquid's normal is taken [blocks]
constexpr float farthest_walk = 30;                     ///< along the surface
constexpr float least_slope = 0.08f;  ///< of a solid against the surface: below, the walk would be too long
constexpr float film = 0.5f;          ///< what is liquid so far above a surface is not of it
constexpr float nearly_full = 0.8f;   ///< of the room
constexpr float least_room = 0.02f;   ///< of a cell, with those round it, whose fullness can be told
constexpr float few_room = 0.4f;      ///< with less no particle need be there
constexpr float full_depth = 0.02f;   ///< of a cell that is liquid for that alone

/// The solids' distance [cells], from that at corners.
struct SolidDistance {
  View<const float> distance;
  Int3 active;
  float inv_h;

  /// Whether the centre of a cell may be more than so deep in solids and less than so far from them, by one corner
  /// alone.
  SILT_HD bool may_be_between(Cell c, float deep, float far) const {
    constexpr float corner = 0.87f;  // from the centre
    const float d = distance(c) * inv_h;
    return d > deep - corner && d < far + corner;
  }
  SILT_HD float centre(Cell c) const {
    float sum = 0;
    corners(c, [&](float d, Int3) { sum += d; });
    return 0.125f * sum * inv_h;
  }
  /// Points out of the solid; not of length 1.
  SILT_HD Vec3f slope(Cell c) const {
    Vec3f n{};
    corners(c, [&](float d, Int3 at) { n += Vec3f{at.x ? d : -d, at.y ? d : -d, at.z ? d : -d}; });
    for (int a = 0; a < 3; ++a) n[a] = active[a] ? n[a] : 0;
    return n;
  }

  /// The direction out of the nearest solid at a place, in cells from the centre of cell 0; zero where there is none.
  /// Seen over a cell to each side: between the corners of one cell the slope of an edge, where two solids meet, comes
  /// and goes.
  SILT_HD Vec3f normal(const Vec3f& x) const {
    Vec3f g{};
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      Vec3f below = x, above = x;
      below[a] -= 1, above[a] += 1;
      g[a] = at(above) - at(below);
    }
    return normalized(g);
  }

  /// At a place, in cells from the centre of cell 0.
  SILT_HD float at(const Vec3f& x) const {
    const auto axis = [&](int a) {
      const float from_corner = x[a] + 0.5f, whole = std::floor(from_corner);
      return active[a] ? SampleAxis{int(whole), from_corner - whole} : SampleAxis{int(x[a]), 0};
    };
    return Corners::at(distance, {axis(0), axis(1), axis(2)}).value() * inv_h;
  }

 private:
  template <class Visit>
  SILT_HD void corners(Cell c, const Visit& visit) const {
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) visit(distance(c.x + x, c.y + y, c.z + z), Int3{x, y, z});
  }
};

/// What a cell is; 0: not in use.
struct Mark {
  static constexpr unsigned char clear = 1;         ///< of solids
  static constexpr unsigned char surface = 2;       ///< the same, and the liquid's surface passes
  static constexpr unsigned char beside_solid = 3;  ///< or inside it
};

struct MarkSurface {
  SolidDistance solid;
  View<const float> phi;
  View<unsigned char> marks;
  SILT_HD void operator()(Cell c) const {
    const bool clear = distance_is_large(c) || solid.centre(c) >= clear_of_solids;
    const bool known = clear && std::abs(phi(c)) * solid.inv_h <= certain;
    marks(c) = known && passes(c) ? Mark::surface : clear ? Mark::clear : Mark::beside_solid;
  }

 private:
  SILT_HD bool distance_is_large(Cell c) const { return solid.distance(c) * solid.inv_h > clear_of_solids + 0.87f; }
  SILT_HD bool passes(Cell c) const {
    bool any = false;
    for (int a = 0; a < 3; ++a)
      any = any ||
            (solid.active[a] && ((phi(c) < 0) != (phi(c + unit(a)) < 0) || (phi(c) < 0) != (phi(c - unit(a)) < 0)));
    return any;
  }
};

/// Blocks of cells, over which normals are added up.
struct Blocks {
  static constexpr int side = 4;
  Box box;      ///< of blocks
  Int3 period;  ///< how many of them a periodic domain has; 0: not periodic
  Packed at{box};

  Blocks(const Box& cells, Int3 active, Int3 cells_in_period)
      : box{of(cells.lo), of(cells.hi - Int3{1, 1, 1}) + Int3{1, 1, 1}} {
    at = Packed{box};
    for (int a = 0; a < 3; ++a) period[a] = active[a] && cells_in_period[a] ? box.hi[a] - box.lo[a] : 0;
  }
  SILT_HD static Int3 of(Cell c) { return {floor_div(c.x, side), floor_div(c.y, side), floor_div(c.z, side)}; }
  SILT_HD Int3 wrapped(Int3 block) const {
    for (int a = 0; a < 3; ++a)
      if (period[a]) block[a] += block[a] < box.lo[a] ? period[a] : block[a] >= box.hi[a] ? -period[a] : 0;
    return block;
  }
};

/// The sum of the normals of a block's cells that the surface passes, of those clear of solids with all they look at.
struct AddNormals {
  Blocks blocks;
  Box cells;
  Int3 active;
  View<const unsigned char> marks;
  View<const float> phi;
  Vec3f* out;
  Vec3f* means;  ///< of length 1 where they are asked for: a block has cells that are not clear

  SILT_HD bool clear(Cell c) const {
    return cells.contains(c) && (marks(c) == Mark::clear || marks(c) == Mark::surface);
  }
  SILT_HD Vec3f normal(Cell c) const {
    Vec3f g{};
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      if (!clear(c + unit(a)) || !clear(c - unit(a))) return {};
      g[a] = phi(c + unit(a)) - phi(c - unit(a));
    }
    return normalized(g);
  }
  SILT_HD void operator()(Cell block) const {
    const Box mine = intersect(cells, {block * Blocks::side, (block + Int3{1, 1, 1}) * Blocks::side});
    Vec3f sum{};
    bool asked = false;
    for (int z = mine.lo.z; z < mine.hi.z; ++z)
      for (int y = mine.lo.y; y < mine.hi.y; ++y)
        for (int x = mine.lo.x; x < mine.hi.x; ++x) {
          asked = asked || marks(x, y, z) == Mark::beside_solid;
          if (marks(x, y, z) == Mark::surface) sum += normal({x, y, z});
        }
    out[blocks.at(block)] = sum;
    means[blocks.at(block)] = {asked ? 1.0f : 0.0f, 0, 0};
  }
};

/// The mean normal of the liquid's surface near a block: of all blocks within so many of it, of more if these have
/// none.
struct MeanNormals {
  Blocks blocks;
  Int3 active;
  const Vec3f* sums;
  Vec3f* out;  ///< of length 1, or zero: there is none, or it is not asked for

  SILT_HD void operator()(Cell here) const {
    if (out[blocks.at(here)].x == 0) return;
    Vec3f n{};
    for (int ring = nearest_blocks; ring <= farthest_blocks && dot(n, n) == 0; ++ring) {
      const Int3 reach = active * ring;
      for (int z = -reach.z; z <= reach.z; ++z)
        for (int y = -reach.y; y <= reach.y; ++y)
          for (int x = -reach.x; x <= reach.x; ++x) {
            const bool seen =
                ring > nearest_blocks && x > -ring && x < ring && y > -ring && y < ring && z > -ring && z < ring;
            const Int3 block = blocks.wrapped(here + Int3{x, y, z});
            if (!seen && blocks.box.contains(block))
              n += sums[blocks.at(block)] * (1 / float(1 + x * x + y * y + z * z));
          }
    }
    out[blocks.at(here)] = normalized(n);
  }
};

/// That of a cell's block.
struct NormalNear {
  Blocks blocks;
  const Vec3f* means;

  SILT_HD bool operator()(Cell c, Vec3f& n) const {
    n = means[blocks.at(blocks.of(c))];
    return dot(n, n) > 0;
  }
};

/// From a cell that solids cut to the whole one that stands in for it, in one number.
struct PackedStep {
  static constexpr std::uint32_t none = 0;  ///< what a field begins with; no step is this
  SILT_HD static std::uint32_t pack(Int3 step) {
    return std::uint32_t(step.x + 100) | std::uint32_t(step.y + 100) << 8 | std::uint32_t(step.z + 100) << 16;
  }
  SILT_HD static Int3 unpack(std::uint32_t packed) {
    return {int(packed & 255) - 100, int(packed >> 8 & 255) - 100, int(packed >> 16 & 255) - 100};
  }
};

/// Walks away from the solids along the surface until there is a whole cell. Which way that is changes on the way: out
/// of a corner it leads between the walls.
struct FindSources {
  SolidDistance solid;
  NormalNear normal;
  Box cells;
  Int3 period;  ///< 0: not periodic
  View<std::uint32_t> steps;

  SILT_HD Int3 walk(Cell c, const Vec3f& n, bool& found) const {
    constexpr float step = 0.5f;
    Vec3f x = c.as<float>();
    for (float s = 0; s <= farthest_walk; s += step) {
      Cell at{};
      for (int a = 0; a < 3; ++a) at[a] = solid.active[a] ? int(std::floor(x[a] + 0.5f)) : c[a];
      Cell in = at;
      for (int a = 0; a < 3; ++a)
        if (period[a]) in[a] += in[a] < cells.lo[a] ? period[a] : in[a] >= cells.hi[a] ? -period[a] : 0;
      if (!cells.contains(in)) break;
      if (solid.centre(in) >= whole_cell) {
        found = true;
        return at - c;
      }
      const Vec3f m = solid.normal(x), t = m - n * dot(m, n);
      const float along = std::sqrt(dot(t, t));
      if (!(along > least_slope)) break;
      x += t * (step / along);
    }
    found = false;
    return {};
  }
  SILT_HD void operator()(Cell c) const {
    if (!solid.may_be_between(c, deepest - 1.75f, whole_cell)) return;
    const float d = solid.centre(c);
    if (d >= whole_cell || d < deepest - 1.75f) return;
    Vec3f n;
    bool found = false;
    const Int3 step = normal(c, n) ? walk(c, n, found) : Int3{};
    steps(c) = found ? PackedStep::pack(step) : PackedStep::none;
  }
};

struct BesideSolids {
  static constexpr bool uneven = true;
  SolidDistance solid;
  NormalNear normal;
  ParticlesNear particles;
  ParticleSurface surface;
  CrowdKernel crowd;
  View<const float> capacity;
  View<const std::uint32_t> steps;
  View<const float> phi;
  View<float> out;

  /// Adds copies of the particles of the whole cell that stands in for a neighbour, as far as they lie in solids.
  SILT_HD void add_copies(Int3 neighbour, Cell c, const Vec3f& n, NeighbourLanes& near) const {
    constexpr float far = 10;  // where lanes that no particle fills are put
    const ParticlesNear::Neighbour there = particles.at(c + neighbour);
    if (solid.centre(there.cell) >= whole_cell) return;
    const std::uint32_t packed = steps(there.cell);
    if (packed == PackedStep::none) return;
    const Int3 step = PackedStep::unpack(packed);
    const ParticlesNear::Neighbour source = particles.at(there.cell + step);
    const Vec3f back = n * dot(n, step.as<float>());  // to the height it had
    Lanes y[3]{};
    int filled = 0;
    const std::uint32_t first = particles.ranges.first(source.cell), count = particles.ranges.count(source.cell);
    for (std::uint32_t i = first; i < first + count; ++i) {
      Vec3f at{};
      for (int a = 0; a < 3; ++a) {
        if (!solid.active[a]) continue;
        const float offset = particles.particles.offset[a][i] + back[a] - 0.5f;
        at[a] = float(neighbour[a]) + (there.mirrored[a] ? -offset : offset);
      }
      if (dot(at, at) > particles.reach * particles.reach) continue;  // the kernel ends before
      if (solid.at(c.as<float>() + at) >= 0) continue;
      for (int a = 0; a < 3; ++a) y[a][filled] = at[a] / particles.reach;
      if (++filled == lane_count) near.add(y, filled), filled = 0;
    }
    if (filled == 0) return;
    y[0] = first_lanes(y[0], filled, far);
    near.add(y, filled);
  }

  SILT_HD float with_copies(Cell c, const Vec3f& n) const {
    NeighbourLanes near;
    particles.steps([&](Int3 step) {
      particles.add(step, c, near);
      add_copies(step, c, n, near);
    });
    return float(surface(Neighbourhood(near))) / solid.inv_h;
  }

  /// Whether a level set is what it is far from the surface.
  SILT_HD bool ends(float value) const {
    return value * solid.inv_h <= float(surface.inside()) || value * solid.inv_h >= float(surface.outside());
  }

  /// Half a cell outside the solid, along its normal m, whatever is there.
  SILT_HD float outside(Cell c, float d, const Vec3f& m) const {
    const Vec3f at = c.as<float>() + m * (0.5f - d);
    Int3 low;
    Vec3f f;
    for (int a = 0; a < 3; ++a) low[a] = int(std::floor(at[a])), f[a] = at[a] - float(low[a]);
    float sum = 0, weight = 0;
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) {
          const float w = (x ? f.x : 1 - f.x) * (y ? f.y : 1 - f.y) * (z ? f.z : 1 - f.z);
          if (w > 0) sum += w * phi(particles.at(low + Int3{x, y, z}).cell), weight += w;
        }
    return sum / weight;
  }

  /// Whether particles fill the room that solids leave here.
  SILT_HD bool full(Cell c) const {
    const float room = capacity(c);
    if (!(room > least_room)) return false;
    const float share = float(1 << surface.dims);
    const float sum = crowd.sum([&](Int3 d) { return float(particles.ranges.count(c + d * solid.active)); });
    return sum >= nearly_full * room * share;
  }

  /// Of the nearest cell with room for particles, going each time to the neighbour that is farthest from solids:
  /// whether it is liquid or, where there is such room here too, well within it.
  SILT_HD bool beside_liquid(Cell c) const {
    constexpr int most_hops = 4;
    const bool roomy = capacity(c) > few_room;
    Cell at = c;
    for (int hop = 0; hop < most_hops && (hop == 0 || !(capacity(at) > few_room)); ++hop) {
      float farthest = -1e30f;
      const Cell from = at;
      particles.steps([&](Int3 step) {
        const Cell n = particles.at(from + step).cell;
        const float d = solid.centre(n);
        if (d > farthest) farthest = d, at = n;
      });
    }
    return phi(at) * solid.inv_h < (roomy ? 0.5f * float(surface.inside()) : 0.0f);
  }

  SILT_HD void operator()(Cell c) const {
    out(c) = phi(c);
    if (!solid.may_be_between(c, deepest, particles.reach)) return;
    const float d = solid.centre(c);
    if (d >= particles.reach || d < deepest) return;
    Vec3f n;
    if (normal(c, n) && (d >= whole_cell || steps(c) != PackedStep::none)) {
      const Cell source = d >= whole_cell ? c : particles.at(c + PackedStep::unpack(steps(c))).cell;
      const float there = phi(source);  // at the same height
      const float value = ends(there) ? there : with_copies(c, n);
      if (!(value * solid.inv_h > film && phi(c) < 0)) out(c) = value;
      return;
    }
    const Vec3f slope = solid.slope(c);
    const float size = dot(slope, slope);
    if (d < 0 && size > 0) out(c) = outside(c, d, slope * (1 / std::sqrt(size)));
    const float liquid = -full_depth / solid.inv_h;
    if (out(c) > liquid && (full(c) || (d < 0.5f && beside_liquid(c)))) out(c) = liquid;
  }
};

}  // namespace

void surface_beside_solids(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                           const SurfaceOptions& options, const Field<float>& distance, const Field<float>& capacity,
                           BesideSolidsScratch& scratch, Field<float>& phi, Field<float>& out) {
  const Int3 active = domain.lattice.active;
  const SolidDistance solid{distance.read(exec), active, float(1 / domain.lattice.h)};
  const ParticlesNear near(exec, domain, options, ranges, particles);
  const Blocks blocks(domain.cells, active, near.period);
  auto& [marks, steps, normals, means] = scratch;
  if (!marks.allocated() || !(marks.layout() == phi.layout()))
    marks = Field<unsigned char>(phi.layout()), steps = Field<std::uint32_t>(phi.layout());
  if (normals.size() != std::size_t(blocks.box.count()))
    normals = Buffer<Vec3f>(std::size_t(blocks.box.count())), means = Buffer<Vec3f>(normals.size());
  fill_halo(exec, domain, domain.cells, HaloRule{}, phi);
  const View<const float> before = std::as_const(phi).read(exec);
  for_each_cell(exec, "surface.marks", domain.cells, MarkSurface{solid, before, marks.update(exec)});
  for_each_cell(exec, "surface.normals", blocks.box,
                AddNormals{blocks, domain.cells, active, std::as_const(marks).read(exec), before, normals.write(exec),
                           means.write(exec)});
  for_each_cell(exec, "surface.mean_normals", blocks.box,
                MeanNormals{blocks, active, std::as_const(normals).read(exec), means.update(exec)});
  const NormalNear normal{blocks, std::as_const(means).read(exec)};
  for_each_cell(exec, "surface.sources", domain.cells,
                FindSources{solid, normal, domain.cells, near.period, steps.update(exec)});
  for_each_cell(exec, "surface.beside_solids", domain.cells,
                BesideSolids{solid, normal, near, ParticleSurface(options, domain.lattice.dims()), CrowdKernel(active),
                             capacity.read(exec), std::as_const(steps).read(exec), before, out.update(exec)});
  std::swap(phi, out);
}

}  // namespace silt
