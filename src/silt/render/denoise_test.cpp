#include "silt/render/denoise.h"

#include <gtest/gtest.h>

#include "silt/core/random.h"

namespace silt {
namespace {

const Exec exec(Device::cpu, 2);
constexpr int n = 64;

/// Light of 1 on the left and 0.2 on the right, with noise; the surfaces differ where `guided`, and not otherwise.
Exposure noisy_step(float noise, bool guided) {
  Exposure picture(n, n);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const std::size_t i = picture.index(x, y);
      const bool left = x < n / 2;
      const float error = noise * std::sqrt(12.0f) * (float(random_unit(3, i, 0)) - 0.5f);
      const float v = (left ? 1 : 0.2f) + error;
      picture.light.at(x, y) = {v, v, v};
      picture.variance[i] = noise * noise;
      picture.albedo.at(x, y) = left || !guided ? Colour{1, 1, 1} : Colour{0.2f, 0.2f, 0.2f};
      picture.normal.at(x, y) = {0, 0, 1};
      picture.depth[i] = 1, picture.alpha[i] = 1;
    }
  return picture;
}

/// Mean and mean square error of columns against what they should be.
std::pair<double, double> columns(const Image& image, int first, int last, double truth) {
  double mean = 0, error = 0;
  for (int y = 0; y < n; ++y)
    for (int x = first; x < last; ++x) {
      const double v = image.at(x, y).x;
      mean += v / (n * (last - first)), error += (v - truth) * (v - truth) / (n * (last - first));
    }
  return {mean, std::sqrt(error)};
}

TEST(Denoise, TakesNoiseAndKeepsTheMean) {
  const Exposure picture = noisy_step(0.1f, true);
  const Image smooth = denoised(picture, exec);
  for (const auto& [first, last, truth] : {std::tuple{0, n / 2, 1.0}, std::tuple{n / 2, n, 0.2}}) {
    const auto [mean, error] = columns(smooth, first, last, truth);
    const double before = columns(picture.light, first, last, truth).first;
    EXPECT_NEAR(mean, before, 0.005);
    EXPECT_LT(error, 0.025);
  }
}

TEST(Denoise, KeepsEdges) {
  for (const bool guided : {false, true}) {  // also those that only light shows: the edge of a shadow
    const Image smooth = denoised(noisy_step(0.05f, guided), exec);
    EXPECT_NEAR(columns(smooth, n / 2 - 1, n / 2, 1).first, 1, 0.03) << guided;
    EXPECT_NEAR(columns(smooth, n / 2, n / 2 + 1, 0.2).first, 0.2, 0.03) << guided;
  }
}

TEST(Denoise, LeavesAPictureWithoutNoise) {
  const Exposure picture = noisy_step(0, false);
  const Image smooth = denoised(picture, exec);
  for (int x = 0; x < n; ++x) EXPECT_NEAR(smooth.at(x, 7).x, picture.light.at(x, 7).x, 1e-4) << x;
}

}  // namespace
}  // namespace silt
