#include "silt/physics/liquid/liquid_kernels.h"

#include <cmath>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/exterior_derivative.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/halo.h"
#include "silt/fields/level_set.h"
#include "silt/fields/operators.h"
#include "silt/physics/common/both_sides.h"
#include "silt/physics/common/crowd_kernel.h"
#include "silt/physics/common/ghost_gradient.h"
#include "silt/physics/common/side_faces.h"

namespace silt {
namespace {

struct AddBeyond {
  BothSides both_sides;
  int axis;
  const float *star, *open, *weight, *from;
  bool add;  ///< or replace
  View<float> to;
  SILT_HD void operator()(Cell c) const {
    const int n = to.index(c.x, c.y, c.z);
    if (!(star[n] > 0) && open[n] > 0 && weight[n] > 0 && !both_sides.face(axis, c))
      to.data[n] = from[n] + (add ? to.data[n] : 0);
  }
};

struct AddFaces {
  View<const float> a, b;
  float factor;
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = a(c) + factor * b(c); }
};

struct LiquidDivergence {
  Derivative d;
  View<const unsigned char> air;
  const float *u[3], *open[3], *solid[3];
  const float* growth;
  double inv_h;
  SILT_HD double flux(int a, int n) const {
    return double(open[a][n]) * u[a][n] + (1 - double(open[a][n])) * solid[a][n];
  }
  SILT_HD double operator()(Cell c) const {
    const int n = air.index(c.x, c.y, c.z);
    if (air.data[n]) return 0;
    double sum = 0;
    bool any = false;
    for (int a = 0; a < 3; ++a) {
      sum += flux(a, n + d.step[a]) - flux(a, n);
      any = any || open[a][n] > 0 || open[a][n + d.step[a]] > 0;
    }
    return any ? std::abs(sum * inv_h - (growth ? growth[n] : 0)) : 0;
  }
};

/// 1 in cells all round which there is liquid, 0 at the surface, and smoothly from the one to the other.
struct FindDepth {
  CrowdKernel kernel;
  View<const float> phi;
  float inv_h;
  View<float> depth;

  SILT_HD_INLINE float inside(Cell c) const {
    constexpr float full = 0.3f;  // cells below the surface, well before phi ends
    const float part = -phi(c) * inv_h / full;
    return part < 0 ? 0 : part > 1 ? 1 : part;
  }
  SILT_HD_INLINE void operator()(Cell c) const {
    constexpr float shallow = 0.85f;
    const float part = (kernel.sum([&](Int3 d) { return inside(c + d); }) - shallow) / (1 - shallow);
    depth(c) = (inside(c) >= 1) & (part > 0) ? part : 0.0f;
  }
};

template <int Dims>
struct FindCrowding {
  MacView<const float> weight;
  View<const float> capacity, room, depth, phi;
  MacView<const float> u;
  float share;    ///< one over the number of faces and 2^D
  float rate;     ///< times the difference of u across a cell: the part of a crowd that is evened out in this step
  float turn;     ///< times tr(grad u grad u): the part of its volume that a cell gains by moving in straight lines
  double change;  ///< -div of the drift that evens out all of a crowd of 1, in a whole cell
  View<double> out;

