#include "silt/physics/common/thin_sides.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "silt/core/loops.h"
#include "silt/core/scan_sort.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/one_side.h"

namespace silt {
namespace {

/// A set of the 8 x 8 x 8 corners round a cell, whose own are 3 and 4 along each axis: bit x + 8 y of a layer z.
struct CornerSet {
  static constexpr int side = 8, own = 3;
  std::uint64_t layer[side] = {};

  SILT_HD static constexpr std::uint64_t bit(int x, int y) { return std::uint64_t(1) << (x + side * y); }
  /// All from `lo` to `hi` along every axis.
  SILT_HD static CornerSet cube(int lo, int hi) {
    CornerSet out;
    for (int z = lo; z <= hi; ++z)
      for (int y = lo; y <= hi; ++y)
        for (int x = lo; x <= hi; ++x) out.layer[z] |= bit(x, y);
    return out;
  }
  SILT_HD bool has(Int3 at) const { return layer[at.z] >> (at.x + side * at.y) & 1; }
  SILT_HD bool any() const {
    std::uint64_t sum = 0;
    for (std::uint64_t l : layer) sum |= l;
    return sum != 0;
  }
  SILT_HD CornerSet both(const CornerSet& other) const {
    CornerSet out;
    for (int z = 0; z < side; ++z) out.layer[z] = layer[z] & other.layer[z];
    return out;
  }
  SILT_HD CornerSet without(const CornerSet& other) const {
    CornerSet out;
    for (int z = 0; z < side; ++z) out.layer[z] = layer[z] & ~other.layer[z];
    return out;
  }
  /// With all of `within` that edges between its corners lead to.
  SILT_HD CornerSet flooded(const CornerSet& within) const {
    constexpr std::uint64_t low_x = 0x0101010101010101;
    CornerSet out = *this;
    for (bool grows = true; grows;) {
      grows = false;
      for (int z = 0; z < side; ++z) {
        std::uint64_t l = out.layer[z];
        l |= (l & ~(low_x << (side - 1))) << 1 | (l & ~low_x) >> 1 | l << side | l >> side;
        if (z > 0) l |= out.layer[z - 1];
        if (z + 1 < side) l |= out.layer[z + 1];
        l &= within.layer[z];
        grows = grows || l != out.layer[z];
        out.layer[z] = l;
      }
    }
    return out;
  }
};

struct FindSides {
  View<const float> distance;
  MacView<const float> open;
  Int3 active, lo, hi;  ///< cells of the domain
  Int3 period;          ///< 1: periodic
  float near;           ///< [m]
  SILT_HD static Int3 own() { return {CornerSet::own, CornerSet::own, CornerSet::own}; }

  SILT_HD Cell corner(Cell c, Int3 at) const {
    Cell out{};
    for (int a = 0; a < 3; ++a) {
      const int n = c[a] + (at[a] - CornerSet::own) * active[a], size = hi[a] - lo[a];
      const int first = lo[a] - active[a], last = hi[a] + active[a];  // known beyond sides
      if (period[a])
        out[a] = n < first ? n + size : n > last ? n - size : n;
      else
        out[a] = !active[a] ? c[a] : n < first ? first : n > last ? last : n;
    }
    return out;
  }
  SILT_HD CornerSet outside(Cell c) const {
    CornerSet out;
    bool inside = true;  // of what is known: no corner is looked for elsewhere
    for (int a = 0; a < 3; ++a)
      inside = inside && (!active[a] ||
                          (c[a] - CornerSet::own >= lo[a] - 1 && c[a] - CornerSet::own + CornerSet::side <= hi[a] + 2));
    for (int z = 0; z < CornerSet::side; ++z) {
      if (!active.z && z > 0) {
        out.layer[z] = out.layer[0];
        continue;
      }
      for (int y = 0; y < CornerSet::side; ++y) {
        if (inside && active.x) {
          const float* row = &distance(c + (Int3{0, y, z} - own()) * active);
          std::uint64_t bits = 0;
          for (int x = 0; x < CornerSet::side; ++x) bits |= std::uint64_t(row[x] >= 0) << x;
          out.layer[z] |= bits << (CornerSet::side * y);
          continue;
        }
        for (int x = 0; x < CornerSet::side; ++x)
          if (distance(corner(c, {x, y, z})) >= 0) out.layer[z] |= CornerSet::bit(x, y);
      }
    }
    return out;
  }

