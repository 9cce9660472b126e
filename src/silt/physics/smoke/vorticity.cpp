#include "silt/physics/smoke/vorticity.h"

#include <algorithm>

#include "silt/core/loops.h"
#include "silt/fields/exterior_derivative.h"
#include "silt/fields/halo.h"

namespace silt {

namespace {

/// curl u at cell centres. Twice the mean of two faces' central differences is the sum of four edges' circulations.
struct Vorticity {
  MacView<const float> u;
  Derivative d;
  float scale;  ///< 1 / (4 h)
  View<float> x, y, z, size;

  /// How the component across an axis changes along another.
  SILT_HD float change(int n, int across, int along) const {
    const float* f = u[across].data + n;
    const int own = d.step[across], to = d.step[along];
    return scale * ((f[to] - f[-to]) + (f[own + to] - f[own - to]));
  }
  SILT_HD void operator()(Cell c) const {
    const int n = size.index(c.x, c.y, c.z);
    const float wx = change(n, 2, 1) - change(n, 1, 2);
    const float wy = change(n, 0, 2) - change(n, 2, 0);
    const float wz = change(n, 1, 0) - change(n, 0, 1);
    x.data[n] = wx, y.data[n] = wy, z.data[n] = wz;
    size.data[n] = std::sqrt(wx * wx + wy * wy + wz * wz);
  }
};

/// strength h (N x omega) in place of omega. With g = h grad |omega|, N = g / (|g| + |omega| / 1000).
struct Confinement {
  View<const float> size;
  Derivative d;
  float strength;  ///< strength h
  View<float> x, y, z;

  SILT_HD void operator()(Cell c) const {
    const int n = size.index(c.x, c.y, c.z);
    const Vec3f omega{x.data[n], y.data[n], z.data[n]};
    const auto change = [&](int a) { return size.data[n + d.step[a]] - size.data[n - d.step[a]]; };
    const Vec3f g = 0.5f * Vec3f{change(0), change(1), change(2)};
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
  const Derivative d(velocity.layout());
  for_each_cell(exec, "vorticity", domain.cells,
                Vorticity{velocity.read(exec), d, float(0.25 / h), force[0].write(exec), force[1].write(exec),
                          force[2].write(exec), size.write(exec)});
  fill_halo(exec, domain, domain.cells, HaloRule{}, size);
  for_each_cell(exec, "vorticity.confine", domain.cells,
                Confinement{size.read(exec), d, float(strength * h), force[0].update(exec), force[1].update(exec),
                            force[2].update(exec)});
  for (int a = 0; a < 3; ++a) {
    fill_halo(exec, domain, domain.cells, HaloRule{}, force[a]);
    for_each_cell(exec, "vorticity.add", domain.faces(a),
                  AddCentred{force[a].read(exec), d.step[a], float(0.5 * dt), velocity[a].update(exec)});
  }
}

}  // namespace silt