  /// h du_a / dx_b, all round the cell.
  SILT_HD_INLINE float difference(Cell c, int a, int b) const {
    const Int3 along = unit(a), side = unit(b);
    return a == b ? u[a](c + along) - u[a](c)
                  : 0.25f * (u[a](c + side) + u[a](c + side + along) - u[a](c - side) - u[a](c - side + along));
  }
  SILT_HD_INLINE void operator()(Cell c) const {
    find(c, [&](int a, int b) { return difference(c, a, b); });
  }
  template <class Difference>
  SILT_HD_INLINE void find(Cell c, const Difference& between) const {
    constexpr float least = 0.3f;         // capacity of a cell too small to judge
    constexpr float most_at_once = 0.3f;  // part of a crowd
    constexpr float clump = 1, most = 3;  // a crowd that no smooth flow makes; it counts no more than so much
    float sum = 0;
    for (int a = 0; a < Dims; ++a) sum += weight[a](c) + weight[a](c + unit(a));
    const bool judged = (phi(c) < 0) & (capacity(c) >= least);
    const float crowd = judged ? sum * share / capacity(c) - 1 : 0.0f;
    const float over = crowd * depth(c);
    const float excess = crowd < clump ? 0 : crowd > most ? most - clump : crowd - clump;
    float squares = 0, trace = 0;  // h^2 |grad u|^2, h^2 tr(grad u grad u)
    for (int a = 0; a < Dims; ++a)
      for (int b = a; b < Dims; ++b) {
        const float d = between(a, b), e = a == b ? d : between(b, a);
        squares += a == b ? d * d : d * d + e * e;
        trace += a == b ? d * d : 2 * d * e;
      }
    const float part = rate * std::sqrt(squares);
    const float bent = phi(c) < 0 ? turn * trace : 0.0f;
    const float bend = bent < -most_at_once ? -most_at_once : bent > most_at_once ? most_at_once : bent;
    out(c) = change * room(c) *
             double((over < most ? over : most) * (part < most_at_once ? part : most_at_once) + excess * most_at_once +
                    bend);
  }
};

/// The same beside thin solids: what is behind them is no part of the flow.
template <int Dims>
struct FindCrowdingBeside {
  FindCrowding<Dims> crowding;
  ThinSides::View sides;
  const Int3* cells;
  Int3 active;
  SILT_HD void operator()(std::int64_t i) const {
    const Cell c = cells[i];
    if (!(crowding.phi(c) < 0)) return;
    const auto faces = [&](int a) {
      return SideFaces(crowding.u[a], ComponentAxes::of(a), active, c, sides.cells[i].takes[0][a]);
    };
    const SideFaces u[3] = {faces(0), faces(1), faces(2)};
    crowding.find(c, [&](int a, int b) {
      const auto& at = u[a].at;
      const ComponentAxes axes = ComponentAxes::of(a);
      if (b == a) return at[1][1][2] - at[1][1][1];
      if (b == axes.first) return 0.25f * (at[1][2][1] + at[1][2][2] - at[1][0][1] - at[1][0][2]);
      return 0.25f * (at[2][1][1] + at[2][1][2] - at[0][1][1] - at[0][1][2]);
    });
  }
};

struct MovingVelocity {
  GhostGradient drift;
  View<const float> u;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    out.data[n] = drift.star[n] > 0 ? float(u.data[n] - 2 * drift(n)) : u.data[n];
  }
};

/// Inside solids: the flow carried on there, without what goes further in.
struct SlideAlong {
  int axis;
  View<const float> distance;
  MacView<const float> u, open, solid;
  Derivative d;
  float reach;
  const float* phi;  ///< where it is given: only where liquid is no deeper than a cell
  View<float> out;

  /// A component at the middle of this face: the mean of the four faces of that component round it.
  SILT_HD float at_face(const View<const float>& component, int b, int n) const {
    const int back = d.step[axis], up = d.step[b];
    return b == axis ? component.data[n]
                     : 0.25f * (component.data[n] + component.data[n - back] + component.data[n + up] +
                                component.data[n - back + up]);
  }
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    if (open[axis].data[n] > 0) return;
    // Corners of the cells on both sides: their slope at the face.
    const float* at = distance.data + n;
    Vec3f slope{};
    const int s[3] = {d.step[0], d.step[1], d.step[2]};
    const int b = (axis + 1) % 3, e = (axis + 2) % 3;
    const float c00 = at[0], c10 = at[s[b]], c01 = at[s[e]], c11 = at[s[b] + s[e]];
    if (0.25f * (c00 + c10 + c01 + c11) < -reach) return;
    slope[b] = 0.5f * (c10 + c11 - c00 - c01), slope[e] = 0.5f * (c01 + c11 - c00 - c10);
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 2; ++z) {
        const float* corner = at + y * s[b] + z * s[e];
        slope[axis] += 0.125f * (corner[s[axis]] - corner[-s[axis]]);
      }
    if (s[b] == 0) slope[b] = 0;
    if (s[e] == 0) slope[e] = 0;
    const float length2 = dot(slope, slope);
    if (!(length2 > 0)) return;
    if (phi && phi[slope[axis] > 0 ? n + s[axis] : n - 2 * s[axis]] < 0) return;
    float inward = 0;
    for (int a = 0; a < 3; ++a) {
      if (s[a] == 0) continue;
      inward += slope[a] * (at_face(u[a], a, n) - at_face(solid[a], a, n));
    }
    if (inward < 0) out.data[n] = u[axis].data[n] - slope[axis] * inward / length2;
  }
};

struct ShutCorners {
  static constexpr float small_opening = 0.06f;  // of a face; films slide through larger ones
  Int3 back;
  float least;
  View<const float> phi, room, open, closed;
  View<float> star, u;
  SILT_HD void operator()(Cell c) const {
    const float part = open(c);
    if (!(part > 0) || part >= small_opening) return;
    const Cell below = c - back;
    const bool wet = phi(c) < 0, wet_below = phi(below) < 0;
    if (wet == wet_below || !(room(wet ? below : c) < least)) return;
    star(c) = 0;
    u(c) = closed(c);
  }
};

