#pragma once

#include <memory>

#include "silt/fields/domain.h"
#include "silt/solve/cone_report.h"
#include "silt/solve/stress_field.h"

namespace silt {

/// What a heap of grains is made of, to a cone program of its stress.
///   inverse_mass  1 / m_f of the faces, halo filled round periodic sides; 0 where the velocity is given
///   friction      mu of each cell, for |s| <= mu p + cohesion; 0: the cell has no grains, and no stress
///   cohesion      nullptr: none
struct StressParts {
  const MacField<float>* inverse_mass = nullptr;
  const Field<float>* friction = nullptr;
  const Field<float>* cohesion = nullptr;
  bool rough_walls = true;  ///< beside walls of the domain grains are held by friction; else they slide along them
};

/// The stress in grains that bear against each other: minimises 1/2 x.Ax - b.x over cones, A = D M^-1 D^T. D takes
/// velocities on faces to rates of strain at cell centres (times h: differences), M has the masses of the faces. With
/// b = D u the gradient b - A x is the strain that is left when the stress x acts: x is the one of most dissipation.
///
/// Rates of strain along an axis are at centres by themselves; shears sit on edges, and a cell has the mean of its
/// edges'. An edge at the rim of the grains or on an open side carries none: all cells round it must have grains, or
/// lie in a rough wall.
///
/// Accelerated projected gradients (solve/cone_solver.h) in the metric of A's diagonal, a number a block: all in
/// double, the same bits for any number of threads.
class StressSolver {
 public:
  StressSolver();
  ~StressSolver();
  StressSolver(const StressSolver&) = delete;
  StressSolver& operator=(const StressSolver&) = delete;

  /// The parts must stay where they are until the next call.
  void prepare(const Exec& exec, const Domain& domain, const StressParts& parts);

  /// `x` holds a first guess and receives the answer, always in its cones and never a NaN.
  ConeReport solve(const Exec& exec, const ConeOptions& options, const StressField& b, StressField& x);

  /// b = D u in cells with grains. Beyond the domain u must be zero, round periodic sides its halo filled.
  void strain(const Exec& exec, const MacField<double>& u, StressField& b) const;
  /// u -= M^-1 D^T x: what the stress does to velocities. Fills x's halo.
  void push(const Exec& exec, StressField& x, MacField<double>& u);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace silt
