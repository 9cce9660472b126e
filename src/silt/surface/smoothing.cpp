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

/// Raises or lowers phi, evenly, so that it encloses what it did.
void raise_to(const Exec& exec, const Enclosed& before, const VoxelRange& within, BlockField& field) {
  const Enclosed after = enclosed(exec, within, field);
  if (!(after.area > 0)) return;
  const float rise = float(std::clamp((after.volume - before.volume) / after.area, -0.25, 0.25));
#pragma omp parallel for schedule(static) num_threads(exec.threads())
  for (std::int64_t i = 0; i < std::int64_t(field.values.size()); ++i) field.values[std::size_t(i)] += rise;
}

/// kappa |grad phi| = tr(H) - n . H n, by central differences, kappa the sum of the two curvatures [1/voxel].
float curvature_slope(const BlockField::Padded& phi, std::size_t i) {
  constexpr std::size_t s[3] = {1, n, n * n};
  float g[3], second[3], square = 1e-6f;
  for (int a = 0; a < 3; ++a) {
    const float up = phi[i + s[a]], down = phi[i - s[a]];
    g[a] = 0.5f * (up - down), second[a] = up + down - 2 * phi[i];
    square += g[a] * g[a];
  }
  float along = 0;
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;
    const float mixed =
        0.25f * (phi[i + s[a] + s[b]] + phi[i - s[a] - s[b]] - phi[i + s[a] - s[b]] - phi[i - s[a] + s[b]]);
    along += g[a] * g[a] * second[a] + 2 * g[a] * g[b] * mixed;
  }
  return second[0] + second[1] + second[2] - along / square;
}

}  // namespace

std::vector<std::uint8_t> find_thick(const Exec& exec, const ParticleBins& bins, const BlockField& field) {
  constexpr float near = 2, below = 1.5f;  // [voxels], [cells]
  std::vector<std::uint8_t> out(field.values.size(), 0);
#pragma omp parallel for schedule(dynamic, 16) num_threads(exec.threads())
  for (int slot = 0; slot < field.slots(); ++slot) {
    BlockField::Padded phi;
    field.load(slot, phi);
    const Vec3f corner = (field.at[std::size_t(slot)] * 8).as<float>() + Vec3f{0.5f, 0.5f, 0.5f};
    for (int v = 0; v < BlockField::volume; ++v) {
      const Int3 at{v % 8, v / 8 % 8, v / 64};
      const auto i = std::size_t(BlockField::padded_index(at.x, at.y, at.z));
      if (!(std::abs(phi[i]) < near)) continue;
      const Vec3f slope{phi[i + 1] - phi[i - 1], phi[i + n] - phi[i - n], phi[i + n * n] - phi[i - n * n]};
      if (slope == Vec3f{}) continue;
      const Vec3f x = corner + at.as<float>() - normalized(slope) * (phi[i] + below * bins.size());
      out[std::size_t(slot) * BlockField::volume + std::size_t(v)] = bins.deep(x, x);
    }
  }
  return out;
}

void even_out(const Exec& exec, int steps, const std::vector<std::uint8_t>& thick, const VoxelRange& within,
              BlockField& field) {
  constexpr float dt = 0.2f;  // [voxels^2], of 0.25 at the most
  if (steps <= 0 || field.slots() == 0) return;
  const Enclosed before = enclosed(exec, within, field);
  std::vector<float> next(field.values.size());
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(dynamic, 16) num_threads(exec.threads())
    for (int slot = 0; slot < field.slots(); ++slot) {
      const auto first = std::size_t(slot) * BlockField::volume;
      const bool any = std::any_of(thick.begin() + std::ptrdiff_t(first),
                                   thick.begin() + std::ptrdiff_t(first + BlockField::volume), [](int t) { return t; });
      if (!any) {
        std::copy_n(field.values.begin() + std::ptrdiff_t(first), BlockField::volume,
                    next.begin() + std::ptrdiff_t(first));
        continue;
      }
      BlockField::Padded in;
      field.load(slot, in);
      for (int v = 0; v < BlockField::volume; ++v) {
        const auto i = std::size_t(BlockField::padded_index(v % 8, v / 8 % 8, v / 64));
        const float move = thick[first + std::size_t(v)] ? dt * curvature_slope(in, i) : 0;
        next[first + std::size_t(v)] = in[i] + std::clamp(move, -0.2f, 0.2f);
      }
    }
    field.values.swap(next);
  }
  raise_to(exec, before, within, field);
}

Enclosed enclosed(const Exec& exec, const VoxelRange& within, const BlockField& field) {
  constexpr float half = 0.5f;  // the surface as a smear so wide to each side [voxels]
  std::vector<Enclosed> of(std::size_t(field.slots()));
#pragma omp parallel for schedule(static) num_threads(exec.threads())
  for (int slot = 0; slot < field.slots(); ++slot) {
    const Int3 corner = field.at[std::size_t(slot)] * BlockField::side;
    const Int3 lo = max(within.lo - corner, Int3{}), hi = min(within.hi - corner, Int3{8, 8, 8});
    const float* phi = field.block(slot);
    float volume = 0, area = 0;
    for (int z = lo.z; z < hi.z; ++z)
      for (int y = lo.y; y < hi.y; ++y)
        for (int x = lo.x; x < hi.x; ++x) {
          const float t = std::clamp(phi[(z * 8 + y) * 8 + x] / half, -1.0f, 1.0f);
          volume += 0.5f - 0.25f * t * (3 - t * t);
          area += 0.75f / half * (1 - t * t);
        }
    of[std::size_t(slot)] = {volume, area};
  }
  Enclosed sum;
  for (const Enclosed& e : of) sum.volume += e.volume, sum.area += e.area;
  return sum;
}

void smooth_down(const Exec& exec, int passes, const VoxelRange& within, BlockField& field) {
  if (passes <= 0 || field.slots() == 0) return;
  const Enclosed before = enclosed(exec, within, field);
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
  raise_to(exec, before, within, field);
}

}  // namespace silt
