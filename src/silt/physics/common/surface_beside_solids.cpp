#include "silt/physics/common/surface_beside_solids.h"

#include <cmath>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/physics/common/crowd_kernel.h"
#include "silt/physics/common/particles_beside_solids.h"

namespace silt {
namespace {

/// Lengths in cells.
constexpr float clear_of_solids = 1.25f;  ///< from here on a cell's phi is that of liquid and air alone: the kernel of
                                          ///< surface_of_particles ends at 1.5, and what is beyond 1.25 hardly counts
constexpr float deepest = -1.5f;          ///< of cells whose phi is asked for; kernels reach 1.75 farther
constexpr float certain = 0.6f;           ///< beyond so far from the surface phi is that of too few particles, or ends
constexpr float near_surface = 1.5f;      ///< from here on phi ends
constexpr float too_shallow = 0.4f, deep_enough = 1.0f;  ///< depths, of no say in the level and of a full one
constexpr float least_rise = 0.1f;                       ///< cosine: steeper solids have no depth over them
constexpr float wedge_noise = 0.35f;                     ///< of the level that the shallowest liquid tells
constexpr float near_solids = 2.2f;                      ///< what lies above liquid that is not deep enough
constexpr int nearest_blocks = 2, farthest_blocks = 5;   ///< from which the liquid's normal is taken [blocks]
constexpr float certain_level = 0.5f;                    ///< likewise, of cells that say where the surface is
constexpr float disturbed_weight = 0.01f;                ///< of slopes that a solid may disturb, among others
constexpr float farthest_walk = 30;                      ///< along the surface
constexpr float other_solid = 0.25f;  ///< a walk that comes so much nearer to solids again leads into another
constexpr float least_slope = 0.08f;  ///< of a solid against the surface: below, the walk would be too long
constexpr float film = 0.5f;          ///< what is liquid so far above a surface is not of it
constexpr float nearly_full = 0.8f;   ///< of the room
constexpr float least_room = 0.02f;   ///< of a cell, with those round it, whose fullness can be told
constexpr float few_room = 0.4f;      ///< with less no particle need be there
/// How deep the centre is of a cell that is liquid for the particles in it alone, or because it is full. The nearer the
/// surface the more an edge into the air weighs: at a fiftieth of a cell fifty times what is open of it, and through
/// such an edge what sinks onto a slope shoots out along it.
constexpr float bare_depth = 0.5f;

/// How deep a liquid is over the solid, along its normal n, where its surface is at `on`; `deep_enough` and more count
/// alike.
SILT_HD float depth_over(const SolidDistance& solid, const Vec3f& on, const Vec3f& n) {
  const float rise = dot(solid.normal(on), n);
  return rise > least_rise ? solid.at(on) / rise : deep_enough;
}

/// What a cell is: bits. None of them is set where cells are not in use.
struct Mark {
  static constexpr unsigned char clear = 1;        ///< of solids
  static constexpr unsigned char surface = 2;      ///< the same, and the liquid's surface passes
  static constexpr unsigned char near_solids = 4;  ///< or inside: phi there may be mended
};

struct MarkSurface {
  SolidDistance solid;
  View<const float> phi;
  View<unsigned char> marks;
  SILT_HD void operator()(Cell c) const {
    const bool far = solid.distance(c) * solid.inv_h > near_solids + 0.87f;  // one corner tells it
    const float d = far ? near_solids : solid.centre(c);
    const bool clear = d >= clear_of_solids, surface = clear && std::abs(phi(c)) * solid.inv_h <= certain && passes(c);
    marks(c) = static_cast<unsigned char>((clear ? Mark::clear : 0) | (surface ? Mark::surface : 0) |
                                          (d < near_solids ? Mark::near_solids : 0));
  }

