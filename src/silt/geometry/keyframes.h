#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "silt/core/vec.h"

namespace silt {

/// How a value goes from one key to the next.
enum class Between {
  linear,
  smooth,  ///< cubic Hermite: through every key, slope continuous, flat at both ends, never beyond the keys on either
           ///< side
  step,    ///< holds each key until the next
};

/// A parameter that may move: a constant, or keys (time [s], value) in rising time. Before the first key and after the
/// last it holds still.
template <class T>
class Animated {
 public:
  using Key = std::pair<double, T>;

  Animated(T constant = T{}) : keys_{{0.0, constant}} {}
  /// Needs at least one key, times strictly rising.
  Animated(std::vector<Key> keys, Between between) : keys_(std::move(keys)), between_(between) {}

  bool constant() const { return keys_.size() == 1; }
  const std::vector<Key>& keys() const { return keys_; }
  Between between() const { return between_; }

  T operator()(double t) const {
    const std::size_t i = segment(t);
    if (i + 1 >= keys_.size()) return keys_.back().second;
    if (t <= keys_[i].first) return keys_[i].second;
    if constexpr (std::is_same_v<T, bool>) {
      return keys_[i].second;
    } else {
      const double dt = keys_[i + 1].first - keys_[i].first, s = (t - keys_[i].first) / dt;
      const T a = keys_[i].second, b = keys_[i + 1].second;
      if (between_ == Between::step) return a;
      if (between_ == Between::linear) return a + (b - a) * s;
      const T ma = slope(i) * dt, mb = slope(i + 1) * dt;
      return a * ((1 + 2 * s) * (1 - s) * (1 - s)) + ma * (s * (1 - s) * (1 - s)) + b * (s * s * (3 - 2 * s)) +
             mb * (s * s * (s - 1));
    }
  }

  /// Rate of change; zero outside the keys and for steps.
  T rate(double t) const requires(!std::is_same_v<T, bool>) {
    const std::size_t i = segment(t);
    if (i + 1 >= keys_.size() || t < keys_[i].first || between_ == Between::step) return T{};
    const double dt = keys_[i + 1].first - keys_[i].first, s = (t - keys_[i].first) / dt;
    const T a = keys_[i].second, b = keys_[i + 1].second;
    if (between_ == Between::linear) return (b - a) * (1 / dt);
    const T ma = slope(i), mb = slope(i + 1);
    return (b - a) * (6 * s * (1 - s) / dt) + ma * ((1 - s) * (1 - 3 * s)) + mb * (s * (3 * s - 2));
  }

  /// The integral from 0 to t, exact: no piece is more than cubic, and Simpson's rule is exact for those.
  T integral(double t) const requires(!std::is_same_v<T, bool>) {
    T sum{};
    const double from = std::min(t, 0.0), to = std::max(t, 0.0);
    for (std::size_t i = 0; i <= keys_.size(); ++i) {
      const double a = i == 0 ? from : std::clamp(keys_[i - 1].first, from, to);
      const double b = i == keys_.size() ? to : std::clamp(keys_[i].first, from, to);
      if (a >= b) continue;
      const double middle = 0.5 * (a + b);
      if (i == 0 || i == keys_.size() || between_ == Between::step)
        sum = sum + (*this)(middle) * (b - a);
      else
        sum = sum + ((*this)(a) + (*this)(middle)*4.0 + (*this)(b)) * ((b - a) / 6);
    }
    return t < 0 ? sum * -1.0 : sum;
  }

  friend bool operator==(const Animated&, const Animated&) = default;

 private:
  /// The key at or before t; the first if t is earlier than all.
  std::size_t segment(double t) const {
    const auto after =
        std::upper_bound(keys_.begin(), keys_.end(), t, [](double v, const Key& k) { return v < k.first; });
    return after == keys_.begin() ? 0 : std::size_t(after - keys_.begin() - 1);
  }
  /// Catmull-Rom's, limited so that the value stays between its keys: flat where they turn, and never more than three
  /// times as steep as either side [FC80]. Overshooting keys of a density would make it negative.
  ///   [FC80] Fritsch & Carlson 1980
  T slope(std::size_t i) const {
    if (i == 0 || i + 1 == keys_.size()) return T{};
    const auto rise = [&](std::size_t from, std::size_t to) {
      return (keys_[to].second - keys_[from].second) * (1 / (keys_[to].first - keys_[from].first));
    };
    const T before = rise(i - 1, i), after = rise(i, i + 1), through = rise(i - 1, i + 1);
    if constexpr (std::is_arithmetic_v<T>)
      return limited(through, before, after);
    else
      return {limited(through.x, before.x, after.x), limited(through.y, before.y, after.y),
              limited(through.z, before.z, after.z)};
  }
  static double limited(double slope, double before, double after) {
    if (before * after <= 0) return 0;
    const double most = 3 * std::min(std::abs(before), std::abs(after));
    return std::clamp(slope, -most, most);
  }

  std::vector<Key> keys_;
  Between between_ = Between::linear;
};

}  // namespace silt
