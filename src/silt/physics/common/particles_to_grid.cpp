#include "silt/physics/common/particles_to_grid.h"

#include <algorithm>

#include "silt/core/loops.h"
#include "silt/physics/common/tile_sums.h"
#include "silt/physics/common/transfer_stencil.h"

namespace silt {
namespace {

/// Lanes hold the faces of one row along the second axis: lane = k + 4 o, with o along the own axis and k along the
/// first; lanes 3 and 7 are idle.
SILT_HD_INLINE Lanes own_position() {
  return Lanes{0, 0, 0, 0, 1, 1, 1, 1};
}
SILT_HD_INLINE Lanes first_position() {
  return Lanes{-0.5f, 0.5f, 1.5f, 0, -0.5f, 0.5f, 1.5f, 0};
}

template <class Weights>
struct FirstAxis;
template <>
struct FirstAxis<LinearAcross> {
  SILT_HD_INLINE static Lanes weights(float f) {
    return hat(Lanes{-0.5f, 0.5f, 1.5f, 9, -0.5f, 0.5f, 1.5f, 9} - all_lanes(f));
  }
};
template <>
struct FirstAxis<SmoothAcross> {
  SILT_HD_INLINE static Lanes weights(float f) {
    const Lanes a{0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0}, b{-1, 1, 0, 0, -1, 1, 0, 0},
        c{0.5f, -1, 0.5f, 0, 0.5f, -1, 0.5f, 0}, x = all_lanes(f);
    return a + x * (b + x * c);
  }
};

/// The velocity field of particles, component by component.
template <Modes M>
struct ParticleFlow {
  ParticleView particles;

  SILT_HD_INLINE Lanes mode(int a, int product, std::int64_t p) const {
    const float* column = particles.mode[a][product];
    return all_lanes(column ? column[p] : 0.0f);
  }

  /// At second-axis distance s the field is base + s slope, in lanes; o and k are the distances along the other two.
  SILT_HD_INLINE void at(int a, const ComponentAxes& axes, std::int64_t p, const Lanes& o, const Lanes& k, Lanes& base,
                         Lanes& slope) const {
    base = all_lanes(particles.velocity[a][p]);
    slope = Lanes{};
    if constexpr (M == Modes::constant) return;
    const int own = 1 << axes.own, first = 1 << axes.first, second = 1 << axes.second;
    base += o * mode(a, own, p) + k * mode(a, first, p);
    slope = mode(a, second, p);
    if constexpr (M >= Modes::multilinear) {
      base += o * k * mode(a, own | first, p);
      slope += o * mode(a, own | second, p) + k * mode(a, first | second, p) + o * k * mode(a, own | first | second, p);
    }
  }

  /// With curvatures it is base + s slope + q(s) curve; q_k is q of the distances k.
  SILT_HD_INLINE void bend(int a, std::int64_t p, const Lanes& o, const Lanes& k, const Lanes& q_k, Lanes& base,
                           Lanes& slope, Lanes& curve) const {
    constexpr int at = Particles::products;
    base += q_k * (mode(a, at, p) + o * mode(a, at + 1, p));
    slope += q_k * (mode(a, at + 4, p) + o * mode(a, at + 5, p));
    curve = mode(a, at + 2, p) + o * mode(a, at + 3, p) + k * (mode(a, at + 6, p) + o * mode(a, at + 7, p)) +
            q_k * (mode(a, at + 8, p) + o * mode(a, at + 9, p));
  }
};

/// See ParticleWeights.
struct Counts {
  const float* of_source;  ///< null: all alike
  const std::uint32_t* source;
  std::uint32_t last;

  SILT_HD_INLINE float operator()(std::int64_t p) const {
    return of_source ? of_source[source[p] < last ? source[p] : last] : 1.0f;
  }
};

/// Sums the particles of one tile, cell by cell, in the tile's own array.
template <class Weights, Modes M>
struct SumTile {
  static constexpr bool uneven = true;
  ParticleView particles;
  Counts counts;
  CellRanges::View ranges;
  const int* occupied;
  TileNodes nodes;
  float* sums;
  ThinSides::View sides;

