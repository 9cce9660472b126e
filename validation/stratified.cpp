#include <cmath>

#include "silt/core/text.h"
#include "silt/physics/gas/sample_gas.h"
#include "validation/lab.h"

namespace silt::validation {

/// Air under gravity stays at rest.
void stratified(Lab& lab) {
  lab.about(
      "Air at rest under gravity, three kilometres of it, for 1000 steps: the largest velocity over the speed of "
      "sound; "
      "wanted is at\n"
      "most 1e-6. The energy form and those with p = c^2 rho only know differences from it. `bubble`: how fast air "
      "that "
      "is 1 K warmer\n"
      "rises, after 20 s, over g / 293 times 20 s: less than 1, for it takes air along.");
  const int steps = lab.quick ? 100 : 1000;
  struct Form {
    const char* name;
    GasForm form;
    Atmosphere atmosphere;
  };
  using gas::test::Rig;
  for (const Form& f : {Form{"energy.isothermal", GasForm::energy, Atmosphere::isothermal},
                        Form{"energy.isentropic", GasForm::energy, Atmosphere::isentropic},
                        Form{"entropy.isothermal", GasForm::entropy, Atmosphere::isothermal},
                        Form{"momentum", GasForm::momentum, Atmosphere::isothermal}})
    for (const bool implicit : {false, true}) {
      Rig rig({8, 64, 1}, 3000.0 / 64, Side::wall,
              {.form = f.form,
               .pressure = implicit ? GasPressure::implicit : GasPressure::explicit_,
               .atmosphere = f.atmosphere},
              {0, -9.81, 0});
      for (int i = 0; i < steps; ++i) rig.step(1, implicit ? 1.0 : 1e9);
      lab.measure.at_most(str(f.name, implicit ? ".implicit" : ".explicit"), rig.sums().fastest / 343, 1e-6);
    }
  Rig rig({64, 64, 1}, 1000.0 / 64, Side::wall, {.atmosphere = Atmosphere::isentropic}, {0, -9.81, 0}, lab.exec);
  for (int j = 0; j < 64; ++j)
    for (int i = 0; i < 64; ++i) {
      const double r = std::hypot(i - 31.5, j - 16.0) * 1000 / 64;
      const double part = std::max(0.0, 1 - r / 150) / 293;
      rig.state.density.at({i, j, 0}) = float(-part * rig.reference_density({i, j, 0}));
    }
  rig.run_until(20);
  lab.measure.near("bubble", rig.sums().fastest / (9.81 / 293 * 20), 0.5, 0.3);
}

}  // namespace silt::validation
