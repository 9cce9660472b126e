#include "silt/physics/sand/bearing_cells.h"

#include <gtest/gtest.h>

#include "silt/fields/row_spans.h"
#include "silt/physics/sand/sample_sand.h"
#include "silt/physics/sand/sand_step.h"

namespace silt {
namespace {

using namespace test;

// A clump in which one cell bears is looked at whole, with a layer round it; one that flies is not, unless they touch,
// be it at a corner.
TEST(BearingCells, AreThoseOfClumpsThatBear) {
  const Box box{{0, 0, 0}, {48, 12, 1}};
  const Int3 active{1, 1, 0};
  RowMarks all(box);
  for (int y = 0; y < 12; ++y) all.set(0, 47, y, 0);
  const RowSpans whole = all.spans();
  for (const bool touches : {false, true}) {
    Field<unsigned char> marks(make_layout(box, active));
    const auto put = [&](int x0, int x1, int y, Pressed mark) {
      for (int x = x0; x < x1; ++x) marks.at({x, y, 0}) = (unsigned char)mark;
    };
    put(2, 5, 2, Pressed::flies), put(4, 6, 3, Pressed::bears);
    put(24, 26, 8, Pressed::flies);
    if (touches)
      for (int i = 0; i < 19; ++i)
        put(6 + i, 7 + i, i < 4 ? 4 + i : 7, Pressed::flies);  // corner to corner, then along
    const RowSpans found = bearing_cells(Cells(box, &whole), active, marks);
    const auto has = [&](Cell c) {
      bool in = false;
      Cells(box, &found).visit_row(c.y, c.z, [&](int begin, int end) { in = in || (c.x >= begin && c.x < end); });
      return in;
    };
    for (const Cell c : {Cell{2, 2, 0}, {5, 3, 0}, {2, 1, 0}, {5, 4, 0}}) EXPECT_TRUE(has(c));
    EXPECT_FALSE(has({2, 6, 0}) && !touches);
    EXPECT_EQ(has({24, 8, 0}), touches);
    EXPECT_EQ(has({25, 9, 0}), touches);
  }
}

// What flies costs no iteration, and is where it should be.
TEST(BearingCells, WhatFliesIsNotSolvedFor) {
  Setting s = sand_setting({60, 40, 1}, Side::open);
  fill(s, Shape::box({0.1, 0.5, -1}, {0.3, 0.7, 1}), {1, 0, 0});
  SampleSand sand({}, s);
  const StepReport report = sand.stepper.substep(sand.exec, 0, 0.01, sand.state);
  EXPECT_EQ(report.solves.at("stress").iterations, 0);
  EXPECT_TRUE(report.solves.at("stress").converged);
  EXPECT_NEAR(sand.velocity().y, -g * 0.005, 1e-6);  // in the middle of the step
  EXPECT_EQ(sand.state.bearing_speed.value(), 0);
}

// Steps: what bears half a cell, what flies three times as much, and a half of sqrt(h / g) at the most.
TEST(SandStep, IsLongerForWhatFlies) {
  const Setting s = sand_setting({60, 40, 1}, Side::open);
  constexpr double cfl = 0.5, h = 0.02;
  const auto goes = [&](double speed, double dt) { return (speed + g * dt) * dt / h; };
  const double flying = sand_step(s, 0, {5, 0}, cfl), bearing = sand_step(s, 0, {5, 5}, cfl);
  EXPECT_NEAR(goes(5, flying), 3 * cfl, 1e-9);
  EXPECT_NEAR(goes(5, bearing), cfl, 1e-9);
  EXPECT_NEAR(sand_step(s, 0, {0.1, 0}, cfl), 0.5 * std::sqrt(h / g), 1e-9);
  EXPECT_LE(sand_step(s, 0, {1, 7}, cfl), sand_step(s, 0, {1, 0}, cfl)) << "nothing bears faster than it moves";
}

}  // namespace
}  // namespace silt
