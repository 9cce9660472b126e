#include "silt/render/denoise.h"

#include "silt/core/lanes.h"

namespace silt {
namespace {

constexpr int levels = 5;
constexpr int margin = 2 << (levels - 1);                       // pixels round the picture that taps may reach
constexpr float chance = 3;                                     // differences of so many deviations may be by chance
constexpr float not_seen = 2e-4f;                               // deviation that a screen does not show
constexpr float kernel[3] = {6.0f / 16, 4.0f / 16, 1.0f / 16};  // binomial, of a tap 0, 1 or 2 gaps away

/// One number of every pixel, with the margin round it.
using Plane = std::vector<float>;

Lanes load(const Plane& plane, std::size_t at) {
  return load_lanes(&plane[at], lane_count);
}
void store(Plane& plane, std::size_t at, const Lanes& value) {
  store_lanes(value, &plane[at], lane_count);
}
Lanes size_of(const Lanes& x) {
  return x < Lanes{} ? -x : x;
}
Lanes larger(const Lanes& a, const Lanes& b) {
  return a > b ? a : b;
}

/// exp(-x) for weights, and 0 from x = 8 on: what the weights are exactly does not matter, how long they take does.
Lanes fade(const Lanes& x) {
  const Lanes y = positive_part(all_lanes(1) - x * 0.125f), y2 = y * y, y4 = y2 * y2;
  return y4 * y4;
}

/// Light and the variance of its luminance, between two levels.
struct Layer {
  Plane light[3], variance;
};

/// What eight pixels in a row show, whatever the light.
struct Shown {
  Lanes looks[6];  ///< albedo and normal, by how much they matter
  Lanes depth, slope;
};

/// Works on eight pixels of a row at a time. What lies in the margin is infinitely far away, and so unlike anything.
class Smoother {
 public:
  Smoother(const Exposure& picture, const Exec& exec);

  template <class Visit>
  void for_each_row(const Visit& visit) const {
#pragma omp parallel for num_threads(exec_.threads()) schedule(static)
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; x += lane_count) visit(at(x, y));
  }

  void pool_variance(const Plane& in, Plane& out) const;
  void blur(const Layer& in);
  void smooth(const Layer& in, Layer& out, int gap) const;

  Plane plane(float fill = 0) const {
    return Plane(std::size_t(stride_) * std::size_t(height_ + 2 * margin), fill);
  }
  std::size_t at(int x, int y) const {
    return std::size_t(y + margin) * std::size_t(stride_) + std::size_t(x + margin);
  }

 private:
  Shown shown(std::size_t p) const;
  Lanes unlike(const Shown& here, std::size_t q, float gap) const;
  std::size_t moved(std::size_t p, int i, int j) const {
    return p + std::size_t(std::ptrdiff_t(j) * stride_ + i);
  }

  const Exec& exec_;
  int width_, height_, stride_;
  Plane looks_[6], depth_, slope_;
  Plane calm_, deviation_;
};

Smoother::Smoother(const Exposure& p, const Exec& exec)
    : exec_(exec), width_(p.light.width()), height_(p.light.height()) {
  constexpr float far_away = 1e30f;
  const float of_albedo = std::sqrt(200.0f), of_normal = std::sqrt(40.0f);
  stride_ = (width_ + lane_count - 1) / lane_count * lane_count + 2 * margin;
  for (Plane& look : looks_) look = plane();
  depth_ = plane(far_away), slope_ = plane(), calm_ = plane(), deviation_ = plane();
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      const auto change = [&](int i, int j) {  // the smaller one of both sides: an edge is no slope
        const auto step = [&](int sign) {
          const int a = std::clamp(x + sign * i, 0, width_ - 1), b = std::clamp(y + sign * j, 0, height_ - 1);
          return std::abs(p.depth[p.index(a, b)] - p.depth[p.index(x, y)]);
        };
        const float one = step(1), other = step(-1);
        return one > 0 && other > 0 ? std::min(one, other) : std::max(one, other);
      };
      const std::size_t to = at(x, y);
      for (int c = 0; c < 3; ++c) {
        looks_[c][to] = of_albedo * p.albedo.at(x, y)[c];
        looks_[3 + c][to] = of_normal * p.normal.at(x, y)[c];
      }
      const float across = change(1, 0), up = change(0, 1);
      depth_[to] = p.depth[p.index(x, y)], slope_[to] = std::sqrt(across * across + up * up);
    }
}

Shown Smoother::shown(std::size_t p) const {
  Shown out;
  for (int i = 0; i < 6; ++i) out.looks[i] = load(looks_[i], p);
  out.depth = load(depth_, p), out.slope = load(slope_, p);
  return out;
}

