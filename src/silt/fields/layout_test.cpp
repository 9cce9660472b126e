#include "silt/fields/layout.h"

#include <gtest/gtest.h>

#include <vector>

#include "silt/core/loops.h"
#include "silt/core/random.h"
#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/region_loops.h"
#include "silt/fields/sampler.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

/// One thread, where threads are not the matter: teams that wait for each other are slow on a busy machine.
const Exec serial(Device::cpu, 1);

constexpr Int3 solid3{1, 1, 1}, flat2{1, 1, 0}, flat1{1, 0, 0};

const std::pair<Box, Int3> cases[] = {
    {{{0, 0, 0}, {8, 8, 8}}, solid3},        {{{-1, -8, -9}, {1, 0, 8}}, solid3}, {{{-37, 5, 3}, {-20, 6, 30}}, solid3},
    {{{-5, -13, 0}, {11, 2, 1}}, flat2},     {{{3, 3, 0}, {4, 4, 1}}, flat2},     {{{-17, 0, 0}, {40, 1, 1}}, flat1},
    {{{100, -100, 7}, {101, 0, 8}}, solid3},
};

using test::for_each;

TEST(Layout, FloorDivisionRoundsDown) {
  for (int a = -40; a <= 40; ++a) EXPECT_EQ(floor_div(a, 8), int(std::floor(a / 8.0))) << a;
}

TEST(Layout, CoversTheCellsInWholeTiles) {
  for (const auto& [cells, active] : cases)
    for (int pad : {0, 1, 16}) {
      const Layout l = make_layout(cells, active, default_halo, pad);
      const Int3 tile = tile_extent(active);
      EXPECT_TRUE(l.cells.contains(grow(cells, active * pad))) << cells;
      for (int a = 0; a < 3; ++a) {
        EXPECT_EQ(l.cells.lo[a] % tile[a], 0) << cells;
        EXPECT_EQ(l.cells.hi[a] % tile[a], 0) << cells;
        EXPECT_GT(l.cells.lo[a], cells.lo[a] - active[a] * pad - tile[a]) << "no tile more than needed: " << cells;
        EXPECT_LT(l.cells.hi[a], cells.hi[a] + active[a] * pad + tile[a]) << "no tile more than needed: " << cells;
      }
      EXPECT_EQ(l.storage(), grow(l.cells, active * default_halo));
    }
}

TEST(Layout, IndicesOfTheStorageAreUniqueAndFillIt) {
  for (const auto& [cells, active] : cases) {
    const Layout l = make_layout(cells, active);
    std::vector<int> used(std::size_t(l.size), 0);
    for_each(l.storage(), [&](Cell c) {
      const int n = l.index(c);
      ASSERT_GE(n, 0) << c;
      ASSERT_LT(n, l.size) << c;
      ++used[std::size_t(n)];
    });
    for (int n : used) ASSERT_EQ(n, 1) << cells;
  }
}

TEST(Layout, AFlatAxisHasStrideZeroAndNoHalo) {
  const Layout l2 = make_layout({{-5, -13, 0}, {11, 2, 1}}, flat2);
  EXPECT_EQ(l2.stride_z, 0);
  EXPECT_EQ(l2.storage().size().z, 1);
  EXPECT_EQ(l2.index(3, 1, 0), l2.index(3, 1, 1));
  EXPECT_EQ(l2.index(3, 1, 0), l2.index(3, 1, -1));
  const Layout l1 = make_layout({{0, 0, 0}, {8, 1, 1}}, flat1);
  EXPECT_EQ(l1.stride_y, 0);
  EXPECT_EQ(l1.stride_z, 0);
  EXPECT_EQ(l1.size, 8 + 2 * default_halo);
}

TEST(Layout, MoreThanAnIntCanIndexIsRefused) {
  EXPECT_NO_THROW(make_layout({{0, 0, 0}, {1280, 1280, 1280}}, solid3));  // 1284^3 = 0.986 * 2^31
  EXPECT_THROW(make_layout({{0, 0, 0}, {1290, 1290, 1290}}, solid3), InputError);
  EXPECT_THROW(make_layout({{0, 0, 0}, {100000, 100000, 1}}, flat2), InputError);
}