  /// `Beside` a thin solid only to the faces that `gives` has.
  template <int Component, bool Beside = false>
  SILT_HD_INLINE void sum_cell(std::int64_t first, std::int64_t last, Int3 cell, float* tile,
                               std::uint64_t gives = 0) const {
    constexpr ComponentAxes axes = ComponentAxes::of(Component);
    const ParticleFlow<M> flow{particles};
    const float *f_own = particles.offset[axes.own], *f_first = particles.offset[axes.first],
                *f_second = particles.offset[axes.second];
    Lanes weight[3] = {}, momentum[3] = {};
    for (std::int64_t p = first; p < last; ++p) {
      const float f = f_own[p], g = f_first ? f_first[p] : 0.5f, s = f_second ? f_second[p] : 0.5f;
      float across[3];
      Weights::weights(s, across);
      const Lanes o = own_position() - all_lanes(f), k = first_position() - all_lanes(g);
      const Lanes from_other{1, 1, 1, 1, -1, -1, -1, -1};  // 1 - f for the lower face, f for the upper
      const Lanes own = all_lanes(counts(p)) * (from_other * (Lanes{1, 1, 1, 1} - all_lanes(f)));
      const Lanes plane = own * FirstAxis<Weights>::weights(g);
      Lanes base, slope, curve{};
      flow.at(Component, axes, p, o, k, base, slope);
      if constexpr (M == Modes::biquadratic) flow.bend(Component, p, o, k, curved(all_lanes(g), k), base, slope, curve);
      for (int n = 0; n < 3; ++n) {
        const Lanes w = plane * all_lanes(across[n]);
        weight[n] += w;
        Lanes u = base + all_lanes(row_at(n) - s) * slope;
        if constexpr (M == Modes::biquadratic) u += all_lanes(curved(s, row_at(n) - s)) * curve;
        momentum[n] += w * u;
      }
    }
    add<Beside>(axes, cell, tile + nodes.weights(Component), weight, gives);
    add<Beside>(axes, cell, tile + nodes.momenta(Component), momentum, gives);
  }

  template <bool Beside>
  SILT_HD_INLINE void add(const ComponentAxes& axes, Int3 cell, float* to, const Lanes (&sum)[3],
                          std::uint64_t gives) const {
    const Int3 stride = nodes.stride(), active = nodes.active;
    Int3 lowest = cell;
    for (int b : {axes.first, axes.second}) lowest[b] -= active[b];
    for (int b = 0; b < 3; ++b)
      if (!active[b]) lowest[b] = -1;  // TileNodes counts from -1, where a flat axis has its only face
    float* at = to + nodes.index(lowest);
    for (int n = 0; n < 3; ++n)
      for (int o = 0; o < 2; ++o)
        for (int k = 0; k < 3; ++k)
          if (!Beside || gives & SidesOfCell::bit(o, k, n))
            at[o * stride[axes.own] + k * stride[axes.first] + n * stride[axes.second]] += sum[n][k + 4 * o];
  }

  /// Those on one side of a thin solid together.
  SILT_HD void sum_beside(const SidesOfCell& beside, std::int64_t first, std::int64_t last, Int3 tile_cell, Int3 cell,
                          float* tile) const {
    const auto side = [&](std::int64_t p) {
      return sides.side(beside, tile_cell + cell, particles.offset_at(p), nodes.active);
    };
    for (std::int64_t p = first; p < last;) {
      const int s = side(p);
      std::int64_t end = p + 1;
      while (end < last && (beside.count < 2 || side(end) == s)) ++end;
      sum_cell<0, true>(p, end, cell, tile, beside.gives[s][0]);
      if (nodes.active.y) sum_cell<1, true>(p, end, cell, tile, beside.gives[s][1]);
      if (nodes.active.z) sum_cell<2, true>(p, end, cell, tile, beside.gives[s][2]);
      p = end;
    }
  }

  SILT_HD void operator()(std::int64_t slot) const {
    float* tile = sums + slot * nodes.all();
    for (int i = 0; i < nodes.all(); ++i) tile[i] = 0;
    const int cells = ranges.order.cells_each();
    const std::uint32_t* begin = ranges.begin + std::int64_t(occupied[slot]) * cells;
    const int* beside = sides.in_tile(occupied[slot]);
    for (int c = 0; c < cells; ++c) {
      const std::int64_t first = begin[c], last = begin[c + 1];
      if (first == last) continue;
      const Int3 cell = ranges.order.within(c);
      if (beside && beside[c] >= 0) {
        sum_beside(sides.cells[beside[c]], first, last, ranges.order.lowest_cell(occupied[slot]), cell, tile);
        continue;
      }
      sum_cell<0>(first, last, cell, tile);
      if (nodes.active.y) sum_cell<1>(first, last, cell, tile);
      if (nodes.active.z) sum_cell<2>(first, last, cell, tile);
    }
  }
};

/// Adds up, for the faces of one tile or of one just outside, what the tiles round it have summed for them.
struct AddTiles {
  TileOrder order;
  Box tiles;  ///< those to visit
  Box storage;
  TileNodes nodes;
  const int* slot;
  const float* sums;
  MacView<float> velocity, weight;
  bool divide;
  bool only_near;  ///< faces that no particle is near are zero already

