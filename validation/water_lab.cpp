#include "validation/water_lab.h"

#include <algorithm>
#include <cmath>

#include "silt/core/error.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;

/// Where between 0 and 1 a line from a to b, of other signs, is zero.
double zero_between(double a, double b) {
  return a / (a - b);
}

}  // namespace

WaterSurface::WaterSurface(const Frame& frame)
    : domain_(frame.domain),
      h_(domain_.lattice.h),
      nx_(domain_.cells.size().x),
      ny_(domain_.cells.size().y),
      phi_(std::size_t(nx_) * ny_, float(3 * h_)) {
  for (const Volume& v : frame.volumes) {
    if (v.name != "surface") continue;
    const Box both = intersect(v.cells, domain_.cells);
    for (int j = both.lo.y; j < both.hi.y; ++j)
      for (int i = both.lo.x; i < both.hi.x; ++i)
        phi_[std::size_t(j - domain_.cells.lo.y) * nx_ + (i - domain_.cells.lo.x)] = v.at({i, j, both.lo.z});
  }
  for (int i = 0; i < nx_; ++i) heights_.push_back(column(i));
}

double WaterSurface::phi(int i, int j) const {
  return phi_[std::size_t(j) * nx_ + i];
}

double WaterSurface::column(int i) const {
  if (phi(i, 0) >= 0) return std::max(0.0, 0.5 * h_ - phi(i, 0));
  for (int j = 1; j < ny_; ++j)
    if (phi(i, j) >= 0) return h_ * (j - 0.5 + zero_between(phi(i, j - 1), phi(i, j)));
  return h_ * ny_;
}

double WaterSurface::height(double x) const {
  const double at = (x - domain_.lower().x) / h_ - 0.5;
  const int i = std::clamp(int(std::floor(at)), 0, nx_ - 2);
  const double f = std::clamp(at - i, 0.0, 1.0);
  return (1 - f) * heights_[std::size_t(i)] + f * heights_[std::size_t(i) + 1];
}

double WaterSurface::front() const {
  for (int i = nx_ - 1; i > 0; --i)
    if (phi(i, 0) >= 0 && phi(i - 1, 0) < 0) return h_ * (i - 0.5 + zero_between(phi(i - 1, 0), phi(i, 0)));
  return phi(nx_ - 1, 0) < 0 ? h_ * nx_ : 0;
}

double WaterSurface::reach(double depth, double window) const {
  const int half = int(0.5 * window / h_);
  const auto over = [&](int i) {  // how much more than `depth`
    double sum = 0;
    for (int d = -half; d <= half; ++d) sum += heights_[std::size_t(std::clamp(i + d, 0, nx_ - 1))];
    return sum / (2 * half + 1) - depth;
  };
  for (int i = 1; i < nx_; ++i)
    if (over(i) < 0) return over(i - 1) < 0 ? 0 : h_ * (i - 0.5 + zero_between(over(i - 1), over(i)));
  return h_ * nx_;
}

double WaterSurface::lean() const {
  double sum = 0;
  for (int i = 0; i < nx_; ++i) sum += heights_[std::size_t(i)] * std::cos(pi * (i + 0.5) / nx_);
  return 2 * sum / nx_;
}

double WaterSurface::mean_height() const {
  double sum = 0;
  for (const double height : heights_) sum += height;
  return sum / nx_;
}

std::vector<double> zero_crossings(const std::vector<double>& time, const std::vector<double>& value) {
  std::vector<double> out;
  for (std::size_t i = 1; i < time.size(); ++i)
    if ((value[i - 1] < 0) != (value[i] < 0))
      out.push_back(time[i - 1] + (time[i] - time[i - 1]) * zero_between(value[i - 1], value[i]));
  return out;
}

double linear_at(const std::vector<double>& xs, const std::vector<double>& ys, double x) {
  for (std::size_t i = 1; i < xs.size(); ++i)
    if (xs[i - 1] <= x && x <= xs[i])
      return ys[i - 1] + (ys[i] - ys[i - 1]) * (xs[i] > xs[i - 1] ? (x - xs[i - 1]) / (xs[i] - xs[i - 1]) : 0);
  return NAN;
}

}  // namespace silt::validation
