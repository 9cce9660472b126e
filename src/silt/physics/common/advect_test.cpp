#include "silt/physics/common/advect.h"

#include <gtest/gtest.h>

#include <bit>

#include "silt/physics/common/advect_test_tools.h"

namespace silt {
namespace {

using namespace test;

template <class Check>
void for_flows(const Check& check) {
  for (const Box& cells : boxes)
    for (Side x : all_sides)
      for (Side y : all_sides) check(Flow(cells, 0.1, x, y, Side::wall));
}

Box inside(const Flow& flow, int layers) {
  return grow(flow.domain.cells, flow.domain.lattice.active * -layers);
}

TEST(AdvectCells, AConstantStaysThatConstant) {
  for_flows([](Flow flow) {
    flow.random_velocity(1, 0.3);
    const Field<float> f = flow.cells([](Vec3d, Cell) { return 0.3; });
    for (const AdvectionOptions& scheme : all_schemes()) {
      const Field<float> after = flow.step(serial, scheme, 1.0, f);  // up to three cells
      for_each(flow.domain.cells, [&](Cell c) { ASSERT_EQ(after(c), 0.3f) << scheme << c; });
    }
  });
}

// What is zero is left out of the work, and that must not show: a little smoke in a large box, on its own and with a
// speck in each corner that makes the whole box worth carrying.
TEST(AdvectCells, WhereNothingIsComesNothing) {
  for (Side side : all_sides) {
    Flow flow({{-3, 2, 0}, {37, 34, 30}}, 0.1, side, Side::open, Side::wall);
    flow.random_velocity(1, 0.15);
    const auto smoke = [](Vec3d, Cell c) {
      return Box{{12, 14, 10}, {16, 18, 13}}.contains(c) ? 1 + noise(3, c) : 0.0;
    };
    const Field<float> alone = flow.cells(smoke);
    Field<float> with_specks = alone;
    for (Cell corner : {flow.domain.cells.lo, flow.domain.cells.hi - Int3{1, 1, 1}}) with_specks.at(corner) = 1;
    for (const bool clamp : {false, true}) {
      const AdvectionOptions scheme{Advection::maccormack, Tracing::rk2, clamp};
      const Field<float> a = flow.step(serial, scheme, 1.0, alone), b = flow.step(serial, scheme, 1.0, with_specks);
      for_each(inside(flow, 8), [&](Cell c) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(a(c)), std::bit_cast<std::uint32_t>(b(c))) << scheme << c;
      });
      for_each(flow.domain.cells, [&](Cell c) {
        if (!Box{{4, 6, 2}, {24, 26, 21}}.contains(c)) {
          ASSERT_EQ(a(c), 0) << scheme << c;
        }
      });
    }
  }
}

TEST(AdvectCells, WholeCellsInAPeriodicBoxAreExact) {
  for (const Box& cells : {Box{{-8, 0, 0}, {8, 11, 7}}, Box{{-8, 0, 0}, {8, 11, 1}}, Box{{0, 0, 0}, {24, 1, 1}}}) {
    Flow flow(cells, 0.125, Side::periodic, Side::periodic, Side::periodic);
    const Int3 shift = Int3{3, -2, 1} * flow.domain.lattice.active, n = cells.size();
    flow.set_velocity([&](Vec3d) { return shift.as<double>(); });
    const Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(9, c); });
    for (const AdvectionOptions& scheme : semi_lagrangian_schemes()) {
      const Field<float> after = flow.step(serial, scheme, 0.125, f);
      for_each(cells, [&](Cell c) {
        Cell from = c - shift;
        for (int a = 0; a < 3; ++a) from[a] = cells.lo[a] + (from[a] - cells.lo[a] + n[a]) % n[a];
        ASSERT_EQ(after(c), f(from)) << scheme << c;
      });
    }
  }
}

// At Courant number 1 upwind and Lax-Friedrichs in one dimension take the neighbour's value, and so does Lax-Wendroff.
TEST(AdvectCells, DifferencesOnALineAreExactAtTheLimit) {
  const Box line{{0, 0, 0}, {24, 1, 1}};
  Flow flow(line, 0.125, Side::periodic, Side::wall, Side::wall);
  for (int way : {-1, 1}) {
    flow.set_velocity([&](Vec3d) { return Vec3d{double(way), 0, 0}; });
    const Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(9, c); });
    for (const AdvectionOptions& scheme : finite_difference_schemes()) {
      const Field<float> after = flow.step(serial, scheme, 0.125, f);
      for_each(line, [&](Cell c) { ASSERT_NEAR(after(c), f({(c.x - way + 24) % 24, 0, 0}), 2e-7) << scheme << c; });
    }
  }
}

