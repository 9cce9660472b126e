#include <gtest/gtest.h>

#include <cmath>

#include "silt/fields/backflow.h"
#include "silt/physics/smoke/test_rig.h"

namespace silt {
namespace {

using test::for_each;

/// Wind of 1 m/s into a channel 1 m wide, of n cells, that is open at its far end.
Setting channel(int n, int length) {
  Setting s = test::unit_box(n, 2);
  s.domain.cells.hi.x = length * n;
  s.domain.sides[0][1] = Side::open;
  Inflow in;
  in.axis = 0, in.end = 0;
  in.velocity = Vec3d{1, 0, 0};
  in.temperature = 293.0;
  s.inflows = {in};
  return s;
}

/// A round vortex in that wind, a bit before the end of the first metre: `spin` is its fastest [m/s].
Vec3d vortex(const Vec3d& x, double spin) {
  constexpr double core = 0.12;
  const double X = x.x - 0.6, Y = x.y - 0.5, turn = spin / core * std::exp(0.5 - 0.5 * (X * X + Y * Y) / (core * core));
  return {1 - turn * Y, turn * X, 0};
}

/// Twice the energy of what is not wind in the first metre [m^2/s^2], at t = 0.5 and at t = 1.25.
std::pair<double, double> swirl_left(int n, int length, double spin) {
  test::Rig rig(channel(n, length), {.tolerance = 1e-6});
  const MacField<float>& u = rig.state.velocity;
  rig.set_velocity([&](const Vec3d& x) { return vortex(x, spin); });
  rig.start();
  const auto swirl = [&] {
    double sum = 0;
    for_each({{0, 0, 0}, {n, n, 1}},
             [&](Cell c) { sum += (std::pow(u[0](c) - 1, 2) + std::pow(u[1](c), 2)) / (n * n); });
    return sum;
  };
  const int half = int(std::ceil(0.5 * n * (1 + spin)));
  double at_half = 0;
  for (int i = 0; i < 5 * half / 2; ++i) {
    if (i == half) at_half = swirl();
    rig.substep(0.5 * i / half, 0.5 / half);
  }
  return {at_half, swirl()};
}

// A vortex four times as fast as the wind that takes it out draws air in through the side it leaves by. On its way out
// it is about as strong as in a channel that goes on for two metres more, and it is gone after three times the time it
// takes to leave. If what it draws in has the speed that is found at the side, it is three times as strong on its way;
// if only the motion along the side is taken from it, it never leaves.
TEST(OpenSide, AStrongVortexLeaves) {
  const auto [on_its_way, gone] = swirl_left(32, 1, 4);
  const auto [further, away] = swirl_left(32, 3, 4);
  EXPECT_NEAR(on_its_way / further, 1.25, 0.35);
  EXPECT_LT(gone, 0.02);
  EXPECT_LT(away, 1e-4);
}

// Along the side: 0 where the flow comes in, what was there where it leaves, layer by layer, at both ends.
TEST(OpenSide, TheAirOutsideIsAtRest) {
  Domain d{{{}, 1, {1, 1, 0}}, {{0, 0, 0}, {8, 6, 1}}, {}};
  d.sides[0] = {Side::open, Side::open};
  const Exec exec(Device::cpu, 1);
  MacField<float> u(make_layout(d.cells, d.lattice.active));
  for_each(d.faces(0),
           [&](Cell c) { u[0].at(c) = c.y < 3 ? 1.0f : -1.0f; });  // in below on the left, above on the right
  for_each(d.faces(1), [&](Cell c) { u[1].at(c) = 5; });
  StepContext step(exec, d, 0, 1);
  step.fill_halo(u);
  for (int y : {1, 2, 4, 5})
    for (int deep : {1, 2}) {
      EXPECT_EQ(u[1]({-deep, y, 0}), y < 3 ? 0 : 5) << y;
      EXPECT_EQ(u[1]({7 + deep, y, 0}), y < 3 ? 5 : 0) << y;
      EXPECT_EQ(u[0]({-deep, y, 0}), u[0]({0, y, 0}));
    }
}

// Across the side, in a step of a quarter of a cell, a quarter of it is gone; what leaves keeps its speed.
TEST(OpenSide, WhatEntersIsSlowed) {
  Domain d{{{}, 1, {1, 1, 0}}, {{0, 0, 0}, {8, 4, 1}}, {}};
  d.sides[0] = {Side::open, Side::open};
  const Exec exec(Device::cpu, 1);
  MacField<float> u(make_layout(d.cells, d.lattice.active));
  for_each(d.faces(0), [&](Cell c) { u[0].at(c) = 2; });
  Field<float> carried = u[0];
  slow_what_enters(exec, d, u, 0, 0.125, carried);
  EXPECT_EQ(carried({0, 1, 0}), 1.5f);
  EXPECT_EQ(carried({1, 1, 0}), 2);
  EXPECT_EQ(carried({8, 1, 0}), 2);
  slow_what_enters(exec, d, u, 0, 4, carried);
  EXPECT_EQ(carried({0, 1, 0}), 0);
}

}  // namespace
}  // namespace silt
