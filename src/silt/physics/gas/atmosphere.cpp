#include "silt/physics/gas/atmosphere.h"

#include <algorithm>
#include <cmath>

namespace silt::gas {

void find_atmosphere(const Setting& setting, const GasParams& params, GasReference& out) {
  const Lattice& lattice = setting.domain.lattice;
  const double rho_a = params.ambient_density(), p_a = params.ambient_pressure, t_a = params.ambient_temperature;
  const double r = params.gas_constant, c = params.speed_of_sound, gamma = params.gamma;
  const Box all = out.density.layout().storage();
  for (int z = all.lo.z; z < all.hi.z; ++z)
    for (int y = all.lo.y; y < all.hi.y; ++y)
      for (int x = all.lo.x; x < all.hi.x; ++x) {
        const Cell cell{x, y, z};
        const double fall = dot(setting.gravity, lattice.centre(cell) - lattice.origin);  // g . x [m^2/s^2]
        double rho, p;
        if (!params.ideal()) {
          rho = rho_a * std::exp(fall / (c * c));
          p = p_a + c * c * (rho - rho_a);
        } else if (params.atmosphere == Atmosphere::isothermal) {
          const double thinner = std::exp(fall / (r * t_a));
          rho = rho_a * thinner, p = p_a * thinner;
        } else {
          const double t = std::max(0.1, 1 + fall * (gamma - 1) / (gamma * r * t_a));
          rho = rho_a * std::pow(t, 1 / (gamma - 1)), p = p_a * std::pow(t, gamma / (gamma - 1));
        }
        out.density.at(cell) = float(rho);
        out.pressure.at(cell) = float(p);
      }
}

}  // namespace silt::gas
