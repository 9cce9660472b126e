#include "silt/physics/common/free_surface.h"

#include <cmath>
#include <limits>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/exterior_derivative.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/hodge_star.h"
#include "silt/fields/level_set.h"
#include "silt/fields/operators.h"
#include "silt/physics/common/flow_kernels.h"
#include "silt/physics/common/ghost_gradient.h"

namespace silt {
namespace {

/// A cell that is liquid only because a particle lies in it, with a surface this near its centre [cells].
constexpr float bare_depth = 0.02f;

struct IncludeParticles {
  CellRanges::View ranges;
  bool everywhere;  ///< or only beside solids and walls
  MacView<const float> open;
  Int3 active;
  float highest;  ///< [m]
  View<float> phi;

  SILT_HD bool beside_solid(Cell c) const {
    bool any = false;
    for (int a = 0; a < 3; ++a) any = any || (active[a] && (open[a](c) < 1 || open[a](c + unit(a)) < 1));
    return any;
  }
  SILT_HD void operator()(Cell c) const {
    if (phi(c) > highest && ranges.count(c) > 0 && (everywhere || beside_solid(c))) phi(c) = highest;
  }
};

/// The solids' distance at corners, within a cell.
struct SolidAt {
  View<const float> distance;
  Int3 active;

  SILT_HD float centre(Cell c) const {
    float sum = 0;
    corners(c, [&](float d, Int3) { sum += d; });
    return 0.125f * sum;
  }
  /// Points out of the solid; not of length 1.
  SILT_HD Vec3f slope(Cell c) const {
    Vec3f n{};
    corners(c, [&](float d, Int3 at) { n += Vec3f{at.x ? d : -d, at.y ? d : -d, at.z ? d : -d}; });
    for (int a = 0; a < 3; ++a) n[a] = active[a] ? n[a] : 0;
    return n;
  }

 private:
  template <class Visit>
  SILT_HD void corners(Cell c, const Visit& visit) const {
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) visit(distance(c.x + x, c.y + y, c.z + z), Int3{x, y, z});
  }
};

struct CarryIntoSolids {
  SolidAt solid;
  Box cells;
  float h;
  View<const float> phi;
  View<float> out;

  SILT_HD float sample(Vec3f at) const {  // in cells, of centres
    Int3 low;
    Vec3f f;
    for (int a = 0; a < 3; ++a) {
      const float last = float(cells.hi[a] - 1), first = float(cells.lo[a]);
      at[a] = at[a] < first ? first : at[a] > last ? last : at[a];
      low[a] = int(std::floor(at[a]));
      if (low[a] == cells.hi[a] - 1 && low[a] > cells.lo[a]) --low[a];
      f[a] = at[a] - float(low[a]);
    }
    float sum = 0;
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) {
          const float w = (x ? f.x : 1 - f.x) * (y ? f.y : 1 - f.y) * (z ? f.z : 1 - f.z);
          if (w > 0) sum += w * phi(low.x + x, low.y + y, low.z + z);
        }
    return sum;
  }
  SILT_HD void operator()(Cell c) const {
    out(c) = phi(c);
    const float d = solid.centre(c);
    if (d >= 0 || d < -1.5f * h) return;
    const Vec3f n = solid.slope(c);
    const float length2 = dot(n, n);
    if (!(length2 > 0)) return;
    const float step = (0.5f - d / h) / std::sqrt(length2);
    out(c) = sample(c.as<float>() + n * step);
  }
};

struct FillGaps {
  View<const float> phi, weight;
  Derivative d;
  int axis;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    if (weight.data[n] > 0 || !(phi.data[n] < 0 || phi.data[n - d.step[axis]] < 0)) return;
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; ++a)
      for (int m = n - d.step[a]; d.step[a] && m <= n + d.step[a]; m += 2 * d.step[a])
        if (weight.data[m] > 0) sum += u.data[m], ++count;
    if (count > 0) u.data[n] = sum / float(count);
  }
};

struct ScaleInLiquid {
  View<const unsigned char> air;
  double factor;
  View<double> q;
  SILT_HD void operator()(Cell c) const {
    const double value = air(c) ? 0 : q(c) * factor;
    if (value != q(c)) q(c) = value;  // zeros that nobody has written take no memory
  }
};

