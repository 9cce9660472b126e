#include "silt/physics/smoke/burning.h"

#include "silt/core/loops.h"
#include "silt/core/packed.h"
#include "silt/physics/common/fuel_law.h"
#include "silt/physics/common/open_at_all.h"

namespace silt {

namespace {

struct BurnFuel {
  FuelLaw law;
  float heat, soot, ambient, swelling;
  View<float> fuel, temperature, density, expansion;
  SILT_HD void operator()(Cell c) const {
    const float f = fuel(c) > 0 ? fuel(c) : 0;
    const float burnt = law.burnt(f, temperature(c));
    fuel(c) = f - burnt;
    temperature(c) += heat * burnt;
    density(c) += soot * burnt;
    expansion(c) = swelling * burnt / (ambient + temperature(c));
  }
};

/// Before BurnFuel: the soot to come, in its colour.
struct ColourSoot {
  FuelLaw law;
  float amount;
  View<const float> fuel, temperature;
  View<float> coloured;
  SILT_HD void operator()(Cell c) const { coloured(c) += amount * law.burnt(fuel(c), temperature(c)); }
};

struct PackFlame {
  View<const float> fuel, temperature;
  FuelLaw law;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const { out[at(c)] = law.burnt(fuel(c), temperature(c)); }
};

}  // namespace

void burn_fuel(const Exec& exec, const Domain& domain, const BurnLaw& law, const Vec3d& colour, Field<float>& fuel,
               Field<float>& temperature, Field<float>& density, Field<float> (&coloured)[3], Field<float>& expansion) {
  const FuelLaw burns{float(law.share), float(law.ignition)};
  for (int i = 0; i < 3; ++i)
    if (coloured[i].allocated())
      for_each_cell(exec, "burn.colour", domain.cells,
                    ColourSoot{burns, float(law.soot * colour[i]), fuel.read(exec), temperature.read(exec),
                               coloured[i].update(exec)});
  for_each_cell(exec, "burn", domain.cells,
                BurnFuel{burns, float(law.heat), float(law.soot), float(law.ambient), float(law.swelling),
                         fuel.update(exec), temperature.update(exec), density.update(exec), expansion.write(exec)});
}

void pack_flame(const Exec& exec, const Domain& domain, const Field<float>& fuel, const Field<float>& temperature,
                double ignition, double rate, Buffer<float>& out) {
  for_each_cell(
      exec, "pack.flame", domain.cells,
      PackFlame{
          fuel.read(exec), temperature.read(exec), {float(rate), float(ignition)}, {domain.cells}, out.write(exec)});
}

}  // namespace silt
