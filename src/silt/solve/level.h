#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/used_rows.h"
#include "silt/solve/plain_runs.h"

namespace silt {

/// Couplings the lattice has no place for: those of the further unknowns of split cells. Rows by rising index, each
/// coupling in both its rows. Indices are into the level's fields.
struct Links {
  Buffer<int> row, start, to;
  Buffer<float> weight;
  std::vector<unsigned char> axis;  ///< across which faces each coupling goes; for the next coarser level

  int rows() const { return int(row.size()); }
  bool empty() const { return row.size() == 0; }
};

/// Where a coarse level departs from "one unknown a cell, the sum of its children".
struct Splits {
  Buffer<int> unknown, start, member;       ///< coarse unknowns whose children must be told one by one
  Buffer<int> moved, moved_to, moved_from;  ///< finer unknowns whose parent is not their cell's first unknown (that
                                            ///< one in `moved_from`, or -1 where the finer unknown has no cell)
  bool empty() const { return unknown.size() == 0; }
};

/// Which cells of a finer level a coarse cell holds: along each axis `step` of them, counted from the finer domain's
/// first, so that a period's seam lies between coarse cells too. The coarse domain begins at 0.
struct Nesting {
  Cells fine;          ///< the finer domain
  Int3 step{1, 1, 1};  ///< 2, or 1 along axes that are not halved

  SILT_HD Cell first(Cell coarse) const { return fine.lo + coarse * step; }
  SILT_HD Cell parent(Cell c) const {
    const Int3 d = c - fine.lo;
    return {d.x >> (step.x - 1), d.y >> (step.y - 1), d.z >> (step.z - 1)};
  }
  Box children(Cell coarse) const { return intersect(Box{first(coarse), first(coarse) + step}, fine); }
  Box coarse() const { return {{0, 0, 0}, parent(fine.hi - Int3{1, 1, 1}) + Int3{1, 1, 1}}; }
};

/// One level of the multigrid hierarchy: the weighted Laplacian on a lattice of cells. A cell that walls divide has
/// several unknowns: the first lies on the lattice, the others behind the lattice's values in the same fields.
struct Level {
  Domain domain;                              ///< no side is a wall: weights are zero there, and values beyond are zero
  Nesting nesting;                            ///< in the next finer level
  Layout lattice;                             ///< of the first unknowns; the others' values come behind it
  std::vector<Cell> home;                     ///< the cell of each further unknown
  const PlainRuns* operator_plain = nullptr;  ///< on the finest level, the operator's
  PlainRuns coarse_plain;                     ///< on all others: bare ones
  bool bare = false;                          ///< faces are all that the rows of plain cells have
  const MacField<float>* operator_weights = nullptr;  ///< on the finest level, the operator's
  MacField<float> coarse_weights;                     ///< on all others
  Field<float> inverse;                               ///< 1 / diagonal; 0 where there is no unknown
  Field<float> held;             ///< couplings to what is held at zero; the finest level has them as weights
  Field<float> screen;           ///< the diagonal's own part, where the system has one
  Field<float> held_and_screen;  ///< where it has one
  const Field<float>* operator_screen = nullptr;
  Links links;
  Splits splits;                   ///< between this level and the finer one
  Field<float> b, x, next;         ///< right-hand side, correction, and the correction's next iterate
  std::unique_ptr<RowSpans> rows;  ///< of a coarse level, where the finer one has some: the cells with children in use
  UsedRows used;                   ///< of the fields, which are zero elsewhere

  /// Between the first unknowns of neighbouring cells.
  const MacField<float>& weights() const { return operator_weights ? *operator_weights : coarse_weights; }
  const PlainRuns& plain() const { return operator_plain ? *operator_plain : coarse_plain; }
  const Field<float>* screen_field() const {  ///< nullptr: none
    return operator_weights ? operator_screen : screen.allocated() ? &screen : nullptr;
  }
  /// What the diagonal has besides `weights` and links; nullptr: nothing.
  const Field<float>* ground() const {
    return operator_weights ? operator_screen : screen.allocated() ? &held_and_screen : &held;
  }
  bool periodic(int axis) const { return lattice.active[axis] && domain.periodic(axis); }
  bool periodic() const { return periodic(0) || periodic(1) || periodic(2); }
};

/// What a neighbour that is held at zero weighs one level up, of what the couplings to it sum to. The distance to a
/// surface grows with the cells, but not as much as the cells' own; measured, 3/4 converges best for surfaces and open
/// sides alike.
inline constexpr float held_share = 0.75f;
/// What a coupling weighs one level up: the distance has doubled where the axis was halved.
inline float coupling_share(const Level& coarse, int axis) {
  return coarse.nesting.step[axis] == 2 ? 0.5f : 1.0f;
}

/// A level's matrix by index: every field of a level lies alike in memory. Written with differences: a smooth x may be
/// many times larger than what A makes of it, and in float only differences keep that. `Ground` is an array, or
/// Nothing.
template <class Ground>
struct Stencil {
  const float *wx, *wy, *wz;
  int sy, sz;
  Ground ground;
  /// sum over faces of w (x_i - x_neighbour) + ground x_i, on the lattice.
  template <class X>
  SILT_HD float apply(const X& x, int i) const {
    const float m = x[i];
    return wx[i] * (m - x[i - 1]) + wx[i + 1] * (m - x[i + 1])       //
           + wy[i] * (m - x[i - sy]) + wy[i + sy] * (m - x[i + sy])  //
           + wz[i] * (m - x[i - sz]) + wz[i + sz] * (m - x[i + sz]) + ground[i] * m;
  }
};

/// The same in a plain run; at its ends the faces across x may weigh something else than `weight`.
template <class Ground>
struct PlainStencil {
  float weight, left, right;
  int sy, sz;
  Ground ground;
  template <class X>
  SILT_HD float apply(const X& x, int i) const {
    const float m = x[i];
    return (left * (m - x[i - 1]) + right * (m - x[i + 1])) +
           weight * (((m - x[i - sy]) + (m - x[i + sy])) + ((m - x[i - sz]) + (m - x[i + sz]))) + ground[i] * m;
  }
};

/// The diagonal's own part where it has none.
struct Nothing {
  SILT_HD constexpr float operator[](int) const { return 0; }
};

/// Wraps values round periodic sides; beyond all others they are zero and stay so.
void wrap(const Exec& exec, const Level& level, Field<float>& values);

}  // namespace silt