TEST(Field, GlobalIndicesReachTheirOwnValue) {
  const Exec& exec = serial;
  for (const auto& [cells, active] : cases) {
    Field<float> f(make_layout(cells, active));
    EXPECT_TRUE(f.allocated());
    for_each(f.layout().storage(), [&](Cell c) {
      ASSERT_EQ(f(c), 0.0f);
      f.at(c) = float(f.layout().index(c));
    });
    const View<const float> view = f.write(exec);
    for_each(f.layout().storage(), [&](Cell c) {
      ASSERT_EQ(view(c), float(f.layout().index(c)));
      ASSERT_EQ(view(c.x, c.y, c.z), f(c));
    });
    const Field<float> copy = f;
    f.at(cells.lo) = -1;
    EXPECT_EQ(copy(cells.lo), float(f.layout().index(cells.lo)));
  }
  EXPECT_FALSE(Field<float>().allocated());
}

TEST(MacField, ComponentsAreApart) {
  const Exec& exec = serial;
  MacField<float> u(make_layout({{-3, 0, 0}, {3, 3, 3}}, solid3));
  for (int a = 0; a < 3; ++a) u[a].at({-3, 1, 2}) = float(a + 1);
  const MacView<const float> view = u.read(exec);
  for (int a = 0; a < 3; ++a) EXPECT_EQ(view[a](-3, 1, 2), float(a + 1));
  EXPECT_EQ(view.y(-3, 1, 2), 2.0f);
}

TEST(Domain, FacesAndCorners) {
  Domain d{{{1, 2, 3}, 0.5, flat2}, {{-2, 0, 0}, {6, 4, 1}}, {}};
  EXPECT_EQ(d.faces(0), (Box{{-2, 0, 0}, {7, 4, 1}}));
  EXPECT_EQ(d.faces(1), (Box{{-2, 0, 0}, {6, 5, 1}}));
  EXPECT_TRUE(d.faces(2).empty());
  EXPECT_EQ(d.corners(), (Box{{-2, 0, 0}, {7, 5, 1}}));
  d.sides[0] = {Side::periodic, Side::periodic};
  EXPECT_EQ(d.faces(0), d.cells);  // the upper face is the lower one
  EXPECT_EQ(d.lower(), (Vec3d{0, 2, 3}));
  EXPECT_EQ(d.lattice.centre({0, 0, 0}), (Vec3d{1.25, 2.25, 3.25}));
  EXPECT_EQ(d.lattice.face_centre(0, {0, 0, 0}), (Vec3d{1, 2.25, 3.25}));
  EXPECT_EQ(d.lattice.corner({0, 0, 0}), (Vec3d{1, 2, 3.25}));  // in the plane
  EXPECT_EQ(d.lattice.cell_volume(), 0.25);                     // per metre of depth
}

struct AddOne {
  View<float> f;
  void operator()(Cell c) const { f(c) += 1; }
};

TEST(Region, TilesOfTheBoxOnce) {
  for (const Int3 active : {solid3, flat2}) {
    const Box box{{-5, -9, 0}, {12, 7, active.z ? 11 : 1}};
    const std::vector<Int3> tiles{{-1, -1, 0}, {0, 0, 0}, {1, -2, 0}};
    const Region region(box, active, tiles), whole(box);
    EXPECT_TRUE(region.tiled());
    EXPECT_FALSE(whole.tiled());
    const Exec exec(Device::cpu, 3);
    Field<float> f(make_layout(box, active));
    for_each_cell(exec, "add", region, AddOne{f.update(exec)});
    for_each_cell(exec, "add", whole, AddOne{f.update(exec)});
    const Int3 tile = tile_extent(active);
    for_each(f.layout().storage(), [&](Cell c) {
      bool listed = false;
      for (const Int3& t : tiles) listed |= Box{t * tile, t * tile + tile}.contains(c);
      ASSERT_EQ(f(c), float(box.contains(c) * (1 + listed))) << c;
    });
  }
}

// ---- samplers

float sample(const Field<float>& f, const SampleBounds& b, Cell c, Vec3f d) {
  return Corners::at(f.read(serial), SamplePoint::at<true>(b, c, {d.x, d.y, d.z})).value();
}

/// n random displacements of up to `reach` cells from random cells of the box.
template <class Check>
void at_random_places(const Box& box, float reach, const Check& check) {
  for (int n = 0; n < 2000; ++n) {
    const Int3 size = box.size();
    Cell c = box.lo;
    Vec3f d;
    for (int a = 0; a < 3; ++a) {
      c[a] += int(random_unit(1, n, a) * size[a]);
      d[a] = float(2 * random_unit(2, n, a) - 1) * reach;
    }
    check(c, d);
  }
}

