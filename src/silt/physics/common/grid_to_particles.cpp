#include "silt/physics/common/grid_to_particles.h"

#include <cassert>

#include "silt/core/loops.h"
#include "silt/physics/common/side_faces.h"
#include "silt/physics/common/transfer_stencil.h"

namespace silt {
namespace {

using OutColumns = ParticleColumns<const int, float>;

OutColumns update(const Exec& exec, Particles& p) {
  OutColumns v;
  for (int a = 0; a < 3; ++a) {
    v.cell[a] = nullptr;
    v.offset[a] = const_cast<float*>(p.offset[a].read(exec));  // only read
    v.velocity[a] = p.velocity[a].update(exec);
    for (int m = 0; m < Particles::all_modes; ++m) v.mode[a][m] = p.mode[a][m].write(exec);
  }
  return v;
}

/// Weights of up to eight particles of one cell along each axis, a particle a lane.
template <class Weights>
struct LaneWeights {
  Lanes offset[3];
  Lanes weight[3][3], slope[3][3];  ///< [axis][row]

  SILT_HD_INLINE LaneWeights(const OutColumns& particles, std::int64_t p, int n) {
    for (int a = 0; a < 3; ++a) {
      offset[a] = particles.offset[a] ? load_lanes(particles.offset[a] + p, n) : all_lanes(0.5f);
      Weights::weights(offset[a], weight[a]);
      Weights::slopes(offset[a], weight[a], slope[a]);
    }
  }
};

/// A value and its derivatives along the axes of one component: own, first and second.
struct LaneFlow {
  Lanes value{}, own{}, first{}, second{}, own_first{}, own_second{}, first_second{}, all{};
};

struct LaneCurves {
  Lanes mode[Particles::all_modes - Particles::products] = {};
};

/// The faces of one component that a cell's particles reach: [second][first][own].
struct CellFaces {
  float lower[3][3], rise[3][3];  ///< at the cell's lower face; from there to the upper

  SILT_HD_INLINE CellFaces(const View<const float>& u, const ComponentAxes& axes, Cell c) {
    const int stride[3] = {1, u.stride_y, u.stride_z};
    const float* at = &u(c) - stride[axes.first] - stride[axes.second];
    for (int n = 0; n < 3; ++n)
      for (int k = 0; k < 3; ++k) {
        const float* f = at + k * stride[axes.first] + n * stride[axes.second];
        lower[n][k] = f[0], rise[n][k] = f[stride[axes.own]] - f[0];
      }
  }
  SILT_HD_INLINE CellFaces(const SideFaces& faces) {
    for (int n = 0; n < 3; ++n)
      for (int k = 0; k < 3; ++k) lower[n][k] = faces.at[n][k][1], rise[n][k] = faces.at[n][k][2] - faces.at[n][k][1];
  }

  template <Modes M, class Weights>
  SILT_HD_INLINE LaneFlow at(const ComponentAxes& axes, const LaneWeights<Weights>& w) const {
    LaneFlow out;
    for (int n = 0; n < 3; ++n) {
      Lanes value{}, own{}, first{}, own_first{};
      for (int k = 0; k < 3; ++k) {
        const Lanes up = all_lanes(rise[n][k]), here = all_lanes(lower[n][k]) + w.offset[axes.own] * up;
        value += w.weight[axes.first][k] * here;
        if constexpr (M == Modes::constant) continue;
        own += w.weight[axes.first][k] * up;
        first += w.slope[axes.first][k] * here;
        if constexpr (M >= Modes::multilinear) own_first += w.slope[axes.first][k] * up;
      }
      const Lanes &weight = w.weight[axes.second][n], &slope = w.slope[axes.second][n];
      out.value += weight * value;
      if constexpr (M == Modes::constant) continue;
      out.own += weight * own;
      out.first += weight * first;
      out.second += slope * value;
      if constexpr (M == Modes::affine) continue;
      out.own_first += weight * own_first;
      out.own_second += slope * own;
      out.first_second += slope * first;
      out.all += slope * own_first;
    }
    return out;
  }

