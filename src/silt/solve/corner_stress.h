#pragma once

#include "silt/core/buffer.h"
#include "silt/core/lanes.h"
#include "silt/fields/domain.h"

namespace silt {

/// Stress deviators at the 2^D corners of every cell, and what rubs on the walls that it touches. At corners: each has
/// the normal parts of its cell and, of the edges that meet at the corner, the shears. A cone then has all its parts in
/// one place, and nothing is averaged: a mean of shears would not see those that alternate from cell to cell.
///   part a < D   s_aa of the cell, as this corner has it
///   part D + n   sqrt 2 s_ab of the n-th edge that ends at the corner: along x, y, z; in 2D there is one
/// so that |s| is the Frobenius norm. Corner k lies at the upper side of axis a where bit a of k is set. In [m/s]:
/// times density and cell size over the time step, stress.
///
/// After those of the corners come D more, the traction on walls. A cell has 51 numbers in 3D, 14 in 2D: those of eight
/// cells along x lie together, number by number, so that a loop reads one stream and not 51.
class CornerStress {
 public:
  /// Where the numbers of the cell at `first`, and of those after it up to the next eighth, begin: number m is
  /// `m * lane_count` further.
  template <class T>
  struct View {
    T* data = nullptr;
    Int3 lo{};
    int blocks = 0, rows = 0, numbers = 0;
    SILT_HD_INLINE T* at(Cell c) const {
      const int x = c.x - lo.x, block = ((c.z - lo.z) * rows + (c.y - lo.y)) * blocks + x / lane_count;
      return data + std::int64_t(block) * (numbers * lane_count) + x % lane_count;
    }
  };

  CornerStress() = default;
  CornerStress(const Box& cells, Int3 active) : cells_(cells) {
    const int dims = active.x + active.y + active.z;
    parts_ = dims * (dims + 1) / 2, numbers_ = (1 << dims) * parts_ + dims;
    values_ = Buffer<float>(std::size_t(blocks()) * cells.size().y * cells.size().z * numbers() * lane_count);
  }

  const Box& cells() const { return cells_; }
  bool allocated() const { return values_.size() > 0; }
  int parts() const { return parts_; }      ///< of a corner
  int numbers() const { return numbers_; }  ///< of a cell
  Buffer<float>& values() { return values_; }
  const Buffer<float>& values() const { return values_; }
  View<const float> read(const Exec& exec) const { return view(values_.read(exec)); }
  View<float> update(const Exec& exec) { return view(values_.update(exec)); }

 private:
  int blocks() const { return (cells_.size().x + lane_count - 1) / lane_count; }
  template <class T>
  View<T> view(T* data) const {
    return {data, cells_.lo, blocks(), cells_.size().y, numbers()};
  }

  Box cells_;
  int parts_ = 0, numbers_ = 0;
  Buffer<float> values_;
};

/// s *= factor, in cells of its box.
void scale(const Exec& exec, const Cells& cells, double factor, CornerStress& s);
/// to = from in those cells of `from` that both have.
void carry_over(const Cells& cells, const CornerStress& from, CornerStress& to);
/// s = 0 in cells that were in use and are not any more.
void rest_outside(const Cells& before, const Cells& now, CornerStress& s);

}  // namespace silt
