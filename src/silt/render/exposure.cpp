#include "silt/render/exposure.h"

namespace silt {
namespace {

constexpr int tile = 16;  // pixels along a side that one thread takes at a time: their rays are alike

/// Sums over the paths of a pixel.
struct Sums {
  Colour light, albedo;
  Vec3f normal;
  float depth = 0, alpha = 0, met = 0;
  double shade = 0, shade2 = 0;  // luminance and its square
  int n = 0;

  void add(const Sighting& s) {
    light += s.light, albedo += s.albedo, normal += s.normal, alpha += s.alpha;
    if (s.depth > 0) depth += s.depth, met += 1;
    const double y = luminance(s.light);
    shade += y, shade2 += y * y;
    ++n;
  }
  float variance_of_mean() const {
    if (n < 2) return float(shade * shade);
    const double mean = shade / n;
    return float(std::max(0.0, shade2 / n - mean * mean) / (n - 1));
  }
  /// Standard error as the eye sees it: a dark pixel shows less of it than its share, and more than its amount.
  float noise() const { return std::sqrt(variance_of_mean()) / (0.02f + std::sqrt(float(shade / n))); }
};

}  // namespace

Exposure::Exposure(int width, int height)
    : light(width, height),
      albedo(width, height),
      normal(width, height),
      depth(std::size_t(width) * height),
      alpha(depth.size()),
      variance(depth.size()),
      samples(depth.size()) {}

Exposure expose(const Tracer& tracer, const Effort& effort, const Exec& exec, const Progressing& progress) {
  const int round_of_samples = effort.careful ? 8 : 2;  // paths between two looks at how well a pixel is known
  const int least_rounds = effort.careful ? 2 : 1;      // before a pixel may stop
  const float quiet = effort.careful ? 0.01f : 0.06f;   // noise that is not seen once denoised
  const auto [width, height] = tracer.size();
  std::vector<Sums> sums(std::size_t(width) * height);
  std::vector<char> open(sums.size(), 1);
  const int across = (width + tile - 1) / tile, tiles = across * ((height + tile - 1) / tile);
  const int rounds = (effort.samples + round_of_samples - 1) / round_of_samples;

  for (int round = 0; round < rounds; ++round) {
    const int first = round * round_of_samples, last = std::min(first + round_of_samples, effort.samples);
    int done = 0;
#pragma omp parallel for num_threads(exec.threads()) schedule(dynamic, 1)
    for (int t = 0; t < tiles; ++t) {
      const int x0 = t % across * tile, y0 = t / across * tile;
      for (int y = y0; y < std::min(y0 + tile, height); ++y)
        for (int x = x0; x < std::min(x0 + tile, width); ++x) {
          const std::size_t pixel = std::size_t(y) * width + x;
          if (!open[pixel]) continue;
          for (int i = first; i < last; ++i) {
            Sampler sampler(effort.seed, pixel, std::uint32_t(i));
            sums[pixel].add(tracer.sample(x, y, sampler));
          }
        }
      if (progress) {
#pragma omp critical(silt_expose_progress)
        progress((round + double(++done) / tiles) / rounds);
      }
    }
    if (round + 1 < least_rounds) continue;
    const auto noisy = [&](int x, int y) {
      for (int j = std::max(y - 1, 0); j <= std::min(y + 1, height - 1); ++j)
        for (int i = std::max(x - 1, 0); i <= std::min(x + 1, width - 1); ++i)
          if (sums[std::size_t(j) * width + i].noise() > quiet) return true;
      return false;
    };
#pragma omp parallel for num_threads(exec.threads())
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) open[std::size_t(y) * width + x] &= char(noisy(x, y));
  }

  Exposure out(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t i = out.index(x, y);
      const Sums& s = sums[i];
      const float share = 1 / float(s.n);
      out.light.at(x, y) = s.light * share, out.albedo.at(x, y) = s.albedo * share;
      out.normal.at(x, y) = normalized(s.normal);
      out.depth[i] = s.met > 0 ? s.depth / s.met : 0;
      out.alpha[i] = s.alpha * share, out.variance[i] = s.variance_of_mean(), out.samples[i] = s.n;
    }
  return out;
}

}  // namespace silt