struct FoldAtWall {
  Int3 behind;
  View<const float> weight;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const float w = weight(c), back = weight(c + behind), sum = w + back;
    if (sum > 0) u(c) = (w * u(c) + back * u(c + behind)) / sum;
  }
};

struct MarkLiquid {
  View<const float> phi;
  View<unsigned char> out;
  SILT_HD void operator()(Cell c) const { out(c) = phi(c) < 0; }
};

/// Whether all or any of the cells round one, and itself, are marked. Bytes, and no branch: 32 cells an instruction.
/// Along a flat axis it is thrice the same cell.
template <bool All>
struct MarkedRound {
  View<const unsigned char> from;
  View<unsigned char> to;
  SILT_HD void operator()(Cell c) const {
    unsigned char out = All;
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          const unsigned char marked = from(c.x + x, c.y + y, c.z + z);
          out = static_cast<unsigned char>(All ? out & marked : out | marked);
        }
    to(c) = out;
  }
};

struct CountUnmarked {
  CellRanges::View ranges;
  View<const unsigned char> marked;
  SILT_HD double operator()(Cell c) const { return marked(c) ? 0 : double(ranges.count(c)); }
};

}  // namespace

void add_kick_beyond(const Exec& exec, const Domain& domain, int axis, const MacField<float>& star, const CutCells& cut,
                     const MacField<float>& weight, const MacField<float>& velocity, MacField<float>& kick) {
  for_each_cell(
      exec, "liquid.kick_beyond", inner_faces(domain, axis),
      AddBeyond{BothSides(exec, domain, cut), axis, star[axis].read(exec).data, cut.open[axis].read(exec).data,
                weight[axis].read(exec).data, velocity[axis].read(exec).data, true, kick[axis].update(exec)});
}

void take_beyond(const Exec& exec, const Domain& domain, int axis, const MacField<float>& star, const CutCells& cut,
                 const MacField<float>& weight, const MacField<float>& kick, MacField<float>& velocity) {
  for_each_cell(
      exec, "liquid.take_beyond", inner_faces(domain, axis),
      AddBeyond{BothSides(exec, domain, cut), axis, star[axis].read(exec).data, cut.open[axis].read(exec).data,
                weight[axis].read(exec).data, kick[axis].read(exec).data, false, velocity[axis].update(exec)});
}

void add_faces(const Exec& exec, const Domain& domain, int axis, const MacField<float>& a, const MacField<float>& b,
               float factor, MacField<float>& out) {
  for_each_cell(exec, "liquid.add_faces", domain.faces(axis),
                AddFaces{a[axis].read(exec), b[axis].read(exec), factor, out[axis].update(exec)});
}

double max_liquid_divergence(const Exec& exec, const Domain& domain, const Field<unsigned char>& air,
                             const MacField<float>& velocity, const CutCells& cut) {
  LiquidDivergence kernel{Derivative(air.layout()),
                          air.read(exec),
                          {},
                          {},
                          {},
                          cut.growth.allocated() ? cut.growth.read(exec).data : nullptr,
                          1 / domain.lattice.h};
  for (int a = 0; a < 3; ++a) {
    kernel.u[a] = velocity[a].read(exec).data;
    kernel.open[a] = cut.open[a].read(exec).data;
    kernel.solid[a] = cut.closed_velocity()[a].read(exec).data;
  }
  return reduce<Max>(exec, "liquid.divergence", domain.cells, kernel);
}

void find_depth(const Exec& exec, const Domain& domain, const Field<float>& phi, Field<float>& depth) {
  for_each_cell(
      exec, "liquid.depth", domain.cells,
      FindDepth{CrowdKernel(domain.lattice.active), phi.read(exec), float(1 / domain.lattice.h), depth.update(exec)});
}

void find_crowding(const Exec& exec, const Domain& domain, const MacField<float>& weight, const Field<float>& capacity,
                   const Field<float>& room, const Field<float>& depth, const Field<float>& phi,
                   const MacField<float>& velocity, double rate, double dt, Field<double>& out, const ThinSides& sides,
                   const CutCells* cut) {
  const int dims = domain.lattice.dims();
  const double h = domain.lattice.h;
  const auto run = [&]<int Dims>() {
    const FindCrowding<Dims> kernel{weight.read(exec),
                                    capacity.read(exec),
                                    room.read(exec),
                                    depth.read(exec),
                                    phi.read(exec),
                                    velocity.read(exec),
                                    1.0f / float(2 * dims * (1 << dims)),
                                    float(rate * dt / h),
                                    float(0.5 * dt * dt / (h * h)),
                                    h * h / dt,
                                    out.update(exec)};
    for_each_cell(exec, "liquid.crowding", domain.cells, kernel);
    if (sides.empty()) return;
    for_each_index(
        exec, "liquid.crowding_beside", std::int64_t(sides.cells().size()),
        FindCrowdingBeside<Dims>{kernel, sides.read(exec, *cut), sides.places().read(exec), domain.lattice.active});
  };
  if (dims == 3)
    run.template operator()<3>();
  else if (dims == 2)
    run.template operator()<2>();
  else
    run.template operator()<1>();
}