// Between its samples linear interpolation is exact for a linear field; beyond the last samples it stops at them.
TEST(Sampler, LinearFieldsAreExactInsideAndClampedOutside) {
  for (const Int3 active : {solid3, flat2, flat1}) {
    const Box cells = intersect({{-6, 3, -2}, {13, 14, 9}}, {{-99, active.y ? -99 : 3, active.z ? -99 : 0},
                                                             {99, active.y ? 99 : 4, active.z ? 99 : 1}});
    const Domain domain{{{}, 1, active}, cells, {}};
    const Vec3d slope{0.75 * active.x, -1.5 * active.y, 2.25 * active.z};
    for (int axis = -1; axis < 3; ++axis) {
      if (axis >= 0 && !active[axis]) continue;
      Field<float> f(make_layout(cells, active));
      for_each(f.layout().storage(), [&](Cell c) { f.at(c) = float(dot(slope, c.as<double>()) + 5); });
      // Values stand one cell beyond the domain, except across a face field's own axis: there on its last face.
      Vec3d lo = cells.lo.as<double>(), hi = cells.hi.as<double>();
      for (int a = 0; a < 3; ++a) lo[a] -= a == axis ? 0 : active[a];
      const SampleBounds b = SampleBounds::of(domain, axis);
      at_random_places(cells, 9, [&](Cell c, Vec3f d) {
        const Vec3d x = min(max(c.as<double>() + (d * active.as<float>()).as<double>(), lo), hi);
        ASSERT_NEAR(sample(f, b, c, d), dot(slope, x) + 5, 2e-5) << c << " + " << d << " axis " << axis;
      });
    }
  }
}

TEST(Sampler, AWholeDisplacementReturnsTheValueItself) {
  const Box cells{{0, 0, 0}, {10, 10, 10}};
  const Domain domain{{}, cells, {}};
  Field<float> f(make_layout(cells, solid3));
  for_each(f.layout().storage(), [&](Cell c) { f.at(c) = float(random_unit(5, f.layout().index(c), 0)); });
  const SampleBounds b = SampleBounds::of(domain, -1);
  for_each(cells, [&](Cell c) {
    EXPECT_EQ(sample(f, b, c, {0, 0, 0}), f(c));
    EXPECT_EQ(sample(f, b, {5, 5, 5}, (c - Cell{5, 5, 5}).as<float>()), f(c));
  });
}

TEST(Sampler, PeriodicAxesWrap) {
  const Box cells{{-4, 2, 0}, {12, 15, 1}};
  Domain domain{{{}, 1, flat2}, cells, {}};
  domain.sides[0] = domain.sides[1] = {Side::periodic, Side::periodic};
  const Vec3d k{2 * 3.14159265358979 / 16, 2 * 3.14159265358979 / 13, 0};
  Field<float> f(make_layout(cells, flat2));
  for_each(f.layout().storage(), [&](Cell c) { f.at(c) = float(std::sin(dot(k, c.as<double>()))); });
  const auto node = [&](double x, double y) { return std::sin(k.x * x + k.y * y); };
  for (int axis = -1; axis < 2; ++axis) {
    const SampleBounds b = SampleBounds::of(domain, axis);
    at_random_places(cells, 12, [&](Cell c, Vec3f d) {
      const double x = c.x + double(d.x), y = c.y + double(d.y);
      const double i = std::floor(x), j = std::floor(y), s = x - i, t = y - j;
      const double expected = (1 - t) * ((1 - s) * node(i, j) + s * node(i + 1, j)) +
                              t * ((1 - s) * node(i, j + 1) + s * node(i + 1, j + 1));
      ASSERT_NEAR(sample(f, b, c, d), expected, 3e-6) << c << " + " << d;
    });
  }
}

TEST(Sampler, LimitsAreThoseOfTheCornersUsed) {
  const Corners c{{3, -1, 4, 1, -5, 9, 2, 6}, 0.25f, 0.5f, 0.75f};
  EXPECT_EQ(c.lowest(), -5);
  EXPECT_EQ(c.highest(), 9);
  // (2 + 3.25) / 2 = 2.625 below, (-1.5 + 3) / 2 = 0.75 above.
  EXPECT_FLOAT_EQ(c.value(), 0.25f * 2.625f + 0.75f * 0.75f);
}

}  // namespace
}  // namespace silt