 private:
  SILT_HD bool passes(Cell c) const {
    bool any = false;
    for (int a = 0; a < 3; ++a)
      any = any ||
            (solid.active[a] && ((phi(c) < 0) != (phi(c + unit(a)) < 0) || (phi(c) < 0) != (phi(c - unit(a)) < 0)));
    return any;
  }
};

/// Adds up what the cells of a block say of the surface that passes them. Slopes are added along each axis by itself:
/// a layer of two cells has slopes along it that no solid disturbs, and none across. Those that a solid may disturb
/// count for little, so that they tell where nothing else does.
struct AddSurface {
  Blocks blocks;
  Box cells;
  Int3 active;
  float inv_h;
  View<const unsigned char> marks;
  View<const float> phi;
  BlockSurface* out;

  SILT_HD bool clear(Cell c) const { return marks(c) & Mark::clear; }
  SILT_HD void add(Cell c, Int3 block, BlockSurface& sum) const {
    for (int a = 0; a < 3; ++a) {
      const Cell low = c - unit(a), high = c + unit(a);
      if (!active[a] || !cells.contains(low) || !cells.contains(high) || !marks(low) || !marks(high)) continue;
      const float weight = clear(low) && clear(high) ? 1 : disturbed_weight;
      sum.slope[a] += weight * (phi(high) - phi(low));
      sum.slope_weight[a] += weight;
    }
    const float here = phi(c) * inv_h, weight = 1 - std::abs(here) / certain_level;
    if (!(weight > 0)) return;
    sum.place += blocks.from_middle(c, block) * weight;
    sum.phi += here * weight;
    sum.weight += weight;
  }
  SILT_HD void operator()(Cell block) const {
    const Box mine = intersect(cells, {block * Blocks::side, (block + Int3{1, 1, 1}) * Blocks::side});
    BlockSurface sum;
    for (int z = mine.lo.z; z < mine.hi.z; ++z)
      for (int y = mine.lo.y; y < mine.hi.y; ++y)
        for (int x = mine.lo.x; x < mine.hi.x; ++x) {
          const unsigned char mark = marks(x, y, z);
          sum.asked = sum.asked || mark & Mark::near_solids;
          if (mark & Mark::surface) add({x, y, z}, block, sum);
        }
    out[blocks.at(block)] = sum;
  }
};

/// The mean plane of the liquid's surface near a block: of all blocks within so many of it, of more if these have none,
/// and of those one farther.
struct MeanPlanes {
  Blocks blocks;
  Int3 active;
  const BlockSurface* surfaces;
  BlockPlane* out;  ///< none where it is not asked for

  /// Adds the blocks of one ring round a block; of the first ring, all within.
  SILT_HD void add_ring(Cell here, int ring, BlockSurface& sum) const {
    const Int3 reach = active * ring;
    for (int z = -reach.z; z <= reach.z; ++z)
      for (int y = -reach.y; y <= reach.y; ++y)
        for (int x = -reach.x; x <= reach.x; ++x) {
          const bool seen =
              ring > nearest_blocks && x > -ring && x < ring && y > -ring && y < ring && z > -ring && z < ring;
          const Int3 block = blocks.wrapped(here + Int3{x, y, z});
          if (seen || !blocks.box.contains(block)) continue;
          const BlockSurface& there = surfaces[blocks.at(block)];
          const float near = 1 / float(1 + x * x + y * y + z * z);
          const Vec3f away = Vec3f{float(x), float(y), float(z)} * float(Blocks::side);
          sum.slope += there.slope * near, sum.slope_weight += there.slope_weight * near;
          sum.place += (there.place + away * there.weight) * near;
          sum.phi += there.phi * near, sum.weight += there.weight * near;
        }
  }
  SILT_HD void operator()(Cell here) const {
    BlockSurface sum;
    if (surfaces[blocks.at(here)].asked)
      for (int ring = nearest_blocks, last = farthest_blocks; ring <= last; ++ring) {
        const bool none = !(sum.weight > 0);
        add_ring(here, ring, sum);
        if (none && sum.weight > 0) last = ring + 1;  // of the first there may be but the nearest edge, a cell or two
      }
    Vec3f n{};
    for (int a = 0; a < 3; ++a) n[a] = sum.slope_weight[a] > 0 ? sum.slope[a] / sum.slope_weight[a] : 0;
    n = sum.weight > 0 ? normalized(n) : Vec3f{};
    out[blocks.at(here)] = {n, sum.weight > 0 ? (sum.phi - dot(n, sum.place)) / sum.weight : 0};
  }
};

/// The way out of the solid on the side that a cell's open part is on: by the divergence theorem what its open faces
/// lack of closing is the area of the solid's surface in it, n A = sum over axes of (A_high - A_low). A plate that is
/// thinner than a cell has two sides near it, and its distance knows both.
struct OpenSide {
  MacView<const float> open;
  Int3 active;