  enum class Face { closed, boundary, mine, others };
  /// Of a face, its index counted from cell c's, as seen from the side that has the corners `reached`.
  SILT_HD Face look(int axis, Cell c, Int3 face, const CornerSet& all, const CornerSet& reached) const {
    Cell f = c + face * active;
    Int3 at = face;
    for (int a = 0; a < 3; ++a) {  // what lies behind a wall goes with what is before it
      if (!active[a]) continue;
      if (period[a]) {
        f[a] += f[a] < lo[a] ? hi[a] - lo[a] : f[a] >= hi[a] ? lo[a] - hi[a] : 0;
        continue;
      }
      const int last = a == axis ? hi[a] : hi[a] - 1, in = f[a] < lo[a] ? lo[a] : f[a] > last ? last : f[a];
      at[a] += in - f[a], f[a] = in;
      if (a == axis && (in == lo[a] || in == hi[a])) return Face::boundary;
    }
    if (!(open[axis](f) > 0)) return Face::closed;
    const FaceCorners corners(axis, {1, 1, 1});
    const Int3 steps[4] = {{}, corners.s, corners.t, corners.s + corners.t};
    bool any = false, every = true;
    bool outside[4], is_reached[4];
    for (int k = 0; k < 4; ++k) {
      Int3 place = at + steps[k] + own();
      for (int a = 0; a < 3; ++a)
        place[a] = place[a] < 0 ? 0 : place[a] < CornerSet::side ? place[a] : CornerSet::side - 1;
      outside[k] = all.has(place), is_reached[k] = reached.has(place);
      any = any || (outside[k] && is_reached[k]), every = every && (!outside[k] || is_reached[k]);
    }
    if (!any || every) return any ? Face::mine : Face::others;
    // It reaches both sides, and one of them counts.
    const OneSide side{distance, active};
    const unsigned below = side.corners(f - unit(axis)), above = side.corners(f);
    for (int k = 0; k < 4; ++k)
      if (outside[k] && is_reached[k] && above & OneSide::bit(steps[k]) && below & OneSide::bit(steps[k] + unit(axis)))
        return Face::mine;
    return Face::others;
  }

  /// Whether what a closed face takes over from those beside it is that of this side alone.
  SILT_HD bool is_clean(int axis, Cell c, Int3 face, const CornerSet& all, const CornerSet& reached) const {
    bool any = false;
    for (int a = 0; a < 3; ++a)
      for (int by = -1; by <= 1 && active[a]; by += 2) {
        const Face beside = look(axis, c, face + unit(a) * by, all, reached);
        if (beside == Face::others) return false;
        any = any || beside == Face::mine;
      }
    return any;
  }

  SILT_HD void find_faces(Cell c, const CornerSet& all, const CornerSet& near_reached, const CornerSet& far_reached,
                          int side, SidesOfCell& out) const {
    for (int axis = 0; axis < 3; ++axis) {
      out.gives[side][axis] = out.takes[side][axis] = 0;
      if (!active[axis]) continue;
      const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
      for (int n = 0; n < 3; ++n)
        for (int k = 0; k < 3; ++k)
          for (int o = -1; o < 3; ++o) {
            Int3 face{};
            face[axis] = o, face[first] = (k - 1) * active[first], face[second] = (n - 1) * active[second];
            const Face seen = look(axis, c, face, all, near_reached);
            const std::uint64_t bit = SidesOfCell::bit(o, k, n);
            if (seen != Face::others) out.gives[side][axis] |= bit;
            if (seen == Face::mine || seen == Face::boundary ||
                (seen == Face::closed && is_clean(axis, c, face, all, far_reached)))
              out.takes[side][axis] |= bit;
          }
    }
  }

