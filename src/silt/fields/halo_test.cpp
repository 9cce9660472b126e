#include "silt/fields/halo.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/core/random.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

/// One thread, where threads are not the matter: teams that wait for each other are slow on a busy machine.
const Exec serial(Device::cpu, 1), three(Device::cpu, 3);

constexpr float unset = -777;

using test::for_each;

Domain domain_of(const Box& cells, Int3 active, Side x, Side y, Side z) {
  return {{{}, 1, active}, cells, {{{x, x}, {y, y}, {z, z}}}};
}

/// Random inside `box`, `unset` everywhere else.
template <class T>
Field<T> random_inside(const Layout& layout, const Box& box) {
  Field<T> f(layout);
  for_each(layout.storage(), [&](Cell c) { f.at(c) = unset; });
  for_each(box, [&](Cell c) { f.at(c) = T(random_unit(c.x + 100, c.y + 100, c.z + 100)); });
  return f;
}

int wrap(int i, int lo, int n) {
  return lo + ((i - lo) % n + n) % n;
}

const Side sides[] = {Side::wall, Side::open, Side::periodic};

/// Every combination of sides: what stands at each cell of two layers around the box is found by treating each axis
/// alone.
template <class T>
void check(const Box& cells, Int3 active, int axis, const HaloRule& rule, int pad) {
  const Exec& exec = pad ? serial : three;
  for (Side sx : sides)
    for (Side sy : sides)
      for (Side sz : sides) {
        const Domain domain = domain_of(cells, active, sx, sy, sz);
        const Box box = axis < 0 ? cells : domain.faces(axis);
        const Layout layout = make_layout(cells, active, default_halo, pad);
        Field<T> f = random_inside<T>(layout, box);
        fill_halo(exec, domain, box, rule, f);
        const Box near = intersect(grow(box, active * default_halo), layout.storage());
        for_each(layout.storage(), [&](Cell c) {
          if (!near.contains(c)) {
            ASSERT_EQ(f(c), T(unset)) << "touched " << c << ", beyond the halo";
            return;
          }
          Cell from = c;
          bool beyond_open = false;
          for (int a = 0; a < 3; ++a) {
            if (c[a] >= box.lo[a] && c[a] < box.hi[a]) continue;
            const Side side = domain.side(a, 0);
            if (side == Side::periodic)
              from[a] = wrap(c[a], box.lo[a], cells.size()[a]);
            else
              from[a] = c[a] < box.lo[a] ? box.lo[a] : box.hi[a] - 1;
            // A later axis copies what an earlier one filled, or fills anew: either way the constant wins.
            beyond_open |= side == Side::open && !rule.open_repeats;
          }
          const T expected = beyond_open ? T(rule.open_value) : f(from);
          ASSERT_EQ(f(c), expected) << c << " from " << from;
          ASSERT_NE(f(c), T(unset));
        });
      }
}

TEST(Halo, CellsInThreeDimensions) {
  check<float>({{-3, 0, 5}, {5, 7, 16}}, {1, 1, 1}, -1, {}, 0);
  check<double>({{-3, 0, 5}, {5, 7, 16}}, {1, 1, 1}, -1, {false, 2.5}, 0);
}

TEST(Halo, CellsInTwoAndOneDimensions) {
  check<float>({{-3, 0, 0}, {5, 8, 1}}, {1, 1, 0}, -1, {}, 0);
  check<float>({{-3, 0, 0}, {5, 8, 1}}, {1, 1, 0}, -1, {false, -1}, 0);
  check<double>({{2, 0, 0}, {5, 1, 1}}, {1, 0, 0}, -1, {false, -1}, 0);
}

// The upper boundary's face lies in the halo when the domain ends with a tile; on a periodic axis it is a copy.
TEST(Halo, Faces) {
  for (int axis = 0; axis < 3; ++axis) check<float>({{-8, 0, 5}, {8, 7, 16}}, {1, 1, 1}, axis, {}, 0);
  for (int axis = 0; axis < 2; ++axis) check<float>({{0, 0, 0}, {8, 6, 1}}, {1, 1, 0}, axis, {}, 0);
}

TEST(Halo, PaddingIsLeftAlone) {
  check<float>({{-3, 0, 5}, {5, 7, 9}}, {1, 1, 1}, -1, {false, 1}, 16);
  check<float>({{-3, 0, 0}, {5, 7, 1}}, {1, 1, 0}, 1, {}, 16);
}

TEST(Halo, TheTwoEndsOfAnAxisMayDiffer) {
  const Box cells{{0, 0, 0}, {8, 8, 1}};
  Domain domain = domain_of(cells, {1, 1, 0}, Side::wall, Side::wall, Side::wall);
  domain.sides[1][1] = Side::open;
  Field<float> f = random_inside<float>(make_layout(cells, {1, 1, 0}), cells);
  fill_halo(serial, domain, cells, {false, 9}, f);
  EXPECT_EQ(f({3, 8, 0}), 9);
  EXPECT_EQ(f({3, 9, 0}), 9);
  EXPECT_EQ(f({3, -1, 0}), f({3, 0, 0}));
  EXPECT_EQ(f({-2, -2, 0}), f({0, 0, 0}));
  EXPECT_EQ(f({-1, 8, 0}), 9);
}

// Beside a wall whose own value is given the field is mirrored through that value, two layers deep: halfway between a
// cell and its image stands the wall's value. Other walls repeat, as ever.
TEST(Halo, MirrorsThroughTheValueOnAWall) {
  Domain domain{{{}, 1, {1, 1, 0}}, {{0, 0, 0}, {6, 5, 1}}, {}};
  Field<float> field(make_layout(domain.cells, domain.lattice.active));
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 6; ++x) field.at({x, y, 0}) = float(10 * y + x);
  HaloRule rule;
  rule.on_wall[1][0] = 3;
  rule.on_wall[1][1] = -1;
  fill_halo(Exec(Device::cpu, 1), domain, domain.cells, rule, field);
  for (int x = 0; x < 6; ++x)
    for (int deep = 1; deep <= 2; ++deep) {
      EXPECT_EQ(field({x, -deep, 0}), 2 * 3 - field({x, deep - 1, 0})) << x;
      EXPECT_EQ(field({x, 4 + deep, 0}), 2 * -1 - field({x, 5 - deep, 0})) << x;
    }
  for (int y = 0; y < 5; ++y) EXPECT_EQ(field({-1, y, 0}), field({0, y, 0}));
}

TEST(Halo, AnEmptyBoxIsNothingToDo) {
  const Box cells{{0, 0, 0}, {8, 8, 1}};
  const Domain domain = domain_of(cells, {1, 1, 0}, Side::wall, Side::wall, Side::wall);
  Field<float> f = random_inside<float>(make_layout(cells, {1, 1, 0}), cells);
  fill_halo(serial, domain, domain.faces(2), {}, f);
  EXPECT_EQ(f({-1, 0, 0}), unset);
}

}  // namespace
}  // namespace silt