  /// Whether the cell is cut and open.
  SILT_HD bool operator()(Cell c, Vec3f& out) const {
    Vec3f n{};
    for (int a = 0; a < 3; ++a)
      if (active[a]) n[a] = open[a](c + unit(a)) - open[a](c);
    out = normalized(n);
    return dot(n, n) > 0;
  }

  /// The neighbour that a cell is open to and that is farthest from solids; itself where there is none.
  SILT_HD Cell roomier(Cell c, const SolidDistance& solid, const Within& within) const {
    Cell best = c;
    float farthest = -1e30f;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2 && active[a]; ++end) {
        const Cell beyond = end ? c + unit(a) : c - unit(a), n = within.wrapped(beyond);
        if (!(open[a](end ? beyond : c) > 0) || !within.cells.contains(n)) continue;
        const float d = solid.centre(n);
        if (d > farthest) farthest = d, best = n;
      }
    return best;
  }
};

/// Walks away from the solids along the surface until there is a whole cell and the liquid is deep, or to where it is
/// deepest. Which way that is changes on the way: out of a corner it leads between the walls.
struct FindSources {
  SolidDistance solid;
  OpenSide side;
  PlaneNear plane;
  Within within;
  View<const unsigned char> marks;
  View<std::uint32_t> steps;

  SILT_HD std::uint32_t walk(Cell c, const Vec3f& n) const {
    constexpr float step = 0.5f;
    const float phi = plane.phi(c), down = phi < -near_surface  ? -near_surface
                                           : phi > near_surface ? near_surface
                                                                : phi;
    std::uint32_t best = PackedStep::none;
    float deepest_yet = 0, farthest_yet = -1e30f;
    Vec3f x = c.as<float>(), out;
    const bool cut = side(c, out);
    for (float s = 0; s <= farthest_walk; s += step) {
      Cell at{};
      for (int a = 0; a < 3; ++a) at[a] = solid.active[a] ? int(std::floor(x[a] + 0.5f)) : c[a];
      const Cell in = within.wrapped(at);
      if (!within.cells.contains(in) || !marks(in)) break;
      const Vec3f here = x - (at - in).as<float>();
      const float away = solid.at(here);
      if (away < farthest_yet - other_solid) break;
      farthest_yet = away > farthest_yet ? away : farthest_yet;
      if (solid.centre(in) >= whole_cell) {
        const float depth = depth_over(solid, within.held(in.as<float>() - n * down), n);
        if (depth > deepest_yet) deepest_yet = depth, best = PackedStep::pack(at - c);
        if (depth >= deep_enough) break;
      }
      const Vec3f m = cut && s < 1 ? out : solid.normal(here), t = m - n * dot(m, n);
      const float along = std::sqrt(dot(t, t));
      if (!(along > least_slope)) break;
      x = within.along_walls(x + t * (step / along));
    }
    return best;
  }
  SILT_HD void operator()(Cell c) const {
    if (!solid.may_be_between(c, deepest - 1.75f, near_solids)) return;
    const float d = solid.centre(c);
    if (d >= near_solids || d < deepest - 1.75f) return;
    Vec3f n;
    steps(c) = plane.normal(c, n) ? walk(c, n) : PackedStep::none;
  }
};

struct BesideSolids {
  static constexpr bool uneven = true;
  bool second;
  SolidDistance solid;
  OpenSide side;
  PlaneNear plane;
  Within within;
  ParticlesBesideSolids particles;
  ParticleSurface surface;
  CrowdKernel crowd;
  View<const float> capacity;
  View<const unsigned char> marks;
  View<const std::uint32_t> steps;
  float nothing_near;  ///< phi where cells are not in use [m]
  View<const float> phi;
  View<float> out;