  /// Whether a thin solid is near.
  SILT_HD bool find(Cell c, SidesOfCell* out) const {
    float least = near, most = -near;
    for (int k = 0; k < 8; ++k) {
      const float d = distance(c + Int3{k & 1, k >> 1 & 1, k >> 2} * active);
      least = d < least ? d : least, most = d > most ? d : most;
    }
    if (least >= near || most < 0) return false;
    const CornerSet all = outside(c), in_cell = CornerSet::cube(3, 4).both(all),
                    block = CornerSet::cube(2, 5).both(all);
    CornerSet left = in_cell;
    bool any = false;
    SidesOfCell sides{};
    while (left.any() && sides.count < SidesOfCell::most) {
      CornerSet part;
      for (int z = CornerSet::own; !part.any(); ++z)
        if (left.layer[z]) part.layer[z] = left.layer[z] & (0 - left.layer[z]);
      const CornerSet near_reached = part.flooded(block), far_reached = near_reached.flooded(all);
      any = any || block.without(near_reached).any() || all.without(far_reached).any();
      if (!any) return false;
      if (out) {
        find_faces(c, all, near_reached, far_reached, sides.count, sides);
        for (int k = 0; k < 8; ++k)
          if (near_reached.has(Int3{k & 1, k >> 1 & 1, k >> 2} + own()))
            sides.corners[sides.count] = static_cast<unsigned char>(sides.corners[sides.count] | 1 << k);
      }
      left = left.without(near_reached);
      sides.count = static_cast<unsigned char>(sides.count + 1);
    }
    if (out) {
      if (sides.count > 1 && size(c, sides.corners[1]) > size(c, sides.corners[0])) swap_sides(sides);
      *out = sides;
    }
    return any;
  }
  /// Of the part of a cell at some of its corners, as cut_cells has it.
  SILT_HD float size(Cell c, unsigned corners) const {
    float sum = 0;
    for (int k = 0; k < 8; ++k)
      if (corners >> k & 1) sum += distance(c + Int3{k & 1, k >> 1 & 1, k >> 2} * active);
    return sum;
  }
  SILT_HD static void swap_sides(SidesOfCell& sides) {
    const auto swap = [](auto& a, auto& b) {
      const auto old = a;
      a = b, b = old;
    };
    swap(sides.corners[0], sides.corners[1]);
    for (int a = 0; a < 3; ++a) swap(sides.gives[0][a], sides.gives[1][a]), swap(sides.takes[0][a], sides.takes[1][a]);
  }
};

struct CountNear {
  FindSides find;
  TileOrder order;
  const int* tiles;
  Box cells;
  std::uint32_t* counts;
  SILT_HD void operator()(std::int64_t i) const {
    const int each = order.cells_each();
    const Cell c = order.lowest_cell(tiles[i / each]) + order.within(int(i % each));
    counts[i] = cells.contains(c) && find.find(c, nullptr);
  }
};

struct WriteNear {
  FindSides find;
  TileOrder order;
  const int* tiles;
  const std::uint32_t* places;
  std::int64_t count;
  std::uint32_t total;
  int* number;
  SidesOfCell* out;
  Int3* cells;
  SILT_HD void operator()(std::int64_t i) const {
    const std::uint32_t place = places[i], next = i + 1 < count ? places[i + 1] : total;
    number[i] = next > place ? int(place) : -1;
    if (next == place) return;
    const int each = order.cells_each();
    cells[place] = order.lowest_cell(tiles[i / each]) + order.within(int(i % each));
    find.find(cells[place], out + place);
  }
};

/// Whether a tile in use has corners both in a solid and outside.
struct MarkTiles {
  TileOrder order;
  Box corners;
  View<const float> distance;
  int* slot;
  SILT_HD void operator()(std::int64_t tile) const {
    if (!slot[tile]) return;
    bool in = false, out = false;
    const Int3 lowest = order.lowest_cell(int(tile)), size{1 << order.shift.x, 1 << order.shift.y, 1 << order.shift.z};
    const Box box = intersect(Box{lowest - Int3{3, 3, 3}, lowest + size + Int3{4, 4, 4}}, corners);
    for (int z = box.lo.z; z < box.hi.z; ++z)
      for (int y = box.lo.y; y < box.hi.y; ++y)
        for (int x = box.lo.x; x < box.hi.x; ++x) {
          const bool solid = distance({x, y, z}) < 0;
          in = in || solid, out = out || !solid;
        }
    slot[tile] = in && out;
  }
};

struct MendCapacity {
  ThinSides::View sides;
  const Int3* cells;
  Int3 active;
  Box domain;
  Int3 period;  ///< [cells]; 0: not periodic
  View<const float> room;
  View<float> capacity;

