#include "validation/sand_lab.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;

/// What a particle stands for: an area in 2D [m^2], a volume in 3D [m^3].
double particle_size(const Domain& domain) {
  const int dims = domain.lattice.dims();
  return std::pow(domain.lattice.h / 2, dims);
}

}  // namespace

SandProfile::SandProfile(const Frame& frame)
    : h_(frame.domain.lattice.h), depths_(std::size_t(frame.domain.cells.size().x)) {
  const int last = int(depths_.size()) - 1;
  for (const Points& points : frame.points)
    for (const Vec3d& at : points.positions) {
      const int i = int(std::floor((at.x - frame.domain.lower().x) / h_));
      if (i >= 0 && i <= last) depths_[std::size_t(i)] += particle_size(frame.domain) / h_;
    }
}

std::vector<double> SandProfile::places() const {
  std::vector<double> out;
  for (std::size_t i = 0; i < depths_.size(); ++i) out.push_back((double(i) + 0.5) * h_);
  return out;
}

double SandProfile::front(double least) const {
  const int last = int(depths_.size()) - 1;
  std::vector<double> means;
  for (int i = 0; i <= last; ++i) {
    const auto at = [&](int n) { return depths_[std::size_t(std::clamp(n, 0, last))]; };
    means.push_back((at(i - 1) + at(i) + at(i + 1)) / 3);
  }
  return falls_below(means, h_, least);
}

double SandProfile::depth(double from, double to) const {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < depths_.size(); ++i) {
    const double x = (double(i) + 0.5) * h_;
    if (x > from && x < to) sum += depths_[i], ++count;
  }
  return count ? sum / count : NAN;
}

SandFoot::SandFoot(const Frame& frame, double x, double y, int sectors)
    : h_(frame.domain.lattice.h), sectors_(sectors), rings_(frame.domain.cells.size().x) {
  depths_.resize(std::size_t(sectors_) * rings_);
  for (const Points& points : frame.points)
    for (const Vec3d& at : points.positions) {
      const double dx = at.x - x, dy = at.y - y;
      const int ring = int(std::hypot(dx, dy) / h_);
      const int sector = int(std::lround(std::atan2(dy, dx) / (2 * pi) * sectors_) + sectors_) % sectors_;
      if (ring >= rings_) continue;
      const double area = pi * h_ * h_ * (2 * ring + 1) / sectors_;
      depths_[std::size_t(sector) * rings_ + ring] += particle_size(frame.domain) / area;
    }
}

std::vector<double> SandFoot::radii(double least) const {
  std::vector<double> out;
  for (int s = 0; s < sectors_; ++s) {
    const double* depth = &depths_[std::size_t(s) * rings_];
    int r = rings_ - 1;  // from outside: near the axis sectors are too narrow to hold particles
    while (r > 0 && depth[r - 1] < least) --r;
    const double part = r > 0 ? (depth[r - 1] - least) / (depth[r - 1] - std::min(depth[r], least)) : 0;
    out.push_back(r > 0 ? h_ * (r - 0.5 + std::min(part, 1.0)) : 0);
  }
  return out;
}

std::vector<double> SandFoot::profile() const {
  std::vector<double> out(static_cast<std::size_t>(rings_));
  for (int s = 0; s < sectors_; ++s)
    for (int r = 0; r < rings_; ++r) out[std::size_t(r)] += depths_[std::size_t(s) * rings_ + r] / sectors_;
  return out;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double unevenness(const std::vector<double>& values) {
  const double middle = mean(values);
  double out = 0;
  for (const double v : values) out = std::max(out, std::abs(v / middle - 1));
  return out;
}

double falls_below(const std::vector<double>& values, double h, double least) {
  if (values.empty() || values[0] < least) return 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] < least) return h * (double(i) - 0.5 + (values[i - 1] - least) / (values[i - 1] - values[i]));
  return h * double(values.size());
}

Fullness fullness_within(const Frame& frame) {
  const Volume* packing = nullptr;
  Fullness out;
  const Int3 active = frame.domain.lattice.active;
  for (const Volume& v : frame.volumes) {
    if (v.name != "packing") continue;
    packing = &v;
    const auto within = [&](Cell c) {  // all neighbours that are in the domain
      for (int k = -2 * active.z; k <= 2 * active.z; ++k)
        for (int j = -2; j <= 2; ++j)
          for (int i = -2; i <= 2; ++i) {
            const Cell n = c + Int3{i, j, k};
            if (frame.domain.cells.contains(n) && packing->at(n) < 0.7f) return false;
          }
      return true;
    };
    const Box both = intersect(v.cells, frame.domain.cells);
    for (int k = both.lo.z; k < both.hi.z; ++k)
      for (int j = both.lo.y; j < both.hi.y; ++j)
        for (int i = both.lo.x; i < both.hi.x; ++i) {
          const Cell c{i, j, k};
          if (!within(c)) continue;
          out.mean += packing->at(c);
          out.largest = std::max(out.largest, double(packing->at(c)));
          ++out.cells;
        }
  }
  if (out.cells) out.mean /= out.cells;
  return out;
}

}  // namespace silt::validation
