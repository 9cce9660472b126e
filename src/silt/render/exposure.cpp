#include "silt/render/exposure.h"

namespace silt {
namespace {

constexpr int tile = 16;  // pixels along a side that one thread takes at a time: their rays are alike

/// Sums over the paths of a pixel.
struct Sums {
  Colour light, behind, albedo;
  Vec3f normal;
  float depth = 0, alpha = 0, met = 0;
  double shade = 0, shade2 = 0;  // luminance and its square
  int n = 0;

  void add(const Sighting& s) {
    light += s.light, behind += s.behind, albedo += s.albedo, normal += s.normal, alpha += s.alpha;
    if (s.depth > 0) depth += s.depth, met += 1;
    const double y = luminance(s.light);
    shade += y, shade2 += y * y;
    ++n;
  }
  void add(const Sums& s) { shade += s.shade, shade2 += s.shade2, n += s.n; }
  /// Of one path: of its mean it is 1 / n of that.
  float variance() const {
    if (n < 2) return float(shade * shade);
    const double mean = shade / n;
    return float(std::max(0.0, shade2 / n - mean * mean) * n / (n - 1));
  }
};

/// The paths of all pixels.
struct Sheet {
  int width, height;
  std::vector<Sums> sums{std::size_t(width) * std::size_t(height)};

  Sums& at(int x, int y) { return sums[std::size_t(y) * width + x]; }
  const Sums& at(int x, int y) const { return sums[std::size_t(y) * width + x]; }

  template <class Visit>
  void for_each_near(int x, int y, const Visit& visit) const {
    for (int j = std::max(y - 1, 0); j <= std::min(y + 1, height - 1); ++j)
      for (int i = std::max(x - 1, 0); i <= std::min(x + 1, width - 1); ++i) visit(at(i, j));
  }
  /// Of the mean of a pixel's light. A single path says nothing of it: there, how much it differs from its neighbours.
  float variance(int x, int y) const {
    const Sums& here = at(x, y);
    if (here.n > 1) return here.variance() / float(here.n);
    Sums near;
    for_each_near(x, y, [&](const Sums& s) { near.add(s); });
    return near.variance();
  }
  /// Standard error as the eye sees it: a dark pixel shows less of it than its share, and more than its amount.
  float noise(int x, int y) const {
    const Sums& here = at(x, y);
    return std::sqrt(variance(x, y)) / (0.02f + std::sqrt(float(here.shade / here.n)));
  }
};

}  // namespace

Exposure::Exposure(int width, int height)
    : light(width, height),
      albedo(width, height),
      normal(width, height),
      behind(width, height),
      depth(std::size_t(width) * height),
      alpha(depth.size()),
      variance(depth.size()),
      samples(depth.size()) {}

Exposure expose(const Tracer& tracer, const Effort& effort, const Exec& exec, const Progressing& progress) {
  const int least = effort.careful ? 16 : 1;           // paths before a pixel may stop
  const float quiet = effort.careful ? 0.01f : 0.06f;  // noise that is not seen once denoised
  const auto [width, height] = tracer.size();
  Sheet sheet{width, height};
  std::vector<char> open(sheet.sums.size(), 1);
  std::vector<float> noise(sheet.sums.size());
  const int across = (width + tile - 1) / tile, tiles = across * ((height + tile - 1) / tile);

  for (int first = 0, last = 0; first < effort.samples; first = last) {
    last = std::min(first == 0 ? least : first + (effort.careful ? 8 : first), effort.samples);
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
            sheet.sums[pixel].add(tracer.sample(x, y, sampler));
          }
        }
      if (progress) {
#pragma omp critical(silt_expose_progress)
        progress((first + (last - first) * double(++done) / tiles) / effort.samples);
      }
    }
    if (last == effort.samples) break;
#pragma omp parallel num_threads(exec.threads())
    {
#pragma omp for schedule(static)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) noise[std::size_t(y) * width + x] = sheet.noise(x, y);
#pragma omp for schedule(static)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          float most = noise[std::size_t(y) * width + x];
          const int reach = last > 1 ? 1 : 0;  // of a single path, the noise is that of its neighbours already
          for (int j = std::max(y - reach, 0); j <= std::min(y + reach, height - 1); ++j)
            for (int i = std::max(x - reach, 0); i <= std::min(x + reach, width - 1); ++i)
              most = std::max(most, noise[std::size_t(j) * width + i]);
          open[std::size_t(y) * width + x] &= char(most > quiet);
        }
    }
  }

  Exposure out(width, height);
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t i = out.index(x, y);
      const Sums& s = sheet.sums[i];
      const float share = 1 / float(s.n);
      out.light.at(x, y) = s.light * share, out.behind.at(x, y) = s.behind * share,
                      out.albedo.at(x, y) = s.albedo * share;
      out.normal.at(x, y) = normalized(s.normal);
      out.depth[i] = s.met > 0 ? s.depth / s.met : 0;
      out.alpha[i] = s.alpha * share, out.variance[i] = sheet.variance(x, y), out.samples[i] = s.n;
    }
  return out;
}

}  // namespace silt
