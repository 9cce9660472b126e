#include "silt/fields/particle_sort.h"

#include <gtest/gtest.h>

#include <numeric>

#include "silt/fields/particle_test_tools.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

std::vector<Domain> domains() {
  std::vector<Domain> out;
  for (const Box& cells :
       {Box{{-11, 3, -8}, {9, 22, 9}}, Box{{-5, -17, 0}, {21, 4, 1}}, Box{{-30, 0, 0}, {11, 1, 1}}}) {
    Domain d;
    d.cells = cells;
    d.lattice.active = {1, cells.size().y > 1, cells.size().z > 1};
    out.push_back(d);
  }
  return out;
}

Layout layout_of(const Domain& d, int pad = 0) {
  return make_layout(d.cells, d.lattice.active, default_halo, pad);
}

TEST(TileOrder, PlacesAreAllDifferentAndWithinATileFollowX) {
  for (const Domain& d : domains()) {
    const TileOrder order(layout_of(d));
    std::vector<int> seen(std::size_t(order.cells()));
    for_each(d.cells, [&](Cell c) {
      const auto place = order.place(c);
      ASSERT_LT(place, order.cells());
      EXPECT_EQ(seen[place]++, 0) << c;
      const int tile = int(place) / order.cells_each();
      EXPECT_EQ(order.lowest_cell(tile) + order.within(int(place) % order.cells_each()), c);
      EXPECT_EQ(order.tile(tile), order.tile_of(c));
    });
  }
}

TEST(Particles, HaveTheColumnsTheirAxesAndModesNeed) {
  const auto names = [](Int3 active, Modes modes) {
    Particles p(active, modes);
    std::vector<std::string> out;
    visit(p, [&](const std::string& name, auto&) { out.push_back(name); });
    return out;
  };
  EXPECT_EQ(names({1, 0, 0}, Modes::constant),
            (std::vector<std::string>{"cell.x", "offset.x", "velocity.x", "id", "age", "source", "colour"}));
  EXPECT_EQ(names({1, 1, 0}, Modes::affine),
            (std::vector<std::string>{"cell.x", "offset.x", "velocity.x", "mode.x.x", "mode.x.y", "cell.y", "offset.y",
                                      "velocity.y", "mode.y.x", "mode.y.y", "id", "age", "source", "colour"}));
  EXPECT_EQ(names({1, 1, 1}, Modes::multilinear).size(), 9 + 3 * 7 + 4u);
  EXPECT_EQ(names({1, 1, 0}, Modes::multilinear).size(), 6 + 2 * 3 + 4u);
  EXPECT_EQ(names({1, 1, 1}, Modes::biquadratic).size(), 9 + 3 * 17 + 4u);
  EXPECT_EQ(names({1, 1, 0}, Modes::biquadratic).size(), 6 + 2 * 5 + 4u);
}

TEST(Particles, GrowAndKeepWhatTheyHave) {
  const Domain d = domains()[0];
  Particles p = random_particles(serial, d, 100, 1, Modes::affine);
  auto before = all_values(p);
  EXPECT_EQ(append(serial, p, 1000), 100u);
  ASSERT_EQ(p.count, 1100u);
  auto after = all_values(p);
  for (auto& [name, values] : after) {
    EXPECT_TRUE(std::all_of(values.begin() + 100, values.end(), [](double v) { return v == 0; })) << name;
    values.resize(100);
    EXPECT_EQ(values, before[name]) << name;
  }
}

TEST(Split, KeepsOffsetsBelowOne) {
  for (float x : {-1e-9f, -1e-30f, 0.0f, 1 - 1e-7f, 1.0f, -3.25f, 7.75f}) {
    int cell = 5;
    float offset;
    split(x, cell, offset);
    EXPECT_GE(offset, 0);
    EXPECT_LT(offset, 1);
    EXPECT_NEAR(cell + double(offset), 5 + double(x), 1e-7);
  }
}

// Every particle is in the range of its cell, those of a cell in the order they had, and every column went along.
TEST(SortParticles, ByTileThenCellAndStable) {
  for (const Domain& d : domains()) {
    const Particles unsorted = random_particles(serial, d, 5000, 2, Modes::affine);
    Particles p = unsorted;
    CellRanges ranges;
    SortScratch scratch;
    sort_particles(serial, d, layout_of(d), p, ranges, scratch);
    ASSERT_EQ(p.count, 5000u);
    const CellRanges::View view = ranges.read(serial);
    std::size_t in_ranges = 0;
    for_each(d.cells, [&](Cell c) {
      for (auto i = view.first(c); i < view.last(c); ++i, ++in_ranges) {
        ASSERT_EQ(cell_of(p, i), c);
        const auto id = p.id.host()[i];
        EXPECT_TRUE(i == view.first(c) || id > p.id.host()[i - 1]);
        EXPECT_EQ(position(p, i), position(unsorted, id));
        EXPECT_EQ(p.velocity[0].host()[i], unsorted.velocity[0].host()[id]);
        EXPECT_EQ(p.age.host()[i], float(id));
      }
    });
    EXPECT_EQ(in_ranges, p.count);
    for (std::size_t t = 0, last = 0; t < ranges.occupied.size(); ++t) {
      const auto tile = std::size_t(ranges.occupied.host()[t]);
      EXPECT_TRUE(t == 0 || tile > last);
      last = tile;
    }
  }
}

TEST(SortParticles, SameForAnyThreadsAndAnyPadding) {
  for (const Domain& d : domains()) {
    const Particles unsorted = random_particles(serial, d, 3000, 3);
    Particles one = unsorted;
    CellRanges ranges;
    SortScratch scratch;
    sort_particles(serial, d, layout_of(d), one, ranges, scratch);
    for (int threads : {2, 3, 7}) {
      Particles many = unsorted;
      CellRanges other;
      sort_particles(Exec(Device::cpu, threads, 0), d, layout_of(d), many, other, scratch);
      EXPECT_EQ(ids(many), ids(one)) << threads;
      EXPECT_TRUE(std::equal(ranges.begin.host(), ranges.begin.host() + ranges.begin.size(), other.begin.host()));
    }
    Particles padded = unsorted;
    sort_particles(serial, d, layout_of(d, 16), padded, ranges, scratch);
    EXPECT_EQ(ids(padded), ids(one));
  }
}

TEST(SortParticles, TakesAwayTheDeadAndTheLost) {
  for (const Domain& d : domains()) {
    Particles p = random_particles(serial, d, 2000, 4);
    std::vector<std::uint64_t> gone;
    for (std::size_t i = 0; i < p.count; i += 7) p.cell[0].host()[i] = Particles::dead, gone.push_back(i);
    p.cell[0].host()[1] = d.cells.hi.x, gone.push_back(1);
    p.cell[0].host()[2] = d.cells.lo.x - 1, gone.push_back(2);
    CellRanges ranges;
    SortScratch scratch;
    sort_particles(serial, d, layout_of(d), p, ranges, scratch);
    EXPECT_EQ(p.died, gone.size());
    EXPECT_EQ(p.count, p.alive());
    std::vector<std::uint64_t> all = ids(p);
    all.insert(all.end(), gone.begin(), gone.end());
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), p.born);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i);
  }
}

}  // namespace
}  // namespace silt