  /// What the tile and those round it have summed; null where there are no particles.
  struct Neighbours {
    const float* sums[3][3][3];  ///< [z][y][x], one more than how far away
    bool any;
  };
  SILT_HD Neighbours round(Int3 tile) const {
    Neighbours out;
    out.any = false;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const Int3 other = tile + Int3{dx, dy, dz};
          const int s = order.has(other) ? slot[order.number(other)] : -1;
          out.sums[dz + 1][dy + 1][dx + 1] = s < 0 ? nullptr : sums + std::int64_t(s) * nodes.all();
          out.any = out.any || s >= 0;
        }
    return out;
  }

  /// Whether a tile `away` tiles along an axis holds part of node n of this one.
  SILT_HD static bool holds(int away, int n, int extent) {
    return away == 0 || (extent > 1 && n == (away < 0 ? 0 : extent - 1));
  }

  SILT_HD_INLINE void add_row(const Neighbours& round, Int3 extent, int component, int y, int z, Lanes& w,
                              Lanes& m) const {
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy) {
        if (!holds(dz, z, extent.z) || !holds(dy, y, extent.y)) continue;
        const Int3 row{-1, nodes.active.y ? y - dy * tile_size : -1, nodes.active.z ? z - dz * tile_size : -1};
        const int at = nodes.index(row) + nodes.weights(component), momenta = nodes.size();
        const float* const* tiles_here = round.sums[dz + 1][dy + 1];
        if (const float* before = tiles_here[0]) {
          before += at + tile_size + 1;
          w += Lanes{before[0]}, m += Lanes{before[momenta]};
        }
        if (const float* here = tiles_here[1]) {
          here += at + 1;
          w += load_lanes(here, tile_size), m += load_lanes(here + momenta, tile_size);
        }
        if (const float* after = tiles_here[2]) {
          after += at;
          w += Lanes{0, 0, 0, 0, 0, 0, 0, after[0]}, m += Lanes{0, 0, 0, 0, 0, 0, 0, after[momenta]};
        }
      }
  }

  SILT_HD_INLINE void write_row(int component, Cell first, const Lanes& w, const Lanes& m) const {
    const Lanes u = divide ? ratio_above(m, w, least_weight) : m;
    float *u_row = &velocity[component](first), *w_row = &weight[component](first);
    if (storage.lo.x <= first.x && first.x + tile_size <= storage.hi.x) {
      store_lanes(u, u_row, tile_size), store_lanes(w, w_row, tile_size);
      return;
    }
    const int from = storage.lo.x > first.x ? storage.lo.x - first.x : 0;
    const int to = storage.hi.x < first.x + tile_size ? storage.hi.x - first.x : tile_size;
    for (int x = from; x < to; ++x) u_row[x] = u[x], w_row[x] = w[x];
  }
  SILT_HD_INLINE static bool none(const Lanes& w) {
    bool any = false;
    for (int x = 0; x < lane_count; ++x) any = any || w[x] != 0;
    return !any;
  }
  static_assert(tile_size == lane_count);
  static constexpr float least_weight = 1e-6f;

  SILT_HD void operator()(std::int64_t n) const {
    const Int3 count = tiles.size();
    const Int3 tile = tiles.lo + Int3{int(n % count.x), int(n / count.x % count.y), int(n / (count.x * count.y))};
    const Int3 extent = tile_extent(nodes.active), lo = tile * extent;
    const Neighbours neighbours = round(tile);
    if (only_near && !neighbours.any) return;
    for (int a = 0; a < 3; ++a) {
      if (!nodes.active[a]) continue;
      for (int z = 0; z < extent.z; ++z)
        for (int y = 0; y < extent.y; ++y) {
          const Cell first = lo + Int3{0, y, z};
          if (first.y < storage.lo.y || first.y >= storage.hi.y || first.z < storage.lo.z || first.z >= storage.hi.z)
            continue;
          Lanes w{}, m{};
          if (neighbours.any) add_row(neighbours, extent, a, y, z, w, m);
          if (only_near && none(w)) continue;  // zeros that nobody has written take no memory
          write_row(a, first, w, m);
        }
    }
  }
};

/// What has fallen on faces beyond a periodic side belongs to those at the other end.
struct FoldSide {
  View<float> field;
  int axis, lo, hi;
  SILT_HD void operator()(Cell c) const {
    const auto at = [&](int index) {
      Cell there = c;
      there[axis] = index;
      return there;
    };
    if (hi - lo > 1) {
      field(at(lo)) += field(at(hi));
      field(at(hi - 1)) += field(at(lo - 1));
    } else {
      field(at(lo)) += field(at(hi)) + field(at(lo - 1));
    }
  }
};

struct Clear {
  View<float> field;
  SILT_HD void operator()(Cell c) const {
    if (field(c) != 0) field(c) = 0;  // zeros that nobody has written take no memory
  }
};

struct Divide {
  View<const float> weight;
  View<float> velocity;
  SILT_HD void operator()(Cell c) const {
    const float w = weight(c);
    velocity(c) = w > AddTiles::least_weight ? velocity(c) / w : 0.0f;
  }
};