  /// The modes with a curvature, in the order of Particles::powers.
  template <class Weights>
  SILT_HD_INLINE LaneCurves curves(const ComponentAxes& axes, const LaneWeights<Weights>& w) const {
    LaneCurves out;
    for (int n = 0; n < 3; ++n) {
      Lanes value[2] = {}, first[2] = {}, bent[2] = {};  // at the particle, and its slope along the own axis
      for (int k = 0; k < 3; ++k) {
        const Lanes up = all_lanes(rise[n][k]), here = all_lanes(lower[n][k]) + w.offset[axes.own] * up;
        const Lanes bend = all_lanes(half_second_difference(k));
        value[0] += w.weight[axes.first][k] * here, value[1] += w.weight[axes.first][k] * up;
        first[0] += w.slope[axes.first][k] * here, first[1] += w.slope[axes.first][k] * up;
        bent[0] += bend * here, bent[1] += bend * up;
      }
      const Lanes &weight = w.weight[axes.second][n], &slope = w.slope[axes.second][n];
      const Lanes bend = all_lanes(half_second_difference(n));
      for (int i = 0; i < 2; ++i) {
        out.mode[i] += weight * bent[i];
        out.mode[2 + i] += bend * value[i];
        out.mode[4 + i] += slope * bent[i];
        out.mode[6 + i] += bend * first[i];
        out.mode[8 + i] += bend * bent[i];
      }
    }
    return out;
  }
};

template <class Weights, Modes M, bool Keeps>
struct TakeVelocity {
  static constexpr bool uneven = true;
  OutColumns particles;
  CellRanges::View ranges;
  const int* occupied;
  MacView<const float> velocity, before;
  Int3 active;
  float kept;
  ThinSides::View sides;

  /// One component of up to eight particles of a cell. `old`: what the faces were before, where that counts.
  template <int Component>
  SILT_HD_INLINE void take(const CellFaces& faces, const CellFaces& old, const LaneWeights<Weights>& weights,
                           std::int64_t p, int n) const {
    constexpr ComponentAxes axes = ComponentAxes::of(Component);
    LaneFlow flow = faces.template at<M>(axes, weights);
    float* u = particles.velocity[Component] + p;
    if constexpr (Keeps) {
      flow.value += all_lanes(kept) * (load_lanes(u, n) - old.template at<M>(axes, weights).value);
    }
    store_lanes(flow.value, u, n);
    put(Component, 1 << axes.own, flow.own, p, n);
    put(Component, 1 << axes.first, flow.first, p, n);
    put(Component, 1 << axes.second, flow.second, p, n);
    put(Component, 1 << axes.own | 1 << axes.first, flow.own_first, p, n);
    put(Component, 1 << axes.own | 1 << axes.second, flow.own_second, p, n);
    put(Component, 1 << axes.first | 1 << axes.second, flow.first_second, p, n);
    put(Component, 7, flow.all, p, n);
    if constexpr (M == Modes::biquadratic) {
      const LaneCurves curves = faces.curves(axes, weights);
      for (int m = Particles::products; m < Particles::all_modes; ++m)
        if (float* to = particles.mode[Component][m]) store_lanes(curves.mode[m - Particles::products], to + p, n);
    }
  }
  SILT_HD_INLINE void put(int component, int product, const Lanes& value, std::int64_t p, int n) const {
    if constexpr (M == Modes::constant) return;
    if (M == Modes::affine && (product & (product - 1)) != 0) return;
    if (float* to = particles.mode[component][product]) store_lanes(value, to + p, n);
  }

