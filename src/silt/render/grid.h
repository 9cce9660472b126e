#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "silt/fields/frame.h"

namespace silt {

/// Values at cell centres that can be sampled anywhere. Positions are in cells of the lattice: cell c covers c to c + 1
/// and its value sits at c + 1/2. Beyond the outermost centres the nearest value continues.
template <class T>
class Grid {
 public:
  Grid() = default;
  explicit Grid(const Box& cells) : cells_(cells), n_(cells.size()), values_(std::size_t(cells.count())) {}

  const Box& cells() const { return cells_; }
  bool empty() const { return values_.empty(); }
  T& at(Cell c) { return values_[index(c - cells_.lo)]; }
  const T& at(Cell c) const { return values_[index(c - cells_.lo)]; }

  /// Of the cell that x lies in.
  const T& nearest(const Vec3f& x) const {
    Cell c;
    for (int a = 0; a < 3; ++a) c[a] = std::clamp(int(x[a] - float(cells_.lo[a])), 0, n_[a] - 1);
    return values_[index(c)];
  }

  /// Trilinear.
  T linear(const Vec3f& x) const {
    int i[3][2];
    float w[3][2];
    for (int a = 0; a < 3; ++a) {
      const float s = std::clamp(x[a] - float(cells_.lo[a]) - 0.5f, 0.0f, float(n_[a] - 1));
      i[a][0] = int(s);
      i[a][1] = std::min(i[a][0] + 1, n_[a] - 1);
      w[a][1] = s - float(i[a][0]);
      w[a][0] = 1 - w[a][1];
    }
    const auto row = [&](int j, int k) {
      const T* v = &values_[index({0, i[1][j], i[2][k]})];
      return v[i[0][0]] * w[0][0] + v[i[0][1]] * w[0][1];
    };
    return (row(0, 0) * w[1][0] + row(1, 0) * w[1][1]) * w[2][0] +
           (row(0, 1) * w[1][0] + row(1, 1) * w[1][1]) * w[2][1];
  }

  /// Quadratic B-splines along each axis: slightly soft, and without the creases that linear interpolation shows in
  /// light.
  T smooth(const Vec3f& x) const {
    const Taps tx = taps(x, 0), ty = taps(x, 1), tz = taps(x, 2);
    T sum{};
    for (int c = 0; c < 3; ++c)
      for (int b = 0; b < 3; ++b) {
        const T* v = &values_[index({0, ty.i[b], tz.i[c]})];
        sum += (v[tx.i[0]] * tx.w[0] + v[tx.i[1]] * tx.w[1] + v[tx.i[2]] * tx.w[2]) * (ty.w[b] * tz.w[c]);
      }
    return sum;
  }

  /// One of the cells that `smooth` weighs at x, chosen with its weight: the mean of their values is `smooth`. Three
  /// numbers in [0, 1).
  Cell random_tap(const Vec3f& x, const Vec3f& u) const {
    Cell c;
    for (int a = 0; a < 3; ++a) {
      const Taps t = taps(x, a);
      c[a] = cells_.lo[a] + t.i[u[a] < t.w[0] ? 0 : u[a] < t.w[0] + t.w[1] ? 1 : 2];
    }
    return c;
  }

  /// Gradient of `smooth`, per cell.
  Vec3f smooth_gradient(const Vec3f& x) const {
    const Taps tx = taps(x, 0), ty = taps(x, 1), tz = taps(x, 2);
    Vec3f sum{};
    for (int c = 0; c < 3; ++c)
      for (int b = 0; b < 3; ++b) {
        const T* v = &values_[index({0, ty.i[b], tz.i[c]})];
        const float v0 = v[tx.i[0]], v1 = v[tx.i[1]], v2 = v[tx.i[2]];
        const float along = v0 * tx.w[0] + v1 * tx.w[1] + v2 * tx.w[2];
        sum.x += (v0 * tx.d[0] + v1 * tx.d[1] + v2 * tx.d[2]) * (ty.w[b] * tz.w[c]);
        sum.y += along * (ty.d[b] * tz.w[c]), sum.z += along * (ty.w[b] * tz.d[c]);
      }
    return sum;
  }

 private:
  struct Taps {
    int i[3];
    float w[3], d[3];  // weights, and their derivatives
  };

  std::size_t index(Int3 d) const { return (std::size_t(d.z) * n_.y + d.y) * n_.x + d.x; }

  Taps taps(const Vec3f& x, int axis) const {
    const float s = std::clamp(x[axis] - float(cells_.lo[axis]), 0.0f, float(n_[axis]));
    const int i = std::min(int(s), n_[axis] - 1);
    const float f = s - float(i);
    return {{std::max(i - 1, 0), i, std::min(i + 1, n_[axis] - 1)},
            {0.5f * (1 - f) * (1 - f), 0.5f + f * (1 - f), 0.5f * f * f},
            {f - 1, 1 - 2 * f, f}};
  }

  Box cells_;
  Int3 n_;
  std::vector<T> values_;
};

/// A volume of a frame as a grid; of vectors, their lengths. Values that are not numbers become the volume's
/// background.
Grid<float> make_grid(const Volume& volume);
/// A volume of vectors, or colours.
Grid<Vec3f> make_vector_grid(const Volume& volume);

}  // namespace silt
