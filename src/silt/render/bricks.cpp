#include "silt/render/bricks.h"

namespace silt {
namespace {

/// A box of values, x fastest.
struct Values {
  Int3 n;
  std::vector<float> list;

  explicit Values(Int3 size) : n(size), list(std::size_t(size.x) * size.y * size.z) {}
  float& at(Int3 c) { return list[(std::size_t(c.z) * n.y + c.y) * n.x + c.x]; }
  const float& at(Int3 c) const { return list[(std::size_t(c.z) * n.y + c.y) * n.x + c.x]; }
};

/// `side` values along an axis become the largest of them and of those within reach.
Values gathered(const Values& from, int axis, int side, int reach, const Exec& exec) {
  Int3 n = from.n;
  n[axis] = (n[axis] + side - 1) / side;
  Values out(n);
#pragma omp parallel for collapse(2) num_threads(exec.threads()) schedule(static)
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y)
      for (int x = 0; x < n.x; ++x) {
        Int3 c{x, y, z};
        const int first = std::max(c[axis] * side - reach, 0);
        const int last = std::min((c[axis] + 1) * side + reach, from.n[axis]);
        float most = 0;
        for (c[axis] = first; c[axis] < last; ++c[axis]) most = std::max(most, from.at(c));
        out.at({x, y, z}) = most;
      }
  return out;
}

}  // namespace

Bricks::Bricks(const Grid<float>& grid, float threshold, int reach, const Exec& exec) : lo_(grid.cells().lo) {
  const Box& cells = grid.cells();
  Values values(cells.size());
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
  for (int z = 0; z < values.n.z; ++z)
    for (int y = 0; y < values.n.y; ++y)
      for (int x = 0; x < values.n.x; ++x) {
        const float value = grid.at(lo_ + Int3{x, y, z});
        values.at({x, y, z}) = value > threshold ? value : 0;
      }
  for (int axis = 0; axis < 3; ++axis) values = gathered(values, axis, side, reach, exec);
  n_ = values.n, most_ = std::move(values.list);
  for (int z = 0; z < n_.z; ++z)
    for (int y = 0; y < n_.y; ++y)
      for (int x = 0; x < n_.x; ++x)
        if (most_[index({x, y, z})] > 0) {
          const Int3 low = lo_ + Int3{x, y, z} * side;
          full_ = hull(full_, {low, low + Int3{side, side, side}});
        }
  full_ = intersect(full_, cells);
}

}  // namespace silt