  /// What particles of a cell that is full give to one of its neighbour's faces: bit 1 where c reaches that face.
  SILT_HD bool gives(Cell from, int axis, Int3 face) const {
    for (int a = 0; a < 3; ++a)
      from[a] += from[a] < domain.lo[a] ? period[a] : from[a] >= domain.hi[a] ? -period[a] : 0;
    const SidesOfCell* at = sides.at(from);
    if (!at) return true;
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    return at->gives[0][axis] & SidesOfCell::bit(face[axis], face[first] + 1, face[second] + 1);
  }
  SILT_HD void operator()(std::int64_t i) const {
    constexpr float across[3] = {1.0f / 6, 2.0f / 3, 1.0f / 6};
    const Cell c = cells[i];
    float sum = 0, faces = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (!active[axis]) continue;
      const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
      for (int end = 0; end < 2; ++end) {
        faces += 1;
        for (int n = -active[second]; n <= active[second]; ++n)
          for (int k = -active[first]; k <= active[first]; ++k)
            for (int back = 0; back < 2; ++back) {
              Int3 step{};
              step[axis] = end - back, step[first] = k, step[second] = n;
              Int3 face = step * -1;  // of c, as the cell beside it sees it
              face[axis] = end - step[axis];
              const float w = 0.5f * (active[first] ? across[k + 1] : 1.0f) * (active[second] ? across[n + 1] : 1.0f);
              if (gives(c + step, axis, face)) sum += w * room(c + step);
            }
      }
    }
    capacity(c) = sum / faces;
  }
};

}  // namespace

namespace {

/// 1 for tiles that have cells in use.
void mark_used(const Domain& domain, const TileOrder& order, int* slot) {
  std::fill_n(slot, order.tiles(), domain.cells.rows ? 0 : 1);
  if (!domain.cells.rows) return;
  domain.cells.visit_used_rows(0, domain.cells.row_count(), [&](int y, int z) {
    domain.cells.visit_row(y, z, [&](int begin, int end) {
      for (int x = begin; x < end; x += 1 << order.shift.x) slot[order.number(order.tile_of({x, y, z}))] = 1;
      slot[order.number(order.tile_of({end - 1, y, z}))] = 1;
    });
  });
}

}  // namespace

void ThinSides::find(const Exec& exec, const Domain& domain, const CutCells& cut, const TileOrder& order) {
  const Int3 active = domain.lattice.active;
  FindSides kernel{cut.distance.read(exec), cut.open.read(exec), active, domain.cells.lo, domain.cells.hi, {}, 0};
  for (int a = 0; a < 3; ++a) kernel.period[a] = active[a] && domain.periodic(a);
  kernel.near = float(1.75 * domain.lattice.h);  // as far as corners of faces that it reaches lie from the cell's own
  order_ = order;
  cells_ = {};
  const auto tiles = std::int64_t(order.tiles());
  if (slot_.size() != std::size_t(tiles)) slot_ = Buffer<int>(std::size_t(tiles));
  mark_used(domain, order, slot_.host());
  for_each_index(exec, "sides.tiles", tiles,
                 MarkTiles{order, grow(domain.corners(), active), cut.distance.read(exec), slot_.update(exec)},
                 order.cells_each());
  std::vector<int> near;
  int* slot = slot_.host();
  for (int t = 0; t < int(tiles); ++t) {
    if (!slot[t]) {
      slot[t] = -1;
      continue;
    }
    slot[t] = int(near.size());
    near.push_back(t);
  }
  if (near.empty()) return;
  Buffer<int> list(near.size());
  std::copy(near.begin(), near.end(), list.host());
  const auto count = std::int64_t(near.size()) * order.cells_each();
  Buffer<std::uint32_t> places(near.size() * std::size_t(order.cells_each()));
  for_each_index(exec, "sides.count", count,
                 CountNear{kernel, order, std::as_const(list).read(exec), domain.cells, places.write(exec)});
  const std::uint32_t total = exclusive_scan(exec, places, places);
  if (total == 0) return;
  number_ = Buffer<int>(std::size_t(count));
  cells_ = Buffer<SidesOfCell>(total);
  places_ = Buffer<Int3>(total);
  for_each_index(exec, "sides.write", count,
                 WriteNear{kernel, order, std::as_const(list).read(exec), std::as_const(places).read(exec), count,
                           total, number_.write(exec), cells_.write(exec), places_.write(exec)});
}

void mend_capacity(const Exec& exec, const Domain& domain, const ThinSides& sides, const CutCells& cut,
                   const Field<float>& room, Field<float>& capacity) {
  if (sides.empty()) return;
  Int3 period{};
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a] && domain.periodic(a)) period[a] = domain.cells.size()[a];
  for_each_index(exec, "sides.capacity", std::int64_t(sides.cells().size()),
                 MendCapacity{sides.read(exec, cut), sides.places().read(exec), domain.lattice.active, domain.cells,
                              period, room.read(exec), capacity.update(exec)});
}

}  // namespace silt
