#include "silt/render/level_set.h"

#include <gtest/gtest.h>

#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

struct Crossed {
  float t = 1e30f;
  Vec3f gradient;
  bool flat = false;
};

/// The first crossing of all pieces.
Crossed first_of(const LevelSet& set, const Vec3f& origin, const Vec3f& direction, float t0 = 0) {
  Crossed best;
  for (std::size_t i = 0; i < set.count(); ++i)
    if (const auto c = set.cross_piece(i, origin, direction, t0, best.t)) best = {c->t, c->gradient, set.flat(i)};
  return best;
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
    const LevelSet set(frame, "surface", closed());
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
  const LevelSet set(frame, "surface", closed());
  for (float y = 0.1f; y < 16; y += 1.7f)
    for (float z = 0.1f; z < 16; z += 1.3f) EXPECT_LT(first_of(set, {-40, y, z}, {1, 0, 0}).t, 100) << y << ' ' << z;
}

// Walls cut it as glass does; the ground has no glass; beyond an open side it goes on as far as there are numbers.
TEST(LevelSet, IsCutOffAtTheDomainsSides) {
  Frame frame = synthetic::empty_frame({16, 16, 16}, 1.0 / 16);
  synthetic::add_water(frame, [](const Vec3d& x) { return x.z - 0.5; });
  LevelSet::Cut cut = closed();
  cut.floor = false;
  const LevelSet set(frame, "surface", cut);
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
  EXPECT_NEAR(first_of(LevelSet(frame, "surface", closed()), {8.3f, 8.3f, 3.2f}, {0, 0, -1}).t, 3.2, 1e-4);

  frame.domain.cells = {{4, 0, 0}, {16, 16, 16}};
  EXPECT_NEAR(first_of(LevelSet(frame, "surface", closed()), {-10, 8.3f, 3.2f}, {1, 0, 0}).t, 14, 1e-4);
  cut.sides[0][0] = false;
  EXPECT_NEAR(first_of(LevelSet(frame, "surface", cut), {-10, 8.3f, 3.2f}, {1, 0, 0}).t, 10, 1e-4);
}

TEST(LevelSet, OfNothingHasNoPieces) {
  Frame frame = synthetic::empty_frame({8, 8, 8}, 1.0 / 8);
  EXPECT_EQ(LevelSet(frame, "surface", closed()).count(), 0u);
  synthetic::add_water(frame, [](const Vec3d&) { return 1; });
  EXPECT_EQ(LevelSet(frame, "surface", closed()).count(), 0u);
}

}  // namespace
}  // namespace silt
