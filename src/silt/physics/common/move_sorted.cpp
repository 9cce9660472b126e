#include "silt/physics/common/move_sorted.h"

#include "silt/core/loops.h"
#include "silt/physics/common/move_block.h"
#include "silt/physics/common/transfer_stencil.h"

namespace silt {
namespace {

/// Linear weights, particle by particle, for places from half a cell below a cell to half a cell above it.
struct HatWeights {
  Lanes own[3][4];     ///< [axis]: of the faces at -1, 0, 1 and 2
  Lanes across[3][3];  ///< of the rows at -1/2, 1/2 and 3/2

  SILT_HD_INLINE explicit HatWeights(const Lanes (&x)[3]) {
    for (int a = 0; a < 3; ++a) {
      for (int n = 0; n < 4; ++n) own[a][n] = hat(x[a] - all_lanes(float(n - 1)));
      for (int n = 0; n < 3; ++n) across[a][n] = hat(x[a] - all_lanes(row_at(n)));
    }
  }
};

/// The faces of one component that serve them: [second][first][own].
struct NearFaces {
  float value[3][3][4];

  SILT_HD_INLINE NearFaces(const View<const float>& u, const ComponentAxes& axes, Cell c) {
    const int stride[3] = {1, u.stride_y, u.stride_z};
    const float* lowest = &u(c) - stride[axes.own] - stride[axes.first] - stride[axes.second];
    for (int n = 0; n < 3; ++n)
      for (int k = 0; k < 3; ++k)
        for (int o = 0; o < 4; ++o)
          value[n][k][o] = lowest[n * stride[axes.second] + k * stride[axes.first] + o * stride[axes.own]];
  }

  /// The largest of their magnitudes.
  SILT_HD_INLINE float most() const {
    const float* v = &value[0][0][0];
    float out = 0;
    for (int i = 0; i < 36; ++i) {
      const float size = v[i] < 0 ? -v[i] : v[i];
      out = size > out ? size : out;
    }
    return out;
  }

  SILT_HD_INLINE Lanes at(const ComponentAxes& axes, const HatWeights& w) const {
    const Lanes(&own)[4] = w.own[axes.own];
    Lanes sum{};
    for (int n = 0; n < 3; ++n) {
      Lanes plane{};
      for (int k = 0; k < 3; ++k) {
        const float* v = value[n][k];
        plane += w.across[axes.first][k] * ((own[0] * all_lanes(v[0]) + own[1] * all_lanes(v[1])) +
                                            (own[2] * all_lanes(v[2]) + own[3] * all_lanes(v[3])));
      }
      sum += w.across[axes.second][n] * plane;
    }
    return sum;
  }
};

template <bool Wraps>
struct MoveCells {
  MoveBlock<Wraps, Moving::rk2> far;  ///< for cells where some may cross a cell
  PositionColumns at;
  CellRanges::View ranges;
  const int* occupied;
  MacView<const float> velocity;
  ParticleSides sides;
  Box inner;  ///< cells from which no side is reached
  Int3 active;
  float s;

  /// x + s u(x + s/2 u(x)) for up to eight particles of a cell; a flat axis has no velocity and stays.
  SILT_HD_INLINE void move(const NearFaces (&faces)[3], Lanes (&x)[3]) const {
    const HatWeights here(x);
    Lanes middle[3];
    for (int a = 0; a < 3; ++a)
      middle[a] = active[a] ? x[a] + all_lanes(0.5f * s) * faces[a].at(ComponentAxes::of(a), here) : x[a];
    const HatWeights half_way(middle);
    for (int a = 0; a < 3; ++a)
      if (active[a]) x[a] += all_lanes(s) * faces[a].at(ComponentAxes::of(a), half_way);
  }

  SILT_HD_INLINE void put(bool inside, Cell c, int axis, const Lanes& x, std::int64_t p, int n) const {
    int* cell = at.cell[axis] + p;
    float* offset = at.offset[axis] + p;
    if (!inside) {
      for (int l = 0; l < n; ++l)
        if (axis > 0 || cell[l] != Particles::dead) sides.settle(axis, x[l], cell[l], offset[l]);
      return;
    }
    const Lanes whole = all_lanes(1) - one_where_negative(x - all_lanes(1)) - one_where_negative(x);
    store_lanes(at_most(x - whole, last_offset), offset, n);
    for (int l = 0; l < n; ++l) cell[l] = axis == 0 && cell[l] == Particles::dead ? cell[l] : c[axis] + int(whole[l]);
  }

  SILT_HD_INLINE void in_cell(Cell c, std::int64_t first, std::int64_t last) const {
    const NearFaces faces[3] = {{velocity.x, ComponentAxes::of(0), c},
                                {velocity.y, ComponentAxes::of(1), c},
                                {velocity.z, ComponentAxes::of(2), c}};
    if (far.parts > 1 && (s * faces[0].most() >= 1 || s * faces[1].most() >= 1 || s * faces[2].most() >= 1)) {
      for (std::int64_t p = first; p < last; p += far.block)
        far.run(p, int(last - p < far.block ? last - p : far.block));
      return;
    }
    const bool inside = inner.contains(c);
    for (std::int64_t p = first; p < last; p += lane_count) {
      const int n = last - p < lane_count ? int(last - p) : lane_count;
      Lanes x[3];
      for (int a = 0; a < 3; ++a) x[a] = active[a] ? load_lanes(at.offset[a] + p, n) : all_lanes(0.5f);
      move(faces, x);
      for (int a = 0; a < 3; ++a)
        if (active[a]) put(inside, c, a, x[a], p, n);
    }
  }

  /// One cell of an occupied tile.
  SILT_HD void operator()(std::int64_t index) const {
    const int cells = ranges.order.cells_each(), tile = occupied[index / cells], n = int(index % cells);
    const std::uint32_t* begin = ranges.begin + std::int64_t(tile) * cells + n;
    if (begin[0] < begin[1]) in_cell(ranges.order.lowest_cell(tile) + ranges.order.within(n), begin[0], begin[1]);
  }
};

template <bool Wraps>
void move_cells(const Exec& exec, const Domain& domain, const MacField<float>& velocity, double dt, int parts,
                const CellRanges& ranges, Particles& particles) {
  const Int3 active = domain.lattice.active;
  for_each_index(exec, "particles.move_sorted", std::int64_t(ranges.occupied.size()) * ranges.order.cells_each(),
                 MoveCells<Wraps>{{exec, domain, velocity, dt, parts, particles},
                                  PositionColumns::of(exec, particles),
                                  ranges.read(exec),
                                  ranges.occupied.read(exec),
                                  velocity.read(exec),
                                  ParticleSides::of(domain),
                                  grow(domain.cells, active * -1),
                                  active,
                                  float(dt / domain.lattice.h)});
}

}  // namespace

void move_sorted(const Exec& exec, const Domain& domain, const MacField<float>& velocity, double dt, int parts,
                 const CellRanges& ranges, Particles& particles) {
  if (SampleBounds::of(domain, -1).wraps())
    move_cells<true>(exec, domain, velocity, dt, parts, ranges, particles);
  else
    move_cells<false>(exec, domain, velocity, dt, parts, ranges, particles);
}

}  // namespace silt
