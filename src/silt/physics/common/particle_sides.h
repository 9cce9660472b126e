#pragma once

#include "silt/core/strips.h"
#include "silt/fields/domain.h"
#include "silt/fields/particles.h"
#include "silt/physics/common/move_particles.h"

namespace silt {

/// What the sides of the domain do to a particle that has moved by less than a period.
struct ParticleSides {
  Int3 lo, hi;            ///< cells
  Int3 period;            ///< 0: not periodic
  Int3 wall_lo, wall_hi;  ///< 1: a wall

  static ParticleSides of(const Domain& domain) {
    ParticleSides s{domain.cells.lo, domain.cells.hi, {}, {}, {}};
    for (int a = 0; a < 3; ++a) {
      if (!domain.lattice.active[a]) continue;
      s.period[a] = domain.periodic(a) ? domain.cells.size()[a] : 0;
      s.wall_lo[a] = domain.side(a, 0) == Side::wall;
      s.wall_hi[a] = domain.side(a, 1) == Side::wall;
    }
    return s;
  }

  /// Splits a position, `at` cells up from `cell` along an axis, and keeps it within the domain.
  SILT_HD_INLINE void settle(int axis, float at, int& cell, float& offset) const {
    split(at, cell, offset);
    const int first = lo[axis], last = hi[axis] - 1;
    cell += cell < first ? period[axis] : 0;
    cell -= cell > last ? period[axis] : 0;
    const bool low = wall_lo[axis] & ((cell < first) | ((cell == first) & (offset < wall_gap)));
    const bool high = wall_hi[axis] & ((cell > last) | ((cell == last) & (offset > 1 - wall_gap)));
    cell = low ? first : high ? last : cell;
    offset = low ? wall_gap : high ? 1 - wall_gap : offset;
  }
#if !defined(__CUDACC__)
  /// The same for eight at once.
  SILT_HD_INLINE void settle(int axis, const Lanes& at, LaneInts& cell, Lanes& offset) const {
    const Lanes whole = Numbers<Lanes>::floor(at);
    cell += Numbers<Lanes>::to_int(whole);
    offset = at_most(at - whole, last_offset);
    const int first = lo[axis], last = hi[axis] - 1;
    cell += (cell < first) & period[axis];
    cell -= (cell > last) & period[axis];
    const LaneInts low = ((cell < first) | ((cell == first) & (offset < wall_gap))) & -wall_lo[axis];
    const LaneInts high = ((cell > last) | ((cell == last) & (offset > 1 - wall_gap))) & -wall_hi[axis];
    cell = low ? LaneInts{} + first : high ? LaneInts{} + last : cell;
    offset = low ? all_lanes(wall_gap) : high ? all_lanes(1 - wall_gap) : offset;
  }
#endif
};

/// Columns of positions, as kernels write them; null along flat axes.
struct PositionColumns {
  int* cell[3];
  float* offset[3];

  static PositionColumns of(const Exec& exec, Particles& p) {
    PositionColumns out;
    for (int a = 0; a < 3; ++a) out.cell[a] = p.cell[a].update(exec), out.offset[a] = p.offset[a].update(exec);
    return out;
  }
  SILT_HD Cell cell_at(std::int64_t i) const {
    return {cell[0][i], cell[1] ? cell[1][i] : 0, cell[2] ? cell[2][i] : 0};
  }
  SILT_HD Vec3f offset_at(std::int64_t i) const {
    return {offset[0][i], offset[1] ? offset[1][i] : 0.5f, offset[2] ? offset[2][i] : 0.5f};
  }
  /// Puts a particle `by` cells from where it is. The dead stay dead.
  SILT_HD void shift(const ParticleSides& sides, std::int64_t i, const Vec3f& by) const {
    if (cell[0][i] == Particles::dead) return;
    for (int a = 0; a < 3; ++a)
      if (cell[a]) sides.settle(a, offset[a][i] + by[a], cell[a][i], offset[a][i]);
  }
};

}  // namespace silt
