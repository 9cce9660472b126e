#include "silt/physics/smoke/vorticity.h"

#include <algorithm>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"

namespace silt {

namespace {

struct Steps {
  int x, y, z;  ///< index steps to the next cell; 0 along a flat axis
};

/// curl u at cell centres. Twice the mean of two faces' central differences is the sum of four edges' circulations.
struct Vorticity {
  MacView<const float> u;
  Steps step;
  float scale;  ///< 1 / (4 h)
  View<float> x, y, z, size;

  /// How the component `f` across an axis (`own`) changes along another.
  SILT_HD float change(const View<const float>& f, int n, int own, int along) const {
    return scale * ((f.data[n + along] - f.data[n - along]) + (f.data[n + own + along] - f.data[n + own - along]));
  }
  SILT_HD void operator()(Cell c) const {
    const int n = size.index(c.x, c.y, c.z);
    const float wx = change(u.z, n, step.z, step.y) - change(u.y, n, step.y, step.z);
    const float wy = change(u.x, n, step.x, step.z) - change(u.z, n, step.z, step.x);
    const float wz = change(u.y, n, step.y, step.x) - change(u.x, n, step.x, step.y);
    x.data[n] = wx, y.data[n] = wy, z.data[n] = wz;
    size.data[n] = std::sqrt(wx * wx + wy * wy + wz * wz);
  }
};

/// strength h (N x omega) in place of omega. With g = h grad |omega|, N = g / (|g| + |omega| / 1000).
struct Confinement {
  View<const float> size;
  Steps step;
  float strength;  ///< strength h
  View<float> x, y, z;

  SILT_HD void operator()(Cell c) const {
    const int n = size.index(c.x, c.y, c.z);
    const Vec3f omega{x.data[n], y.data[n], z.data[n]};
    const Vec3f g =
        0.5f * Vec3f{size.data[n + step.x] - size.data[n - step.x], size.data[n + step.y] - size.data[n - step.y],
                     size.data[n + step.z] - size.data[n - step.z]};
    const Vec3f f = cross(g, omega) * (strength / (length(g) + 1e-3f * size.data[n] + 1e-30f));
    x.data[n] = f.x, y.data[n] = f.y, z.data[n] = f.z;
  }
};

struct AddCentred {
  View<const float> force;
  int back;
  float half_dt;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    u.data[n] += half_dt * (force.data[n] + force.data[n - back]);
  }
};

}  // namespace

double confinement_strength(double asked, double speed, double h) {
  constexpr double most_a_cell = 0.005;
  return std::min(asked, most_a_cell * speed / h);
}

void confine_vorticity(const Exec& exec, const Domain& domain, double strength, double dt, MacField<float>& force,
                       Field<float>& size, MacField<float>& velocity) {
  const double h = domain.lattice.h;
  const Layout& layout = velocity.layout();
  const Steps step{1, layout.stride_y, layout.stride_z};
  for_each_cell(exec, "vorticity", domain.cells,
                Vorticity{velocity.read(exec), step, float(0.25 / h), force[0].write(exec), force[1].write(exec),
                          force[2].write(exec), size.write(exec)});
  fill_halo(exec, domain, domain.cells, HaloRule{}, size);
  for_each_cell(exec, "vorticity.confine", domain.cells,
                Confinement{size.read(exec), step, float(strength * h), force[0].update(exec), force[1].update(exec),
                            force[2].update(exec)});
  const int back[3] = {step.x, step.y, step.z};
  for (int a = 0; a < 3; ++a) {
    fill_halo(exec, domain, domain.cells, HaloRule{}, force[a]);
    for_each_cell(exec, "vorticity.add", domain.faces(a),
                  AddCentred{force[a].read(exec), back[a], float(0.5 * dt), velocity[a].update(exec)});
  }
}

}  // namespace silt
