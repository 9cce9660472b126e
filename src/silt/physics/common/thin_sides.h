#pragma once

#include <cstdint>

#include "silt/fields/cut_cells.h"
#include "silt/fields/particle_sort.h"

namespace silt {

/// What a cell near thin solids gives to and takes from on each of its sides, the larger first. Of each component the
/// faces round it as the transfers and moves see them (transfer_stencil.h), and one more either way along their own
/// axis, are a bit each.
struct SidesOfCell {
  static constexpr int most = 2;
  std::uint64_t gives[most][3];  ///< faces that are not on another side
  std::uint64_t takes[most][3];  ///< those whose velocity is that of the side
  unsigned char corners[most];   ///< of the cell, outside the solids: 1, 2, 4 for a step along x, y, z
  unsigned char count;           ///< of sides on which particles may lie

  /// Of the face `own` cells up along its component's axis, -1 to 2, in row 0 to 2 along the first and second other.
  SILT_HD static constexpr std::uint64_t bit(int own, int first, int second) {
    return std::uint64_t(1) << ((own + 1) + 4 * (first + 3 * second));
  }
};

/// Where a solid is thinner than the reach of the transfers, the liquids on its two sides must not feel each other: a
/// particle gives nothing to faces behind the solid, and what it would take from there, or from faces in the solid that
/// both sides reach, goes on as it is on its own side.
class ThinSides {
 public:
  /// Solids as they are placed; `order` is that of the particles' tiles.
  void find(const Exec& exec, const Domain& domain, const CutCells& cut, const TileOrder& order);
  void clear() { cells_ = {}; }
  bool empty() const { return cells_.size() == 0; }

  struct View {
    TileOrder order;
    const int* slot;    ///< of each tile; -1: no thin solid is near
    const int* number;  ///< of each cell of those tiles in `cells`; -1: none is near
    const SidesOfCell* cells;
    ::silt::View<const float> distance;

    SILT_HD const int* in_tile(int tile) const {
      return cells && slot[tile] >= 0 ? number + std::int64_t(slot[tile]) * order.cells_each() : nullptr;
    }
    SILT_HD const SidesOfCell* at(Cell c) const {
      if (!cells || !order.has(order.tile_of(c))) return nullptr;
      const int tile = order.number(order.tile_of(c)), each = order.cells_each();
      const int n = slot[tile] < 0 ? -1 : number[std::int64_t(slot[tile]) * each + int(order.place(c)) % each];
      return n < 0 ? nullptr : cells + n;
    }
    /// The side that a particle in cell c lies on.
    SILT_HD int side(const SidesOfCell& sides, Cell c, const Vec3f& offset, Int3 active) const {
      if (sides.count < 2) return 0;
      float sum[SidesOfCell::most] = {};
      for (int k = 0; k < 8; ++k) {
        const Int3 up{k & 1, k >> 1 & 1, k >> 2};
        float w = distance(c + up * active);
        for (int a = 0; a < 3; ++a) w *= up[a] ? offset[a] : 1 - offset[a];
        for (int s = 0; s < SidesOfCell::most; ++s) sum[s] += sides.corners[s] >> k & 1 ? w : 0.0f;
      }
      return sum[1] > sum[0];
    }
  };
  /// Of none where there is no thin solid.
  View read(const Exec& exec, const CutCells& cut) const {
    if (empty()) return {};
    return {order_, slot_.read(exec), number_.read(exec), cells_.read(exec), cut.distance.read(exec)};
  }
  const Buffer<SidesOfCell>& cells() const { return cells_; }
  const Buffer<Int3>& places() const { return places_; }  ///< of those cells

 private:
  TileOrder order_;
  Buffer<int> slot_, number_;
  Buffer<SidesOfCell> cells_;
  Buffer<Int3> places_;
};

/// How much room there is round a cell (capacity.h), where thin solids are near: without what is behind them.
void mend_capacity(const Exec& exec, const Domain& domain, const ThinSides& sides, const CutCells& cut,
                   const Field<float>& room, Field<float>& capacity);

}  // namespace silt