  SILT_HD float with_copies(Cell c, const Vec3f& n) const {
    NeighbourLanes near;
    particles.add(c, n, near);
    return float(surface(Neighbourhood(near))) / solid.inv_h;
  }

  /// Where liquid thins out on a shallow slope it is thinner than a cell for many cells on end, and its few particles
  /// tell the level poorly: one more or one less is a bump or a hollow, with nothing deeper beside it. Their say counts
  /// only as far as it differs by more than that from the level `there`, where the liquid is deeper.
  SILT_HD float steadied(Cell c, const Vec3f& n, float there, float value) const {
    const Vec3f on = within.held(c.as<float>() - n * (there * solid.inv_h)), m = solid.normal(on);
    const Vec3f t = m - n * dot(m, n);
    const float shallow = 1 - std::sqrt(dot(t, t)) / steep;
    const float thin = (deep_enough - depth_over(solid, on, n)) / (deep_enough - too_shallow);
    if (!(shallow > 0 && thin > 0)) return value;
    const float off = value - there, most = wedge_noise * shallow * (thin < 1 ? thin : 1) / solid.inv_h;
    return off > most ? value - most : off < -most ? value + most : there;
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
          const Cell there = particles.all.at(low + Int3{x, y, z}).cell;
          if (w > 0) sum += w * (marks(there) ? phi(there) : nothing_near), weight += w;
        }
    return sum / weight;
  }

  /// Whether particles fill the room that solids leave here.
  SILT_HD bool full(Cell c) const {
    const float room = capacity(c);
    if (!(room > least_room)) return false;
    const float share = float(1 << surface.dims);
    const float sum = crowd.sum([&](Int3 d) {
      const Cell there = within.wrapped(c + d * solid.active);
      return within.cells.contains(there) ? float(particles.all.ranges.count(there)) : 0.0f;
    });
    return sum >= nearly_full * room * share;
  }

  /// Whether a cell has room for particles: its own, not that behind a thin solid.
  SILT_HD bool roomy(Cell c) const { return capacity(c) > few_room && solid.centre(c) >= 0; }

  /// Of the nearest cell with room for particles, going each time to the neighbour that is farthest from solids:
  /// whether it is liquid or, where there is such room here too, well within it.
  SILT_HD bool beside_liquid(Cell c) const {
    constexpr int most_hops = 4;
    Cell at = c;
    for (int hop = 0; hop < most_hops && (hop == 0 || !roomy(at)); ++hop) at = side.roomier(at, solid, within);
    return phi(at) * solid.inv_h < (roomy(c) ? 0.5f * float(surface.inside()) : 0.0f);
  }

  /// What is more than `air` [cells] above the surface, and liquid all the same, is a film, too thin for a level set:
  /// as air it would go on falling where it lies, faster and faster.
  SILT_HD float or_film(Cell c, float value, float air) const {
    if (!(value * solid.inv_h > air && phi(c) < 0)) return value;
    const float bare = -bare_depth / solid.inv_h;
    return phi(c) < bare ? phi(c) : bare;
  }

  /// The level of the cell that stands in for one: as it was mended the first time, if it was.
  SILT_HD float source_of(Cell c) const {
    const Cell source = particles.all.at(c + PackedStep::unpack(steps(c))).cell;
    return steps(source) == PackedStep::here ? out(source) : phi(source);
  }

