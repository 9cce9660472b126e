#include "silt/physics/sand/rigid_groups.h"

#include <algorithm>

#include "silt/core/joined_sets.h"

namespace silt {
namespace {

/// The runs of every row: `first` of row n to `first` of row n + 1, y running first.
struct Runs {
  std::vector<RigidRun> all;
  std::vector<std::uint32_t> first;
};

Runs list_runs(const Domain& domain, const Field<unsigned char>& rigid, const float* star_x) {
  const Cells& cells = domain.cells;
  const unsigned char* marks = rigid.values().host();
  Runs out;
  out.first.reserve(std::size_t(cells.row_count()) + 1);
  for (int row = 0; row < cells.row_count(); ++row) {
    const int y = cells.row_y(row), z = cells.row_z(row), at = rigid.layout().index(0, y, z);
    out.first.push_back(std::uint32_t(out.all.size()));
    bool open = false;  // a run that ends where this part of the row begins
    cells.visit_row(y, z, [&](int x, int end) {
      open = open && out.all.back().end == x;
      for (; x < end; ++x) {
        if (!marks[at + x]) {
          open = false;
        } else if (open && star_x[at + x] > 0) {
          out.all.back().end = x + 1;
        } else {
          out.all.push_back({x, x + 1, y, z, 0, {}});
          open = true;
        }
      }
    });
  }
  out.first.push_back(std::uint32_t(out.all.size()));
  return out;
}

/// Joins runs that touch.
class Joining {
 public:
  Joining(const Domain& domain, const MacField<float>& star, const Runs& runs)
      : domain_(domain), star_(star), runs_(runs), sets_(runs.all.size()), seams_(runs.all.size(), 0) {}

  void run() {
    const Cells& cells = domain_.cells;
    for (int row = 0; row < cells.row_count(); ++row) {
      const int y = cells.row_y(row), z = cells.row_z(row);
      round_x(row);
      join_rows(row, 1, y, z);
      join_rows(row, 2, y, z);
    }
  }
  std::uint32_t root(std::uint32_t run) { return sets_.root(run); }
  bool seam(std::uint32_t run) const { return seams_[run] != 0; }

 private:
  int row_of(int y, int z) const {
    const Cells& cells = domain_.cells;
    return (z - cells.lo.z) * cells.size().y + (y - cells.lo.y);
  }
  void join(std::uint32_t a, std::uint32_t b, bool seam) {
    sets_.join(a, b);
    if (seam) seams_[a] = seams_[b] = 1;
  }
  void round_x(int row) {
    const std::uint32_t begin = runs_.first[row], end = runs_.first[row + 1];
    if (!domain_.periodic(0) || begin == end) return;
    const RigidRun &low = runs_.all[begin], &high = runs_.all[end - 1];
    const bool touch = low.begin == domain_.cells.lo.x && high.end == domain_.cells.hi.x;
    if (touch && star_[0](Cell{low.begin, low.y, low.z}) > 0) join(begin, end - 1, true);
  }
  /// Runs of a row and of the one before it along an axis, y or z.
  void join_rows(int row, int axis, int y, int z) {
    if (!domain_.lattice.active[axis]) return;
    const Cells& cells = domain_.cells;
    Cell low{0, y, z};
    low[axis] -= 1;
    const bool seam = low[axis] < cells.lo[axis];
    if (seam && !domain_.periodic(axis)) return;
    if (seam) low[axis] = cells.hi[axis] - 1;
    const int other = row_of(low.y, low.z);
    const float* star = star_[axis].values().host() + star_.layout().index(0, y, z);
    std::uint32_t a = runs_.first[row], b = runs_.first[other];
    while (a < runs_.first[row + 1] && b < runs_.first[other + 1]) {
      const RigidRun &here = runs_.all[a], &there = runs_.all[b];
      const int begin = std::max(here.begin, there.begin), end = std::min(here.end, there.end);
      if (begin < end && std::any_of(star + begin, star + end, [](float s) { return s > 0; })) join(a, b, seam);
      here.end < there.end ? ++a : ++b;
    }
  }

  const Domain& domain_;
  const MacField<float>& star_;
  const Runs& runs_;
  JoinedSets sets_;
  std::vector<char> seams_;
};

}  // namespace

void find_rigid_groups(const Domain& domain, const Field<unsigned char>& rigid, const MacField<float>& star,
                       RigidGroups& out) {
  Runs runs = list_runs(domain, rigid, star[0].values().host());
  Joining joining(domain, star, runs);
  joining.run();
  out.turns.clear();
  for (std::uint32_t i = 0; i < runs.all.size(); ++i) {
    RigidRun& run = runs.all[i];
    const std::uint32_t root = joining.root(i);
    if (root == i) {
      run.group = out.count(), run.origin = {run.begin, run.y, run.z};
      out.turns.push_back(1);
    } else {
      run.group = runs.all[root].group, run.origin = runs.all[root].origin;
    }
    if (joining.seam(i)) out.turns[std::size_t(run.group)] = 0;
  }
  out.run_count = runs.all.size();
  if (out.runs.size() < out.run_count) out.runs = Buffer<RigidRun>(out.run_count + out.run_count / 4);
  std::copy(runs.all.begin(), runs.all.end(), out.runs.host());
}

}  // namespace silt
