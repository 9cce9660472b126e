#include "silt/solve/corner_stress.h"

#include <gtest/gtest.h>

#include <set>

#include "silt/fields/row_spans.h"
#include "silt/solve/poisson_problem.h"

namespace silt {
namespace {

using namespace test;

/// A number that says which cell and which of its numbers it is.
float label(Cell c, int m) {
  return float(1000 * noise(3 + m, c));
}

void put_labels(CornerStress& s) {
  const auto view = s.update(serial);
  for_each(s.cells(), [&](Cell c) {
    for (int m = 0; m < s.numbers(); ++m) view.at(c)[m * lane_count] = label(c, m);
  });
}

constexpr Box plane{{-5, 2, 0}, {14, 9, 1}}, block{{-5, 2, 3}, {6, 6, 8}};
Int3 active_axes(const Box& box) {
  return {1, 1, box.size().z > 1};
}

TEST(CornerStress, EveryNumberOfEveryCellHasAPlaceOfItsOwn) {
  for (const Box& box : {plane, block}) {
    CornerStress s(box, active_axes(box));
    EXPECT_EQ(s.numbers(), box == block ? 51 : 14);
    const auto view = s.update(serial);
    std::set<const float*> places;
    for_each(box, [&](Cell c) {
      for (int m = 0; m < s.numbers(); ++m) {
        const float* at = view.at(c) + m * lane_count;
        ASSERT_GE(at, view.data);
        ASSERT_LT(at, view.data + s.values().size());
        ASSERT_EQ(*at, 0);
        places.insert(at);
      }
      // Those of the next cell up to the eighth are next to it.
      if ((c.x - box.lo.x) % lane_count != lane_count - 1) {
        ASSERT_EQ(view.at(c) + 1, view.at(c + unit(0)));
      }
    });
    EXPECT_EQ(std::int64_t(places.size()), box.count() * s.numbers());
  }
}

TEST(CornerStress, Scales) {
  for (const Box& box : {plane, block}) {
    CornerStress s(box, active_axes(box));
    put_labels(s);
    scale(Exec(Device::cpu, 2, 0), box, 0.5, s);
    const auto view = s.read(serial);
    for_each(box, [&](Cell c) {
      for (int m = 0; m < s.numbers(); ++m) ASSERT_EQ(view.at(c)[m * lane_count], 0.5f * label(c, m));
    });
  }
}

// Boxes move by whole tiles and grow: what both have stays where it is on the lattice.
TEST(CornerStress, CarriesOverWhatBothBoxesHave) {
  for (const Box& box : {plane, block}) {
    Box moved = box;
    moved.lo.x += 3, moved.hi.x += 9, moved.lo.y -= 4, moved.hi.y -= 2;
    CornerStress from(box, active_axes(box)), to(moved, active_axes(box));
    put_labels(from);
    carry_over(box, from, to);
    const auto view = std::as_const(to).read(serial);
    int kept = 0;
    for_each(moved, [&](Cell c) {
      kept += box.contains(c);
      for (int m = 0; m < to.numbers(); ++m)
        ASSERT_EQ(view.at(c)[m * lane_count], box.contains(c) ? label(c, m) : 0.0f) << c << m;
    });
    EXPECT_GT(kept, 10);
  }
}

TEST(CornerStress, RestsWhereCellsAreNoLongerInUse) {
  for (const Box& box : {Box{{-5, 2, 0}, {30, 9, 1}}, Box{{-5, 2, 3}, {30, 6, 6}}}) {
    RowMarks was(box), is(box);
    for (int z = box.lo.z; z < box.hi.z; ++z) {
      was.set(-5, 20, 3, z), was.set(-5, 4, 5, z);
      is.set(12, 28, 3, z), is.set(-5, 4, 4, z);
    }
    const RowSpans before = was.spans(), now = is.spans();
    CornerStress s(box, active_axes(box));
    put_labels(s);
    rest_outside(Cells(box, &before), Cells(box, &now), s);
    const auto has = [&](const RowSpans& spans, Cell c) {
      bool out = false;
      Cells(box, &spans).visit_row(c.y, c.z, [&](int begin, int end) { out |= c.x >= begin && c.x < end; });
      return out;
    };
    const auto view = std::as_const(s).read(serial);
    int left = 0;
    for_each(box, [&](Cell c) {
      const bool rests = has(before, c) && !has(now, c);
      left += rests;
      for (int m = 0; m < s.numbers(); ++m) ASSERT_EQ(view.at(c)[m * lane_count], rests ? 0.0f : label(c, m)) << c << m;
    });
    EXPECT_GT(left, 10);
  }
}

}  // namespace
}  // namespace silt
