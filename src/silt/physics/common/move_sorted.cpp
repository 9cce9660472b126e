#include "silt/physics/common/move_sorted.h"

#include "silt/core/loops.h"
#include "silt/physics/common/move_block.h"
#include "silt/physics/common/side_faces.h"
#include "silt/physics/common/transfer_stencil.h"

namespace silt {
namespace {

/// The larger one of a, which is not negative, and |b|.
SILT_HD_INLINE Lanes larger_size(const Lanes& a, const Lanes& b) {
  const Lanes size = positive_part(b) + positive_part(Lanes{} - b);
  return a + positive_part(size - a);
}
SILT_HD_INLINE bool all_below(const Lanes& x, float most) {
  bool all = true;
  for (int l = 0; l < lane_count; ++l) all &= x[l] < most;
  return all;
}

/// Weights of linear interpolation, a particle a lane, for places from half a cell below a cell to half a cell above
/// it.
struct LinearWeights {
  Lanes below[3], within[3], above[3];  ///< how far along each axis: before the cell, in it, beyond it
  Lanes across[3][3];                   ///< [axis]: of the rows at -1/2, 1/2 and 3/2

  SILT_HD_INLINE explicit LinearWeights(const Lanes (&x)[3]) {
    for (int a = 0; a < 3; ++a) {
      const Lanes up = positive_part(x[a]);
      above[a] = positive_part(x[a] - all_lanes(1));
      below[a] = x[a] - up, within[a] = up - above[a];
      LinearAcross::weights(x[a], across[a]);
    }
  }
};

/// The faces of one component that serve them, in rows along its own axis: [second][first].
struct NearFaces {
  float at[3][3];                                ///< the cell's lower face
  float below[3][3], within[3][3], above[3][3];  ///< differences over the cell before, the cell, the one after

  SILT_HD_INLINE NearFaces(const View<const float>& u, const ComponentAxes& axes, Cell c) {
    const int stride[3] = {1, u.stride_y, u.stride_z}, own = stride[axes.own];
    const float* lowest = &u(c) - stride[axes.first] - stride[axes.second];
    for (int n = 0; n < 3; ++n)
      for (int k = 0; k < 3; ++k) {
        const float* f = lowest + n * stride[axes.second] + k * stride[axes.first];
        at[n][k] = f[0];
        below[n][k] = f[0] - f[-own], within[n][k] = f[own] - f[0], above[n][k] = f[2 * own] - f[own];
      }
  }

  SILT_HD_INLINE explicit NearFaces(const SideFaces& faces) {
    for (int n = 0; n < 3; ++n)
      for (int k = 0; k < 3; ++k) {
        const float* f = faces.at[n][k];
        at[n][k] = f[1];
        below[n][k] = f[1] - f[0], within[n][k] = f[2] - f[1], above[n][k] = f[3] - f[2];
      }
  }

  /// `InCell`: the places are in the cell.
  template <bool InCell>
  SILT_HD_INLINE Lanes value(const ComponentAxes& axes, const LinearWeights& w) const {
    Lanes sum{};
    for (int n = 0; n < 3; ++n) {
      Lanes plane{};
      for (int k = 0; k < 3; ++k) {
        Lanes row = all_lanes(at[n][k]) + w.within[axes.own] * all_lanes(within[n][k]);
        if constexpr (!InCell)
          row += w.below[axes.own] * all_lanes(below[n][k]) + w.above[axes.own] * all_lanes(above[n][k]);
        plane += w.across[axes.first][k] * row;
      }
      sum += w.across[axes.second][n] * plane;
    }
    return sum;
  }
};

template <bool Wraps, Moving Rule>
struct MoveCells {
  static constexpr bool uneven = true;
  MoveBlock<Wraps, Rule> far;  ///< where some cross a cell, or are dead
  PositionColumns at;
  CellRanges::View ranges;
  const int* occupied;
  MacView<const float> velocity;
  ParticleSides sides;
  Box inner;  ///< cells from which no side is reached
  Int3 active;
  float s;
  ThinSides::View sides_of_solids;

  /// x + s u(x + s/2 u(x)), or x + s u(x), for up to eight particles of a cell; a flat axis has no velocity and stays.
  /// Whether none of them crosses a cell, now or on the way: else it is not right.
  SILT_HD_INLINE bool move(const NearFaces (&faces)[3], Lanes (&x)[3]) const {
    const LinearWeights here(x);
    Lanes middle[3], farthest{};
    for (int a = 0; a < 3; ++a) {
      middle[a] = x[a];
      if (!active[a]) continue;
      const Lanes by = all_lanes(s) * faces[a].template value<true>(ComponentAxes::of(a), here);
      middle[a] += all_lanes(Rule == Moving::straight ? 1.0f : 0.5f) * by, farthest = larger_size(farthest, by);
    }
    if constexpr (Rule == Moving::straight) {
      for (int a = 0; a < 3; ++a) x[a] = middle[a];
      return all_below(farthest, 1);
    }
    const LinearWeights half_way(middle);
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      const Lanes by = all_lanes(s) * faces[a].template value<false>(ComponentAxes::of(a), half_way);
      x[a] += by, farthest = larger_size(farthest, by);
    }
    return all_below(farthest, 1);
  }

