#include "silt/core/wave.h"

#include <gtest/gtest.h>

#include "silt/core/random.h"

namespace silt {
namespace {

/// Values on a box and `halo` cells round it.
struct Grid {
  static constexpr int halo = 3;
  Box box;
  std::vector<float> values;

  explicit Grid(const Box& b) : box(grow(b, {halo, halo, halo})), values(std::size_t(box.count()), 0.0f) {}
  int index(Cell c) const {
    const Int3 n = box.size(), d = c - box.lo;
    return (d.z * n.y + d.y) * n.x + d.x;
  }
};

/// to = from, mixed with its neighbours up to `reach` away along every axis.
struct Mix {
  const Grid* from;
  Grid* to;
  int reach;
  double operator()(Cell c) const {
    float sum = 0;
    for (int d = -reach; d <= reach; ++d)
      sum += 0.3f * from->values[from->index(c + Cell{d, 0, 0})] + 0.5f * from->values[from->index(c + Cell{0, d, 0})] -
             0.7f * from->values[from->index(c + Cell{0, 0, d})];
    to->values[to->index(c)] = sum;
    return sum;
  }
};

struct Grids {
  Grid a, b, c;
  explicit Grids(const Box& box) : a(box), b(box), c(box) {
    for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] = float(random_unit(3, i, 0)) - 0.5f;
  }
};

const Box boxes[] = {{{-3, 2, -5}, {9, 11, 60}}, {{0, 0, 0}, {7, 5, 9}},   {{0, 0, 0}, {5, 300, 1}},
                     {{0, 0, 0}, {6, 1, 40}},    {{0, 0, 0}, {900, 1, 1}}, {{0, 0, 0}, {3, 3, 1}}};

TEST(Wave, IsThePassesOneAfterTheOther) {
  for (const Box& box : boxes)
    for (const int threads : {1, 2, 3, 7, 16}) {
      const Exec exec(Device::cpu, threads, /*share_from=*/1);
      Grids one(box), wave(box);
      RowTotals<Sum> totals(box);
      // There and back between two fields, as smoothers go, with a pass that reaches two slices in the middle.
      const auto steps = [](Grids& g) {
        return std::vector<Mix>{{&g.a, &g.b, 1}, {&g.b, &g.a, 1}, {&g.a, &g.c, 2}, {&g.c, &g.b, 1}};
      };
      double expected = 0;
      for (const Mix& step : steps(one)) expected = reduce<Sum>(exec, "mix", box, step);
      const std::vector<Mix> mixes = steps(wave);
      Wave passes(exec, box);
      passes.for_each_cell("mix", 0, mixes[0]);
      passes.for_each_cell("mix", 1, mixes[1]);
      passes.for_each_cell("mix", 2, mixes[2]);
      passes.reduce("mix", 1, mixes[3], totals);
      passes.run();
      EXPECT_EQ(one.a.values, wave.a.values) << box << ", " << threads << " threads";
      EXPECT_EQ(one.b.values, wave.b.values) << box << ", " << threads << " threads";
      EXPECT_EQ(one.c.values, wave.c.values) << box << ", " << threads << " threads";
      EXPECT_EQ(expected, totals.total());
    }
}

TEST(Wave, NothingToDoIsDone) {
  int runs = 0;
  const std::vector<Pass> passes{{0, [&](int) { ++runs; }}};
  run_as_wave(Exec(), Box{{0, 0, 0}, {4, 0, 4}}, passes);
  run_as_wave(Exec(), Box{{0, 0, 0}, {4, 4, 4}}, {});
  EXPECT_EQ(runs, 0);
}

}  // namespace
}  // namespace silt
