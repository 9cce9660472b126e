#include <cmath>

#include "silt/core/text.h"
#include "silt/physics/gas/sample_gas.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

using gas::test::Rig;

struct Form {
  const char* name;
  GasForm form;
  bool momentum, energy;  ///< whether it keeps them
};
constexpr Form forms[] = {{"energy", GasForm::energy, true, true},
                          {"entropy", GasForm::entropy, false, false},
                          {"momentum", GasForm::momentum, true, false},
                          {"velocity", GasForm::velocity, false, false}};

/// Sum of |rho u| dV [kg m/s].
double momentum_there(Rig& rig) {
  const Domain& domain = rig.setting.domain;
  const gas::StepFrame frame = rig.frame();
  double sum = 0;
  silt::test::for_each(domain.cells, [&](Cell c) {
    const Vec3d u{rig.state.velocity[0](c), rig.state.velocity[1](c),
                  domain.lattice.active[2] ? rig.state.velocity[2](c) : 0.0f};
    sum += (double(frame.reference.density(c)) + rig.state.density(c)) * length(u) * domain.lattice.cell_volume();
  });
  return sum;
}

/// Mass and energy in a closed box about a disk that stands still, which a burst runs over.
void beside_a_solid(Lab& lab, int steps) {
  constexpr int n = 48;
  Setting setting = Rig::make_setting({n, n, 1}, 1.0 / n, Side::wall, {});
  Obstacle disk;
  disk.name = "disk";
  disk.shape = Shape::sphere({0.47, 0.52, 0.5 / n}, 0.17);
  setting.obstacles = {disk};
  for (const bool implicit : {false, true}) {
    Rig rig(setting, {.pressure = implicit ? GasPressure::implicit : GasPressure::explicit_}, lab.exec);
    for (int j = 4; j < 12; ++j)
      for (int i = 4; i < 12; ++i) rig.put({i, j, 0}, 1.2, 4e5);
    const gas::GasSums before = rig.sums();
    for (int i = 0; i < steps; ++i) rig.step(0.9);
    const gas::GasSums after = rig.sums();
    const std::string name = str("beside_a_disk", implicit ? ".implicit" : ".explicit");
    lab.measure.at_most(name + ".mass", std::abs(after.mass / before.mass - 1), 1e-6);
    const double energy_before = before.kinetic_energy + before.inner_energy;
    lab.measure.at_most(name + ".energy", std::abs((after.kinetic_energy + after.inner_energy) / energy_before - 1),
                        1e-6);
  }
}

}  // namespace

/// What 1000 steps in a periodic box keep.
void gas_conservation(Lab& lab) {
  lab.about(
      "Gas in a periodic box, in swirls of 80 m/s and with densities that differ by a third, for 1000 steps of each "
      "form. `mass`\n"
      "and `energy` (kinetic and inner) are what they changed by, over what they were; `momentum` over the sum of "
      "|rho u| dV\n"
      "at the start. Numbers are floats: wanted is 1e-6, in the forms that keep them. `beside_a_disk`: a closed box "
      "in 2D about a disk,\n"
      "which a burst of four atmospheres runs over.");
  const Int3 cells = lab.quick ? Int3{16, 16, 1} : Int3{32, 32, 32};
  const int steps = lab.quick ? 200 : 1000;
  for (const Form& f : forms)
    for (const bool implicit : {false, true}) {
      Rig rig(cells, 1.0 / cells.x, Side::periodic,
              {.form = f.form, .pressure = implicit ? GasPressure::implicit : GasPressure::explicit_}, {}, lab.exec);
      rig.stir(80, 0.3);
      const gas::GasSums before = rig.sums();
      const double momentum = momentum_there(rig);
      for (int i = 0; i < steps; ++i) rig.step(0.9);
      const gas::GasSums after = rig.sums();
      const std::string name = str(f.name, implicit ? ".implicit" : ".explicit");
      lab.measure.at_most(name + ".mass", std::abs(after.mass / before.mass - 1), 1e-6);
      const double drift = length(after.momentum - before.momentum) / momentum;
      const double energy_before = before.kinetic_energy + before.inner_energy;
      const double energy = std::abs((after.kinetic_energy + after.inner_energy) / energy_before - 1);
      if (f.momentum) lab.measure.at_most(name + ".momentum", drift, 1e-6);
      if (f.energy) lab.measure.at_most(name + ".energy", energy, 1e-6);
      lab.measure.tell(name + ".kinetic_energy_left", after.kinetic_energy / before.kinetic_energy);
    }
  beside_a_solid(lab, steps);
}

}  // namespace silt::validation
