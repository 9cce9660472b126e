#include "silt/physics/sand/friction_stress.h"

#include <cmath>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/exterior_derivative.h"
#include "silt/fields/wrap.h"
#include "silt/physics/sand/sand_kernels.h"

namespace silt {
namespace {

constexpr float no_shear = 1e30f;

struct FindShear {
  int step_a, step_b;
  const float *a, *b, *star_a, *star_b;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    const bool all = (star_a[n] > 0) & (star_a[n - step_b] > 0) & (star_b[n] > 0) & (star_b[n - step_a] > 0);
    const float shear = 0.5f * ((a[n] - a[n - step_b]) + (b[n] - b[n - step_a]));
    out.data[n] = all ? shear : no_shear;
  }
};

template <int Dims>
struct FindStress {
  Derivative d;
  const float *u[3], *open[3], *solid[3], *star[3], *shear[3];
  const float *friction, *cohesion;
  const double* pressure;
  const unsigned char* air;
  float *along[3], *across[3];
  View<unsigned char> rigid;

  /// With what moves through the closed part of a face.
  SILT_HD float flow(int a, int n) const { return open[a][n] * u[a][n] + (1 - open[a][n]) * solid[a][n]; }

  /// The mean of the four edges of a cell along e, of those that have a shear.
  SILT_HD float mean_shear(int e, int n) const {
    const int s = d.step[(e + 1) % 3], t = d.step[(e + 2) % 3], at[4] = {n, n + s, n + t, n + s + t};
    float sum = 0, count = 0;
    for (int i = 0; i < 4; ++i) {
      const float value = shear[e][at[i]];
      const bool has = value != no_shear;
      sum += has ? value : 0.0f, count += has ? 1.0f : 0.0f;
    }
    return count > 0 ? sum / count : 0.0f;
  }

  /// The largest on any of its faces that is sand on both sides.
  SILT_HD float pressed(int n) const {
    double most = pressure[n];
    for (int a = 0; a < Dims; ++a) {
      const double low = pressure[n - d.step[a]], high = pressure[n + d.step[a]];
      const bool has_low = (star[a][n] > 0) & (air[n - d.step[a]] == 0);
      const bool has_high = (star[a][n + d.step[a]] > 0) & (air[n + d.step[a]] == 0);
      const double at_low = 0.5 * (pressure[n] + low), at_high = 0.5 * (pressure[n] + high);
      most = has_low & (at_low > most) ? at_low : most;
      most = has_high & (at_high > most) ? at_high : most;
    }
    return most > 0 ? float(most) : 0.0f;
  }

  SILT_HD void operator()(Cell c) const {
    constexpr float root_two = 1.41421356f;
    constexpr int first_edge = Dims == 3 ? 0 : Dims == 2 ? 2 : 3;  // in 2D edges are along z
    const int n = rigid.index(c.x, c.y, c.z);
    float normal[3], cross[3], mean = 0, square = 0;
    for (int a = 0; a < Dims; ++a) {
      normal[a] = flow(a, n + d.step[a]) - flow(a, n);
      mean += normal[a] * (1.0f / Dims);
    }
    for (int a = 0; a < Dims; ++a) {
      normal[a] -= mean;
      square += normal[a] * normal[a];
    }
    for (int e = first_edge; e < 3; ++e) {
      cross[e] = mean_shear(e, n);
      square += 2 * cross[e] * cross[e];
    }
    const float bound = root_two * (pressed(n) * friction[n] + cohesion[n]), size = std::sqrt(square);
    const bool sand = (air[n] == 0) & (friction[n] > 0), holds = size <= bound;
    const float factor = !sand ? 0.0f : holds ? 1.0f : bound / size;
    for (int a = 0; a < Dims; ++a) along[a][n] = factor * normal[a];
    for (int e = first_edge; e < 3; ++e) across[e][n] = factor * cross[e];
    rigid.data[n] = sand & holds ? 1 : 0;
  }
};

struct AddFriction {
  Derivative d;
  int axis;
  const unsigned char* rigid;
  const float *star, *along, *shear[3], *across[3];
  View<float> u;

