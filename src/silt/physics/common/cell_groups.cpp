#include "silt/physics/common/cell_groups.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "silt/fields/halo.h"
#include "silt/fields/one_side.h"

namespace silt {

namespace {

constexpr int most_hops = 16;  ///< from a cell that a solid has closed to one that it has not
constexpr std::size_t most_seen = 256;

/// The solid's geometry on the host, by storage index.
struct Geometry {
  const Domain& domain;
  const Layout& layout;
  const float* open[3];
  const float *distance, *before, *now;
  const bool moving;
  SidesInStep sides{};

  Geometry(const Domain& d, const CutCells& cut, const Field<float>& room_before, const Field<float>& room,
           const SolidsMoved* moved)
      : domain(d),
        layout(room.layout()),
        open{cut.open[0].values().host(), cut.open[1].values().host(), cut.open[2].values().host()},
        distance(cut.distance.values().host()),
        before(room_before.values().host()),
        now(room.values().host()),
        moving(moved != nullptr) {
    const Exec cpu(Device::cpu, 1);
    const Int3 active = d.lattice.active;
    if (moving)
      sides = {{moved->before.read(cpu), active},
               {moved->now.read(cpu), active},
               moved->least ? moved->least->read(cpu) : View<const float>{}};
  }

  int index(Cell c) const { return int(layout.index(c)); }
  bool whole(int n) const { return before[n] == 1 && now[n] == 1; }
  float least(int n) const { return std::min(before[n], now[n]); }
  /// Of the face of c towards one side.
  float opening(Cell c, int axis, int end) const {
    return domain.lattice.active[axis] ? open[axis][index(end ? c + unit(axis) : c)] : 0.0f;
  }
  float widest(Cell c) const {
    float most = 0;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2; ++end) most = std::max(most, opening(c, a, end));
    return most;
  }
  /// At the centre, from the corners.
  float depth(Cell c) const {
    const Int3 active = domain.lattice.active;
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += distance[index(c + Int3{k & 1, k >> 1 & 1, k >> 2 & 1} * active)];
    return sum;
  }
  /// The neighbour on one side, across a periodic one too; false where the domain ends.
  bool neighbour(Cell c, int axis, int end, Cell& out) const {
    if (!domain.lattice.active[axis]) return false;
    out = end ? c + unit(axis) : c - unit(axis);
    const int lo = domain.cells.lo[axis], hi = domain.cells.hi[axis];
    if (out[axis] >= lo && out[axis] < hi) return true;
    if (!domain.periodic(axis)) return false;
    out[axis] += out[axis] < lo ? hi - lo : lo - hi;
    return true;
  }
  /// Along an axis, the shorter way round a periodic one.
  int apart(Cell a, Cell b, int axis) const {
    const int way = std::abs(a[axis] - b[axis]);
    return domain.periodic(axis) ? std::min(way, domain.cells.size()[axis] - way) : way;
  }
  bool small(Cell c) const {
    const int n = index(c);
    if (before[n] == 0 && now[n] == 0) return false;
    const float width = widest(c);
    return width > 0 ? least(n) < 0.5f * width : before[n] > 0;
  }
  /// Whom a small cell joins; itself where there is nobody.
  Cell partner(Cell c) const {
    const bool closed = widest(c) == 0;
    Cell best = c;
    float farthest = depth(c), roomiest = least(index(c));
    bool outward = false;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2; ++end) {
        Cell next;
        if (!neighbour(c, a, end, next) || (!closed && opening(c, a, end) == 0)) continue;
        const float away = depth(next), room = least(index(next));
        if (away > farthest)
          best = next, farthest = away, outward = true;
        else if (!outward && room > roomiest)
          best = next, roomiest = room;
      }
    return best;
  }
  /// Of a cell that a solid closes in the step, the nearest one with room on the same side; itself where there is none.
  Cell way_out(Cell c) const {
    std::vector<Cell> seen{c};
    for (std::size_t i = 0; i < seen.size() && seen.size() < most_seen; ++i) {
      const Cell from = seen[i];
      Cell best = c;
      float most = 0;
      for (int a = 0; a < 3; ++a)
        for (int end = 0; end < 2; ++end) {
          Cell next;
          if (!neighbour(from, a, end, next) || !sides.leads(from, a, end)) continue;
          if (now[index(next)] > most) best = next, most = now[index(next)];
          if (std::find(seen.begin(), seen.end(), next) == seen.end()) seen.push_back(next);
        }
      if (most > 0) return best;
    }
    return c;
  }
};

/// Sets that are joined pair by pair.
class Unions {
 public:
  int root(int n) {
    auto [at, fresh] = parent_.try_emplace(n, n);
    while (at->second != at->first) at = parent_.find(at->second);
    return at->first;
  }
  /// The smaller index names the set.
  void join(int a, int b) {
    const int ra = root(a), rb = root(b);
    parent_[std::max(ra, rb)] = std::min(ra, rb);
  }
  /// Every element with the name of its set, in order.
  std::vector<std::pair<int, int>> sorted() {
    std::vector<std::pair<int, int>> out;
    for (const auto& [n, parent] : parent_) out.emplace_back(0, n);
    for (auto& [name, n] : out) name = root(n);
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  std::unordered_map<int, int> parent_;
};

}  // namespace

CellGroups::CellGroups(const Domain& domain, const CutCells& cut, const Field<float>& room_before,
                       const Field<float>& room, const SolidsMoved* moved)
    : single_(room.layout()) {
  const Geometry solid(domain, cut, room_before, room, moved);
  Unions unions;
  float* single = single_.values().host();
  const Box& box = domain.cells;
  for (int k = box.lo.z; k < box.hi.z; ++k)
    for (int j = box.lo.y; j < box.hi.y; ++j)
      for (int i = box.lo.x; i < box.hi.x; ++i) {
        const Cell c{i, j, k};
        const int n = solid.index(c);
        single[n] = 1;
        if (solid.whole(n) || !solid.small(c)) continue;
        Cell from = c, to = c;
        if (solid.moving && solid.now[n] == 0) to = solid.way_out(c);
        if (to == c) to = solid.partner(c);
        unions.join(n, solid.index(to));
        // A solid that crosses more than a cell in a step closes some whose neighbours it fills, too: on, out of it.
        for (int hop = 0; hop < most_hops && solid.now[solid.index(to)] == 0 && !(to == from); ++hop) {
          from = to, to = solid.partner(from);
          unions.join(solid.index(from), solid.index(to));
        }
        for (int a = 0; a < 3; ++a) extent_ = std::max(extent_, solid.apart(c, to, a));
      }
  const auto members = unions.sorted();
  if (members.empty()) return;
  cells_ = Buffer<int>(members.size());
  std::vector<int> begin;
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (m == 0 || members[m].first != members[m - 1].first) begin.push_back(int(m));
    cells_.host()[m] = members[m].second;
    single[members[m].second] = 0;
  }
  begin.push_back(int(members.size()));
  begin_ = Buffer<int>(begin.size());
  int most = 0;
  for (std::size_t g = 0; g < begin.size(); ++g) {
    begin_.host()[g] = begin[g];
    if (g > 0) most = std::max(most, begin[g] - begin[g - 1]);
  }
  extent_ *= most - 1;
  fill_halo(Exec(Device::cpu, 1), domain, domain.cells, HaloRule{}, single_);
}

}  // namespace silt
