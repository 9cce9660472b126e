#pragma once

#include "silt/core/wave.h"
#include "silt/solve/level.h"

namespace silt {

/// What a cycle does on one level, in the order it is said: one wave through memory, which runs when `run` is called or
/// before something that does not lie on the lattice: round periodic sides, through the links of split cells.
class LevelSteps {
 public:
  LevelSteps(const Exec& exec, Level& level) : LevelSteps(exec, level, Wave(exec, level.domain.cells)) {}
  /// Goes on with a wave that has begun with something else.
  LevelSteps(const Exec& exec, Level& level, Wave begun) : exec_(exec), level_(level), wave_(std::move(begun)) {}

  void smooth_from_zero();  ///< x: two sweeps from zero
  void smooth();            ///< x: two sweeps from where it is
  /// The same; once run, `totals` has b . x. For levels without links.
  void smooth(RowTotals<Sum>& totals);
  /// Once run, `totals` has |b - A x|^2. For levels without links.
  void measure_residual(RowTotals<Sum>& totals);
  void restrict_residual(Level& coarse);     ///< coarse.b = P^T (b - A x)
  void add_correction(const Level& coarse);  ///< x += P coarse.x
  void run() { wave_.run(); }

 private:
  template <class Value>
  void sum_to_parents(const Value& value, int beyond, Level& coarse);
  void wrap(Field<float>& values);
  void sweep(float omega, Field<float>& from, Field<float>& to);
  template <class X>
  void sweep_links(const X& x, float omega, Field<float>& next);

  const Exec& exec_;
  Level& level_;
  Wave wave_;
};

}  // namespace silt
