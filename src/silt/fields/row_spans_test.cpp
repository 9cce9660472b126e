#include "silt/fields/row_spans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "silt/fields/layout.h"
#include "silt/fields/used_rows.h"

namespace silt {
namespace {

const Exec serial(Device::cpu, 1);

// A few particles in a box that begins anywhere: a cell is in use exactly if one of its unit of eight is near a
// particle.
TEST(CellsNear, AreThoseWithinTheMarginInWholeUnits) {
  constexpr int margin = 3;
  for (const Int3 active : {Int3{1, 1, 0}, Int3{1, 1, 1}}) {
    Domain domain;
    domain.lattice.active = active;
    domain.cells = {{-8, 0, 0}, {83, 30, active.z ? 20 : 1}};
    const std::vector<Cell> places{{-8, 0, 0}, {40, 12, 0}, {41, 29, active.z ? 19 : 0}, {82, 3, 0}, {57, 12, 0}};
    Particles particles(active, Modes::constant);
    append(serial, particles, places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      for (int a = 0; a < 3; ++a)
        if (active[a]) particles.cell[a].host()[i] = places[i][a];
    CellRanges ranges;
    SortScratch scratch;
    sort_particles(serial, domain, make_layout(domain.cells, active), particles, ranges, scratch);

    const RowSpans spans = cells_near(ranges, domain.cells, active, margin);
    const Cells cells(domain.cells, &spans);
    std::int64_t used = 0;
    for (int z = cells.lo.z; z < cells.hi.z; ++z)
      for (int y = cells.lo.y; y < cells.hi.y; ++y) {
        std::vector<bool> found(std::size_t(cells.size().x)), expected(found.size());
        cells.visit_row(y, z, [&](int begin, int end) {
          for (int x = begin; x < end; ++x) found[std::size_t(x - cells.lo.x)] = true;
          used += end - begin;
        });
        for (int x = cells.lo.x; x < cells.hi.x; ++x)
          for (const Cell& p : places) {
            const int first = cells.lo.x + (x - cells.lo.x) / RowSpans::unit * RowSpans::unit;
            const int off = p.x < first ? first - p.x : p.x > first + 7 ? p.x - first - 7 : 0;
            if (off <= margin && std::abs(y - p.y) <= margin && std::abs(z - p.z) <= margin)
              expected[std::size_t(x - cells.lo.x)] = true;
          }
        ASSERT_EQ(found, expected) << y << " " << z;
      }
    EXPECT_EQ(used, cells.used());
  }
}

// Cells of a box that leaves planes or rows of theirs out, as the faces between cells do, and the slabs beside a wall:
// threads must not come to share a row.
TEST(RowSpans, SharesOfAnyPartDoNotOverlap) {
  const Box box{{0, 0, 0}, {16, 8, 9}};
  RowSpans rows;
  rows.box = box;
  rows.first = {0}, rows.before = {0};
  for (int n = 0; n < Cells(box).row_count(); ++n) {
    if (n % 3) rows.spans.push_back({2, 10});
    rows.first.push_back(int(rows.spans.size()));
    rows.before.push_back(rows.before.back() + (n % 3 ? 8 : 0));
  }
  for (const Box& part : {box, Box{{0, 0, 1}, {16, 8, 9}}, Box{{0, 1, 0}, {16, 8, 9}}, Box{{0, 0, 0}, {16, 8, 1}},
                          Box{{0, 0, 8}, {16, 8, 9}}, Box{{0, 2, 3}, {16, 6, 5}}}) {
    const Cells cells(part, &rows);
    for (const int threads : {2, 3, 5, 8, 16, 32}) {
      EXPECT_EQ(cells.first_row_of(0, threads), 0);
      EXPECT_EQ(cells.first_row_of(threads, threads), cells.row_count());
      for (int t = 0; t < threads; ++t)
        EXPECT_LE(cells.first_row_of(t, threads), cells.first_row_of(t + 1, threads)) << part << threads << ' ' << t;
    }
  }
}

// Rows that have cells in use are visited, in order, and no others: of the box, of one that is larger or smaller by
// some rows, and of any part of their numbers.
TEST(RowSpans, RowsInUseAreVisited) {
  const Box box{{0, 2, -1}, {16, 40, 6}};
  RowMarks marks(box);
  for (const Cell c : {Cell{3, 2, -1}, Cell{9, 17, 0}, Cell{9, 18, 0}, Cell{0, 39, 0}, Cell{0, 39, 3}, Cell{5, 21, 5}})
    marks.set(c.x, c.x, c.y, c.z);
  const RowSpans spans = marks.spans();
  for (const Box& part : {box, Box{{0, 2, -1}, {17, 42, 8}}, Box{{-1, 0, -2}, {16, 40, 6}},
                          Box{{0, 17, 0}, {16, 21, 6}}, Box{{0, 18, 0}, {16, 40, 4}}}) {
    const Cells cells(part, &spans);
    for (const int from : {0, 1, 40, 97, cells.row_count()})
      for (const int to : {cells.row_count(), 0, 45, 150}) {
        std::vector<std::pair<int, int>> expected, found;
        for (int n = from; n < std::min(to, cells.row_count()); ++n) {
          bool any = false;
          cells.visit_row(cells.row_y(n), cells.row_z(n), [&](int, int) { any = true; });
          if (any) expected.push_back({cells.row_y(n), cells.row_z(n)});
        }
        cells.visit_used_rows(from, std::min(to, cells.row_count()), [&](int y, int z) { found.push_back({y, z}); });
        EXPECT_EQ(found, expected) << part << from << ' ' << to;
      }
    int all = 0;
    Cells(part).visit_used_rows(0, Cells(part).row_count(), [&](int, int) { ++all; });
    EXPECT_EQ(all, Cells(part).row_count()) << "without rows all are in use";
  }
}

TEST(CellsWithout, AreWholeUnitsThatHaveOne) {
  const Box box{{-3, 2, 0}, {40, 9, 4}};
  Field<unsigned char> flag(make_layout(box, {1, 1, 1}));
  std::fill_n(flag.values().host(), flag.values().size(), 1);
  for (const Cell c : {Cell{-3, 2, 0}, Cell{39, 2, 0}, Cell{12, 5, 3}, Cell{13, 5, 3}, Cell{21, 5, 3}}) flag.at(c) = 0;
  const RowSpans found = cells_without(flag, box);
  const auto spans_of = [&](int y, int z) {
    std::vector<std::pair<int, int>> out;
    Cells(box, &found).visit_row(y, z, [&](int begin, int end) { out.push_back({begin, end}); });
    return out;
  };
  EXPECT_EQ(spans_of(2, 0), (std::vector<std::pair<int, int>>{{-3, 5}, {37, 40}}));
  EXPECT_EQ(spans_of(5, 3), (std::vector<std::pair<int, int>>{{5, 29}}));
  EXPECT_EQ(found.used(), 8 + 3 + 24);
}

/// One span of a row, at the box's low side along y.
RowSpans one_span(const Box& box, int begin, int end) {
  RowMarks marks(box);
  marks.set(begin, end - 1, box.lo.y, box.lo.z);
  return marks.spans();
}

// A row at a side of the box has the halo beyond it too.
TEST(UsedRows, WhatGoesOutOfUseRestsInTheHaloToo) {
  const Box box{{0, 0, 0}, {32, 16, 1}};
  const RowSpans was = one_span(box, 0, 16), now = one_span(box, 8, 24);
  Field<float> field(make_layout(box, {1, 1, 0}));
  UsedRows used;
  used.move_to({box, &was}, field);
  for (const int y : {-2, -1, 0})
    for (const int x : {-1, 3, 12, 40}) field.at({std::min(x, 33), y, 0}) = 5;
  used.move_to({box, &now}, field);
  for (const int y : {-2, -1, 0}) {
    EXPECT_EQ(field({-1, y, 0}), 0) << y;
    EXPECT_EQ(field({3, y, 0}), 0) << y;
    EXPECT_EQ(field({12, y, 0}), 5) << y;
  }
}

TEST(UsedRows, AFieldOfOthersRestsWhereNoCellsAreInUse) {
  const Box box{{0, 0, 0}, {32, 16, 1}};
  const RowSpans now = one_span(box, 8, 24);
  Field<double> field(make_layout(box, {1, 1, 0}));
  for (const Cell c : {Cell{3, 0, 0}, Cell{12, 0, 0}, Cell{31, 0, 0}, Cell{12, 9, 0}}) field.at(c) = 5;
  UsedRows::rest_outside({box, &now}, field);
  for (const Cell c : {Cell{3, 0, 0}, Cell{31, 0, 0}, Cell{12, 9, 0}}) EXPECT_EQ(field(c), 0) << c;
  EXPECT_EQ(field({12, 0, 0}), 5);
}

}  // namespace
}  // namespace silt
