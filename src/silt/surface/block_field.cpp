#include "silt/surface/block_field.h"

#include <algorithm>
#include <cstring>

namespace silt {
namespace {

int index_of(const std::vector<Int3>& sorted, Int3 block) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), block, block_before);
  return found != sorted.end() && *found == block ? int(found - sorted.begin()) : -1;
}

constexpr Int3 step_of(int n) {
  return {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
}

/// Whether a voxel on the side of a block that faces `step` is on the other side of the surface.
bool differs(const float* values, Int3 step, bool neighbour_inside) {
  const auto range = [](int s) { return s < 0 ? std::pair{0, 1} : s > 0 ? std::pair{7, 8} : std::pair{0, 8}; };
  const auto [x0, x1] = range(step.x);
  const auto [y0, y1] = range(step.y);
  const auto [z0, z1] = range(step.z);
  for (int z = z0; z < z1; ++z)
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x)
        if ((values[(z * 8 + y) * 8 + x] < 0) != neighbour_inside) return true;
  return false;
}

}  // namespace

int BlockField::find(Int3 block) const {
  const int slot = index_of(at, block);
  if (slot >= 0) return slot;
  return index_of(full, block) >= 0 ? inside_block : outside_block;
}

void BlockField::link(const Exec& exec) {
  neighbours_.resize(at.size());
#pragma omp parallel for schedule(static) num_threads(exec.threads())
  for (int slot = 0; slot < slots(); ++slot)
    for (int n = 0; n < 27; ++n)
      neighbours_[std::size_t(slot)][std::size_t(n)] = find(at[std::size_t(slot)] + step_of(n));
}

void BlockField::close_gaps(const Exec& exec) {
  std::vector<Int3> missing;
#pragma omp parallel for schedule(static) num_threads(exec.threads())
  for (int slot = 0; slot < slots(); ++slot)
    for (int n = 0; n < 27; ++n) {
      const int other = neighbours_[std::size_t(slot)][std::size_t(n)];
      if (other >= 0 || !differs(block(slot), step_of(n), other == inside_block)) continue;
#pragma omp critical
      missing.push_back(at[std::size_t(slot)] + step_of(n));
    }
  if (missing.empty()) return;
  std::sort(missing.begin(), missing.end(), block_before);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  for (const Int3& block_at : missing)
    values.insert(values.end(), volume, find(block_at) == inside_block ? inside : outside);
  // Slots in order again: values follow their blocks.
  std::vector<Int3> all = at;
  all.insert(all.end(), missing.begin(), missing.end());
  std::vector<int> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return block_before(all[std::size_t(a)], all[std::size_t(b)]); });
  std::vector<float> sorted(values.size());
  at.resize(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    at[i] = all[std::size_t(order[i])];
    std::memcpy(sorted.data() + i * volume, block(order[i]), volume * sizeof(float));
  }
  values = std::move(sorted);
  std::erase_if(full, [&](const Int3& b) { return index_of(missing, b) >= 0; });
  link(exec);
}

void BlockField::load(int slot, Padded& out) const {
  for (int z = -1; z < side + 2; ++z)
    for (int y = -1; y < side + 2; ++y) {
      float* to = &out[std::size_t(padded_index(-1, y, z))];
      const int bz = z < 0 ? -1 : z >= side, by = y < 0 ? -1 : y >= side;
      const int row = ((z - side * bz) * side + y - side * by) * side;
      const auto from = [&](int bx, int x, int count, float* at_row) {
        const int other = neighbour(slot, {bx, by, bz});
        if (other >= 0)
          std::memcpy(at_row, block(other) + row + x, std::size_t(count) * sizeof(float));
        else
          std::fill_n(at_row, count, other == inside_block ? inside : outside);
      };
      from(-1, side - 1, 1, to);
      from(0, 0, side, to + 1);
      from(1, 0, 2, to + 1 + side);
    }
}

}  // namespace silt
