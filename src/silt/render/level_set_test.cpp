#include "silt/render/level_set.h"

#include <gtest/gtest.h>

#include "silt/core/random.h"
#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

const Exec exec(Device::cpu, 2);

struct Crossed {
  float t = 1e30f;
  Vec3f gradient;
  bool flat = false;
};

Crossed first_of(const LevelSet& set, const Vec3f& origin, const Vec3f& direction, float t0 = 0) {
  const auto c = set.first_crossing(origin + direction * t0, direction, 1e30f);
  return c ? Crossed{t0 + c->t, c->gradient, c->flat} : Crossed{};
}

LevelSet::Cut closed() {
  LevelSet::Cut cut;
  for (auto& side : cut.sides) side[0] = side[1] = true;
  return cut;
}

// Both crossings of a sphere, and its normals; of small drops too, which are a little smaller between cell centres.
TEST(LevelSet, ARayCrossesABallWhereItIs) {
  for (const double radius : {0.25, 0.08}) {
    Frame frame = synthetic::empty_frame({24, 24, 24}, 1.0 / 24);
    synthetic::add_water(frame, [=](const Vec3d& x) { return length(x - Vec3d{0.5, 0.5, 0.5}) - radius; });
    const LevelSet set(frame, "surface", closed(), exec);
    const float r = float(24 * radius), close = radius > 0.1 ? 0.08f : 0.2f;
    for (const float off : {0.0f, 0.3f, 0.7f}) {
      const Vec3f origin{-10, 12 + off * r, 12.1f}, way{1, 0, 0};
      const float half = std::sqrt(r * r * (1 - off * off) - 0.01f);
      const Crossed in = first_of(set, origin, way);
      EXPECT_NEAR(in.t, 22 - half, close) << radius << ' ' << off;
      EXPECT_GT(dot(set.smooth_normal(origin + way * in.t), Vec3f{-half / r, off, 0}), 0.99f) << radius << ' ' << off;
      const Crossed out = first_of(set, origin, way, in.t + 0.01f);
      EXPECT_NEAR(out.t, 22 + half, close) << radius << ' ' << off;
      EXPECT_GT(dot(normalized(out.gradient), Vec3f{half / r, off, 0}), 0.95f) << radius << ' ' << off;
    }
    EXPECT_EQ(first_of(set, {-10, 12 + 1.2f * r, 12}, {1, 0, 0}).t, 1e30f);
  }
}

// A sheet one cell thick is hit by every ray, from whatever side.
TEST(LevelSet, AThinSheetIsNotMissed) {
  Frame frame = synthetic::empty_frame({16, 16, 16}, 1.0 / 16);
  synthetic::add_water(frame,
                       [](const Vec3d& x) { return std::abs(x.x + 0.3 * x.z - 0.6) / std::hypot(1, 0.3) - 0.5 / 16; });
  const LevelSet set(frame, "surface", closed(), exec);
  for (float y = 0.1f; y < 16; y += 1.7f)
    for (float z = 0.1f; z < 16; z += 1.3f) EXPECT_LT(first_of(set, {-40, y, z}, {1, 0, 0}).t, 100) << y << ' ' << z;
}

// Slanted rays through waves and drops meet what small steps along them meet, from whatever side, however many blocks
// without a surface lie between.
TEST(LevelSet, RaysMeetWhatSmallStepsMeet) {
  Frame frame = synthetic::empty_frame({50, 34, 41}, 1.0 / 50);
  synthetic::add_water(frame, [](const Vec3d& x) {
    return std::min(x.z - 0.2 - 0.05 * std::sin(20 * x.x) * std::cos(17 * x.y), length(x - Vec3d{0.7, 0.3, 0.6}) - 0.1);
  });
  const LevelSet set(frame, "surface", closed(), exec);
  int met = 0;
  for (int i = 0; i < 300; ++i) {
    const auto pick = [&](int what) { return float(random_unit(5, i, what)); };
    const Vec3f from =
        i % 2 ? Vec3f{50 * pick(0), 34 * pick(1), 41 * pick(2)} : Vec3f{90, -30 + 90 * pick(1), 60 * pick(2)};
    const Vec3f to{50 * pick(3), 34 * pick(4), 41 * pick(5)}, d = normalized(to - from);
    const auto in = [&](const Vec3f& x) {
      for (int a = 0; a < 3; ++a)
        if (x[a] < 0 || x[a] > float(frame.domain.cells.hi[a])) return false;
      return set.at(x) < 0;
    };
    float expected = 1e30f;
    for (float t = 0; t < 200 && expected > 1e29f; t += 0.01f)
      if (in(from + d * t) != in(from + d * (t + 0.01f))) expected = t + 0.005f;
    met += expected < 1e29f;
    EXPECT_NEAR(first_of(set, from, d).t, expected, 0.02) << i << from << d;
  }
  EXPECT_GT(met, 150);
}

// Walls cut it as glass does; the ground has no glass; beyond an open side it goes on as far as there are numbers.
TEST(LevelSet, IsCutOffAtTheDomainsSides) {
  Frame frame = synthetic::empty_frame({16, 16, 16}, 1.0 / 16);
  synthetic::add_water(frame, [](const Vec3d& x) { return x.z - 0.5; });
  LevelSet::Cut cut = closed();
  cut.floor = false;
  const LevelSet set(frame, "surface", cut, exec);
  const Crossed in = first_of(set, {-10, 8.3f, 3.2f}, {1, 0, 0});
  EXPECT_NEAR(in.t, 10, 1e-4);
  EXPECT_TRUE(in.flat);
  EXPECT_EQ(in.gradient, (Vec3f{-1, 0, 0}));
  const Crossed out = first_of(set, {0.1f, 8.3f, 3.2f}, {1, 0, 0});
  EXPECT_NEAR(out.t, 15.9, 1e-4);
  EXPECT_EQ(out.gradient, (Vec3f{1, 0, 0}));
  EXPECT_NEAR(first_of(set, {8.3f, 8.3f, 3.2f}, {0, 0, 1}).t, 4.8, 1e-3);
  EXPECT_EQ(first_of(set, {8.3f, 8.3f, 3.2f}, {0, 0, -1}).t, 1e30f);
  EXPECT_EQ(first_of(set, {-10, 8.3f, 9}, {1, 0, 0}).t, 1e30f);
  EXPECT_NEAR(first_of(LevelSet(frame, "surface", closed(), exec), {8.3f, 8.3f, 3.2f}, {0, 0, -1}).t, 3.2, 1e-4);

  frame.domain.cells = {{4, 0, 0}, {16, 16, 16}};
  EXPECT_NEAR(first_of(LevelSet(frame, "surface", closed(), exec), {-10, 8.3f, 3.2f}, {1, 0, 0}).t, 14, 1e-4);
  cut.sides[0][0] = false;
  EXPECT_NEAR(first_of(LevelSet(frame, "surface", cut, exec), {-10, 8.3f, 3.2f}, {1, 0, 0}).t, 10, 1e-4);
}

TEST(LevelSet, OfNothingIsNothing) {
  Frame frame = synthetic::empty_frame({8, 8, 8}, 1.0 / 8);
  EXPECT_FALSE(LevelSet(frame, "surface", closed(), exec).any());
  synthetic::add_water(frame, [](const Vec3d&) { return 1; });
  EXPECT_FALSE(LevelSet(frame, "surface", closed(), exec).any());
}

}  // namespace
}  // namespace silt
