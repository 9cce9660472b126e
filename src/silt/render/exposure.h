#pragma once

#include <functional>

#include "silt/render/tracer.h"

namespace silt {

/// A picture of linear light as it was taken, and what is known of each pixel beside it.
struct Exposure {
  Image light, albedo, normal;
  Image behind;                     ///< of the light: the background that is seen with nothing before it
  std::vector<float> depth, alpha;  ///< [m], 0 to the background; share of a pixel that something covers
  std::vector<float> variance;      ///< of the light's luminance, as an estimate of its mean
  std::vector<int> samples;         ///< paths that were followed

  Exposure() = default;
  Exposure(int width, int height);
  std::size_t index(int x, int y) const { return std::size_t(y) * light.width() + x; }
};

/// Called now and then with the share that is done. By one thread at a time.
using Progressing = std::function<void(double)>;

/// Paths through every pixel, in rounds: a pixel whose light, and that of its neighbours, is known well enough takes no
/// part in further ones. The same picture for any number of threads.
Exposure expose(const Tracer& tracer, const Effort& effort, const Exec& exec, const Progressing& progress = {});

/// As bright as the eye finds it.
inline float luminance(const Colour& c) {
  return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

}  // namespace silt