struct SubtractGhostGradient {
  GhostGradient gradient;
  const float* solid;
  Box inner;
  float* kick;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    if (gradient.star[n] > 0) {
      kick[n] = -float(gradient(n));
      u.data[n] += kick[n];
    } else {
      if (kick[n] != 0) kick[n] = 0;  // zeros that nobody has written take no memory
      if (!(gradient.open[n] > 0) && !inner.contains(c)) u.data[n] = solid[n];
    }
  }
};

}  // namespace

void include_particles(const Exec& exec, const Domain& domain, const CellRanges& ranges, const MacField<float>& open,
                       bool everywhere, Field<float>& phi) {
  for_each_cell(exec, "liquid.include", domain.cells,
                IncludeParticles{ranges.read(exec), everywhere, open.read(exec), domain.lattice.active,
                                 float(-bare_depth * domain.lattice.h), phi.update(exec)});
}

void carry_into_solids(const Exec& exec, const Domain& domain, const Field<float>& distance, Field<float>& phi,
                       Field<float>& scratch) {
  const CarryIntoSolids kernel{{distance.read(exec), domain.lattice.active},
                               domain.cells,
                               float(domain.lattice.h),
                               phi.read(exec),
                               scratch.update(exec)};
  for_each_cell(exec, "liquid.into_solids", domain.cells, kernel);
  std::swap(phi, scratch);
}

void fill_gaps(const Exec& exec, const Domain& domain, const Field<float>& phi, const MacField<float>& weight,
               MacField<float>& velocity) {
  for (int a = 0; a < 3; ++a)
    for_each_cell(
        exec, "liquid.gaps", domain.faces(a),
        FillGaps{phi.read(exec), weight[a].read(exec), Derivative(phi.layout()), a, velocity[a].update(exec)});
}

void scale_in_liquid(const Exec& exec, const Domain& domain, const Field<unsigned char>& air, double factor,
                     Field<double>& q) {
  for_each_cell(exec, "liquid.scale", domain.cells, ScaleInLiquid{air.read(exec), factor, q.update(exec)});
}

void subtract_liquid_gradient(const Exec& exec, const Domain& domain, const Field<double>& q,
                              const MacField<float>& star, const CutCells& cut, MacField<float>& kick,
                              MacField<float>& velocity) {
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "liquid.gradient", domain.faces(a),
                  SubtractGhostGradient{ghost_gradient(exec, domain.lattice.h, q, star, cut, a),
                                        cut.solid_velocity[a].read(exec).data, inner_faces(domain, a),
                                        kick[a].update(exec).data, velocity[a].update(exec)});
}

void find_free_surface(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                       const CutCells& cut, bool solids, bool thin, Field<float>& phi, Field<float>& scratch,
                       Field<unsigned char>& air) {
  SurfaceOptions options;
  if (thin) options.slack = std::numeric_limits<double>::infinity();
  surface_of_particles(exec, domain, particles, ranges, options, phi);
  if (solids) carry_into_solids(exec, domain, cut.distance, phi, scratch);
  include_particles(exec, domain, ranges, cut.open, thin, phi);
  fill_level_set_halo(exec, domain, phi);
  cells_of_air(exec, domain, phi, air);
}

SolveReport project_free_surface(const Exec& exec, const FreeSurfaceFlow& flow, const SolveOptions& options,
                                 Field<double>& q, MacField<float>& kick, MacField<float>& velocity) {
  const auto& [domain, wet, cut, star, air, rhs, solver] = flow;
  const double h = domain.lattice.h;
  divergence(exec, wet.cells, h, velocity, cut.open, cut.solid_velocity, rhs, -h * h);
  if (cut.growth.allocated()) add_expansion(exec, wet, h * h, cut.open, cut.growth, rhs);
  scale_in_liquid(exec, wet, air, 1, rhs);
  solver.prepare(exec, wet, star, nullptr, &air);
  const SolveReport report = solver.solve(exec, options, rhs, q);
  subtract_liquid_gradient(exec, domain, q, star, cut, kick, velocity);
  return report;
}

}  // namespace silt