void shut_corners(const Exec& exec, const Domain& domain, const Field<float>& phi, const Field<float>& room,
                  const CutCells& cut, MacField<float>& star, MacField<float>& velocity) {
  const float least = 0.5f / float(1 << domain.lattice.dims());
  for (int a = 0; a < 3; ++a) {
    const Cells faces = inner_faces(domain, a);
    for_each_cell(exec, "liquid.shut_corners", faces,
                  ShutCorners{unit(a), least, phi.read(exec), room.read(exec), cut.open[a].read(exec),
                              cut.closed_velocity()[a].read(exec), star[a].update(exec), velocity[a].update(exec)});
    if (domain.wraps()) fill_halo(exec, domain, domain.faces(a), {}, star[a]);
  }
}

void fold_at_walls(const Exec& exec, const Domain& domain, const SideWalls& walls, const MacField<float>& weight,
                   MacField<float>& velocity) {
  const Int3 active = domain.lattice.active;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int end = 0; end < 2; ++end) {
        if (a == b || !active[a] || !active[b] || domain.side(b, end) != Side::wall || walls[b][end].no_slip) continue;
        Cells faces = inner_faces(domain, a);
        (end == 0 ? faces.hi[b] : faces.lo[b]) = end == 0 ? faces.lo[b] + 1 : faces.hi[b] - 1;
        for_each_cell(
            exec, "liquid.fold", faces,
            FoldAtWall{end == 0 ? Int3{} - unit(b) : unit(b), weight[a].read(exec), velocity[a].update(exec)});
      }
}

double liquid_volume(const Exec& exec, const Domain& domain, const Field<float>& phi, const CellRanges& ranges,
                     const Field<float>* solids) {
  constexpr int core = 2, skin = 3;  // cells
  const Lattice& lattice = domain.lattice;
  Field<unsigned char> bulk(phi.layout()), next(phi.layout());
  for_each_cell(exec, "liquid.mark", domain.cells, MarkLiquid{phi.read(exec), bulk.update(exec)});
  for (int round = 0; round < core + skin; ++round) {
    fill_halo(exec, domain, domain.cells, HaloRule{}, bulk);
    const View<const unsigned char> from = std::as_const(bulk).read(exec);
    if (round < core)
      for_each_cell(exec, "liquid.core", domain.cells, MarkedRound<true>{from, next.update(exec)});
    else
      for_each_cell(exec, "liquid.skin", domain.cells, MarkedRound<false>{from, next.update(exec)});
    std::swap(bulk, next);
  }
  const double thin =
      reduce<Sum>(exec, "liquid.thin", domain.cells, CountUnmarked{ranges.read(exec), std::as_const(bulk).read(exec)});
  return level_set_volume(exec, domain, phi, solids, &bulk) + thin * lattice.cell_volume() / (1 << lattice.dims());
}

void moving_velocity(const Exec& exec, const Domain& domain, const MacField<float>& velocity, const Field<double>& d,
                     const MacField<float>& star, const CutCells& cut, bool solids, MacField<float>& out) {
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "liquid.moving", domain.faces(a),
                  MovingVelocity{ghost_gradient(exec, domain.lattice.h, d, star, cut, a), velocity[a].read(exec),
                                 out[a].update(exec)});
  if (!solids) return;
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "liquid.slide", inner_faces(domain, a),
                  SlideAlong{a, cut.distance.read(exec), velocity.read(exec), cut.open.read(exec),
                             cut.closed_velocity().read(exec), Derivative(d.layout()),
                             float((solid_reach - 1) * domain.lattice.h), nullptr, out[a].update(exec)});
}

void hold_films(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& phi,
                MacField<float>& velocity, MacField<float>& scratch) {
  constexpr double reach = 0.5;  // cells: faces on the solid's surface, none farther in
  copy_faces(exec, domain, velocity, scratch);
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "liquid.films", inner_faces(domain, a),
                  SlideAlong{a, cut.distance.read(exec), std::as_const(velocity).read(exec), cut.open.read(exec),
                             cut.closed_velocity().read(exec), Derivative(phi.layout()),
                             float(reach * domain.lattice.h), phi.values().read(exec), scratch[a].update(exec)});
  std::swap(velocity, scratch);
}

}  // namespace silt
