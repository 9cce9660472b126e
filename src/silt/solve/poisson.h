#pragma once

#include "silt/core/wave.h"
#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/used_rows.h"
#include "silt/solve/plain_runs.h"

namespace silt {

/// The weighted Laplacian d^T * d on the cubical complex, matrix-free, with an optional screening term:
///   (A x)_c = k_c x_c + sum over faces f of cell c of  w_f (x_c - x_neighbour).
/// The diagonal Hodge star w carries the geometry: open fractions, ghost-fluid lengths, porosity, density.
/// The screen k >= 0 is what ties a value to something known: inertia in implicit diffusion, a wall of given velocity.
/// Walls are w = 0; beyond open sides x = 0; periodic sides wrap. Rows without any weight are left out, and so are
/// cells that are held (the air above a liquid, where the pressure is known): x = 0 there.
class PoissonOperator {
 public:
  PoissonOperator() = default;
  /// `screen` and `held` (cells other than 0 are held) may be nullptr: none. The caller keeps weights and screen while
  /// the operator is used.
  PoissonOperator(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                  const Field<float>* screen = nullptr, const Field<unsigned char>* held = nullptr) {
    prepare(exec, domain, weights, screen, held);
  }
  /// Takes others, in the memory it has where it fits.
  void prepare(const Exec& exec, const Domain& domain, const MacField<float>& weights,
               const Field<float>* screen = nullptr, const Field<unsigned char>* held = nullptr);

  const Domain& domain() const { return domain_; }
  const MacField<float>& weights() const { return *weights_; }
  const Field<float>& diagonal() const { return diagonal_; }  ///< 0 on rows that are left out
  const Field<float>* screen() const { return screen_; }      ///< nullptr: none
  const Layout& layout() const { return diagonal_.layout(); }
  const PlainRuns& plain_runs() const { return plain_; }

  /// out = A x; returns x . A x. Fills x's halo.
  double apply(const Exec& exec, Field<float>& x, Field<double>& out) const;
  /// out = b - A x; returns |out|^2. Fills x's halo. Where rows are left out, x and b must be zero.
  double residual(const Exec& exec, Field<double>& x, const Field<double>& b, Field<double>& out) const;
  /// |b - A x|^2 alone.
  double residual_norm2(const Exec& exec, Field<double>& x, const Field<double>& b) const;

  // The two halves of a step of conjugate gradients; A s is worked out twice rather than stored.
  /// s = z + beta s; returns s . A s. Both are zero beyond the domain; round periodic sides s is wrapped. With beta = 0
  /// it does not matter what s was.
  double next_direction(const Exec& exec, const Field<float>& z, float beta, Field<float>& s) const;
  /// x += alpha s, r -= alpha A s, narrow = r in float; the first pass of a wave, after which |r|^2 is in `norm2`. The
  /// direction s is the last `next_direction`'s.
  void advance(const Exec& exec, double alpha, const Field<float>& s, Field<double>& x, Field<double>& r,
               Field<float>& narrow, RowTotals<Sum>& norm2, Wave& wave) const;

 private:
  template <class T>
  void fill(const Exec& exec, Field<T>& x) const;
  bool periodic() const;
  template <class T, class X, class Make, class Use>
  auto with_kernel(const Exec& exec, const X& x, const Make& make, const Use& use) const;
  template <class T, class X, class Make>
  double sum(const Exec& exec, const char* name, const X& x, const Make& make) const;

  Domain domain_;
  const MacField<float>* weights_ = nullptr;
  const Field<float>* screen_ = nullptr;
  bool has_held_ = false;
  Field<float> diagonal_;
  UsedRows used_;  ///< of the diagonal
  PlainRuns plain_;
};

}  // namespace silt
