#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "silt/fields/domain.h"
#include "silt/fields/particles.h"
#include "silt/fields/tile_order.h"

namespace silt {

/// Which particles lie in which cell: those of the cell at place n of the order are begin[n] <= i < begin[n + 1].
struct CellRanges {
  TileOrder order;
  Buffer<std::uint32_t> begin;
  Buffer<int> occupied;  ///< numbers of the tiles that have particles, rising

  struct View {
    TileOrder order;
    const std::uint32_t* begin;
    SILT_HD std::uint32_t first(Cell c) const { return begin[order.place(c)]; }
    SILT_HD std::uint32_t last(Cell c) const { return begin[order.place(c) + 1]; }
    /// Of any cell, outside the layout too.
    SILT_HD std::uint32_t count(Cell c) const { return order.has(order.tile_of(c)) ? last(c) - first(c) : 0; }
  };
  View read(const Exec& exec) const { return {order, begin.read(exec)}; }
};

/// Where columns are rearranged to, so many at a time.
template <class T>
struct SpareColumns {
  static constexpr int count = 4;
  std::array<Buffer<T>, count> columns;
};

/// Scratch of a sort, kept from one to the next.
struct SortScratch {
  Buffer<std::uint32_t> place, order, next_order;
  std::tuple<SpareColumns<float>, SpareColumns<int>, SpareColumns<std::uint32_t>, SpareColumns<std::uint64_t>> spare;
};

/// Sorts particles by tile, then cell, then id: what comes out does not depend on the order before, nor on how often
/// they were sorted on their way. What is dead or has left `domain` is taken away and counted as died. Needs `layout`
/// to cover the domain.
void sort_particles(const Exec& exec, const Domain& domain, const Layout& layout, Particles& particles,
                    CellRanges& ranges, SortScratch& scratch);

}  // namespace silt