/// How different two pixels are in what they show.
Lanes Smoother::unlike(const Shown& here, std::size_t q, float gap) const {
  Lanes sum{};
  for (int i = 0; i < 6; ++i) {
    const Lanes d = here.looks[i] - load(looks_[i], q);
    sum += d * d;
  }
  const Lanes depth = load(depth_, q);
  return sum + size_of(here.depth - depth) / (here.slope * (1.5f * gap) + larger(here.depth, depth) * 2e-3f + 1e-12f);
}

/// What a few paths say of their variance is worth little, and nothing when they happen to agree: a mean over pixels
/// round it that show the like.
void Smoother::pool_variance(const Plane& in, Plane& out) const {
  for_each_row([&](std::size_t p) {
    const Shown here = shown(p);
    Lanes sum{}, weight{};
    for (int j = -4; j <= 4; j += 2)
      for (int i = -4; i <= 4; i += 2) {
        const std::size_t q = moved(p, i, j);
        const Lanes w = fade(unlike(here, q, float(std::abs(i) + std::abs(j))));
        sum += w * load(in, q), weight += w;
      }
    store(out, p, sum / weight);
  });
}

/// Light and its variance are both noisy, and single bright pixels must not keep to themselves what is due to all: how
/// far two pixels differ is told from blurred ones.
void Smoother::blur(const Layer& in) {
  for_each_row([&](std::size_t p) {
    const Shown here = shown(p);
    Lanes light{}, variance{}, weight{};
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) {
        const std::size_t q = moved(p, i, j);
        const Lanes w = fade(unlike(here, q, 1.5f)) * float((2 - std::abs(i)) * (2 - std::abs(j)));
        const Lanes seen = load(in.light[0], q) * 0.2126f + load(in.light[1], q) * 0.7152f +
                           load(in.light[2], q) * 0.0722f;  // luminance()
        light += w * seen, variance += w * load(in.variance, q), weight += w;
      }
    store(calm_, p, light / weight);
    store(deviation_, p, variance / weight);
    for (int l = 0; l < lane_count; ++l) deviation_[p + std::size_t(l)] = std::sqrt(deviation_[p + std::size_t(l)]);
  });
}

void Smoother::smooth(const Layer& in, Layer& out, int gap) const {
  for_each_row([&](std::size_t p) {
    const Lanes noise = load(deviation_, p);
    float most = 0;
    for (int l = 0; l < lane_count; ++l) most = std::max(most, deviation_[p + std::size_t(l)]);
    if (most < not_seen) {
      for (int c = 0; c < 3; ++c) store(out.light[c], p, load(in.light[c], p));
      return store(out.variance, p, load(in.variance, p));
    }
    const Shown here = shown(p);
    const Lanes calm = load(calm_, p);
    Lanes light[3]{}, variance{}, weight{};
    for (int j = -2; j <= 2; ++j)
      for (int i = -2; i <= 2; ++i) {
        const std::size_t q = moved(p, i * gap, j * gap);
        const Lanes apart = size_of(load(calm_, q) - calm) / (larger(noise, load(deviation_, q)) * chance + 1e-5f) +
                            unlike(here, q, float(gap * (std::abs(i) + std::abs(j))));
        const Lanes w = fade(apart) * (kernel[std::abs(i)] * kernel[std::abs(j)]);
        for (int c = 0; c < 3; ++c) light[c] += w * load(in.light[c], q);
        variance += w * w * load(in.variance, q), weight += w;
      }
    const auto quiet = noise < all_lanes(not_seen);
    for (int c = 0; c < 3; ++c) store(out.light[c], p, quiet ? load(in.light[c], p) : light[c] / weight);
    store(out.variance, p, quiet ? load(in.variance, p) : variance / (weight * weight));
  });
}

}  // namespace

Image denoised(const Exposure& picture, const Exec& exec) {
  Smoother smoother(picture, exec);
  const int width = picture.light.width(), height = picture.light.height();
  Layer in, out;
  for (Layer* layer : {&in, &out}) {
    for (Plane& light : layer->light) light = smoother.plane();
    layer->variance = smoother.plane();
  }
  constexpr int few = 16;
  bool any_few = false;
#pragma omp parallel for num_threads(exec.threads()) schedule(static) reduction(|| : any_few)
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t from = picture.index(x, y), to = smoother.at(x, y);
      for (int c = 0; c < 3; ++c) in.light[c][to] = picture.light.at(x, y)[c];
      in.variance[to] = picture.variance[from];
      any_few = any_few || picture.samples[from] < few;
    }
  if (any_few) {
    smoother.pool_variance(in.variance, out.variance);
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        if (const std::size_t at = smoother.at(x, y); picture.samples[picture.index(x, y)] < few)
          in.variance[at] = out.variance[at];
  }
  for (int level = 0; level < levels; ++level) {
    smoother.blur(in);
    smoother.smooth(in, out, 1 << level);
    std::swap(in, out);
  }
  Image image(width, height);
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t at = smoother.at(x, y);
      image.at(x, y) = {in.light[0][at], in.light[1][at], in.light[2][at]};
    }
  return image;
}

}  // namespace silt
