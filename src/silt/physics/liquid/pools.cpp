#include "silt/physics/liquid/pools.h"

#include <algorithm>
#include <numeric>

#include "silt/core/few_touched.h"
#include "silt/fields/surface_of_particles.h"
#include "silt/physics/common/append_particles.h"
#include "silt/physics/common/domain_round.h"
#include "silt/physics/common/particle_bounds.h"
#include "silt/physics/common/take_over.h"
#include "silt/physics/liquid/bodies.h"
#include "silt/physics/liquid/liquid_kernels.h"
#include "silt/physics/liquid/tile_bricks.h"

namespace silt {
namespace {

std::vector<TileShare> shares_of(const PoolRules& rules, const LiquidState& state,
                                 const std::vector<std::unique_ptr<LiquidWorkspace>>& work) {
  std::vector<TileShare> out;
  const Int3 active = rules.scene.lattice.active, extent = tile_extent(active);
  const ParticleView spray = read(Exec(Device::cpu, 1), state.spray);
  for (std::size_t i = 0; i < state.spray.count; ++i) {
    const Cell c = spray.cell_at(std::int64_t(i));
    if (!rules.allowed.contains(c)) continue;  // gone
    const Int3 tile{floor_div(c.x, extent.x), floor_div(c.y, extent.y), floor_div(c.z, extent.z)};
    const Int3 brick = (c - tile * extent) / TileBricks::size;
    out.push_back({tile, of_spray, i, 1, nullptr, TileBricks::Bits(1) << TileBricks::bit(brick.x, brick.y, brick.z)});
  }
  for (std::size_t p = 0; p < state.pools.size(); ++p) {
    const CellRanges& ranges = work[p]->ranges;
    const std::uint32_t* begin = std::as_const(ranges.begin).host();
    const int* numbers = std::as_const(ranges.occupied).host();
    const std::int64_t each = ranges.order.cells_each();
    for (std::size_t i = 0; i < ranges.occupied.size(); ++i) {
      const std::uint32_t* of_tile = begin + numbers[i] * each;
      out.push_back({ranges.order.tile(numbers[i]), int(p), of_tile[0], of_tile[each] - of_tile[0], of_tile});
    }
  }
  return out;
}

/// Whether body n is pool n, for all of them, and no spray is gone.
bool same_as_pools(const LiquidState& state, const Bodies& bodies) {
  const auto flying =
      std::count_if(bodies.runs.begin(), bodies.runs.end(), [](const ParticleRun& r) { return r.pool == of_spray; });
  return bodies.count == state.pools.size() && std::size_t(flying) == state.spray.count &&
         std::all_of(bodies.runs.begin(), bodies.runs.end(), [](const ParticleRun& r) { return r.body == r.pool; });
}

/// Which pools bodies come from.
struct Origins {
  static constexpr int none = -1;
  std::vector<int> whole;  ///< of each body: the pool that it is, unchanged; or none
  std::vector<int> main;   ///< the pool that gives it more than to others, and that it has more of than of others

