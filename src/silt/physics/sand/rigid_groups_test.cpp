#include "silt/physics/sand/rigid_groups.h"

#include <gtest/gtest.h>

#include "silt/physics/sand/rigid_test_tools.h"

namespace silt {
namespace {

using test::RigidCells;

int groups_of(RigidCells cells) {
  cells.find();
  return cells.groups.count();
}

TEST(RigidGroups, BlocksApartAreTwo) {
  const auto left = [](Cell c) { return c.x < 4; };
  EXPECT_EQ(groups_of({{12, 6, 5}, left}), 1);
  EXPECT_EQ(groups_of({{12, 6, 5}, [&](Cell c) { return left(c) || c.x > 6; }}), 2);
  EXPECT_EQ(groups_of({{12, 6, 5}, [](Cell) { return false; }}), 0);
}

// A bridge at the far end joins what runs met as two.
TEST(RigidGroups, WhatABridgeJoinsIsOne) {
  const auto legs = [](Cell c) { return c.x % 4 == 0; };
  EXPECT_EQ(groups_of({{13, 9, 1}, legs}), 4);
  EXPECT_EQ(groups_of({{13, 9, 1}, [&](Cell c) { return legs(c) || c.y == 8; }}), 1);
  EXPECT_EQ(groups_of({{13, 9, 4}, [&](Cell c) { return legs(c) || (c.y == 8 && c.z == 3); }}), 1);
}

TEST(RigidGroups, CornersDoNotJoin) {
  EXPECT_EQ(groups_of({{2, 2, 1}, [](Cell c) { return c.x == c.y; }}), 2);
  EXPECT_EQ(groups_of({{2, 2, 2}, [](Cell c) { return (c.x + c.y + c.z) % 2 == 0; }}), 4);
}

TEST(RigidGroups, SolidsBetweenCellsPartThem) {
  for (int axis = 0; axis < 3; ++axis) {
    RigidCells cells({6, 6, 6}, [](Cell) { return true; });
    test::for_each(cells.domain.cells, [&](Cell c) {
      if (c[axis] == 3) cells.star[axis].at(c) = 0;
    });
    EXPECT_EQ(groups_of(cells), 2) << axis;
    cells.star[axis].at({3, 3, 3}) = 0.1f;
    EXPECT_EQ(groups_of(cells), 1) << axis;
  }
}

TEST(RigidGroups, ReachAcrossPeriodicSidesAndDoNotTurnThere) {
  const auto ends = [](Cell c) { return c.x < 2 || c.x > 9; };
  EXPECT_EQ(groups_of({{12, 4, 1}, ends}), 2);
  RigidCells round({12, 4, 1}, ends, Side::periodic);
  round.find();
  ASSERT_EQ(round.groups.count(), 1);
  EXPECT_EQ(round.groups.turns[0], 0);
  RigidCells middle(
      {12, 4, 1}, [](Cell c) { return c.x > 3 && c.x < 7; }, Side::periodic);
  middle.find();
  EXPECT_EQ(middle.groups.turns, std::vector<char>{1});
}

// Rows of which only parts are in use: spans that touch, or lie apart, are as one row.
TEST(RigidGroups, CellsThatAreNotInUseAreNotLookedAt) {
  RigidCells cells({40, 3, 1}, [](Cell c) { return c.x != 20; });
  RowSpans spans;
  spans.box = cells.domain.cells, spans.before = {0, 24, 48, 72};
  for (int row = 0; row < 3; ++row) {
    spans.first.push_back(int(spans.spans.size()));
    for (const RowSpans::Span span : {RowSpans::Span{0, 8}, {8, 16}, {24, 32}}) spans.spans.push_back(span);
  }
  spans.first.push_back(int(spans.spans.size()));
  cells.domain.cells.rows = &spans;
  find_rigid_groups(cells.domain, cells.rigid, cells.star, cells.groups);
  EXPECT_EQ(cells.groups.count(), 2);
  ASSERT_EQ(cells.groups.run_count, 6u);
  EXPECT_EQ(cells.groups.runs.host()[0].end, 16);
}

}  // namespace
}  // namespace silt