  template <int Component>
  SILT_HD_INLINE void take_beside(const SidesOfCell& beside, int side, Cell c, const LaneWeights<Weights>& weights,
                                  std::int64_t p, int n) const {
    constexpr ComponentAxes axes = ComponentAxes::of(Component);
    const std::uint64_t takes = beside.takes[side][Component];
    const CellFaces faces(SideFaces(velocity[Component], axes, active, c, takes));
    take<Component>(faces, Keeps ? CellFaces(SideFaces(before[Component], axes, active, c, takes)) : faces, weights, p,
                    n);
  }
  /// Those on one side of a thin solid together.
  SILT_HD void take_beside(const SidesOfCell& beside, Cell c, std::int64_t first, std::int64_t last) const {
    const auto side = [&](std::int64_t p) { return sides.side(beside, c, particles.offset_at(p), active); };
    for (std::int64_t p = first; p < last;) {
      const int s = side(p);
      int n = 1;
      while (n < lane_count && p + n < last && (beside.count < 2 || side(p + n) == s)) ++n;
      const LaneWeights<Weights> weights(particles, p, n);
      take_beside<0>(beside, s, c, weights, p, n);
      if (active.y) take_beside<1>(beside, s, c, weights, p, n);
      if (active.z) take_beside<2>(beside, s, c, weights, p, n);
      p += n;
    }
  }

  /// One cell of an occupied tile.
  SILT_HD void operator()(std::int64_t index) const {
    const int cells = ranges.order.cells_each(), tile = occupied[index / cells], n = int(index % cells);
    const std::uint32_t* begin = ranges.begin + std::int64_t(tile) * cells + n;
    const std::int64_t first = begin[0], last = begin[1];
    if (first == last) return;
    const Cell c = ranges.order.lowest_cell(tile) + ranges.order.within(n);
    const int* beside = sides.in_tile(tile);
    if (beside && beside[n] >= 0) return take_beside(sides.cells[beside[n]], c, first, last);
    const CellFaces faces[3] = {{velocity.x, ComponentAxes::of(0), c},
                                {velocity.y, ComponentAxes::of(1), c},
                                {velocity.z, ComponentAxes::of(2), c}};
    const auto old = [&](int a) { return Keeps ? CellFaces(before[a], ComponentAxes::of(a), c) : faces[a]; };
    for (std::int64_t p = first; p < last; p += lane_count) {
      const int in_lanes = last - p < lane_count ? int(last - p) : lane_count;
      const LaneWeights<Weights> weights(particles, p, in_lanes);
      take<0>(faces[0], old(0), weights, p, in_lanes);
      if (active.y) take<1>(faces[1], old(1), weights, p, in_lanes);
      if (active.z) take<2>(faces[2], old(2), weights, p, in_lanes);
    }
  }
};

template <class Weights, Modes M, bool Keeps>
void take(const Exec& exec, float kept, const MacField<float>& velocity, const MacField<float>& before,
          const CellRanges& ranges, Particles& particles, const ThinSides::View& sides) {
  for_each_index(
      exec, "particles.take_velocity", std::int64_t(ranges.occupied.size()) * ranges.order.cells_each(),
      TakeVelocity<Weights, M, Keeps>{update(exec, particles), ranges.read(exec), ranges.occupied.read(exec),
                                      velocity.read(exec), before.read(exec), particles.active, kept, sides});
}

template <class Weights, class... Rest>
void take(const TransferOptions& options, const Exec& exec, Rest&... rest) {
  const float kept = float(options.kept());
  switch (options.modes()) {
    case Modes::constant:
      return kept > 0 ? take<Weights, Modes::constant, true>(exec, kept, rest...)
                      : take<Weights, Modes::constant, false>(exec, kept, rest...);
    case Modes::affine:
      return take<Weights, Modes::affine, false>(exec, kept, rest...);
    case Modes::multilinear:
      return take<Weights, Modes::multilinear, false>(exec, kept, rest...);
    case Modes::biquadratic:
      return take<Weights, Modes::biquadratic, false>(exec, kept, rest...);
  }
}

}  // namespace

void grid_to_particles(const Exec& exec, const TransferOptions& options, const MacField<float>& velocity,
                       const MacField<float>& before, const CellRanges& ranges, Particles& particles,
                       const ThinSides::View& sides) {
  assert(particles.modes == options.modes());
  if (options.across == Across::linear)
    take<LinearAcross>(options, exec, velocity, before, ranges, particles, sides);
  else
    take<SmoothAcross>(options, exec, velocity, before, ranges, particles, sides);
}

}  // namespace silt
