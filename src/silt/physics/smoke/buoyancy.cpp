#include "silt/physics/smoke/buoyancy.h"

#include <cmath>

#include "silt/core/loops.h"

namespace silt {

namespace {

struct AddBuoyancy {
  View<const float> temperature, density;
  int back;  ///< index step to the cell below the face
  BuoyancyLaw law;
  float change;  ///< -dt g along the axis
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    const float t = 0.5f * (temperature.data[n] + temperature.data[n - back]);
    const float d = 0.5f * (density.data[n] + density.data[n - back]);
    u.data[n] += change * (law.lift(t) - law.weight * d);
  }
};

template <bool Burns>
struct LargestBuoyancy {
  View<const float> temperature, density, fuel;
  BuoyancyLaw law;
  BuoyantFuel burning;
  SILT_HD double operator()(Cell c) const {
    const float heat = temperature(c), now = std::abs(law.lift(heat)), smoke = std::abs(density(c));
    if constexpr (!Burns) {
      return now + law.weight * smoke;
    } else {
      const float burnt = heat >= burning.ignition && fuel(c) > 0 ? fuel(c) : 0.0f;
      const float then = std::abs(law.lift(heat + burning.heat * burnt));
      return (then > now ? then : now) + law.weight * (smoke + burning.soot * burnt);
    }
  }
};

}  // namespace

void add_buoyancy(const Exec& exec, const Domain& domain, const Vec3d& gravity, const BuoyancyLaw& law, double dt,
                  const Field<float>& temperature, const Field<float>& density, MacField<float>& velocity) {
  const Layout& layout = density.layout();
  const int back[3] = {1, layout.stride_y, layout.stride_z};
  for (int a = 0; a < 3; ++a)
    if (gravity[a] != 0)
      for_each_cell(exec, "buoyancy", domain.faces(a),
                    AddBuoyancy{temperature.read(exec), density.read(exec), back[a], law, float(-dt * gravity[a]),
                                velocity[a].update(exec)});
}

double largest_buoyancy(const Exec& exec, const Domain& domain, const BuoyancyLaw& law, const BuoyantFuel& burning,
                        const Field<float>& temperature, const Field<float>& density, const Field<float>& fuel) {
  const View<const float> t = temperature.read(exec), d = density.read(exec);
  return fuel.allocated()
             ? reduce<Max>(exec, "buoyancy.largest", domain.cells,
                           LargestBuoyancy<true>{t, d, fuel.read(exec), law, burning})
             : reduce<Max>(exec, "buoyancy.largest", domain.cells, LargestBuoyancy<false>{t, d, {}, law, burning});
}

}  // namespace silt
