#include "silt/solve/null_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace silt {

namespace {

using Run = NullSpace::Run;

/// Sets that are joined two at a time. The smaller number always leads, so the leader does not depend on the order.
class Groups {
 public:
  explicit Groups(std::size_t count) : leader_(count) { std::iota(leader_.begin(), leader_.end(), 0); }
  int leader(int n) {
    while (leader_[std::size_t(n)] != n) n = leader_[std::size_t(n)] = leader_[std::size_t(leader_[std::size_t(n)])];
    return n;
  }
  void join(int a, int b) {
    a = leader(a), b = leader(b);
    leader_[std::size_t(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<int> leader_;
};

/// The component of cells that are left out: they have no weights, and all there is in them is zero.
constexpr int not_in_use = NullSpace::no_rows - 1;

bool any_above_zero(const float* values, int count) {
  return std::any_of(values, values + count, [](float value) { return value > 0; });
}

/// The operator's cells as runs along x, row by row.
class Runs {
 public:
  Runs(const Exec& exec, const PoissonOperator& op)
      : domain_(op.domain()),
        layout_(op.layout()),
        diagonal_(op.diagonal().values().host()),
        screen_(op.screen() ? op.screen()->values().host() : nullptr),
        plain_(op.plain_runs().any() ? op.plain_runs().rows() : PlainRuns::Rows{}) {
    for (int a = 0; a < 3; ++a) weight_[a] = op.weights()[a].values().host();
    find(exec);
  }

  const std::vector<Run>& all() const { return runs_; }

  /// Whether the run has rows, and one of them a screen.
  bool is_screened(std::size_t run) const {
    const Run& r = runs_[run];
    return screen_ && r.component >= 0 && any_above_zero(screen_ + r.first, r.count);
  }

  /// join(run, run) for every two that touch through an open face; leave(run) for each that touches an open side, or a
  /// cell that is held.
  template <class Join, class Leave>
  void connect(const Join& join, const Leave& leave) const {
    const Box& cells = domain_.cells;
    for (int z = cells.lo.z; z < cells.hi.z; ++z)
      for (int y = cells.lo.y; y < cells.hi.y; ++y) {
        const Span row = row_of(y, z);
        if (row.begin == row.end) continue;
        across_x(row, y, z, join, leave);
        for (int r = row.begin; r + 1 < row.end; ++r)  // into a cell that is held, within the row
          if (in(r) != in(r + 1) && weight_[0][runs_[std::size_t(r + 1)].first] > 0) leave(in(r) ? r : r + 1);
        for (int axis = 1; axis < 3; ++axis)
          if (layout_.active[axis]) across(axis, row, Cell{cells.lo.x, y, z}, join, leave);
      }
  }

 private:
  struct Span {
    int begin, end;
  };

  void find(const Exec& exec) {
    const Cells& cells = domain_.cells;
    const Int3 n = cells.size();
    const int rows = n.y * n.z;
    // In blocks of rows: few lists, put together in order.
    constexpr int block = 64;
    const int blocks = (rows + block - 1) / block;
    std::vector<std::vector<Run>> found(static_cast<std::size_t>(blocks));
    start_.assign(std::size_t(rows) + 1, 0);
#pragma omp parallel for schedule(static) num_threads(exec.threads()) if (exec.shares(cells.count()))
    for (int b = 0; b < blocks; ++b) {
      std::vector<Run>& list = found[std::size_t(b)];
      list.reserve(2 * block);
      for (int row = b * block; row < std::min(rows, (b + 1) * block); ++row) {
        const int before = int(list.size());
        const int y = cells.row_y(row), z = cells.row_z(row), first = layout_.index(cells.lo.x, y, z);
        const RowSpans::Span used = cells.hull_of_row(y, z);
        if (used.begin >= used.end) {
          list.push_back({first, n.x, not_in_use});
        } else if (plain_.begin && plain_.end[row] - plain_.begin[row] == n.x) {
          list.push_back({first, n.x, 0});  // no need to look
        } else {
          const int before_it = used.begin - cells.lo.x, behind_it = cells.hi.x - used.end;
          if (before_it > 0) list.push_back({first, before_it, not_in_use});
          find_in_row(first + before_it, used.end - used.begin, list);
          if (behind_it > 0) list.push_back({first + n.x - behind_it, behind_it, not_in_use});
        }
        start_[std::size_t(row) + 1] = int(list.size()) - before;
      }
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    runs_.reserve(std::size_t(start_.back()));
    for (const auto& list : found) runs_.insert(runs_.end(), list.begin(), list.end());
  }

  void find_in_row(int first, int count, std::vector<Run>& out) const {
    const float *d = diagonal_ + first, *w = weight_[0] + first;
    int closed = !(d[0] > 0);  // counted without a way out, so that the loop is vectorised
    for (int n = 1; n < count; ++n) closed += !(d[n] > 0) | !(w[n] > 0);
    if (closed == 0) {
      out.push_back({first, count, 0});
      return;
    }
    for (int n = 0; n < count; ++n) {
      const int kind = d[n] > 0 ? 0 : NullSpace::no_rows;
      const bool goes_on = n > 0 && out.back().component == kind && (kind == NullSpace::no_rows || w[n] > 0);
      if (goes_on)
        ++out.back().count;
      else
        out.push_back({first + n, 1, kind});
    }
  }

  Span row_of(int y, int z) const {
    const Box& cells = domain_.cells;
    const std::size_t row = std::size_t(z - cells.lo.z) * std::size_t(cells.size().y) + std::size_t(y - cells.lo.y);
    return {start_[row], start_[row + 1]};
  }
  bool in(int run) const {
    return runs_[std::size_t(run)].component >= 0;
  }

  /// Two runs with an open face between them: one, or one that touches what is held.
  template <class Join, class Leave>
  void touch(int a, int b, const Join& join, const Leave& leave) const {
    if (in(a) && in(b)) join(a, b);
    if (in(a) != in(b)) leave(in(a) ? a : b);
  }

  template <class Join, class Leave>
  void across_x(Span row, int y, int z, const Join& join, const Leave& leave) const {
    const Box& cells = domain_.cells;
    const bool low = in(row.begin) && weight_[0][layout_.index(cells.lo.x, y, z)] > 0;
    const bool high = in(row.end - 1) && weight_[0][layout_.index(cells.hi.x, y, z)] > 0;
    if (domain_.periodic(0)) {
      const float seam = weight_[0][layout_.index(cells.lo.x, y, z)];
      if (seam > 0) touch(row.begin, row.end - 1, join, leave);
    } else {
      if (low) leave(row.begin);
      if (high) leave(row.end - 1);
    }
  }

  /// Through the faces below the row along `axis`, and, in the last row, above it. `c` is the row's first cell.
  template <class Join, class Leave>
  void across(int axis, Span row, Cell c, const Join& join, const Leave& leave) const {
    const Box& cells = domain_.cells;
    Cell below = c - unit(axis);
    const bool at_low = below[axis] < cells.lo[axis], at_high = c[axis] + 1 == cells.hi[axis];
    if (at_low && domain_.periodic(axis)) below[axis] += cells.size()[axis];
    const int shift = layout_.index(below) - layout_.index(c);
    if (!at_low || domain_.periodic(axis)) {
      meet(axis, row, row_of(below.y, below.z), shift, join, leave);
    } else {
      for (int r = row.begin; r < row.end; ++r)
        if (in(r) && any_open(axis, runs_[std::size_t(r)].first, runs_[std::size_t(r)].count)) leave(r);
    }
    if (!at_high || domain_.periodic(axis)) return;
    const int up = layout_.index(c + unit(axis)) - layout_.index(c);
    for (int r = row.begin; r < row.end; ++r)
      if (in(r) && any_open(axis, runs_[std::size_t(r)].first + up, runs_[std::size_t(r)].count)) leave(r);
  }

  bool any_open(int axis, int first, int count) const {
    return any_above_zero(weight_[axis] + first, count);
  }

  /// Two rows side by side, `shift` apart in memory: joins runs that overlap at an open face.
  template <class Join, class Leave>
  void meet(int axis, Span row, Span other, int shift, const Join& join, const Leave& leave) const {
    for (int a = row.begin, b = other.begin; a < row.end && b < other.end;) {
      const Run &here = runs_[std::size_t(a)], &there = runs_[std::size_t(b)];
      const int first = std::max(here.first, there.first - shift);
      const int here_end = here.first + here.count, there_end = there.first - shift + there.count;
      const int end = std::min(here_end, there_end);
      if (first < end && (in(a) || in(b)) && any_open(axis, first, end - first)) touch(a, b, join, leave);
      (here_end <= there_end ? a : b) += 1;
    }
  }

  const Domain& domain_;
  const Layout& layout_;
  const float* diagonal_;
  const float* screen_;  ///< nullptr: none
  const float* weight_[3];
  PlainRuns::Rows plain_;
  std::vector<Run> runs_;
  std::vector<int> start_;  ///< the first run of each row
};

}  // namespace

NullSpace::NullSpace(const Exec& exec, const PoissonOperator& op) {
  const Runs runs(exec, op);
  Groups groups(runs.all().size());
  std::vector<char> open(runs.all().size());
  for (std::size_t r = 0; r < open.size(); ++r) open[r] = runs.is_screened(r);
  runs.connect([&](int a, int b) { groups.join(a, b); }, [&](int a) { open[std::size_t(a)] = 1; });
  for (std::size_t r = 0; r < open.size(); ++r)
    if (open[r]) open[std::size_t(groups.leader(int(r)))] = 1;

  std::vector<int> number(runs.all().size(), 0);
  for (std::size_t r = 0; r < runs.all().size(); ++r) {
    Run run = runs.all()[r];
    if (run.component == not_in_use) continue;
    if (run.component != no_rows) {
      const std::size_t leader = std::size_t(groups.leader(int(r)));
      if (open[leader]) continue;
      if (leader == r) number[r] = components_++;
      run.component = number[leader];
    }
    runs_.push_back(run);
  }
}

std::vector<int> NullSpace::component(int n) const {
  std::vector<int> cells;
  for (const Run& run : runs_)
    for (int i = 0; run.component == n && i < run.count; ++i) cells.push_back(run.first + i);
  return cells;
}

void NullSpace::clear_rows(Field<double>& x) const {
  double* values = nullptr;
  for (const Run& run : runs_)
    if (run.component == no_rows) {
      if (!values) values = x.values().host();
      std::fill_n(values + run.first, run.count, 0.0);
    }
}

double NullSpace::make_compatible(const Exec& exec, Field<double>& b) const {
  if (runs_.empty()) return 0;
  double* values = b.values().host();
  const int count = int(runs_.size());
  std::vector<double> part(runs_.size(), 0.0);
#pragma omp parallel for schedule(static) num_threads(exec.threads()) if (exec.shares(b.layout().size))
  for (int r = 0; r < count; ++r) {
    const Run& run = runs_[std::size_t(r)];
    if (run.component == no_rows)
      std::fill_n(values + run.first, run.count, 0.0);
    else
      part[std::size_t(r)] = std::accumulate(values + run.first, values + run.first + run.count, 0.0);
  }
  std::vector<double> mean(std::size_t(components_), 0.0), cells(std::size_t(components_), 0.0);
  for (std::size_t r = 0; r < runs_.size(); ++r)
    if (runs_[r].component >= 0) {
      mean[std::size_t(runs_[r].component)] += part[r];
      cells[std::size_t(runs_[r].component)] += runs_[r].count;
    }
  double worst = 0;
  for (std::size_t c = 0; c < mean.size(); ++c) mean[c] /= cells[c], worst = std::max(worst, std::abs(mean[c]));
#pragma omp parallel for schedule(static) num_threads(exec.threads()) if (exec.shares(b.layout().size))
  for (int r = 0; r < count; ++r) {
    const Run& run = runs_[std::size_t(r)];
    if (run.component >= 0)
      for (int n = 0; n < run.count; ++n) values[run.first + n] -= mean[std::size_t(run.component)];
  }
  return worst;
}

}  // namespace silt