  /// s_ab of an edge along e: the mean of the cells round it.
  SILT_HD float on_edge(int e, int n) const {
    const int s = d.step[(e + 1) % 3], t = d.step[(e + 2) % 3];
    const float sum = (across[e][n] + across[e][n - s]) + (across[e][n - t] + across[e][n - s - t]);
    return shear[e][n] != no_shear ? 0.25f * sum : 0.0f;
  }
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z), back = n - d.step[axis], b = (axis + 1) % 3, e = (axis + 2) % 3;
    const bool yields = (star[n] > 0) & !(rigid[n] | rigid[back]);
    const float push = (along[n] - along[back]) + (on_edge(e, n + d.step[b]) - on_edge(e, n)) +
                       (on_edge(b, n + d.step[e]) - on_edge(b, n));
    if (yields) u.data[n] += push;
  }
};

void wrap(const Exec& exec, const Domain& domain, FrictionStress& stress) {
  for (int a = 0; a < 3; ++a) {
    wrap_cells(exec, domain, stress.along[a]);
    wrap_cells(exec, domain, stress.across[a]);
  }
  wrap_marks(exec, domain, stress.rigid);
}

template <int Dims>
void find_stress(const Exec& exec, const Domain& domain, const FlowingSand& sand, FrictionStress& out) {
  FindStress<Dims> kernel{Derivative(out.rigid.layout()),
                          {},
                          {},
                          {},
                          {},
                          {},
                          sand.friction.read(exec).data,
                          sand.cohesion.read(exec).data,
                          sand.pressure.read(exec).data,
                          sand.air.read(exec).data,
                          {},
                          {},
                          out.rigid.update(exec)};
  for (int a = 0; a < 3; ++a) {
    kernel.u[a] = sand.velocity[a].read(exec).data;
    kernel.open[a] = sand.cut.open[a].read(exec).data;
    kernel.solid[a] = sand.cut.solid_velocity[a].read(exec).data;
    kernel.star[a] = sand.star[a].read(exec).data;
    kernel.shear[a] = std::as_const(out.shear)[a].read(exec).data;
    kernel.along[a] = out.along[a].update(exec).data;
    kernel.across[a] = out.across[a].update(exec).data;
  }
  for_each_cell(exec, "sand.yield", domain.cells, kernel);
}

}  // namespace

void find_friction_stress(const Exec& exec, const Domain& domain, const FlowingSand& sand, FrictionStress& out) {
  const Int3 active = domain.lattice.active;
  const Derivative d(out.rigid.layout());
  for (int e = 0; e < 3; ++e) {
    const int a = (e + 1) % 3, b = (e + 2) % 3;
    if (!active[a] || !active[b]) continue;
    for_each_cell(exec, "sand.shear", edges_in_use(domain, e),
                  FindShear{d.step[a], d.step[b], sand.velocity[a].read(exec).data, sand.velocity[b].read(exec).data,
                            sand.star[a].read(exec).data, sand.star[b].read(exec).data, out.shear[e].update(exec)});
  }
  if (domain.lattice.dims() == 3)
    find_stress<3>(exec, domain, sand, out);
  else if (domain.lattice.dims() == 2)
    find_stress<2>(exec, domain, sand, out);
  else
    find_stress<1>(exec, domain, sand, out);
  wrap(exec, domain, out);
}

void add_friction(const Exec& exec, const Domain& domain, const MacField<float>& star, const FrictionStress& stress,
                  MacField<float>& velocity) {
  for (int a = 0; a < 3; ++a) {
    AddFriction kernel{Derivative(stress.rigid.layout()),
                       a,
                       stress.rigid.read(exec).data,
                       star[a].read(exec).data,
                       stress.along[a].read(exec).data,
                       {},
                       {},
                       velocity[a].update(exec)};
    for (int e = 0; e < 3; ++e) {
      kernel.shear[e] = stress.shear[e].read(exec).data;
      kernel.across[e] = stress.across[e].read(exec).data;
    }
    for_each_cell(exec, "sand.slide", domain.faces(a), kernel);
  }
}

}  // namespace silt
