#include "silt/surface/between.h"

#include <gtest/gtest.h>

#include "silt/surface/surface.h"
#include "silt/surface/test_tools.h"

namespace silt {
namespace {

using namespace test;

constexpr double dt = 1.0 / 24;

Frame frame_at(double time) {
  Frame frame = empty_frame(32);
  frame.time = time;
  Points& p = frame.points.emplace_back();
  p.material = "water";
  return frame;
}

void add(Frame& frame, std::uint64_t id, Vec3d x, Vec3d v, float age = 10) {
  Points& p = frame.points[0];
  p.id.push_back(id), p.positions.push_back(x), p.velocities.push_back(v.as<float>()), p.age.push_back(age);
}

// What falls freely is on its parabola at any time between.
TEST(Between, FallingParticlesFollowTheirParabola) {
  const auto x = [](double t) { return Vec3d{0.2 + 2 * t, 0.5, 0.9 - 0.5 * 9.81 * t * t}; };
  const auto v = [](double t) { return Vec3d{2, 0, -9.81 * t}; };
  Frame a = frame_at(0.1), b = frame_at(0.1 + dt);
  add(a, 9, {0.5, 0.5, 0.5}, {});
  add(a, 7, x(0.1), v(0.1));
  add(b, 7, x(0.1 + dt), v(0.1 + dt));
  add(b, 9, {0.5, 0.5, 0.5}, {});
  for (const double part : {0.0, 0.25, 0.5, 1.0}) {
    const Frame between = frame_between(a, b, part);
    const double t = 0.1 + part * dt;
    EXPECT_NEAR(between.time, t, 1e-12);
    ASSERT_EQ(between.points.at(0).count(), 2u);
    EXPECT_EQ(between.points[0].id[0], 7u);
    EXPECT_LT(length(between.points[0].positions[0] - x(t)), 1e-8);
    EXPECT_LT(length(between.points[0].velocities[0].as<double>() - v(t)), 1e-5);
  }
}

TEST(Between, WhatIsInOneFrameOnlyGoesByItsVelocity) {
  Frame a = frame_at(0), b = frame_at(dt);
  add(a, 1, {0.5, 0.5, 0.5}, {0, 0, 2});
  add(b, 2, {0.5, 0.5, 0.25}, {0, 3, 0}, 10);
  add(b, 3, {0.5, 0.5, 0.75}, {0, 3, 0}, float(0.2 * dt));  // born when four fifths of the time were over
  const Frame early = frame_between(a, b, 0.5), late = frame_between(a, b, 0.9);
  ASSERT_EQ(early.points.at(0).id, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(late.points.at(0).id, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_LT(length(early.points[0].positions[0] - Vec3d{0.5, 0.5, 0.5 + dt}), 1e-12);
  EXPECT_LT(length(early.points[0].positions[1] - Vec3d{0.5, 0.5 - 1.5 * dt, 0.25}), 1e-12);
}

TEST(Between, AcrossAPeriodicSide) {
  Frame a = frame_at(0), b = frame_at(dt);
  a.domain.sides[0] = b.domain.sides[0] = {Side::periodic, Side::periodic};
  add(a, 1, {0.98, 0.5, 0.5}, {0.08 / dt, 0, 0});
  add(b, 1, {0.06, 0.5, 0.5}, {0.08 / dt, 0, 0});
  EXPECT_NEAR(frame_between(a, b, 0.5).points.at(0).positions[0].x, 0.02, 1e-12);
}

// A drop that moves ten times its width a frame is whole in the middle of its way.
TEST(Between, ASmallFastDropIsThere) {
  Frame a = frame_at(0), b = frame_at(dt);
  int n = 0;
  for (int k = 0; k < 27; ++k) {
    const Vec3d d = Vec3d{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0} * (0.5 / 32);
    add(a, std::uint64_t(++n), Vec3d{0.2, 0.5, 0.5} + d, {0.5 / dt, 0, 0});
    add(b, std::uint64_t(n), Vec3d{0.7, 0.5, 0.5} + d, {0.5 / dt, 0, 0});
  }
  const Exec exec(Device::cpu, 1);
  const double whole = volume_of(surface_of_frame(a, "water", {}, exec));
  const Mesh mesh = surface_of_frame(frame_between(a, b, 0.5), "water", {}, exec);
  EXPECT_GT(whole, 0);
  EXPECT_NEAR(volume_of(mesh) / whole, 1, 0.1);
  for (const Vec3f& x : mesh.positions) EXPECT_LT(std::abs(x.x - 0.45f), 0.05f);
}

// Age, source and colour go along, and numbers are blended; pieces of one frame keep theirs.
TEST(Between, WhatIsKnownOfThePiecesGoesAlong) {
  Frame a = frame_at(0), b = frame_at(dt);
  add(a, 1, {0.5, 0.5, 0.5}, {}, 3), add(a, 2, {0.6, 0.5, 0.5}, {}, 4);
  add(b, 1, {0.5, 0.5, 0.5}, {}, float(3 + dt)), add(b, 5, {0.7, 0.5, 0.5}, {}, 1);
  a.points[0].source = {8, 9}, a.points[0].colour = {0x10, 0x20}, a.points[0].attributes = {{"heat", "K", {1, 2}}};
  b.points[0].source = {8, 7}, b.points[0].colour = {0x10, 0x30}, b.points[0].attributes = {{"heat", "K", {3, 4}}};
  const Points p = frame_between(a, b, 0.25).points.at(0);
  ASSERT_EQ(p.count(), 3u);
  EXPECT_EQ(p.id, (std::vector<std::uint64_t>{1, 2, 5}));
  EXPECT_EQ(p.source, (std::vector<std::uint32_t>{8, 9, 7}));
  EXPECT_EQ(p.colour, (std::vector<std::uint32_t>{0x10, 0x20, 0x30}));
  ASSERT_EQ(p.attributes.size(), 1u);
  EXPECT_EQ(p.attributes[0].values, (std::vector<float>{1.5f, 2, 4}));
  ASSERT_EQ(p.age.size(), 3u);
  EXPECT_NEAR(p.age[0], 3 + 0.25 * dt, 1e-6);
  EXPECT_NEAR(p.age[1], 4 + 0.25 * dt, 1e-6);
  EXPECT_NEAR(p.age[2], 1 - 0.75 * dt, 1e-6);
}

}  // namespace
}  // namespace silt
