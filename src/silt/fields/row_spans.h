#pragma once

#include <cstdint>
#include <vector>

#include "silt/core/cells.h"
#include "silt/fields/field.h"
#include "silt/fields/particle_sort.h"

/// Which cells of a box are in use (core/cells.h), found in several ways.
namespace silt {

/// A bit for every unit of a row, whole words a row.
class RowMarks {
 public:
  explicit RowMarks(const Box& box);
  explicit RowMarks(const RowSpans& spans);

  /// The units that have cells from x0 to x1, the last included, as far as they are in the box, of one of its rows.
  void set(int x0, int x1, int y, int z);
  /// Each row becomes all that the rows up to `by` away along an axis, y or z, have.
  void grow(int axis, int by);
  /// Only what others, of the same box, have too.
  void keep(const RowMarks& others);
  RowSpans spans() const;

 private:
  std::uint64_t* row(int y, int z);  ///< counted from the box's low side
  const std::uint64_t* row(int y, int z) const { return const_cast<RowMarks*>(this)->row(y, z); }
  bool has(int unit, int y, int z) const { return row(y, z)[unit / 64] >> (unit % 64) & 1; }

  Box box_;
  int units_, words_;
  std::vector<std::uint64_t> bits_;
};

/// The cells within `margin` cells, along each axis, of one that has particles. Particles that are spread thinly over a
/// large box, such as a sheet, are near to few of its cells.
RowSpans cells_near(const CellRanges& particles, const Box& box, Int3 active, int margin);

/// The cells within `by` cells, along each axis, of those that are in use; `within`: only such that it has too.
RowSpans grown(const RowSpans& spans, Int3 active, int by, const RowSpans* within = nullptr);

/// On a lattice of half the resolution, in a box of it: the cells that lie under those in use, and those that have a
/// face half a coarse cell from a face of one: of the upper of two cells, the lower face of what lies above.
RowSpans halved(const RowSpans& fine, const Box& box, Int3 active);

/// Whether every cell of `part`, of the same box, is one of `whole`.
bool contains(const RowSpans& whole, const RowSpans& part);

/// The cells where a flag, 0 or 1, is 0.
RowSpans cells_without(const Field<unsigned char>& flag, const Cells& cells);

}  // namespace silt
