#include "silt/render/denoise.h"

namespace silt {
namespace {

constexpr int levels = 5;
constexpr float chance = 3;                                     // differences of so many deviations may be by chance
constexpr float kernel[3] = {6.0f / 16, 4.0f / 16, 1.0f / 16};  // binomial, of a tap 0, 1 or 2 gaps away

/// Light and the variance of its luminance, between two levels.
struct Layer {
  std::vector<Colour> light;
  std::vector<float> variance;
};

/// exp(-x) for weights, and 0 from x = 8 on: what the weights are exactly does not matter, how long they take does.
float fade(float x) {
  const float y = std::max(1 - x / 8, 0.0f), y2 = y * y, y4 = y2 * y2;
  return y4 * y4;
}

/// What a pixel shows, whatever the light. In one place, since it is all asked for together.
struct Guide {
  Colour albedo;
  Vec3f normal;
  float depth, slope;  ///< slope: of depth, per pixel
};

struct Smoother {
  const Exposure& picture;
  int width, height;
  std::vector<Guide> guides;

  Smoother(const Exposure& p, const Exec& exec)
      : picture(p), width(p.light.width()), height(p.light.height()), guides(p.depth.size()) {
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto change = [&](int i, int j) {  // the smaller one of both sides: an edge is no slope
          const auto step = [&](int sign) {
            const int a = std::clamp(x + sign * i, 0, width - 1), b = std::clamp(y + sign * j, 0, height - 1);
            return std::abs(p.depth[p.index(a, b)] - p.depth[p.index(x, y)]);
          };
          const float one = step(1), other = step(-1);
          return one > 0 && other > 0 ? std::min(one, other) : std::max(one, other);
        };
        const std::size_t i = p.index(x, y);
        guides[i] = {p.albedo.at(x, y), p.normal.at(x, y), p.depth[i], std::hypot(change(1, 0), change(0, 1))};
      }
  }

  /// How different two pixels are in what they show.
  float unlike(std::size_t p, std::size_t q, float gap) const {
    const Guide &a = guides[p], &b = guides[q];
    const float dz = std::abs(a.depth - b.depth);
    const float allowed = 1.5f * gap * a.slope + 2e-3f * std::max(a.depth, b.depth) + 1e-12f;
    const Colour da = a.albedo - b.albedo;
    const Vec3f dn = a.normal - b.normal;
    return dz / allowed + dot(da, da) * 200 + dot(dn, dn) * 40;
  }

  /// What a few paths say of their variance is worth little, and nothing when they happen to agree: a mean over pixels
  /// round it that show the like.
  float pooled_variance(int x, int y) const {
    const std::size_t p = picture.index(x, y);
    float sum = 0, weight = 0;
    for (int j = -4; j <= 4; j += 2)
      for (int i = -4; i <= 4; i += 2) {
        const int qx = x + i, qy = y + j;
        if (qx < 0 || qy < 0 || qx >= width || qy >= height) continue;
        const std::size_t q = picture.index(qx, qy);
        const float w = fade(unlike(p, q, float(std::abs(i) + std::abs(j))));
        sum += w * picture.variance[q], weight += w;
      }
    return sum / weight;
  }

  /// Light and its variance are both noisy, and single bright pixels must not keep to themselves what is due to all:
  /// how far two pixels differ is told from blurred ones.
  void blur(const Layer& in, std::vector<float>& calm, std::vector<float>& deviation, int x, int y) const {
    float light = 0, variance = 0, weight = 0;
    for (int j = std::max(y - 1, 0); j <= std::min(y + 1, height - 1); ++j)
      for (int i = std::max(x - 1, 0); i <= std::min(x + 1, width - 1); ++i) {
        const std::size_t q = picture.index(i, j), p = picture.index(x, y);
        const float w = (i == x && j == y ? 4.0f : i == x || j == y ? 2.0f : 1.0f) * fade(unlike(p, q, 1.5f));
        light += w * luminance(in.light[q]), variance += w * in.variance[q], weight += w;
      }
    calm[picture.index(x, y)] = light / weight, deviation[picture.index(x, y)] = std::sqrt(variance / weight);
  }

  void smooth(const Layer& in, const std::vector<float>& calm, const std::vector<float>& deviation, Layer& out, int x,
              int y, int gap) const {
    const std::size_t p = picture.index(x, y);
    if (deviation[p] < 2e-4f) {  // less than a screen shows
      out.light[p] = in.light[p], out.variance[p] = in.variance[p];
      return;
    }
    Colour light;
    float variance = 0, weight = 0;
    for (int j = -2; j <= 2; ++j)
      for (int i = -2; i <= 2; ++i) {
        const int qx = x + i * gap, qy = y + j * gap;
        if (qx < 0 || qy < 0 || qx >= width || qy >= height) continue;
        const std::size_t q = picture.index(qx, qy);
        const float apart = std::abs(calm[q] - calm[p]) / (chance * std::max(deviation[p], deviation[q]) + 1e-5f) +
                            unlike(p, q, float(gap * (std::abs(i) + std::abs(j))));
        const float w = kernel[std::abs(i)] * kernel[std::abs(j)] * fade(apart);
        light += in.light[q] * w, variance += in.variance[q] * (w * w), weight += w;
      }
    out.light[p] = light * (1 / weight), out.variance[p] = variance / (weight * weight);
  }
};

}  // namespace

Image denoised(const Exposure& picture, const Exec& exec) {
  const Smoother smoother(picture, exec);
  const int width = smoother.width, height = smoother.height;
  Layer in{{}, picture.variance}, out{std::vector<Colour>(picture.depth.size()), picture.variance};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) in.light.push_back(picture.light.at(x, y));
  constexpr int few = 16;
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (const std::size_t i = picture.index(x, y); picture.samples[i] < few)
        in.variance[i] = smoother.pooled_variance(x, y);
  std::vector<float> calm(in.variance.size()), deviation(in.variance.size());
  for (int level = 0; level < levels; ++level) {
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) smoother.blur(in, calm, deviation, x, y);
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) smoother.smooth(in, calm, deviation, out, x, y, 1 << level);
    std::swap(in, out);
  }
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.at(x, y) = in.light[picture.index(x, y)];
  return image;
}

}  // namespace silt