  /// The first time cells that stand for themselves, the second time the others.
  SILT_HD void operator()(Cell c) const {
    if (!second) out(c) = phi(c);
    if (!solid.may_be_between(c, deepest, near_solids)) return;
    const float d = solid.centre(c);
    if (d >= near_solids || d < deepest) return;
    Vec3f n;
    const bool found = plane.normal(c, n) && steps(c) != PackedStep::none;
    if ((found && steps(c) == PackedStep::here) == second) return;
    if (found) {
      const float there = second ? source_of(c) : phi(c);  // at its height
      const float mended = ends(there) ? there : d < particles.reach() ? with_copies(c, n) : phi(c);
      out(c) = or_film(c, second && !ends(there) ? steadied(c, n, there, mended) : mended, film);
    } else if (d < particles.reach()) {
      Vec3f m;
      if (!side(c, m)) m = normalized(solid.slope(c));
      out(c) = or_film(c, d < 0 && dot(m, m) > 0 ? outside(c, d, m) : phi(c), 0);
      if (out(c) >= 0 && (full(c) || (d < 0.5f && beside_liquid(c)))) out(c) = -bare_depth / solid.inv_h;
    }
  }
};

}  // namespace

void surface_beside_solids(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                           const SurfaceOptions& options, const CutCells& cut, const Field<float>& capacity,
                           BesideSolidsScratch& scratch, Field<float>& phi, Field<float>& out) {
  const Int3 active = domain.lattice.active;
  const SolidDistance solid{cut.distance.read(exec), active, float(1 / domain.lattice.h)};
  const OpenSide side{cut.open.read(exec), active};
  const ParticlesNear near(exec, domain, options, ranges, particles);
  const Blocks blocks(domain.cells, active, near.period);
  const Within within{domain.cells, near.period, active};
  auto& [marks, steps, surfaces, planes] = scratch;
  if (!marks.allocated() || !(marks.layout() == phi.layout()))
    marks = Field<unsigned char>(phi.layout()), steps = Field<std::uint32_t>(phi.layout());
  if (planes.size() != std::size_t(blocks.box.count()))
    planes = Buffer<BlockPlane>(std::size_t(blocks.box.count())), surfaces = Buffer<BlockSurface>(planes.size());
  fill_halo(exec, domain, domain.cells, HaloRule{}, phi);
  const View<const float> before = std::as_const(phi).read(exec);
  for_each_cell(exec, "surface.marks", domain.cells, MarkSurface{solid, before, marks.update(exec)});
  for_each_cell(exec, "surface.blocks", blocks.box,
                AddSurface{blocks, domain.cells, active, solid.inv_h, std::as_const(marks).read(exec), before,
                           surfaces.write(exec)});
  for_each_cell(exec, "surface.planes", blocks.box,
                MeanPlanes{blocks, active, std::as_const(surfaces).read(exec), planes.write(exec)});
  const PlaneNear plane{blocks, std::as_const(planes).read(exec)};
  for_each_cell(exec, "surface.sources", domain.cells,
                FindSources{solid, side, plane, within, std::as_const(marks).read(exec), steps.update(exec)});
  const float nothing_near =
      float((options.reach - options.radius) * domain.lattice.h);  // as surface_of_particles has it
  for (const bool second : {false, true})
    for_each_cell(exec, "surface.beside_solids", domain.cells,
                  BesideSolids{second,
                               solid,
                               side,
                               plane,
                               within,
                               {near, solid, std::as_const(steps).read(exec)},
                               ParticleSurface(options, domain.lattice.dims()),
                               CrowdKernel(active),
                               capacity.read(exec),
                               std::as_const(marks).read(exec),
                               std::as_const(steps).read(exec),
                               nothing_near,
                               before,
                               out.update(exec)});
  std::swap(phi, out);
}

}  // namespace silt
