#include "silt/physics/common/gone_over.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/one_side.h"

namespace silt {

namespace {

constexpr std::size_t most_seen = 256;  ///< cells on the way from one that a plate passes over to one that it does not

struct TakeOver {
  const int *begin, *cells;
  const float* rooms;
  float* values;
  SILT_HD void operator()(std::int64_t heir) const {
    double amount = 0, size = 0;
    for (int i = begin[heir]; i < begin[heir + 1]; ++i) amount += double(rooms[i]) * values[cells[i]], size += rooms[i];
    for (int i = begin[heir]; i < begin[heir + 1]; ++i) values[cells[i]] = float(amount / size);
  }
};

struct KeepLeast {
  View<const float> distance;
  View<float> least;
  SILT_HD void operator()(Cell c) const {
    if (distance(c) < least(c)) least(c) = distance(c);
  }
};

class Finder {
 public:
  Finder(const Domain& domain, const SolidsMoved& solids, const Field<float>& room, const Field<float>& before)
      : domain_(domain),
        layout_(room.layout()),
        now_(room.values().host()),
        before_(before.values().host()),
        sides_{{solids.before.read(cpu_), domain.lattice.active},
               {solids.now.read(cpu_), domain.lattice.active},
               solids.least ? solids.least->read(cpu_) : View<const float>{}} {}

  bool gone(Cell c) const {
    const int n = layout_.index(c);
    if (!(before_[n] > 0 && now_[n] > 0)) return false;
    if (before_[n] == 1 && now_[n] == 1 && !(sides_.least.data && sides_.least(c) < 0)) return false;
    return sides_.goes_over(c);
  }
  /// The cell that gets what c held; c itself where there is none.
  Cell heir(Cell c) const {
    std::vector<Cell> seen{c};
    for (std::size_t i = 0; i < seen.size() && i < most_seen; ++i) {
      Cell best = c;
      float most = 0;
      for (int a = 0; a < 3; ++a)
        for (int end = 0; end < 2; ++end) {
          Cell next;
          if (!beside(seen[i], a, end, next) || std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
          if (!OneSide::meet(sides_.was(seen[i]), sides_.was(next), a, end)) continue;
          const float had = before_[layout_.index(next)];
          if (gone(next))
            seen.push_back(next);
          else if (had > most)
            best = next, most = had;
        }
      if (most > 0) return best;
    }
    return c;
  }
  int index(Cell c) const { return int(layout_.index(c)); }
  float before(int n) const { return before_[n]; }

 private:
  bool beside(Cell c, int axis, int end, Cell& out) const {
    if (!domain_.lattice.active[axis]) return false;
    out = end ? c + unit(axis) : c - unit(axis);
    const int lo = domain_.cells.lo[axis], hi = domain_.cells.hi[axis];
    if (out[axis] >= lo && out[axis] < hi) return true;
    if (!domain_.periodic(axis)) return false;
    out[axis] += out[axis] < lo ? hi - lo : lo - hi;
    return true;
  }

  const Exec cpu_{Device::cpu, 1};
  const Domain& domain_;
  const Layout& layout_;
  const float *now_, *before_;
  SidesInStep sides_;
};

}  // namespace

GoneOver::GoneOver(const Domain& domain, const SolidsMoved& solids, const Field<float>& room,
                   Field<float>& room_before) {
  std::vector<std::pair<int, int>> given;  // heir, and from whom
  std::vector<float> rooms;
  {
    const Finder find(domain, solids, room, std::as_const(room_before));
    const Box& box = domain.cells;
    for (int k = box.lo.z; k < box.hi.z; ++k)
      for (int j = box.lo.y; j < box.hi.y; ++j)
        for (int i = box.lo.x; i < box.hi.x; ++i) {
          const Cell c{i, j, k};
          if (!find.gone(c)) continue;
          const Cell to = find.heir(c);
          if (!(to == c)) given.emplace_back(find.index(to), find.index(c));
        }
    if (given.empty()) return;
    const std::size_t count = given.size();
    for (std::size_t i = 0; i < count; ++i) given.emplace_back(given[i].first, -1);  // itself first
    std::sort(given.begin(), given.end());
    given.erase(std::unique(given.begin(), given.end()), given.end());
    for (auto& [heir, from] : given) {
      if (from < 0) from = heir;
      rooms.push_back(find.before(from));
    }
  }
  cells_ = Buffer<int>(given.size());
  rooms_ = Buffer<float>(given.size());
  std::vector<int> begin;
  float* before = room_before.values().host();
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto [heir, from] = given[i];
    if (heir == from)
      begin.push_back(int(i));
    else
      before[heir] += rooms[i], before[from] = 0;
    cells_.host()[i] = from, rooms_.host()[i] = rooms[i];
  }
  begin.push_back(int(given.size()));
  begin_ = Buffer<int>(begin.size());
  std::copy(begin.begin(), begin.end(), begin_.host());
  fill_halo(Exec(Device::cpu, 1), domain, domain.cells, HaloRule{}, room_before);
}

void GoneOver::hand_over(const Exec& exec, Field<float>& values) const {
  if (empty()) return;
  for_each_index(exec, "gone_over", std::int64_t(begin_.size()) - 1,
                 TakeOver{begin_.read(exec), cells_.read(exec), rooms_.read(exec), values.values().update(exec)});
}

void keep_least(const Exec& exec, const Domain& domain, const Field<float>& distance, Field<float>& least) {
  const Box corners = intersect(grow(domain.corners(), domain.lattice.active), least.layout().storage());
  for_each_cell(exec, "gone_over.least", corners, KeepLeast{distance.read(exec), least.update(exec)});
}

}  // namespace silt