  Origins(const Bodies& bodies, std::size_t pools) : whole(bodies.count, none), main(bodies.count, none) {
    std::vector<std::vector<std::size_t>> from(bodies.count, std::vector<std::size_t>(pools));
    std::vector<std::size_t> given(pools), has(bodies.count);
    for (const ParticleRun& r : bodies.runs) {
      if (r.pool != of_spray) given[r.pool] += r.count;
      if (r.body != of_spray) has[r.body] += r.count;
      if (r.pool != of_spray && r.body != of_spray) from[r.body][r.pool] += r.count;
    }
    std::vector<int> heir(pools, none);
    for (int b = 0; b < int(bodies.count); ++b)
      for (int p = 0; p < int(pools); ++p) {
        if (from[b][p] == 0) continue;
        if (main[b] == none || from[b][p] > from[b][main[b]]) main[b] = p;
        if (heir[p] == none || from[b][p] > from[heir[p]][p]) heir[p] = b;
        if (from[b][p] == has[b] && from[b][p] == given[p]) whole[b] = p;
      }
    for (int b = 0; b < int(bodies.count); ++b)
      if (main[b] != none && heir[main[b]] != b) main[b] = none;
  }
};

/// Moves particles to the pools of their bodies, and to the spray. Pools that stay as they are go over as one.
void hand_out(const Exec& exec, const Bodies& bodies, const Origins& origins, LiquidState& state) {
  const Particles& any = state.pools.empty() ? state.spray : state.pools.front().particles;
  std::vector<Particles> to(bodies.count + 1, Particles(any.active, any.modes));  // the spray is the first
  std::vector<std::size_t> counts(bodies.count + 1);
  const auto moves = [&](const ParticleRun& r) { return r.body == of_spray || origins.whole[r.body] == Origins::none; };
  std::size_t joined = 0, left = 0;
  for (const ParticleRun& r : bodies.runs) {
    if (moves(r)) counts[r.body + 1] += r.count;
    if (r.pool == of_spray && r.body != of_spray) joined += r.count;
    if (r.pool != of_spray && r.body == of_spray) left += r.count;
  }
  for (std::size_t b = 0; b <= bodies.count; ++b) reserve(exec, to[b], counts[b]);
  for (std::size_t i = 0; i < bodies.runs.size();) {
    const ParticleRun& run = bodies.runs[i];
    std::size_t count = run.count, next = i + 1;  // those that go the same way, together
    for (; next < bodies.runs.size() && bodies.runs[next].body == run.body && bodies.runs[next].pool == run.pool &&
           bodies.runs[next].first == run.first + count;
         ++next)
      count += bodies.runs[next].count;
    const Particles& source = run.pool == of_spray ? state.spray : state.pools[run.pool].particles;
    if (moves(run)) append_particles(exec, source, run.first, count, to[run.body + 1]);
    i = next;
  }
  state.died += state.spray.count + left - joined - to[0].count;  // what has got out of reach
  state.spray = std::move(to[0]);
  std::vector<LiquidPool> pools(bodies.count);
  for (std::size_t b = 0; b < bodies.count; ++b)
    if (origins.whole[b] == Origins::none)
      pools[b].particles = std::move(to[b + 1]);
    else
      pools[b] = std::move(state.pools[origins.whole[b]]);
  state.pools = std::move(pools);
}

/// Gives a pool the box that its particles need, and sorts them.
void settle(const Exec& exec, const PoolRules& rules, LiquidState& state, LiquidPool& pool,
            std::unique_ptr<LiquidWorkspace>& work, SortScratch& scratch) {
  pool.domain = pool_domain(rules, intersect(particle_bounds(exec, pool.particles), rules.allowed));
  const Layout layout = pool_layout(rules, pool.domain);
  const host_memory::FewTouched few(spread_thinly(pool));
  if (!work || !(work->phi.layout() == layout) || !(work->domain == pool.domain)) {
    work.reset();  // first, or there would be two in memory
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
  work.used.leave(cells, 0, work.velocity, work.weight, work.kick, work.before, work.rhs, work.drift,
                  work.beside_solids.marks, work.beside_solids.steps);
  work.used.stay(cells);
  UsedRows::rest_outside(cells, pool.pressure);  // which may come from other pools, or from a state that was restored
  UsedRows::rest_outside(cells, pool.wetted);
}

/// What a pool remembers in its cells.
struct OldFields {
  Box cells;
  Field<double> pressure, wetted;
};

/// Each pool has the fields of the one it comes from, where the box is the same; or what all have left in its box.
void hand_over_fields(const Exec& exec, const PoolRules& rules, const std::vector<int>& from,
                      std::vector<OldFields>& old, std::vector<LiquidPool>& pools) {
  std::vector<std::size_t> heirs;
  for (std::size_t p = 0; p < pools.size(); ++p) {
    LiquidPool& pool = pools[p];
    const int one = from[p];
    if (one != Origins::none && old[one].pressure.allocated() && old[one].cells == pool.domain.cells) {
      heirs.push_back(p);  // last: others may have to look at it
      continue;
    }
    const host_memory::FewTouched few(spread_thinly(pool));
    pool.pressure = Field<double>(pool_layout(rules, pool.domain));
    pool.wetted = Field<double>(pool_layout(rules, pool.domain));
    for (const OldFields& other : old)
      if (const Box both = intersect(other.cells, pool.domain.cells); other.pressure.allocated() && !both.empty()) {
        take_over(exec, both, other.pressure, pool.pressure);
        take_over(exec, both, other.wetted, pool.wetted);
      }
  }
  for (const std::size_t p : heirs) {
    pools[p].pressure = std::move(old[from[p]].pressure);
    pools[p].wetted = std::move(old[from[p]].wetted);
  }
}

}  // namespace

Domain pool_domain(const PoolRules& rules, const Box& particles) {
  return domain_round(rules.scene, particles, rules.margin);
}

Layout pool_layout(const PoolRules& rules, const Domain& pool) {
  return make_layout(pool.cells, pool.lattice.active, default_halo, rules.pad);
}

bool spread_thinly(const Domain& box, std::int64_t particles) {
  constexpr std::int64_t cells_each = 4;  // a particle: what liquid has, 32 times over in 3D
  return box.cells.count() > cells_each * particles;
}

bool spread_thinly(const LiquidPool& pool) {
  return spread_thinly(pool.domain, std::int64_t(pool.particles.count));
}

void regroup(const Exec& exec, const PoolRules& rules, LiquidState& state,
             std::vector<std::unique_ptr<LiquidWorkspace>>& work, SortScratch& scratch) {
  std::vector<LiquidPool>& pools = state.pools;
  if (pools.empty() && state.spray.count == 0) return;
  std::vector<OldFields> old;
  for (LiquidPool& pool : pools) old.push_back({pool.domain.cells, std::move(pool.pressure), std::move(pool.wetted)});

  work.resize(pools.size());
  for (std::size_t p = 0; p < pools.size(); ++p) settle(exec, rules, state, pools[p], work[p], scratch);

  std::vector<int> from(pools.size());  // each pool's: whose scratch and pressure are its own if the box is the same
  std::iota(from.begin(), from.end(), 0);
  if (const Bodies bodies = find_bodies(rules, shares_of(rules, state, work)); !same_as_pools(state, bodies)) {
    const Origins origins(bodies, pools.size());
    hand_out(exec, bodies, origins, state);
    from = origins.main;
    std::vector<std::unique_ptr<LiquidWorkspace>> before(bodies.count);
    std::swap(work, before);
    for (std::size_t b = 0; b < bodies.count; ++b) {
      if (from[b] != Origins::none) work[b] = std::move(before[from[b]]);
      if (origins.whole[b] == Origins::none) settle(exec, rules, state, pools[b], work[b], scratch);
    }
  }
  hand_over_fields(exec, rules, from, old, pools);
  for (std::size_t p = 0; p < pools.size(); ++p) leave_out_far_cells(exec, rules, pools[p], *work[p]);
}

}  // namespace silt
