#include "silt/physics/liquid/bodies.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "silt/physics/liquid/tile_bricks.h"

namespace silt {
namespace {

/// More bodies than this are looked at from farther away, where those near each other are one.
constexpr std::size_t most_bodies = 128;

/// What a pool costs besides its cells, in cells: loops that are begun, levels of the multigrid.
constexpr std::int64_t cost_of_a_pool = 512;

auto key(const Int3& c) {
  return std::tuple(c.z, c.y, c.x);
}
bool before(const Int3& a, const Int3& b) {
  return key(a) < key(b);
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
  /// The number of each one's set, counted in the order of their first members; and how many.
  std::pair<std::vector<int>, std::size_t> numbers() {
    std::vector<int> out(parent_.size());
    int count = 0;
    for (int i = 0; i < int(out.size()); ++i) out[i] = of(i) == i ? count++ : out[of(i)];
    return {std::move(out), std::size_t(count)};
  }

 private:
  std::vector<int> parent_;
};

/// visit(i, j, how far apart) for every two that touch, at a corner too, each pair once. They are in order and differ.
template <class Visit>
void visit_touching(const std::vector<Int3>& places, Int3 active, const Visit& visit) {
  for (int dz = 0; dz <= active.z; ++dz)
    for (int dy = dz ? -active.y : 0; dy <= active.y; ++dy) {
      const bool own_row = dy == 0 && dz == 0;
      std::size_t next = 0;  // what is sought rises with i
      for (std::size_t i = 0; i < places.size(); ++i) {
        const Int3 lowest = places[i] + Int3{own_row ? 1 : -1, dy, dz}, highest = places[i] + Int3{1, dy, dz};
        while (next < places.size() && before(places[next], lowest)) ++next;
        for (std::size_t j = next; j < places.size() && !before(highest, places[j]); ++j)
          visit(int(i), int(j), places[j] - places[i]);
      }
    }
}

/// The tiles of all shares, each once and in order, and the number of each share's.
std::pair<std::vector<Int3>, std::vector<int>> places_of(const std::vector<TileShare>& shares) {
  struct Placed {
    std::uint64_t key;
    int share;
  };
  const auto part = [](int n) { return std::uint64_t(n + (1 << 20)); };  // tiles are within a million of the origin
  std::vector<Placed> sorted;
  sorted.reserve(shares.size());
  for (const TileShare& s : shares)
    sorted.push_back({part(s.tile.z) << 42 | part(s.tile.y) << 21 | part(s.tile.x), int(sorted.size())});
  std::sort(sorted.begin(), sorted.end(), [](const Placed& a, const Placed& b) { return a.key < b.key; });
  std::vector<Int3> places;
  std::vector<int> tile_of(shares.size());
  for (std::size_t n = 0; n < sorted.size(); ++n) {
    if (n == 0 || sorted[n].key != sorted[n - 1].key) places.push_back(shares[sorted[n].share].tile);
    tile_of[sorted[n].share] = int(places.size()) - 1;
  }
  return {std::move(places), std::move(tile_of)};
}

/// Blocks of 2^shift tiles along each axis; those that touch are one. The number of each tile's, and how many.
std::pair<std::vector<int>, std::size_t> join_blocks(Int3 active, int shift, std::vector<Int3> tiles) {
  for (Int3& t : tiles)
    for (int a = 0; a < 3; ++a)
      if (active[a]) t[a] >>= shift;
  std::vector<Int3> blocks = tiles;
  std::sort(blocks.begin(), blocks.end(), before);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  Sets sets(blocks.size());
  visit_touching(blocks, active, [&](int i, int j, const Int3&) { sets.join(i, j); });
  const auto [numbers, count] = sets.numbers();
  std::vector<int> out;
  for (const Int3& t : tiles)
    out.push_back(numbers[std::lower_bound(blocks.begin(), blocks.end(), t, before) - blocks.begin()]);
  return {std::move(out), count};
}

struct Body {
  Box cells;
  std::int64_t particles = 0;
};

Box cells_of_tile(const Int3& tile, const Int3& active) {
  const Int3 extent = tile_extent(active);
  return {tile * extent, (tile + Int3{1, 1, 1}) * extent};
}

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

std::int64_t cost(const PoolRules& rules, const Box& cells) {
  return pool_domain(rules, cells).cells.count() + cost_of_a_pool;
}

/// Bodies whose common box is no dearer than the two are by themselves share one. Their new numbers; `bodies` become
/// those that are left.
std::vector<int> join_boxes(const PoolRules& rules, std::vector<Body>& bodies) {
  Sets sets(bodies.size());
  std::vector<std::int64_t> costs;
  for (const Body& b : bodies) costs.push_back(cost(rules, b.cells));
  std::vector<int> left(bodies.size());
  std::iota(left.begin(), left.end(), 0);
  for (bool joined = true; joined;) {
    joined = false;
    for (std::size_t m = 0; m < left.size(); ++m)
      for (std::size_t n = m + 1; n < left.size(); ++n) {
        const int i = left[m], j = left[n];
        const Box both = hull(bodies[i].cells, bodies[j].cells);
        const std::int64_t apart = costs[i] + costs[j];
        if (both.count() > apart) continue;  // no need to look closer
        const std::int64_t together = cost(rules, both);
        if (together > apart) continue;
        sets.join(i, j);
        bodies[i].cells = both, bodies[i].particles += bodies[j].particles, costs[i] = together;
        left.erase(left.begin() + std::ptrdiff_t(n--));
        joined = true;
      }
  }
  std::vector<Body> those;
  for (const int i : left) those.push_back(bodies[i]);
  bodies = std::move(those);
  return sets.numbers().first;
}

/// The boxes of those that fill theirs: drops in there are on a grid that is there already. Empty ones of the others.
std::vector<Box> full_boxes(const PoolRules& rules, const std::vector<Body>& bodies) {
  std::vector<Box> out;
  for (const Body& b : bodies) {
    const Domain domain = pool_domain(rules, b.cells);
    out.push_back(spread_thinly(domain, b.particles) ? Box{} : Box(domain.cells));
  }
  return out;
}

/// Liquid that is spread over a box much larger than itself, looked at brick by brick.
class FineBodies {
 public:
  FineBodies(const PoolRules& rules, std::vector<Int3> places)
      : rules_(rules), active_(rules.scene.lattice.active), places_(std::move(places)), tiles_(places_.size()) {
    visit_touching(places_, active_, [&](int i, int j, const Int3& away) {
      tiles_[i].round[number_of(away)] = j, tiles_[j].round[number_of(-away)] = i;
    });
  }