// f(x, t) = f(x - u t) for a uniform flow; every scheme is exact for a linear f.
TEST(AdvectCells, ALinearFieldMovesExactlyAwayFromTheSides) {
  for (const Box& cells : boxes) {
    Flow flow(cells, 0.1, Side::wall, Side::wall, Side::wall);
    const Vec3d v = Vec3d{0.7, -1.1, 0.4} * flow.domain.lattice.active.as<double>();
    flow.set_velocity([&](Vec3d) { return v; });
    const Vec3d slope{1.5, -0.5, 2};
    const Field<float> f = flow.cells([&](Vec3d x, Cell) { return dot(slope, x); });
    for (const AdvectionOptions& scheme : all_schemes()) {
      const double dt = flow.at_most(scheme, 0.13);
      const Field<float> after = flow.step(serial, scheme, dt, f);
      for_each(inside(flow, 4), [&](Cell c) {
        ASSERT_NEAR(after(c), dot(slope, flow.domain.lattice.centre(c) - v * dt), 2e-6) << scheme << c;
      });
    }
  }
}

TEST(AdvectCells, WhatEntersThroughAnOpenSideStandsBeyondIt) {
  const Box cells{{0, 0, 0}, {8, 6, 1}};
  Flow flow(cells, 0.5, Side::open, Side::wall, Side::wall);
  flow.set_velocity([](Vec3d) { return Vec3d{1, 0, 0}; });
  const HaloRule empty{false, 0};
  const Field<float> f = flow.cells([](Vec3d, Cell) { return 1; }, empty);
  for (const AdvectionOptions& scheme : semi_lagrangian_schemes()) {
    const Field<float> after = flow.step(serial, scheme, 0.5, f, empty);  // one cell to the right
    for_each(cells, [&](Cell c) { ASSERT_EQ(after(c), c.x == 0 ? 0.0f : 1.0f) << scheme << c; });
  }
  const Field<float> after = flow.step(serial, {Advection::upwind}, 0.125, f, empty);  // a quarter of a cell
  for_each(cells, [&](Cell c) { ASSERT_EQ(after(c), c.x == 0 ? 0.75f : 1.0f) << c; });
}

// But for what comes in through an open side: it is at rest.
TEST(AdvectFaces, AUniformVelocityStaysUniform) {
  for_flows([](Flow flow) {
    for (const auto& ends : flow.domain.sides)
      if (ends[0] == Side::open) return;
    const Vec3d v{0.3, -0.25, 0.125};
    flow.set_velocity([&](Vec3d) { return v; });
    for (const AdvectionOptions& scheme : all_schemes()) {
      const MacField<float> after = flow.step_faces(serial, scheme, 0.77, flow.u);
      for (int a = 0; a < 3; ++a)
        for_each(flow.domain.faces(a), [&](Cell c) { ASSERT_EQ(after[a](c), float(v[a])) << scheme << a << c; });
    }
  });
}

// Each component is carried from the centre of its own face: a linear field in a uniform flow shows any other offset.
TEST(AdvectFaces, EveryComponentStartsFromItsOwnFace) {
  for (const Box& cells : boxes) {
    Flow flow(cells, 0.1, Side::wall, Side::wall, Side::wall);
    const Int3 active = flow.domain.lattice.active;
    const Vec3d v = Vec3d{0.7, -1.1, 0.4} * active.as<double>();
    flow.set_velocity([&](Vec3d) { return v; });
    const auto value = [](int a, Vec3d x) { return dot(Vec3d{1.5, -0.5, 2}, x) * (a + 1); };
    const MacField<float> f = flow.faces([&](int a, Vec3d x, Cell) { return value(a, x); });
    for (const AdvectionOptions& scheme : all_schemes()) {
      const double dt = flow.at_most(scheme, 0.13);
      const MacField<float> after = flow.step_faces(serial, scheme, dt, f);
      for (int a = 0; a < 3; ++a)
        if (active[a])
          for_each(inside(flow, 4), [&](Cell c) {
            ASSERT_NEAR(after[a](c), value(a, flow.domain.lattice.face_centre(a, c) - v * dt), 6e-6)
                << scheme << a << c;
          });
    }
  }
}

