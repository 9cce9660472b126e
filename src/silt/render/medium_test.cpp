#include "silt/render/medium.h"

#include <gtest/gtest.h>

#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

const Exec exec(Device::cpu, 2);

/// Mean share of light that comes straight down at x through the smoke, at a moment of the exposure.
double through_at(const Medium& medium, float x, float time) {
  double sum = 0;
  constexpr int n = 400;
  for (int i = 0; i < n; ++i) {
    Sampler sampler(1, 0, std::uint32_t(i));
    sum += medium.through({x, 4, -1}, {0, 0, 1}, 1e30f, time, sampler) / n;
  }
  return sum;
}

// Smoke is found where its velocity has brought it; a blur ends at 128 cells, so that smoke is not lost that is faster.
TEST(Medium, SmokeIsFoundWhereItHasMoved) {
  for (const auto& [speed, way] : {std::pair{0.0f, 0.0f}, {40.0f, 20.0f}, {1000.0f, 64.0f}, {1e35f, 0.0f}}) {
    Frame frame = synthetic::empty_frame({300, 8, 8}, 1);
    synthetic::add_volume(frame, "density", Volume::Kind::fog, "",
                          [](const Vec3d& x) { return std::abs(x.x - 150) < 8 ? 1.0 : 0.0; });
    Volume velocity{"smoke", "velocity", Volume::Kind::vector, "m/s", frame.domain.cells, 0, {}};
    for (std::int64_t i = 0; i < frame.domain.cells.count(); ++i)
      velocity.values.insert(velocity.values.end(), {speed, 0.0f, 0.0f});
    frame.volumes.push_back(velocity);
    LookParams look;
    look.density_scale = 0.25;
    const Medium medium(frame, look, /*shutter=*/1, exec);
    EXPECT_NEAR(through_at(medium, 150 - way, 0), std::exp(-2), 0.03) << speed;
    EXPECT_NEAR(through_at(medium, 150 + way, 1), std::exp(-2), 0.03) << speed;
    if (way > 16) {
      EXPECT_NEAR(through_at(medium, 150, 0), 1, 1e-6) << speed;
    }
  }
}

// Smoke of any thickness beside thin smoke: steps that suit the one still lead through the other.
TEST(Medium, ThickSmokeIsGoneThrough) {
  Frame frame = synthetic::empty_frame({300, 8, 8}, 1);
  synthetic::add_volume(frame, "density", Volume::Kind::fog, "",
                        [](const Vec3d& x) { return x.x < 150 ? 1e12 : 1e-2; });
  LookParams look;
  look.density_scale = 1;
  const Medium medium(frame, look, 0, exec);
  EXPECT_NEAR(through_at(medium, 151.3f, 0), std::exp(-0.08), 0.03);
  EXPECT_EQ(through_at(medium, 20, 0), 0);
}

}  // namespace
}  // namespace silt
