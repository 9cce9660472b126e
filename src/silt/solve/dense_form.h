#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "silt/core/reduction.h"

namespace silt {

/// A small dense quadratic form with bounds, for MPRGP: what tests and experiments compare with enumeration.
/// Preconditioned by its diagonal.
class DenseForm {
 public:
  using Real = double;
  template <class T>
  using Vector = std::vector<T>;
  template <class T>
  struct View {
    T* data;
    T& operator()(std::size_t i) const { return data[i]; }
  };
  struct Bounds {
    const double *low, *high;
    double lower(std::size_t i) const { return low[i]; }
    double upper(std::size_t i) const { return high[i]; }
  };

  /// `a` row by row, symmetric.
  DenseForm(std::vector<double> a, std::vector<double> b, std::vector<double> lower, std::vector<double> upper)
      : a_(std::move(a)), b_(std::move(b)), lower_(std::move(lower)), upper_(std::move(upper)), diagonal_(b_.size()) {
    for (std::size_t i = 0; i < size(); ++i) diagonal_[i] = a_[i * size() + i];
  }

  std::size_t size() const { return b_.size(); }
  double a(std::size_t i, std::size_t j) const { return a_[i * size() + j]; }
  double b(std::size_t i) const { return b_[i]; }

  template <class T>
  Vector<T> make() const {
    return Vector<T>(size());
  }
  template <class T>
  View<const T> read(const Vector<T>& v) const {
    return {v.data()};
  }
  template <class T>
  View<T> write(Vector<T>& v) const {
    return {v.data()};
  }
  template <class T>
  View<T> update(Vector<T>& v) const {
    return {v.data()};
  }
  Bounds bounds() const { return {lower_.data(), upper_.data()}; }
  View<const double> diagonal() const { return {diagonal_.data()}; }

  template <class Kernel>
  void each(const char*, const Kernel& kernel) const {
    for (std::size_t i = 0; i < size(); ++i) kernel(i);
  }
  template <class Op, class Kernel>
  typename detail::Reduction<Op>::Value reduce(const char*, const Kernel& kernel) const {
    auto total = detail::Reduction<Op>::start();
    for (std::size_t i = 0; i < size(); ++i) total = Op::combine(total, kernel(i));
    return total;
  }

  /// By row sums of |D^-1/2 A D^-1/2|.
  double scaled_norm() const {
    double norm = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      double row = 0;
      for (std::size_t j = 0; j < size(); ++j)
        if (diagonal_[i] > 0 && diagonal_[j] > 0) row += std::abs(a(i, j)) / std::sqrt(diagonal_[i] * diagonal_[j]);
      norm = std::max(norm, row);
    }
    return norm;
  }
  void residual(const Vector<double>& x, Vector<double>& r) const {
    for (std::size_t i = 0; i < size(); ++i) {
      r[i] = b_[i];
      for (std::size_t j = 0; j < size(); ++j) r[i] -= a(i, j) * x[j];
    }
  }
  double apply(const Vector<double>& p, Vector<double>& ap) const {
    double pap = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      ap[i] = 0;
      for (std::size_t j = 0; j < size(); ++j) ap[i] += a(i, j) * p[j];
      pap += p[i] * ap[i];
    }
    return pap;
  }
  void precondition(const Vector<double>& r, const Vector<unsigned char>& fixed, bool, Vector<double>& z) const {
    for (std::size_t i = 0; i < size(); ++i) z[i] = fixed[i] ? 0 : r[i] / diagonal_[i];
  }

 private:
  std::vector<double> a_, b_, lower_, upper_, diagonal_;
};

}  // namespace silt
