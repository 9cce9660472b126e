#include "silt/physics/liquid/pools.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <tuple>

#include "silt/core/few_touched.h"
#include "silt/fields/surface_of_particles.h"
#include "silt/physics/liquid/liquid_kernels.h"

namespace silt {
namespace {

/// More bodies than this are looked at from farther away, where those near each other are one: drops of a spray.
constexpr std::size_t most_bodies = 128;

auto key(const Int3& c) {
  return std::tuple(c.z, c.y, c.x);
}
bool before(const Int3& a, const Int3& b) {
  return key(a) < key(b);
}

constexpr int of_spray = -1;

/// A tile that has particles: those of a pool, or of the spray, from `first` on.
struct OccupiedTile {
  Int3 tile;
  int pool = 0;
  std::size_t first = 0, count = 0;
  int body = 0;
};

std::vector<OccupiedTile> occupied_tiles(const PoolRules& rules, const LiquidState& state,
                                         const std::vector<std::unique_ptr<LiquidWorkspace>>& work) {
  std::vector<OccupiedTile> out;
  const Int3 extent = tile_extent(rules.scene.lattice.active);
  const ParticleView spray = read(Exec(Device::cpu, 1), state.spray);
  for (std::size_t i = 0; i < state.spray.count; ++i) {
    const Cell c = spray.cell_at(std::int64_t(i));
    if (!rules.allowed.contains(c)) continue;  // gone
    const Int3 tile{floor_div(c.x, extent.x), floor_div(c.y, extent.y), floor_div(c.z, extent.z)};
    out.push_back({tile, of_spray, i, 1, 0});
  }
  for (std::size_t p = 0; p < state.pools.size(); ++p) {
    const CellRanges& ranges = work[p]->ranges;
    const std::uint32_t* begin = std::as_const(ranges.begin).host();
    const int* numbers = std::as_const(ranges.occupied).host();
    const std::int64_t each = ranges.order.cells_each();
    for (std::size_t i = 0; i < ranges.occupied.size(); ++i) {
      const std::int64_t t = numbers[i];
      const std::size_t first = begin[t * each], last = begin[(t + 1) * each];
      out.push_back({ranges.order.tile(int(t)), int(p), first, last - first, 0});
    }
  }
  return out;
}

/// Numbers of sets that are joined one by one.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int of(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The lower number stays.
  void join(int a, int b) {
    a = of(a), b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

/// Blocks of 2^shift tiles along each axis that have particles; those that touch, at a corner too, are one body.
std::size_t find_bodies(const Int3& active, int shift, std::vector<OccupiedTile>& tiles) {
  const auto block_of = [&](const Int3& t) {
    Int3 b;
    for (int a = 0; a < 3; ++a) b[a] = active[a] ? t[a] >> shift : t[a];
    return b;
  };
  std::vector<Int3> blocks;
  for (const OccupiedTile& t : tiles) blocks.push_back(block_of(t.tile));
  std::sort(blocks.begin(), blocks.end(), before);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  const auto find = [&](const Int3& b) -> std::optional<int> {
    const auto at = std::lower_bound(blocks.begin(), blocks.end(), b, before);
    if (at == blocks.end() || !(*at == b)) return std::nullopt;
    return int(at - blocks.begin());
  };
  Sets sets(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (int z = 0; z <= active.z; ++z)
      for (int y = -active.y; y <= active.y; ++y)
        for (int x = -1; x <= 1; ++x)
          if (const Int3 d{x, y, z}; before({0, 0, 0}, d))
            if (const auto j = find(blocks[i] + d)) sets.join(int(i), *j);
  std::vector<int> number(blocks.size(), -1);  // in order of their first block
  int count = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (sets.of(int(i)) == int(i)) number[i] = count++;
  for (OccupiedTile& t : tiles) t.body = number[sets.of(*find(block_of(t.tile)))];
  return std::size_t(count);
}

Box cells_of_tile(const Int3& tile, const Int3& active) {
  const Int3 extent = tile_extent(active);
  return {tile * extent, (tile + Int3{1, 1, 1}) * extent};
}

/// Bodies whose common box is no larger than the two are together share one.
std::size_t join_boxes(const PoolRules& rules, std::size_t bodies, std::vector<OccupiedTile>& tiles) {
  const Int3 active = rules.scene.lattice.active;
  std::vector<Box> boxes(bodies);
  for (const OccupiedTile& t : tiles) boxes[t.body] = hull(boxes[t.body], cells_of_tile(t.tile, active));
  Sets sets(bodies);
  const auto cost = [&](const Box& b) { return pool_domain(rules, b).cells.count(); };
  for (bool joined = true; joined;) {
    joined = false;
    for (int i = 0; i < int(bodies); ++i)
      for (int j = i + 1; j < int(bodies); ++j) {
        if (sets.of(i) != i || sets.of(j) != j) continue;
        const Box both = hull(boxes[i], boxes[j]);
        if (cost(both) > cost(boxes[i]) + cost(boxes[j])) continue;
        sets.join(i, j);
        boxes[i] = both;
        joined = true;
      }
  }
  std::vector<int> number(bodies, -1);
  int count = 0;
  for (int i = 0; i < int(bodies); ++i)
    if (sets.of(i) == i) number[i] = count++;
  for (OccupiedTile& t : tiles) t.body = number[sets.of(t.body)];
  return std::size_t(count);
}

/// Bodies by number, and what they consist of.
struct Bodies {
  std::vector<std::int64_t> particles;
  std::vector<Box> cells;

  Bodies(const PoolRules& rules, std::size_t count, const std::vector<OccupiedTile>& tiles)
      : particles(count), cells(count) {
    for (const OccupiedTile& t : tiles) {
      particles[t.body] += std::int64_t(t.count);
      cells[t.body] = hull(cells[t.body], cells_of_tile(t.tile, rules.scene.lattice.active));
    }
  }
};

/// Whether nothing but air is near: no wall, no solid.
bool in_the_open(const PoolRules& rules, const Box& cells) {
  const Box near = grow(cells, rules.scene.lattice.active * rules.margin);
  for (int a = 0; a < 3; ++a) {
    if (!rules.scene.lattice.active[a]) continue;
    if (rules.scene.side(a, 0) != Side::open && near.lo[a] < rules.scene.cells.lo[a]) return false;
    if (rules.scene.side(a, 1) != Side::open && near.hi[a] > rules.scene.cells.hi[a]) return false;
  }
  return std::none_of(rules.crowded.begin(), rules.crowded.end(),
                      [&](const Box& b) { return !intersect(b, near).empty(); });
}

/// Which bodies fly freely, without a pool: tiny ones in the open; and where there are still too many, the smallest of
/// those that are small.
std::vector<bool> flying_bodies(const PoolRules& rules, const Bodies& bodies) {
  const int dims = rules.scene.lattice.dims();
  const std::int64_t tiny = 2 << dims, small = 8 << dims;  // particles in two cells of liquid, and in eight
  std::vector<bool> flies(bodies.cells.size());
  if (!rules.spray) return flies;
  std::vector<std::size_t> others;
  std::size_t pools = 0;
  for (std::size_t b = 0; b < flies.size(); ++b) {
    const bool free = bodies.particles[b] < small && in_the_open(rules, bodies.cells[b]);
    flies[b] = free && bodies.particles[b] < tiny;
    if (!flies[b]) ++pools;
    if (free && !flies[b]) others.push_back(b);
  }
  std::stable_sort(others.begin(), others.end(),
                   [&](std::size_t a, std::size_t b) { return bodies.particles[a] < bodies.particles[b]; });
  for (std::size_t n = 0; n < others.size() && pools > most_bodies; ++n, --pools) flies[others[n]] = true;
  return flies;
}

/// Numbers the bodies that shall have a pool, and gives every tile the number of its own, or that of the spray. Returns
/// how many.
std::size_t assign_bodies(const PoolRules& rules, std::vector<OccupiedTile>& tiles) {
  const Int3 active = rules.scene.lattice.active;
  const Bodies all(rules, find_bodies(active, 1, tiles), tiles);
  const std::vector<bool> flies = flying_bodies(rules, all);
  std::vector<OccupiedTile> large, small;
  for (const OccupiedTile& t : tiles) (flies[t.body] ? small : large).push_back(t);
  std::size_t count = 0;
  if (!large.empty()) {
    for (int shift = 1; (count = find_bodies(active, shift, large)) > most_bodies; ++shift) {
    }
    count = join_boxes(rules, count, large);
  }
  const Bodies pools(rules, count, large);
  for (OccupiedTile& t : small) {
    const Box cells = cells_of_tile(t.tile, active);
    t.body = of_spray;
    for (std::size_t p = 0; p < count && t.body == of_spray; ++p)  // where there is a grid already
      if (pool_domain(rules, pools.cells[p]).cells.contains(cells)) t.body = int(p);
  }
  tiles = std::move(large);
  tiles.insert(tiles.end(), small.begin(), small.end());
  return count;
}

/// Whether body n is pool n, for all of them, and no spray is gone.
bool same_as_pools(const LiquidState& state, std::size_t bodies, const std::vector<OccupiedTile>& tiles) {
  const auto flying =
      std::count_if(tiles.begin(), tiles.end(), [](const OccupiedTile& t) { return t.pool == of_spray; });
  return bodies == state.pools.size() && std::size_t(flying) == state.spray.count &&
         std::all_of(tiles.begin(), tiles.end(), [](const OccupiedTile& t) { return t.body == t.pool; });
}

/// Moves particles to the pools of their bodies, and to the spray.
void hand_out(const Exec& exec, const Particles& like, std::size_t bodies, const std::vector<OccupiedTile>& tiles,
              LiquidState& state) {
  std::vector<Particles> to(bodies + 1, Particles(like.active, like.modes));  // the spray is the first
  std::vector<std::size_t> counts(bodies + 1);
  for (const OccupiedTile& t : tiles) counts[t.body + 1] += t.count;
  for (std::size_t b = 0; b <= bodies; ++b) reserve(exec, to[b], counts[b]);
  for (std::size_t i = 0; i < tiles.size();) {
    const OccupiedTile& from = tiles[i];
    std::size_t count = from.count, next = i + 1;  // runs of particles that go the same way
    for (; next < tiles.size() && tiles[next].body == from.body && tiles[next].pool == from.pool &&
           tiles[next].first == from.first + count;
         ++next)
      count += tiles[next].count;
    const Particles& source = from.pool == of_spray ? state.spray : state.pools[from.pool].particles;
    append_particles(exec, source, from.first, count, to[from.body + 1]);
    i = next;
  }
  const std::size_t flew = state.spray.count, stayed = to[0].count;
  std::size_t joined = 0, left = 0;
  for (const OccupiedTile& t : tiles) {
    if (t.pool == of_spray && t.body != of_spray) joined += t.count;
    if (t.pool != of_spray && t.body == of_spray) left += t.count;
  }
  state.died += flew + left - joined - stayed;  // what has got out of reach
  state.spray = std::move(to[0]);
  state.pools.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b) state.pools[b].particles = std::move(to[b + 1]);
}

/// Gives a pool the box that its particles need, and sorts them.
void settle(const Exec& exec, const PoolRules& rules, LiquidState& state, LiquidPool& pool,
            std::unique_ptr<LiquidWorkspace>& work, SortScratch& scratch) {
  pool.domain = pool_domain(rules, intersect(particle_bounds(exec, pool.particles), rules.allowed));
  const Layout layout = pool_layout(rules, pool.domain);
  const host_memory::FewTouched few(spread_thinly(pool));
  if (!work || !(work->phi.layout() == layout) || !(work->domain == pool.domain)) {
    work = std::make_unique<LiquidWorkspace>(pool.domain, layout);
    work->carried = rules.margin + 1;
  }
  Domain keep = pool.domain;
  keep.cells = intersect(pool.domain.cells, rules.allowed);
  sort_particles(exec, keep, layout, pool.particles, work->ranges, scratch);
  state.died += std::exchange(pool.particles.died, 0);
}

/// Only the cells of a pool's box that are near its particles are in use; fields rest at the others.
void leave_out_far_cells(const Exec& exec, const PoolRules& rules, LiquidPool& pool, LiquidWorkspace& work) {
  constexpr double most = 0.9;  // of the box; spans that leave out less are not worth it
  Cells& cells = work.domain.cells;
  cells.rows = nullptr;
  if (rules.leave_out && exec.on_cpu() && !pool.domain.wraps()) {
    work.near = cells_near(work.ranges, cells, pool.domain.lattice.active, rules.margin);
    if (double(work.near.used()) < most * double(cells.count())) cells.rows = &work.near;
  }
  const SurfaceOptions surface;
  const double far = (surface.reach - surface.radius) * pool.domain.lattice.h;  // as surface_of_particles has it
  work.used.leave(cells, far, work.phi, work.scratch);
  work.used.leave(cells, 1, work.air);
  work.used.leave(cells, 0, work.velocity, work.weight, work.kick, work.before, work.rhs, work.drift);
  work.used.stay(cells);
  UsedRows::rest_outside(cells, pool.pressure);  // which may come from other pools, or from a state that was restored
}

/// What the ends of a pool's box are multiples of [cells]: whole tiles, and more of them for a large box, so that one
/// that grows seldom needs memory anew. Cells that it has too many cost little: they are far from all particles.
int box_step(int size) {
  return tile_size * int(std::bit_floor(unsigned(std::max(1, size / (8 * tile_size)))));
}

}  // namespace

Domain pool_domain(const PoolRules& rules, const Box& particles) {
  const Domain& scene = rules.scene;
  Box cells = scene.cells;
  for (int a = 0; a < 3; ++a) {
    if (!scene.lattice.active[a] || scene.periodic(a)) continue;
    if (particles.empty()) {
      cells.hi[a] = cells.lo[a] + 1;
      continue;
    }
    const int lo = particles.lo[a] - rules.margin, hi = particles.hi[a] + rules.margin, step = box_step(hi - lo);
    cells.lo[a] = floor_div(lo, step) * step;
    cells.hi[a] = -floor_div(-hi, step) * step;
    if (scene.side(a, 0) == Side::wall) cells.lo[a] = std::max(cells.lo[a], scene.cells.lo[a]);
    if (scene.side(a, 1) == Side::wall) cells.hi[a] = std::min(cells.hi[a], scene.cells.hi[a]);
  }
  return domain_of(rules, cells);
}

Domain domain_of(const PoolRules& rules, const Box& cells) {
  Domain out = rules.scene;
  out.cells = cells;
  for (int a = 0; a < 3; ++a) {
    if (!out.lattice.active[a] || rules.scene.periodic(a)) continue;
    if (cells.lo[a] != rules.scene.cells.lo[a]) out.sides[a][0] = Side::open;
    if (cells.hi[a] != rules.scene.cells.hi[a]) out.sides[a][1] = Side::open;
  }
  return out;
}

Layout pool_layout(const PoolRules& rules, const Domain& pool) {
  return make_layout(pool.cells, pool.lattice.active, default_halo, rules.pad);
}

bool spread_thinly(const LiquidPool& pool) {
  constexpr std::int64_t cells_each = 4;  // a particle: what liquid has, 32 times over in 3D
  return pool.domain.cells.count() > cells_each * std::int64_t(pool.particles.count);
}

void regroup(const Exec& exec, const PoolRules& rules, LiquidState& state,
             std::vector<std::unique_ptr<LiquidWorkspace>>& work, SortScratch& scratch) {
  std::vector<LiquidPool>& pools = state.pools;
  if (pools.empty() && state.spray.count == 0) return;
  struct OldPressure {
    Box cells;
    Field<double> values;
  };
  std::vector<OldPressure> old;
  for (LiquidPool& pool : pools) old.push_back({pool.domain.cells, std::move(pool.pressure)});

  work.resize(pools.size());
  for (std::size_t p = 0; p < pools.size(); ++p) settle(exec, rules, state, pools[p], work[p], scratch);

  std::vector<OccupiedTile> tiles = occupied_tiles(rules, state, work);
  const std::size_t bodies = assign_bodies(rules, tiles);
  if (!same_as_pools(state, bodies, tiles)) {
    hand_out(exec, pools.empty() ? state.spray : pools.front().particles, bodies, tiles, state);
    work.resize(bodies);
    for (std::size_t b = 0; b < bodies; ++b) settle(exec, rules, state, pools[b], work[b], scratch);
  }
  for (std::size_t p = 0; p < pools.size(); ++p) {
    LiquidPool& pool = pools[p];
    if (pools.size() == old.size() && old[p].values.allocated() && old[p].cells == pool.domain.cells) {
      pool.pressure = std::move(old[p].values);
      continue;
    }
    const host_memory::FewTouched few(spread_thinly(pool));
    pool.pressure = Field<double>(pool_layout(rules, pool.domain));
    for (const OldPressure& from : old)
      if (from.values.allocated())
        take_over(exec, intersect(from.cells, pool.domain.cells), from.values, pool.pressure);
  }
  for (std::size_t p = 0; p < pools.size(); ++p) leave_out_far_cells(exec, rules, pools[p], *work[p]);
}

}  // namespace silt
