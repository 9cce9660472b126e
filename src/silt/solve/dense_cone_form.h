#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "silt/solve/cone_kernels.h"

namespace silt {

/// A small dense quadratic form with a cone a block, for ConeSolver: what tests and experiments compare with an
/// interior-point method.
class DenseConeForm {
 public:
  using Vector = std::vector<double>;
  template <class T>
  struct View {
    T* data;
  };
  struct Blocks {
    const Cone* cones;
    const int* first;  ///< of each block, and one past the last
    const double* metrics;

    const Cone& cone(std::size_t i) const { return cones[i]; }
    double metric(std::size_t i) const { return metrics[i]; }
    bool exists(std::size_t) const { return true; }
    ConeBlock load(View<const double> v, std::size_t i) const {
      ConeBlock b{.size = first[i + 1] - first[i]};
      for (int k = 0; k < b.size; ++k) b.v[k] = v.data[first[i] + k];
      return b;
    }
    ConeBlock load(View<double> v, std::size_t i) const { return load(View<const double>{v.data}, i); }
    void store(View<double> v, std::size_t i, const ConeBlock& b) const {
      for (int k = 0; k < b.size; ++k) v.data[first[i] + k] = b.v[k];
    }
  };

  /// `a` row by row; `sizes` and `cones` of the blocks one after the other.
  DenseConeForm(Vector a, Vector b, const std::vector<int>& sizes, std::vector<Cone> cones)
      : a_(std::move(a)), b_(std::move(b)), cones_(std::move(cones)), first_{0} {
    for (int size : sizes) {
      double metric = 0;
      for (int k = 0; k < size; ++k) metric = std::max(metric, at(first_.back() + k, first_.back() + k));
      metrics_.push_back(metric > 0 ? metric : 1);
      first_.push_back(first_.back() + size);
    }
  }

  Vector make() const { return Vector(b_.size()); }
  View<const double> read(const Vector& v) const { return {v.data()}; }
  View<double> write(Vector& v) const { return {v.data()}; }
  View<double> update(Vector& v) const { return {v.data()}; }
  Blocks blocks() const { return {cones_.data(), first_.data(), metrics_.data()}; }

  template <class Kernel>
  void each(const char*, const Kernel& kernel) const {
    for (std::size_t i = 0; i < cones_.size(); ++i) kernel(i);
  }
  template <class Op, class Kernel>
  typename detail::Reduction<Op>::Value reduce(const char*, const Kernel& kernel) const {
    auto total = detail::Reduction<Op>::start();
    for (std::size_t i = 0; i < cones_.size(); ++i) total = Op::combine(total, kernel(i));
    return total;
  }

  /// A guess, that of blocks which do not know of each other.
  double scaled_norm() const { return 1; }
  void residual(const Vector& x, Vector& r) const {
    for (std::size_t i = 0; i < b_.size(); ++i) {
      r[i] = b_[i];
      for (std::size_t j = 0; j < b_.size(); ++j) r[i] -= at(int(i), int(j)) * x[j];
    }
  }

 private:
  double at(int i, int j) const { return a_[std::size_t(i) * b_.size() + std::size_t(j)]; }

  Vector a_, b_;
  std::vector<Cone> cones_;
  std::vector<int> first_;
  Vector metrics_;
};

}  // namespace silt