// Rolling everything round a periodic box rolls the answer: nothing marks the seam.
TEST(Advect, TheSeamOfAPeriodicBoxDoesNotShow) {
  const Box cells{{-2, 0, 0}, {10, 9, 1}};
  const Int3 n = cells.size(), roll{5, 4, 0};
  const auto rolled = [&](Cell c) {
    return Cell{cells.lo.x + (c.x - cells.lo.x + roll.x) % n.x, (c.y + roll.y) % n.y, 0};
  };
  Flow flow(cells, 1, Side::periodic, Side::periodic, Side::wall), other = flow;
  flow.random_velocity(1, 0.8);
  for (int a = 0; a < 2; ++a) for_each(cells, [&](Cell c) { other.u[a].at(rolled(c)) = flow.u[a](c); });
  other.fill(other.u);
  const Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(2, c); });
  Field<float> g(flow.layout);
  for_each(cells, [&](Cell c) { g.at(rolled(c)) = f(c); });
  fill_halo(serial, other.domain, cells, {}, g);
  for (const AdvectionOptions& scheme : all_schemes()) {
    const Field<float> a = flow.step(serial, scheme, 1, f), b = other.step(serial, scheme, 1, g);
    const MacField<float> u = flow.step_faces(serial, scheme, 1, flow.u),
                          v = other.step_faces(serial, scheme, 1, other.u);
    for_each(cells, [&](Cell c) {
      ASSERT_EQ(a(c), b(rolled(c))) << scheme << c;
      ASSERT_EQ(u[0](c), v[0](rolled(c))) << scheme << c;
      ASSERT_EQ(u[1](c), v[1](rolled(c))) << scheme << c;
    });
  }
}

// What does not change along z is carried as in the plane, to the same bits: the flat axis takes no part.
TEST(Advect, APlaneIsASliceOfSpace) {
  for (const AdvectionOptions& scheme : all_schemes()) {
    if (scheme.scheme == Advection::lax_friedrichs) continue;  // its mean is over six neighbours, not four
    Flow plane({{-3, 2, 0}, {12, 13, 1}}, 1, Side::periodic, Side::open, Side::wall),
        space({{-3, 2, -2}, {12, 13, 4}}, 1, Side::periodic, Side::open, Side::periodic);
    const auto flat = [](Cell c) { return Cell{c.x, c.y, 0}; };
    const auto velocity = [&](int a, Vec3d, Cell c) { return a == 2 ? 0 : 0.9 * noise(3 + a, flat(c)); };
    plane.u = plane.faces(velocity), space.u = space.faces(velocity);
    const auto value = [&](Vec3d, Cell c) { return noise(2, flat(c)); };
    const Field<float> a = plane.step(serial, scheme, 1, plane.cells(value)),
                       b = space.step(serial, scheme, 1, space.cells(value));
    for_each(space.domain.cells, [&](Cell c) { ASSERT_EQ(a(flat(c)), b(c)) << scheme << c; });
    const MacField<float> u = plane.step_faces(serial, scheme, 1, plane.u),
                          v = space.step_faces(serial, scheme, 1, space.u);
    for (int axis = 0; axis < 2; ++axis)
      for_each(space.domain.faces(axis), [&](Cell c) { ASSERT_EQ(u[axis](flat(c)), v[axis](c)) << scheme << c; });
  }
}

TEST(Advect, SameBitsForThreadsAndPadding) {
  struct Result {
    Field<float> f;
    MacField<float> u;
    Domain domain;
  };
  int shape = 0;
  for (const AdvectionOptions& scheme : all_schemes()) {
    const Box& cells = boxes[shape++ % 2];
    const auto run = [&](int threads, int pad) {
      const Exec exec(Device::cpu, threads, 0);
      Flow flow(cells, 0.1, Side::periodic, Side::wall, Side::open, pad);
      flow.random_velocity(1, 0.4);
      Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(2, c); });
      const double dt = flow.at_most(scheme, 1);
      f = flow.step(exec, scheme, dt, f);
      return Result{f, flow.step_faces(exec, scheme, dt, flow.u), flow.domain};
    };
    const Result one = run(1, 0);
    for (auto [threads, pad] : {std::pair{2, 0}, {3, 16}}) {
      const Result other = run(threads, pad);
      const auto same = [](float a, float b) {
        return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
      };
      for_each(cells, [&](Cell c) { ASSERT_TRUE(same(one.f(c), other.f(c))) << scheme << c; });
      for (int a = 0; a < 3; ++a)
        for_each(one.domain.faces(a),
                 [&](Cell c) { ASSERT_TRUE(same(one.u[a](c), other.u[a](c))) << scheme << a << c; });
    }
  }
}

}  // namespace
}  // namespace silt