template <class Weights, Modes M>
void sum_tiles(const Exec& exec, const Particles& particles, const Counts& counts, const CellRanges& ranges,
               TileNodes nodes, const ThinSides::View& sides, float* sums) {
  for_each_index(exec, "particles.sum_tile", std::int64_t(ranges.occupied.size()),
                 SumTile<Weights, M>{read(exec, particles), counts, ranges.read(exec), ranges.occupied.read(exec),
                                     nodes, sums, sides},
                 ranges.order.cells_each());
}

template <class Weights>
void sum_tiles(const Exec& exec, const Particles& particles, const Counts& counts, const CellRanges& ranges,
               TileNodes nodes, const ThinSides::View& sides, float* sums) {
  switch (particles.modes) {
    case Modes::constant:
      return sum_tiles<Weights, Modes::constant>(exec, particles, counts, ranges, nodes, sides, sums);
    case Modes::affine:
      return sum_tiles<Weights, Modes::affine>(exec, particles, counts, ranges, nodes, sides, sums);
    case Modes::multilinear:
      return sum_tiles<Weights, Modes::multilinear>(exec, particles, counts, ranges, nodes, sides, sums);
    case Modes::biquadratic:
      return sum_tiles<Weights, Modes::biquadratic>(exec, particles, counts, ranges, nodes, sides, sums);
  }
}

void number_slots(const CellRanges& ranges, TransferScratch& scratch, int floats_each) {
  const std::size_t slots = ranges.occupied.size(), tiles = std::size_t(ranges.order.tiles());
  if (scratch.slot.size() != tiles) scratch.slot = Buffer<int>(tiles);
  int* slot = scratch.slot.host();
  std::fill_n(slot, tiles, -1);
  for (std::size_t s = 0; s < slots; ++s) slot[ranges.occupied.host()[s]] = int(s);
  if (scratch.sums.size() < slots * floats_each) scratch.sums = Buffer<float>((slots + slots / 4) * floats_each);
}

void fold_periodic(const Exec& exec, const Domain& domain, Field<float>& field) {
  Box box = grow(domain.cells, domain.lattice.active);  // the layers beyond sides that are folded later come along
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a] || !domain.periodic(a)) continue;
    Box side = box;
    side.lo[a] = domain.cells.lo[a], side.hi[a] = side.lo[a] + 1;
    for_each_cell(exec, "particles.fold", side,
                  FoldSide{field.update(exec), a, domain.cells.lo[a], domain.cells.hi[a]});
    box.lo[a] = domain.cells.lo[a], box.hi[a] = domain.cells.hi[a];
  }
}

}  // namespace

void particles_to_grid(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                       Across across, TransferScratch& scratch, MacField<float>& velocity, MacField<float>& weight,
                       const ParticleWeights& counts, const ThinSides::View& sides) {
  const Int3 active = domain.lattice.active;
  const TileNodes nodes{active};
  number_slots(ranges, scratch, nodes.all());
  float* sums = scratch.sums.write(exec);
  Counts counted{};
  if (counts.size() > 0) counted = {counts.read(exec), particles.source.read(exec), std::uint32_t(counts.size() - 1)};
  if (across == Across::linear)
    sum_tiles<LinearAcross>(exec, particles, counted, ranges, nodes, sides, sums);
  else
    sum_tiles<SmoothAcross>(exec, particles, counted, ranges, nodes, sides, sums);

  const bool wraps = domain.wraps();
  const bool only_near = domain.cells.rows != nullptr;
  for (int a = 0; a < 3 && only_near; ++a)
    for (Field<float>* field : {&velocity[a], &weight[a]})
      for_each_cell(exec, "particles.clear", Cells(field->layout().storage(), domain.cells.rows),
                    Clear{field->update(exec)});  // beyond the sides too: there are faces that others look at
  const TileOrder& order = ranges.order;
  const Box tiles = grow(Box{order.lowest, order.lowest + order.count}, active);
  for_each_index(exec, "particles.add_tiles", tiles.count(),
                 AddTiles{order, tiles, velocity.layout().storage(), nodes, scratch.slot.read(exec), sums,
                          velocity.update(exec), weight.update(exec), !wraps, only_near},
                 order.cells_each());
  for (int a = 0; a < 3 && wraps; ++a) {
    if (!active[a]) continue;
    fold_periodic(exec, domain, velocity[a]);
    fold_periodic(exec, domain, weight[a]);
    Box faces = domain.faces(a);  // and those behind the other sides, which particles reach too
    for (int b = 0; b < 3; ++b)
      if (!domain.periodic(b)) faces.lo[b] -= active[b], faces.hi[b] += active[b];
    for_each_cell(exec, "particles.divide", faces, Divide{weight[a].read(exec), velocity[a].update(exec)});
  }
}

}  // namespace silt
