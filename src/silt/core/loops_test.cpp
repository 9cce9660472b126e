#include "silt/core/loops.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "silt/core/random.h"

namespace silt {
namespace {

/// Counts visits to cells of `around`, and any visit outside it.
struct Visits {
  Box around;
  std::vector<int> count;
  int outside = 0;

  explicit Visits(const Box& box) : around(box), count(std::size_t(box.count()), 0) {}
  int& at(Cell c) {
    if (!around.contains(c)) return outside;
    const Int3 n = around.size(), d = c - around.lo;
    return count[(std::size_t(d.z) * n.y + d.y) * n.x + d.x];
  }
};

struct Visit {
  Visits* visits;
  void operator()(Cell c) const {
    int& n = visits->at(c);
#pragma omp atomic
    ++n;
  }
};

struct VisitIndex {
  int* count;
  void operator()(std::int64_t i) const { ++count[i]; }
};

/// Random numbers of either sign and widely different size, a function of the cell alone.
struct Noise {
  std::uint64_t seed;
  double operator()(Cell c) const {
    const std::uint64_t id = (std::uint64_t(c.z + 500) * 1000 + c.y + 500) * 1000 + c.x + 500;
    return (2 * random_unit(seed, id, 0) - 1) * std::exp(20 * random_unit(seed, id, 1) - 10);
  }
};

struct ThreeNoises {
  Noise a, b, c;
  Several<3> operator()(Cell cell) const { return {{a(cell), b(cell), c(cell)}}; }
};

struct NoiseWithNan {
  Noise noise;
  Cell bad;
  double operator()(Cell c) const { return c == bad ? std::nan("") : noise(c); }
};

const Box boxes[] = {
    {{0, 0, 0}, {1, 1, 1}},    {{-3, -2, -5}, {4, 5, 2}}, {{-11, 3, 0}, {26, 20, 1}}, {{5, 0, 0}, {69, 1, 1}},
    {{-8, -8, -8}, {8, 8, 8}}, {{-1, 7, -1}, {12, 8, 6}}, {{2, 2, 2}, {2, 10, 10}},   {{2, 2, 5}, {9, 9, 1}},
};

template <class Visitor>
void for_each(const Box& b, const Visitor& visit) {
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) visit(Cell{x, y, z});
}

TEST(Loops, EachCellOnce) {
  for (int threads : {1, 2, 3, 8})
    for (const Box& box : boxes) {
      Visits visits(grow(hull(box, {{0, 0, 0}, {1, 1, 1}}), {2, 2, 2}));
      for_each_cell(Exec(Device::cpu, threads, 0), "visit", box, Visit{&visits});
      EXPECT_EQ(visits.outside, 0) << box;
      for_each(visits.around, [&](Cell c) { EXPECT_EQ(visits.at(c), int(box.contains(c))) << c << " of " << box; });
    }
}

TEST(Loops, EachIndexOnce) {
  for (int threads : {1, 2, 3, 8})
    for (std::int64_t n : {0, 1, 7, 1000}) {
      std::vector<int> count(std::size_t(n) + 1, 0);
      for_each_index(Exec(Device::cpu, threads, 0), "visit", n, VisitIndex{count.data()});
      for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(count[i], 1);
      EXPECT_EQ(count[n], 0);
    }
  for_each_index(Exec(), "visit", -5, VisitIndex{nullptr});
}

TEST(Loops, TilesAreClippedToTheBox) {
  const Box box{{-5, -9, 1}, {12, 7, 14}};
  const std::vector<Int3> tiles{{-1, -1, 0}, {0, 0, 1}, {1, -2, 0}, {5, 5, 5}, {-1, 0, 1}};  // one lies outside
  for (const Int3 tile : {Int3{8, 8, 8}, Int3{8, 8, 1}})
    for (int threads : {1, 2, 3, 8}) {
      Visits visits(grow(box, {10, 10, 10}));
      for_each_tile_cell(Exec(Device::cpu, threads, 0), "visit", box, tiles.data(), std::int64_t(tiles.size()), tile,
                         Visit{&visits});
      EXPECT_EQ(visits.outside, 0);
      int expected = 0;
      for_each(visits.around, [&](Cell c) {
        bool listed = false;
        for (const Int3& t : tiles) listed |= Box{t * tile, t * tile + tile}.contains(c);
        EXPECT_EQ(visits.at(c), int(listed && box.contains(c))) << c;
        expected += visits.at(c);
      });
      EXPECT_GT(expected, 0);
    }
}

TEST(Loops, NoTilesOrAnEmptyBoxVisitNothing) {
  Visits visits({{-20, -20, -20}, {20, 20, 20}});
  const Int3 tile{0, 0, 0};
  for_each_tile_cell(Exec(), "visit", {{0, 0, 0}, {8, 8, 8}}, &tile, 0, {8, 8, 8}, Visit{&visits});
  for_each_tile_cell(Exec(), "visit", {{0, 0, 0}, {0, 8, 8}}, &tile, 1, {8, 8, 8}, Visit{&visits});
  for (int n : visits.count) EXPECT_EQ(n, 0);
  EXPECT_EQ(visits.outside, 0);
}

template <class Op, class Kernel>
double on(int threads, const Box& box, const Kernel& kernel) {
  return reduce<Op>(Exec(Device::cpu, threads, 0), "reduce", box, kernel);
}

TEST(Reduce, SameBitsForAnyThreadCountAndCloseToExact) {
  for (const Box& box : boxes)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Noise noise{seed};
      long double sum = 0, size = 0;
      double highest = Max::identity, lowest = Min::identity;
      for_each(box, [&](Cell c) {
        const double v = noise(c);
        sum += v, size += std::abs(v), highest = std::max(highest, v), lowest = std::min(lowest, v);
      });
      const double one = on<Sum>(1, box, noise);
      EXPECT_NEAR(one, double(sum), 1e-12 * double(size)) << box;
      EXPECT_EQ(on<Max>(1, box, noise), highest);
      EXPECT_EQ(on<Min>(1, box, noise), lowest);
      for (int threads : {2, 3, 8}) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(on<Sum>(threads, box, noise)), std::bit_cast<std::uint64_t>(one)) << box;
        EXPECT_EQ(on<Max>(threads, box, noise), highest);
        EXPECT_EQ(on<Min>(threads, box, noise), lowest);
      }
    }
}