  /// Particles in a tile, by its number.
  void add(int number, TileShare& share) {
    Tile& tile = tiles_[number];
    if (share.begin)
      share.bricks = 0, visit_rows(share, [&](int brick, std::size_t from, std::size_t to) {
        if (from < to) share.bricks |= TileBricks::Bits(1) << brick, tile.count[brick] += std::uint32_t(to - from);
      });
    else
      tile.count[std::countr_zero(share.bricks)] += 1;
    tile.bricks |= share.bricks;
  }

  /// Adds the bodies to the list, not more than `most`.
  void find(std::size_t most, std::vector<Body>& bodies) {
    const std::size_t first = bodies.size();
    std::uint32_t least = rules_.least;
    int level = rules_.scene.wraps() ? 2 : 0;  // those at two periodic ends may be one
    for (choose(least), number(level, bodies); bodies.size() - first > most; number(level, bodies)) {
      bodies.resize(first);
      if (least == rules_.least)
        choose(least *= 2);
      else
        ++level;
    }
  }

  /// visit(cells) for the spray of each tile says whose it is in the end; `joined`: what has become of each body.
  template <class Visit>
  void hand_over(const std::vector<int>& joined, const Visit& visit) {
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
      Tile& tile = tiles_[t];
      if (tile.body != of_spray) tile.body = joined[tile.body];
      if (const TileBricks::Bits flies = tile.bricks & ~tile.stays)
        tile.body_of_spray = visit(TileBricks::cells(places_[t], flies, active_));
    }
  }

