#pragma once

#include <span>
#include <vector>

#include "silt/core/wave.h"
#include "silt/solve/coarsest.h"
#include "silt/solve/level.h"
#include "silt/solve/poisson.h"

namespace silt {

/// A geometric multigrid cycle as a preconditioner for the weighted Laplacian: symmetric, in float, the same bits for
/// any number of threads.
///   smoother   two steps of Chebyshev's iteration on D^-1 A, aimed at the upper part of its spectrum
///   transfers  a coarse value belongs to all its children alike; a coarse right-hand side is the sum of theirs
///   coarse     weights of the coarser lattice, half of what the transfers alone would give: smooth corrections get
///              their full size (Braess 1995), and the cycle converges like one with linear interpolation
///   walls      a cell that walls divide has an unknown for each part: nothing is ever interpolated through a wall
///   coarsest   solved directly
/// From the second level down the coarse correction is made twice (a W-cycle); it costs little in 3D, and keeps the
/// number of iterations from growing with the grid. On a GPU, where small grids are all latency, it is made once.
///
/// The cycle is positive whatever the weights. With P^T A P <= 2 A_c, which halving the weights ensures, a coarse
/// correction C made of B_c, B_c A_c <= 1, has C A <= 2, so |1 - C A| <= 1 in the energy norm; the smoother S is a
/// polynomial in D^-1 A with |S| <= 1. Then 1 - M A = S (1 - CA) S < 1 for one correction, and for two
/// 1 - M A = S (1 - CA) S S (1 - CA) S, which lies in [0, 1) because it is a product with its own adjoint: that is why
/// there are two smoothings, not one, between the corrections, and B A <= 1 goes on to the next finer level.
class Multigrid {
 public:
  /// Builds the hierarchy: one to two cycles' worth of time. `fixed` (may be nullptr) marks cells that are held at
  /// zero, and is not needed any more. The operator must stay, with its weights and screen, until the next call.
  void prepare(const Exec& exec, const PoissonOperator& op, const Field<unsigned char>* fixed = nullptr);

  /// z ~ A^-1 r; zero on rows that are no unknowns.
  void apply(const Exec& exec, const Field<double>& r, Field<float>& z);

  /// The same in two steps: the caller sets `right_side()`, and finds the answer in `correction()`.
  void set_right_side(const Exec& exec, const Field<double>& r);
  void cycle(const Exec& exec) { start_cycle(exec), finish_cycle(exec); }
  Field<float>& right_side() { return levels_[0].b; }
  Field<float>& correction() { return levels_[0].x; }

  /// A cycle in two halves: down to the second level; and the rest, which gives right_side . correction. The first half
  /// may go on with a wave that has begun with writing the right-hand side. It leaves the right-hand side, smoothed, in
  /// `correction()`, and what that leaves of it, |right_side - A correction|^2, in `rest` where that is asked for.
  void start_cycle(const Exec& exec);
  void start_cycle(const Exec& exec, Wave begun, RowTotals<Sum>* rest = nullptr);
  double finish_cycle(const Exec& exec);

  bool smooths() const { return depth_ > 1; }  ///< else all is solved directly
  std::span<const Level> levels() const { return {levels_.data(), depth_}; }
  /// Memory of the hierarchy, the caller's weights left out.
  std::int64_t bytes() const;

 private:
  void cycle(const Exec& exec, std::size_t depth);

  std::vector<Level> levels_;
  std::size_t depth_ = 0;  ///< levels in use; memory of more may be kept
  CoarsestSolver coarsest_;
};

}  // namespace silt
