#include "silt/surface/smoothing.h"

#include <algorithm>
#include <cmath>

namespace silt {
namespace {

constexpr int n = BlockField::padded;

/// (1 2 1)/4 along each axis.
void binomial(const BlockField::Padded& in, BlockField::Padded& a, BlockField::Padded& b) {
  const auto along = [](const BlockField::Padded& from, BlockField::Padded& to, int step) {
#pragma GCC ivdep
    for (int i = step; i < n * n * n - step; ++i)
      to[std::size_t(i)] =
          0.5f * from[std::size_t(i)] + 0.25f * (from[std::size_t(i - step)] + from[std::size_t(i + step)]);
  };
  a = in;
  along(in, a, 1);
  b = a;
  along(a, b, n);
  a = b;
  along(b, a, n * n);
}

}  // namespace

Enclosed enclosed(const Exec& exec, const BlockField& field) {
  std::vector<Enclosed> of(std::size_t(field.slots()));
#pragma omp parallel for schedule(static) num_threads(exec.threads())
  for (int slot = 0; slot < field.slots(); ++slot) {
    const float* phi = field.block(slot);
    // The surface as a smear one voxel to each side.
    float volume = 0, area = 0;
    for (int i = 0; i < BlockField::volume; ++i) {
      const float t = std::clamp(phi[i], -1.0f, 1.0f);
      volume += 0.5f - 0.25f * t * (3 - t * t);
      area += 0.75f * (1 - t * t);
    }
    of[std::size_t(slot)] = {volume, area};
  }
  Enclosed sum;
  for (const Enclosed& e : of) sum.volume += e.volume, sum.area += e.area;
  return sum;
}

void smooth_down(const Exec& exec, int passes, BlockField& field) {
  if (passes <= 0 || field.slots() == 0) return;
  const Enclosed before = enclosed(exec, field);
  std::vector<float> next(field.values.size());
  for (int pass = 0; pass < passes; ++pass) {
#pragma omp parallel for schedule(static) num_threads(exec.threads())
    for (int slot = 0; slot < field.slots(); ++slot) {
      BlockField::Padded in, a, b;
      field.load(slot, in);
      binomial(in, a, b);
      float* to = next.data() + std::size_t(slot) * BlockField::volume;
      for (int z = 0; z < 8; ++z)
        for (int y = 0; y < 8; ++y)
          for (int x = 0; x < 8; ++x) {
            const auto i = std::size_t(BlockField::padded_index(x, y, z));
            *to++ = std::min(in[i], a[i]);
          }
    }
    field.values.swap(next);
  }
  const Enclosed after = enclosed(exec, field);
  if (!(after.area > 0)) return;
  const float rise = float(std::clamp((after.volume - before.volume) / after.area, 0.0, 0.25));
#pragma omp parallel for schedule(static) num_threads(exec.threads())
  for (std::int64_t i = 0; i < std::int64_t(field.values.size()); ++i) field.values[std::size_t(i)] += rise;
}

}  // namespace silt