  void add_runs(int number, const TileShare& share, std::vector<ParticleRun>& runs) const {
    const Tile& tile = tiles_[number];
    const auto body_of = [&](TileBricks::Bits bricks) { return bricks & tile.stays ? tile.body : tile.body_of_spray; };
    const bool all_alike = !(share.bricks & tile.stays) || !(share.bricks & ~tile.stays);
    if (all_alike) return runs.push_back({share.pool, body_of(share.bricks), share.first, share.count});
    visit_rows(share, [&](int brick, std::size_t from, std::size_t to) {
      if (from < to) runs.push_back({share.pool, body_of(TileBricks::Bits(1) << brick), from, to - from});
    });
  }

 private:
  struct Tile {
    std::uint32_t count[TileBricks::all] = {};  ///< particles in each brick
    TileBricks::Bits bricks = 0;                ///< that have some
    TileBricks::Bits wet = 0;                   ///< those where there may be liquid to the pressure
    TileBricks::Bits stays = 0;                 ///< those that are not spray
    int round[27];                              ///< tiles round it, and itself; none: without particles
    int body = of_spray, body_of_spray = of_spray;
    Tile() { std::fill_n(round, 27, none); }
  };
  static constexpr int none = -1;
  static int number_of(const Int3& away) { return away.x + 1 + 3 * (away.y + 1 + 3 * (away.z + 1)); }

  /// visit(brick, its first particle in a row of cells, the last) for all bricks and rows, in order.
  template <class Visit>
  void visit_rows(const TileShare& share, const Visit& visit) const {
    const Int3 n = tile_extent(active_);
    for (int z = 0; z < n.z; ++z)
      for (int y = 0; y < n.y; ++y)
        for (int x = 0; x < TileBricks::side; ++x) {
          const int cell = TileBricks::size * x + n.x * (y + n.y * z);
          visit(TileBricks::bit(x, y / TileBricks::size, z / TileBricks::size), std::size_t(share.begin[cell]),
                std::size_t(share.begin[cell + TileBricks::size]));
        }
  }

  /// Particles in the bricks round one, and in itself; [z][y][x], one more than how far away.
  struct Round {
    std::uint32_t count[3][3][3], sum = 0;
  };
  Round round(int t, int brick) const {
    Round out;
    const Int3 at{brick % TileBricks::side, brick / TileBricks::side % TileBricks::side,
                  brick / (TileBricks::side * TileBricks::side)};
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          Int3 there = at + Int3{x, y, z}, away{};
          for (int a = 0; a < 3; ++a) {
            away[a] = there[a] < 0 ? -1 : there[a] >= TileBricks::side ? 1 : 0;
            if (!active_[a]) away[a] = there[a];
            there[a] -= away[a] * (active_[a] ? TileBricks::side : 1);
          }
          const int tile = away == Int3{} ? t : tiles_[t].round[number_of(away)];
          const std::uint32_t count = tile == none ? 0 : tiles_[tile].count[TileBricks::bit(there.x, there.y, there.z)];
          out.count[z + 1][y + 1][x + 1] = count, out.sum += count;
        }
    return out;
  }
  /// Whether one of the cubes of two bricks a side that have this one in them has so many particles.
  static bool has_crowd(const Round& r, std::uint32_t least) {
    if (r.sum < least) return false;
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) {
          std::uint32_t sum = 0;
          for (int n = 0; n < 8; ++n) sum += r.count[z + (n >> 2)][y + (n >> 1 & 1)][x + (n & 1)];
          if (sum >= least) return true;
        }
    return false;
  }

  /// What stays on a grid: where a cube of four cells a side has so many particles, and what touches it; and what is
  /// near walls and solids.
  void choose(std::uint32_t least) {
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
      Tile& tile = tiles_[t];
      tile.wet = 0;
      for (TileBricks::Bits left = tile.bricks; left; left &= left - 1) {
        const int brick = std::countr_zero(left);
        if (tile.count[brick] >= least || has_crowd(round(int(t), brick), least)) tile.wet |= left & (~left + 1);
      }
    }
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
      Tile& tile = tiles_[t];
      TileBricks::Bits near = TileBricks::beside(tile.wet, {});
      for (int n = 0; n < 27; ++n)
        if (tile.round[n] != none)
          near |= TileBricks::beside(tiles_[tile.round[n]].wet, Int3{1 - n % 3, 1 - n / 3 % 3, 1 - n / 9});
      const bool open = rules_.spray && in_the_open(rules_, TileBricks::cells(places_[t], tile.bricks, active_));
      tile.stays = open ? tile.bricks & near : tile.bricks;
    }
  }

  /// Bodies of what stays: at level 0 where half tiles that have some of it touch, then tiles, blocks of two, of four.
  void number(int level, std::vector<Body>& bodies) {
    std::vector<int> group(tiles_.size());
    if (level == 0) {
      Sets sets(tiles_.size());
      visit_touching(places_, active_, [&](int i, int j, const Int3& away) {
        if (TileBricks::facing(tiles_[i].stays, away) && TileBricks::facing(tiles_[j].stays, -away)) sets.join(i, j);
      });
      group = sets.numbers().first;
    } else {
      std::vector<Int3> those;
      std::vector<std::size_t> tiles;
      for (std::size_t t = 0; t < tiles_.size(); ++t)
        if (tiles_[t].stays) those.push_back(places_[t]), tiles.push_back(t);
      const std::vector<int> numbers = join_blocks(active_, level - 1, those).first;
      for (std::size_t n = 0; n < tiles.size(); ++n) group[tiles[n]] = numbers[n];
    }
    std::vector<int> number(tiles_.size(), none);
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
      Tile& tile = tiles_[t];
      tile.body = of_spray;
      if (!tile.stays) continue;
      int& body = number[group[t]];
      if (body == none) body = int(bodies.size()), bodies.emplace_back();
      bodies[body].cells = hull(bodies[body].cells, TileBricks::cells(places_[t], tile.stays, active_));
      for (int n = 0; n < TileBricks::all; ++n)
        if (tile.stays >> n & 1) bodies[body].particles += tile.count[n];
      tile.body = body;
    }
  }

  const PoolRules& rules_;
  Int3 active_;
  std::vector<Int3> places_;  ///< of the tiles, in order
  std::vector<Tile> tiles_;
};

}  // namespace

