#include "silt/fields/row_spans.h"

#include <algorithm>
#include <cstring>

namespace silt {

RowMarks::RowMarks(const Box& box)
    : box_(box),
      units_((box.size().x + RowSpans::unit - 1) / RowSpans::unit),
      words_((units_ + 63) / 64),
      bits_(std::size_t(words_) * box.size().y * box.size().z) {}

RowMarks::RowMarks(const RowSpans& spans) : RowMarks(spans.box) {
  const Cells cells(spans.box, &spans);
  cells.visit_used_rows(0, cells.row_count(), [&](int y, int z) {
    cells.visit_row(y, z, [&](int begin, int end) { set(begin, end - 1, y, z); });
  });
}

std::uint64_t* RowMarks::row(int y, int z) {
  return bits_.data() + (std::ptrdiff_t(z) * box_.size().y + y) * words_;
}

void RowMarks::set(int x0, int x1, int y, int z) {
  const int first = (std::max(x0, box_.lo.x) - box_.lo.x) / RowSpans::unit;
  const int last = (std::min(x1, box_.hi.x - 1) - box_.lo.x) / RowSpans::unit;
  for (int u = first; u <= last; ++u) row(y - box_.lo.y, z - box_.lo.z)[u / 64] |= std::uint64_t(1) << (u % 64);
}

void RowMarks::grow(int axis, int by) {
  const Int3 n = box_.size();
  const std::vector<std::uint64_t> before = bits_;
  const std::ptrdiff_t step = axis == 1 ? words_ : std::ptrdiff_t(words_) * n.y;
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y) {
      const int at = axis == 1 ? y : z, count = n[axis];
      std::uint64_t* to = row(y, z);
      const std::uint64_t* from = before.data() + (to - bits_.data());
      for (int d = std::max(-by, -at); d <= std::min(by, count - 1 - at); ++d)
        for (int w = 0; w < words_; ++w) to[w] |= from[d * step + w];
    }
}

void RowMarks::keep(const RowMarks& others) {
  for (std::size_t w = 0; w < bits_.size(); ++w) bits_[w] &= others.bits_[w];
}

RowSpans RowMarks::spans() const {
  RowSpans out{box_, {0}, {}, {0}};
  const Int3 n = box_.size();
  out.first.reserve(std::size_t(n.y) * n.z + 1), out.before.reserve(std::size_t(n.y) * n.z + 1);
  std::int64_t used = 0;
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y) {
      for (int u = 0; u < units_; ++u) {
        if (u % 64 == 0 && row(y, z)[u / 64] == 0) u += 63;  // nothing in the whole word
        if (u >= units_ || !has(u, y, z)) continue;
        const int begin = u;
        while (u + 1 < units_ && has(u + 1, y, z)) ++u;
        const RowSpans::Span span{box_.lo.x + begin * RowSpans::unit,
                                  std::min(box_.lo.x + (u + 1) * RowSpans::unit, box_.hi.x)};
        out.spans.push_back(span);
        used += span.end - span.begin;
      }
      out.first.push_back(int(out.spans.size())), out.before.push_back(used);
    }
  return out;
}

RowSpans cells_near(const CellRanges& particles, const Box& box, Int3 active, int margin) {
  RowMarks marks(box);
  const std::uint32_t* begin = particles.begin.host();
  const int *tiles = particles.occupied.host(), each = particles.order.cells_each();
  for (std::size_t t = 0; t < particles.occupied.size(); ++t) {
    const std::uint32_t* in_tile = begin + std::int64_t(tiles[t]) * each;
    const Cell lowest = particles.order.lowest_cell(tiles[t]);
    for (int n = 0; n < each; ++n) {
      if (in_tile[n] == in_tile[n + 1]) continue;
      const Cell c = lowest + particles.order.within(n);
      if (box.contains(c)) marks.set(c.x - margin, c.x + margin, c.y, c.z);
    }
  }
  for (int axis = 1; axis < 3; ++axis)
    if (active[axis]) marks.grow(axis, margin);
  return marks.spans();
}

RowSpans grown(const RowSpans& spans, Int3 active, int by, const RowSpans* within) {
  RowMarks marks(spans.box);
  const Cells cells(spans.box, &spans);
  cells.visit_used_rows(0, cells.row_count(), [&](int y, int z) {
    cells.visit_row(y, z, [&](int begin, int end) { marks.set(begin - by, end - 1 + by, y, z); });
  });
  for (int axis = 1; axis < 3; ++axis)
    if (active[axis]) marks.grow(axis, by);
  if (within) marks.keep(RowMarks(*within));
  return marks.spans();
}

RowSpans halved(const RowSpans& fine, const Box& box, Int3 active) {
  RowMarks marks(box);
  const Cells cells(fine.box, &fine);
  cells.visit_used_rows(0, cells.row_count(), [&](int y, int z) {
    cells.visit_row(y, z, [&](int x0, int x1) {
      const int low_y = active.y ? y >> 1 : y, high_y = active.y ? (y + 1) >> 1 : y;
      const int low_z = active.z ? z >> 1 : z, high_z = active.z ? (z + 1) >> 1 : z;
      for (int above_z = low_z; above_z <= std::min(high_z, box.hi.z - 1); ++above_z)
        for (int above_y = low_y; above_y <= std::min(high_y, box.hi.y - 1); ++above_y)
          marks.set(x0 >> 1, x1 >> 1, above_y, above_z);
    });
  });
  return marks.spans();
}

bool contains(const RowSpans& whole, const RowSpans& part) {
  if (!(whole.box == part.box)) return false;
  for (std::size_t row = 0; row + 1 < part.first.size(); ++row) {
    int in = whole.first[row];
    for (int s = part.first[row]; s < part.first[row + 1]; ++s) {
      while (in < whole.first[row + 1] && whole.spans[in].end < part.spans[s].end) ++in;
      if (in == whole.first[row + 1] || whole.spans[in].begin > part.spans[s].begin) return false;
    }
  }
  return true;
}

RowSpans cells_without(const Field<unsigned char>& flag, const Cells& cells) {
  static_assert(RowSpans::unit == sizeof(std::uint64_t), "a unit's flags are read together");
  constexpr std::uint64_t all_set = 0x0101010101010101;
  RowMarks marks(cells);
  const unsigned char* flags = flag.values().host();
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      cells.visit_row(y, z, [&](int begin, int end) {
        for (int x = begin; x < end; x += RowSpans::unit) {  // spans begin where units do
          std::uint64_t all = all_set;
          std::memcpy(&all, flags + flag.layout().index(x, y, z), std::size_t(std::min(RowSpans::unit, end - x)));
          if (all != all_set) marks.set(x, x, y, z);
        }
      });
  return marks.spans();
}

}  // namespace silt