TEST(Reduce, SeveralAtOnceAreTheSameBitsAsEachAlone) {
  const Noise a{1}, b{2}, c{3};
  for (const Box& box : boxes)
    for (int threads : {1, 3}) {
      const Several<3> all =
          reduce<Each<Sum, Max, Min>>(Exec(Device::cpu, threads, 0), "reduce", box, ThreeNoises{a, b, c});
      EXPECT_EQ(std::bit_cast<std::uint64_t>(all[0]), std::bit_cast<std::uint64_t>(on<Sum>(1, box, a))) << box;
      EXPECT_EQ(all[1], on<Max>(1, box, b)) << box;
      EXPECT_EQ(all[2], on<Min>(1, box, c)) << box;
    }
}

// Rows longer than a lane's share, and lengths that leave every possible tail.
TEST(Reduce, EveryRowLength) {
  for (int n = 1; n <= 40; ++n) {
    const Box box{{-7, 2, 0}, {n - 7, 3, 1}};
    const Noise noise{99};
    long double sum = 0, size = 0;
    for_each(box, [&](Cell c) { sum += noise(c), size += std::abs(noise(c)); });
    EXPECT_NEAR(on<Sum>(1, box, noise), double(sum), 1e-13 * double(size)) << n;
  }
}

TEST(Reduce, ANanIsNeverHidden) {
  const Box box{{-4, 0, 1}, {9, 3, 3}};
  for (int threads : {1, 3})
    for_each(box, [&](Cell bad) {
      const NoiseWithNan kernel{{3}, bad};
      EXPECT_TRUE(std::isnan(on<Max>(threads, box, kernel))) << bad;
      EXPECT_TRUE(std::isnan(on<Min>(threads, box, kernel))) << bad;
      EXPECT_TRUE(std::isnan(on<Sum>(threads, box, kernel))) << bad;
    });
}

TEST(Reduce, NothingGivesTheIdentity) {
  const Box none{{0, 0, 0}, {0, 5, 5}};
  EXPECT_EQ(on<Sum>(2, none, Noise{1}), 0);
  EXPECT_EQ(on<Max>(2, none, Noise{1}), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(on<Min>(2, none, Noise{1}), std::numeric_limits<double>::infinity());
}

/// Counts how often a cell is asked for, alone or in a strip.
struct VisitStrip {
  Visits* visits;
  template <class F>
  void at(Cell c) const {
    for (int l = 0; l < int(sizeof(F) / sizeof(float)); ++l) {
      int& n = visits->at({c.x + l, c.y, c.z});
#pragma omp atomic
      ++n;
    }
  }
};

TEST(ForEachStrip, VisitsEveryCellOnce) {
  for (const int width : {1, 7, 8, 9, 24, 37})
    for (const int threads : {1, 3}) {
      const Box box{{-5, 2, -1}, {-5 + width, 5, 4}};
      Visits visits(grow(box, {9, 1, 1}));
      for_each_strip(Exec(Device::cpu, threads, 0), "visit", box, VisitStrip{&visits});
      EXPECT_EQ(visits.outside, 0);
      for (int z = visits.around.lo.z; z < visits.around.hi.z; ++z)
        for (int y = visits.around.lo.y; y < visits.around.hi.y; ++y)
          for (int x = visits.around.lo.x; x < visits.around.hi.x; ++x)
            EXPECT_EQ(visits.at({x, y, z}), int(box.contains(Cell{x, y, z}))) << Cell{x, y, z} << " of " << width;
    }
}

}  // namespace
}  // namespace silt