Bodies find_bodies(const PoolRules& rules, std::vector<TileShare> shares) {
  const Int3 active = rules.scene.lattice.active;
  const auto [places, tile_of] = places_of(shares);
  const auto [coarse, count] = join_blocks(active, 1, places);
  std::vector<Body> whole(count);
  for (std::size_t n = 0; n < shares.size(); ++n) {
    Body& body = whole[coarse[tile_of[n]]];
    body.cells = hull(body.cells, cells_of_tile(shares[n].tile, active));
    body.particles += std::int64_t(shares[n].count);
  }
  // Those that fill their boxes come first, whole.
  std::vector<int> body_of(count, of_spray);
  std::vector<Body> bodies;
  for (std::size_t b = 0; b < count; ++b)
    if (!spread_thinly(pool_domain(rules, whole[b].cells), whole[b].particles))
      body_of[b] = int(bodies.size()), bodies.push_back(whole[b]);
  constexpr int not_thin = -1;
  std::vector<int> thin(places.size(), not_thin);
  std::vector<Int3> thin_places;
  for (std::size_t t = 0; t < places.size(); ++t)
    if (body_of[coarse[t]] == of_spray) thin[t] = int(thin_places.size()), thin_places.push_back(places[t]);
  FineBodies fine(rules, std::move(thin_places));
  for (std::size_t n = 0; n < shares.size(); ++n)
    if (thin[tile_of[n]] != not_thin) fine.add(thin[tile_of[n]], shares[n]);
  fine.find(most_bodies, bodies);

  const std::vector<int> joined = join_boxes(rules, bodies);
  const std::vector<Box> full = full_boxes(rules, bodies);
  fine.hand_over(joined, [&](const Box& cells) {
    const auto in = std::find_if(full.begin(), full.end(), [&](const Box& box) { return box.contains(cells); });
    return in == full.end() ? of_spray : int(in - full.begin());
  });
  Bodies out;
  out.count = bodies.size();
  for (std::size_t n = 0; n < shares.size(); ++n)
    if (const int t = thin[tile_of[n]]; t != not_thin)
      fine.add_runs(t, shares[n], out.runs);
    else
      out.runs.push_back({shares[n].pool, joined[body_of[coarse[tile_of[n]]]], shares[n].first, shares[n].count});
  return out;
}

}  // namespace silt
