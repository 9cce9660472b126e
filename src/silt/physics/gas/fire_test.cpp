#include <gtest/gtest.h>

#include <cmath>

#include "silt/physics/gas/sample_gas.h"

namespace silt::gas {
namespace {

using test::Rig;

/// A closed box with fuel everywhere, and a ball so hot that it lights it.
Setting room_with_fuel(double lit) {
  Setting out = Rig::make_setting({24, 24, 1}, 1.0 / 24, Side::wall, {});
  out.gas_fills = {{.name = "fuel", .shape = std::nullopt, .fuel = 0.4},
                   {.name = "spark",
                    .shape = Shape::sphere({0.3, 0.4, 0.5 / 24}, 0.15),
                    .content = {.temperature = lit},
                    .smoke = 0,
                    .fuel = 0.4}};
  return out;
}
double amount(Rig& rig, const Field<float>& field) {
  double sum = 0;
  silt::test::for_each(rig.setting.domain.cells, [&](Cell c) { sum += field(c); });
  return sum / (24 * 24);
}

// Energy grows by the heat of what has burnt, mass by nothing, and soot by what the fuel makes; and the fire spreads.
TEST(GasFire, GivesTheHeatOfWhatBurns) {
  for (const GasForm form : {GasForm::energy, GasForm::entropy})
    for (const GasPressure pressure : {GasPressure::explicit_, GasPressure::implicit}) {
      Rig rig(room_with_fuel(1200), {.form = form, .pressure = pressure, .burn_rate = 400, .fuel_heat = 2e5});
      const GasSums before = rig.sums();
      const double fuel = amount(rig, rig.state.fuel);
      rig.run_until(5e-3);
      const GasSums after = rig.sums();
      const double burnt = fuel - amount(rig, rig.state.fuel);
      EXPECT_GT(burnt, 0.02 * fuel);
      EXPECT_NEAR(after.mass / before.mass, 1, 1e-6);
      EXPECT_NEAR(amount(rig, rig.state.smoke), 0.5 * burnt, 1e-4 * burnt);
      const double gained = after.inner_energy + after.kinetic_energy - before.inner_energy - before.kinetic_energy;
      const double wanted = form == GasForm::energy ? 1e-3 : 0.2;  // floats, of the whole box; the other keeps none
      EXPECT_NEAR(gained / (2e5 * burnt), 1, wanted);
    }
}

// A source gives the power that it has, also where solids take most of it away.
TEST(GasSource, GivesItsPower) {
  constexpr double power = 3e6, lasts = 5e-3;  // [W] of a metre, [s]
  for (const GasPressure pressure : {GasPressure::explicit_, GasPressure::implicit})
    for (const bool beside_a_solid : {false, true}) {
      Setting setting = Rig::make_setting({24, 24, 1}, 1.0 / 24, Side::wall, {});
      GasSource heater;
      heater.name = "heater";
      heater.shape = Shape::sphere({0.43, 0.51, 0.5 / 24}, 0.15);
      heater.power = power;
      setting.gas_sources = {heater};
      Obstacle block;
      block.name = "block";
      block.shape = Shape::sphere({0.33, 0.45, 0.5 / 24}, 0.17);
      if (beside_a_solid) setting.obstacles = {block};
      Rig rig(setting, {.pressure = pressure});
      const GasSums before = rig.sums();
      rig.run_until(lasts);
      const GasSums after = rig.sums();
      EXPECT_NEAR(
          (after.inner_energy + after.kinetic_energy - before.inner_energy - before.kinetic_energy) / (power * lasts),
          1, 2e-3)
          << beside_a_solid;
    }
}

// What is too cold does not burn, and half of what is hot enough is left after ln 2 / rate.
TEST(GasFire, BurnsWhereItIsHot) {
  Rig cold(room_with_fuel(650), {});
  cold.run_until(5e-3);
  EXPECT_NEAR(amount(cold, cold.state.fuel), 0.4, 1e-5);
  Setting hot = room_with_fuel(293);
  hot.gas_fills.push_back({.name = "heat", .shape = std::nullopt, .content = {.temperature = 900}, .fuel = 0.4});
  Rig rig(hot, {.burn_rate = 100});
  rig.run_until(std::log(2.0) / 100);
  EXPECT_NEAR(amount(rig, rig.state.fuel), 0.2, 1e-4);
}

}  // namespace
}  // namespace silt::gas
