#pragma once

#include "silt/core/exec.h"
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

/// Which of three numbers is the least. By a table: which it is nobody can guess, a processor's branches neither.
inline int least_of(const float v[3]) {
  constexpr char which[8] = {2, 2, 1, 1, 2, 0, 2, 0};  // 1 and 6 cannot be
  return which[int(v[0] < v[2]) | int(v[1] < v[2]) << 1 | int(v[0] < v[1]) << 2];
}

/// The largest value that each brick of a few cells a side of a grid holds within reach of an interpolation, so that
/// rays can step over empty ones, and take steps that suit the others.
class Bricks {
 public:
  static constexpr int side = 4;

  Bricks() = default;
  /// A brick is full when a value above `threshold` lies in it or within `reach` cells of it.
  Bricks(const Grid<float>& grid, float threshold, int reach, const Exec& exec);

  bool any() const { return !full_.empty(); }
  /// Round all full bricks.
  const Box& cells() const { return full_; }
  /// The largest value near x; 0 where none is above the threshold.
  float most(const Vec3f& x) const { return most_[index(brick(x))]; }

  /// From brick to brick along a ray of unit length that starts in cells(), not further than `end`. `visit(t, until,
  /// most)` says whether to go on; it is not called for empty bricks.
  template <class Visit>
  void walk(const Vec3f& start, const Vec3f& direction, float end, const Visit& visit) const {
    const Int3 first = brick(start);
    int b[3] = {first.x, first.y, first.z}, step[3];
    float next[3], pace[3];  // where along the ray each axis gets to its next brick; from brick to brick
    for (int a = 0; a < 3; ++a) {
      step[a] = direction[a] < 0 ? -1 : 1;
      const float wall = float(lo_[a] + side * (b[a] + (step[a] > 0))), rate = 1 / std::abs(direction[a]);
      next[a] = direction[a] == 0 ? 1e30f : std::max((wall - start[a]) * float(step[a]) * rate, 0.0f);
      pace[a] = direction[a] == 0 ? 1e30f : side * rate;
    }
    const int n[3] = {n_.x, n_.y, n_.z};
    for (float t = 0; t < end;) {
      const int axis = least_of(next);
      const float until = std::min(next[axis], end), here = most_[index({b[0], b[1], b[2]})];
      if (here > 0 && until > t && !visit(t, until, here)) return;
      t = until;
      next[axis] += pace[axis], b[axis] += step[axis];
      if (unsigned(b[axis]) >= unsigned(n[axis])) return;
    }
  }

 private:
  Int3 brick(const Vec3f& x) const {
    Int3 b;
    for (int a = 0; a < 3; ++a) b[a] = std::clamp(int(x[a] - float(lo_[a])) / side, 0, n_[a] - 1);
    return b;
  }
  std::size_t index(Int3 b) const { return (std::size_t(b.z) * n_.y + b.y) * n_.x + b.x; }

  Int3 lo_, n_;
  Box full_;
  std::vector<float> most_;
};

}  // namespace silt
