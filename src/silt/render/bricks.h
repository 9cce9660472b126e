#pragma once

#include "silt/render/grid.h"

namespace silt {

/// Entry and exit of a ray; empty when t1 <= t0.
struct Span {
  float t0, t1;
};

/// Where a ray is inside a box of cells, from t = 0 on.
inline Span clip(const Box& box, const Vec3f& origin, const Vec3f& direction) {
  Span s{0, 1e30f};
  for (int a = 0; a < 3; ++a) {
    const float lo = float(box.lo[a]) - origin[a], hi = float(box.hi[a]) - origin[a], d = direction[a];
    if (d == 0) {
      if (lo > 0 || hi < 0) return {0, -1};
      continue;
    }
    s.t0 = std::max(s.t0, std::min(lo / d, hi / d));
    s.t1 = std::min(s.t1, std::max(lo / d, hi / d));
  }
  return s;
}

/// The largest value that each brick of 8^3 cells of a grid holds within reach of an interpolation, so that rays can
/// step over empty ones, and take steps that suit the others.
class Bricks {
 public:
  static constexpr int side = 8;

  Bricks() = default;
  /// A brick is full when a value above `threshold` lies in it or within `reach` cells of it.
  Bricks(const Grid<float>& grid, float threshold, int reach = 2);

  bool any() const { return any_; }
  bool full(const Vec3f& x) const { return most(x) > 0; }
  bool full(Cell c) const { return most_[index((c - lo_) / side)] > 0; }
  /// The largest value near x; 0 where none is above the threshold.
  float most(const Vec3f& x) const { return most_[index(brick(x))]; }

  /// Distance along a ray of unit length from x, in the grid's box, to the end of x's brick; at least a small step.
  float to_exit(const Vec3f& x, const Vec3f& direction) const {
    const Int3 b = brick(x);
    const Int3 low = lo_ + b * side;
    return std::max(clip({low, low + Int3{side, side, side}}, x, direction).t1, 0.0f) + 1e-3f;
  }

 private:
  Int3 brick(const Vec3f& x) const {
    Int3 b;
    for (int a = 0; a < 3; ++a) b[a] = std::clamp(int(x[a] - float(lo_[a])) / side, 0, n_[a] - 1);
    return b;
  }
  std::size_t index(Int3 b) const { return (std::size_t(b.z) * n_.y + b.y) * n_.x + b.x; }

  Int3 lo_, n_;
  std::vector<float> most_;
  bool any_ = false;
};

}  // namespace silt
