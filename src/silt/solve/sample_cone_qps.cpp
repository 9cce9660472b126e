#include <algorithm>
#include <cmath>

#include "silt/core/random.h"
#include "silt/solve/sample_qps.h"

namespace silt {

namespace {

/// The barrier t (1/2 x.Ax - b.x) - sum over blocks of log(w^2 - |s|^2) + log(p + tension),  w = friction p + cohesion.
class Barrier {
 public:
  Barrier(const SampleConeQp& qp, double t) : qp_(qp), t_(t) {}

  /// Infinite outside of the cones.
  double value(const std::vector<double>& x) const {
    const std::size_t n = qp_.size();
    double f = 0;
    for (std::size_t i = 0; i < n; ++i) {
      f -= t_ * qp_.b[i] * x[i];
      for (std::size_t j = 0; j < n; ++j) f += 0.5 * t_ * x[i] * qp_.a[i * n + j] * x[j];
    }
    std::size_t first = 0;
    for (std::size_t k = 0; k < qp_.sizes.size(); first += std::size_t(qp_.sizes[k]), ++k) {
      const Cone& cone = qp_.cones[k];
      const double w = cone.friction * x[first] + cone.cohesion;
      const double room = w * w - shear2(x, k, first);
      if (!(w > 0) || !(room > 0)) return infinity;
      f -= std::log(room);
      if (!std::isfinite(cone.tension)) continue;
      if (!(x[first] + cone.tension > 0)) return infinity;
      f -= std::log(x[first] + cone.tension);
    }
    return f;
  }

  /// Newton's direction; `slope` receives minus its product with the gradient.
  std::vector<double> newton(const std::vector<double>& x, double& slope) const {
    const std::size_t n = qp_.size();
    std::vector<double> down(n), h(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      down[i] = t_ * qp_.b[i];
      for (std::size_t j = 0; j < n; ++j) {
        down[i] -= t_ * qp_.a[i * n + j] * x[j];
        h[i * n + j] = t_ * qp_.a[i * n + j];
      }
    }
    std::size_t first = 0;
    for (std::size_t k = 0; k < qp_.sizes.size(); first += std::size_t(qp_.sizes[k]), ++k) add(x, k, first, down, h);
    const std::vector<double> step = solve_dense(h, down);
    slope = 0;
    for (std::size_t i = 0; i < n; ++i) slope += down[i] * step[i];
    return step;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double shear2(const std::vector<double>& x, std::size_t k, std::size_t first) const {
    double sum = 0;
    for (int m = 1; m < qp_.sizes[k]; ++m) sum += x[first + std::size_t(m)] * x[first + std::size_t(m)];
    return sum;
  }
  /// With q = w^2 - |s|^2: the gradient of -log q is -q'/q, its Hessian q' q'^T / q^2 - q''/q.
  void add(const std::vector<double>& x, std::size_t k, std::size_t first, std::vector<double>& down,
           std::vector<double>& h) const {
    const Cone& cone = qp_.cones[k];
    const std::size_t n = qp_.size(), m = std::size_t(qp_.sizes[k]);
    const double w = cone.friction * x[first] + cone.cohesion, q = w * w - shear2(x, k, first);
    std::vector<double> dq(m);
    for (std::size_t i = 0; i < m; ++i) dq[i] = i == 0 ? 2 * w * cone.friction : -2 * x[first + i];
    for (std::size_t i = 0; i < m; ++i) {
      down[first + i] += dq[i] / q;
      for (std::size_t j = 0; j < m; ++j) h[(first + i) * n + first + j] += dq[i] * dq[j] / (q * q);
      h[(first + i) * n + first + i] -= (i == 0 ? 2 * cone.friction * cone.friction : -2) / q;
    }
    if (!std::isfinite(cone.tension)) return;
    const double room = x[first] + cone.tension;
    down[first] += 1 / room;
    h[first * n + first] += 1 / (room * room);
  }

  const SampleConeQp& qp_;
  double t_;
};

}  // namespace

SampleConeQp random_cone_qp(unsigned number) {
  unsigned count = 0;
  const auto random = [&] { return random_unit(103, number, count++); };
  SampleConeQp qp;
  std::size_t n = 0;
  for (int blocks = 1 + int(3 * random()); blocks > 0; --blocks) {
    qp.sizes.push_back(2 + int(6 * random()));
    n += std::size_t(qp.sizes.back());
    Cone cone{.friction = 0.1 + 2 * random()};
    if (random() < 0.5) cone.cohesion = random();
    if (random() < 0.5) cone.tension = random() * (cone.cohesion > 0 ? cone.cohesion / cone.friction : 1);
    qp.cones.push_back(cone);
  }
  qp.a = random_matrix(n, random);
  for (std::size_t i = 0; i < n; ++i) qp.b.push_back(4 * (2 * random() - 1));
  return qp;
}

std::vector<double> solve_by_interior_points(const SampleConeQp& qp) {
  std::vector<double> x(qp.size(), 0.0);
  std::size_t first = 0;
  for (int size : qp.sizes) x[first] = 1, first += std::size_t(size);
  for (double t = 1; t < 1e13; t *= 4) {
    const Barrier barrier(qp, t);
    for (int n = 0; n < 100; ++n) {
      double slope = 0;
      const std::vector<double> step = barrier.newton(x, slope);
      if (!(slope > 1e-10)) break;
      const double from = barrier.value(x);
      std::vector<double> y = x;
      double length = 1;
      for (; length > 1e-12; length *= 0.5) {
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + length * step[i];
        if (barrier.value(y) <= from - 0.1 * length * slope) break;
      }
      if (!(length > 1e-12)) break;
      x = y;
    }
  }
  return x;
}

}  // namespace silt
