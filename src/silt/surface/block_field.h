#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "silt/core/exec.h"
#include "silt/fields/lattice.h"

namespace silt {

/// A level set on the blocks of 8^3 voxels that the surface comes near to; elsewhere a block is all inside or all
/// outside, and takes no room. Voxel (i, j, k) is sampled at its centre, origin + (i + 1/2, j + 1/2, k + 1/2) h.
/// Values are in voxels, negative inside.
class BlockField {
 public:
  static constexpr int side = 8, volume = side * side * side;
  static constexpr int outside_block = -1, inside_block = -2;  ///< in place of a slot

  Lattice lattice;                 ///< of the voxels
  float inside = -1, outside = 1;  ///< the value of blocks without values
  std::vector<Int3> at;            ///< block (i, j, k) covers voxels 8 i to 8 i + 7; by z, y, x
  std::vector<float> values;       ///< of all slots, x fastest
  std::vector<Vec3f> velocities;   ///< the same [m/s], near the surface; empty where nobody asked for them
  std::vector<Int3> full;          ///< blocks that are all inside, by z, y, x

  int slots() const { return int(at.size()); }
  float* block(int slot) { return values.data() + std::size_t(slot) * volume; }
  const float* block(int slot) const { return values.data() + std::size_t(slot) * volume; }
  /// The slot of a block, or what it is without one.
  int find(Int3 block) const;

  /// Finds the neighbours of all blocks: to be called when `at` or `full` have changed.
  void link(const Exec& exec);
  /// The neighbour one step along each axis, -1, 0 or 1.
  int neighbour(int slot, Int3 step) const {
    return neighbours_[std::size_t(slot)][std::size_t((step.z + 1) * 9 + (step.y + 1) * 3 + step.x + 1)];
  }
  /// Gives slots to blocks without values whose neighbours say otherwise: a voxel outside next to a block that is all
  /// inside, or the other way round. Then every sign change lies between voxels that have values.
  void close_gaps(const Exec& exec);

  /// A block with one voxel more below and two above along each axis.
  static constexpr int padded = side + 3;
  using Padded = std::array<float, padded * padded * padded>;
  static constexpr int padded_index(int x, int y, int z) { return ((z + 1) * padded + y + 1) * padded + x + 1; }
  void load(int slot, Padded& out) const;

 private:
  std::vector<std::array<std::int32_t, 27>> neighbours_;
};

/// By z, then y, then x.
constexpr bool block_before(const Int3& a, const Int3& b) {
  return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

}  // namespace silt
