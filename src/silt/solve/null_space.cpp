#include "silt/solve/null_space.h"

#include <algorithm>
#include <cmath>

namespace silt {

namespace {

/// Visits the cells of one component from a seed, and tells whether pressure can leave it through an open side.
class Flood {
 public:
  explicit Flood(const PoissonOperator& op)
      : domain_(op.domain()), layout_(op.layout()), diagonal_(op.diagonal().values().host()) {
    for (int a = 0; a < 3; ++a) weight_[a] = op.weights()[a].values().host();
    seen_.assign(std::size_t(layout_.size), 0);
  }

  bool fresh(Cell c) const { return !seen_[layout_.index(c)] && !empty(c); }
  bool empty(Cell c) const { return diagonal_[layout_.index(c)] <= 0; }

  struct Component {
    std::vector<int> members;
    bool leaves = false;
  };
  Component from(Cell seed) {
    Component out;
    visit(seed, out);
    while (!stack_.empty()) {
      const Cell c = stack_.back();
      stack_.pop_back();
      for (int a = 0; a < 3; ++a)
        if (layout_.active[a])
          for (int end = 0; end < 2; ++end) step(c, a, end, out);
    }
    std::sort(out.members.begin(), out.members.end());
    return out;
  }

 private:
  void visit(Cell c, Component& out) {
    seen_[layout_.index(c)] = 1;
    out.members.push_back(layout_.index(c));
    stack_.push_back(c);
  }
  void step(Cell c, int axis, int end, Component& out) {
    const Cell face = end == 0 ? c : c + unit(axis);
    if (weight_[axis][layout_.index(face)] <= 0) return;
    Cell next = end == 0 ? c - unit(axis) : c + unit(axis);
    if (!domain_.cells.contains(next)) {
      if (!domain_.periodic(axis)) {
        out.leaves = true;
        return;
      }
      next[axis] += (end == 0 ? 1 : -1) * domain_.cells.size()[axis];
    }
    if (fresh(next)) visit(next, out);
  }

  const Domain& domain_;
  const Layout& layout_;
  const float* diagonal_;
  const float* weight_[3];
  std::vector<char> seen_;
  std::vector<Cell> stack_;
};

}  // namespace

NullSpace::NullSpace(const PoissonOperator& op) {
  Flood flood(op);
  const Box& box = op.domain().cells;
  for (int z = box.lo.z; z < box.hi.z; ++z)
    for (int y = box.lo.y; y < box.hi.y; ++y)
      for (int x = box.lo.x; x < box.hi.x; ++x) {
        const Cell c{x, y, z};
        if (flood.empty(c)) empty_rows_.push_back(op.layout().index(c));
        if (!flood.fresh(c)) continue;
        Flood::Component part = flood.from(c);
        if (!part.leaves) members_.push_back(std::move(part.members));
      }
}

double NullSpace::make_compatible(Field<double>& b) const {
  if (members_.empty() && empty_rows_.empty()) return 0;
  double* values = b.values().host();
  double worst = 0;
  for (int n : empty_rows_) values[n] = 0;
  for (const std::vector<int>& part : members_) {
    double sum = 0;
    for (int n : part) sum += values[n];
    const double mean = sum / double(part.size());
    for (int n : part) values[n] -= mean;
    worst = std::max(worst, std::abs(mean));
  }
  return worst;
}

}  // namespace silt