  SILT_HD_INLINE void put(bool inside, Cell c, int axis, const Lanes& x, std::int64_t p, int n) const {
    int* cell = at.cell[axis] + p;
    float* offset = at.offset[axis] + p;
    if (!inside) {
      for (int l = 0; l < n; ++l) sides.settle(axis, x[l], cell[l], offset[l]);
      return;
    }
    const Lanes whole = all_lanes(1) - one_where_negative(x - all_lanes(1)) - one_where_negative(x);
    store_lanes(at_most(x - whole, last_offset), offset, n);
    store_whole(whole, c[axis], cell, n);
  }

  SILT_HD_INLINE bool any_dead(std::int64_t first, std::int64_t last) const {
    bool any = false;
    for (std::int64_t p = first; p < last; ++p) any |= at.cell[0][p] == Particles::dead;
    return any;
  }

  /// Those on one side of a thin solid together.
  SILT_HD void beside_solid(const SidesOfCell& beside, Cell c, std::int64_t first, std::int64_t last) const {
    const auto side = [&](std::int64_t p) { return sides_of_solids.side(beside, c, at.offset_at(p), active); };
    for (std::int64_t p = first; p < last;) {
      const int of = side(p);
      int n = 1;
      while (n < lane_count && p + n < last && (beside.count < 2 || side(p + n) == of)) ++n;
      const auto faces_of = [&](int a) {
        return NearFaces(SideFaces(velocity[a], ComponentAxes::of(a), active, c, beside.takes[of][a]));
      };
      const NearFaces faces[3] = {faces_of(0), faces_of(1), faces_of(2)};
      Lanes x[3];
      for (int a = 0; a < 3; ++a) x[a] = active[a] ? load_lanes(at.offset[a] + p, n) : all_lanes(0.5f);
      const bool stays_near = move(faces, x);
      if ((Rule == Moving::straight || stays_near) && !any_dead(p, p + n)) {
        for (int a = 0; a < 3; ++a)
          if (active[a]) put(false, c, a, x[a], p, n);
      } else {
        far.run(p, n);
      }
      p += n;
    }
  }

  SILT_HD_INLINE void in_cell(Cell c, std::int64_t first, std::int64_t last) const {
    const NearFaces faces[3] = {{velocity.x, ComponentAxes::of(0), c},
                                {velocity.y, ComponentAxes::of(1), c},
                                {velocity.z, ComponentAxes::of(2), c}};
    const bool inside = inner.contains(c), all_alive = !any_dead(first, last);
    for (std::int64_t p = first; p < last; p += lane_count) {
      const int n = last - p < lane_count ? int(last - p) : lane_count;
      Lanes x[3];
      for (int a = 0; a < 3; ++a) x[a] = active[a] ? load_lanes(at.offset[a] + p, n) : all_lanes(0.5f);
      if (!move(faces, x) || !all_alive) {
        far.run(p, n);
        continue;
      }
      for (int a = 0; a < 3; ++a)
        if (active[a]) put(inside, c, a, x[a], p, n);
    }
  }

  /// One cell of an occupied tile.
  SILT_HD void operator()(std::int64_t index) const {
    const int cells = ranges.order.cells_each(), tile = occupied[index / cells], n = int(index % cells);
    const std::uint32_t* begin = ranges.begin + std::int64_t(tile) * cells + n;
    if (begin[0] == begin[1]) return;
    const int* beside = sides_of_solids.in_tile(tile);
    if (beside && beside[n] >= 0) {
      beside_solid(sides_of_solids.cells[beside[n]], ranges.order.lowest_cell(tile) + ranges.order.within(n), begin[0],
                   begin[1]);
      return;
    }
    in_cell(ranges.order.lowest_cell(tile) + ranges.order.within(n), begin[0], begin[1]);
  }
};

template <bool Wraps, Moving Rule>
void move_cells(const Exec& exec, const Domain& domain, const MacField<float>& velocity, double dt, int parts,
                const CellRanges& ranges, Particles& particles, const ThinSides::View& sides) {
  const Int3 active = domain.lattice.active;
  for_each_index(exec, "particles.move_sorted", std::int64_t(ranges.occupied.size()) * ranges.order.cells_each(),
                 MoveCells<Wraps, Rule>{{exec, domain, velocity, dt, parts, particles},
                                        PositionColumns::of(exec, particles),
                                        ranges.read(exec),
                                        ranges.occupied.read(exec),
                                        velocity.read(exec),
                                        ParticleSides::of(domain),
                                        grow(domain.cells, active * -1),
                                        active,
                                        float(dt / domain.lattice.h),
                                        sides});
}

template <Moving Rule>
void move_by(const Exec& exec, const Domain& domain, const MacField<float>& velocity, double dt, int parts,
             const CellRanges& ranges, Particles& particles, const ThinSides::View& sides) {
  if (SampleBounds::of(domain, -1).wraps())
    move_cells<true, Rule>(exec, domain, velocity, dt, parts, ranges, particles, sides);
  else
    move_cells<false, Rule>(exec, domain, velocity, dt, parts, ranges, particles, sides);
}

}  // namespace

void move_sorted(const Exec& exec, const Domain& domain, Moving rule, const MacField<float>& velocity, double dt,
                 int parts, const CellRanges& ranges, Particles& particles, const ThinSides::View& sides) {
  if (rule == Moving::straight)
    move_by<Moving::straight>(exec, domain, velocity, dt, parts, ranges, particles, sides);
  else
    move_by<Moving::rk2>(exec, domain, velocity, dt, parts, ranges, particles, sides);
}

}  // namespace silt
