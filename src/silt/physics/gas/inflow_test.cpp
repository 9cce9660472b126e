#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "silt/physics/gas/sample_gas.h"

namespace silt::gas {
namespace {

using test::Rig;

constexpr double p_0 = 101325, t_0 = 293;
const GasParams by_sound{.pressure = GasPressure::explicit_}, implicit{.pressure = GasPressure::implicit};
const double rho_0 = by_sound.ambient_density(), sound = std::sqrt(1.4 * p_0 / rho_0);

/// A channel a metre long, open at its right end, and blown into from the left.
Setting channel(Int3 cells, const Inflow& inflow) {
  Setting out = Rig::make_setting(cells, 1.0 / cells.x, Side::wall, {});
  out.domain.sides[0][1] = Side::open;
  out.inflows = {inflow};
  return out;
}
Inflow wind(const Vec3d& velocity, double temperature = t_0, double smoke = 0) {
  Inflow out;
  out.name = "fan";
  out.velocity = velocity;
  out.density = smoke;
  out.temperature = temperature;
  return out;
}

/// Mass that crosses the face [kg/(m^2 s)].
double mass_flow(Rig& rig, Cell face) {
  const auto rho = [&](Cell c) { return rig.reference_density(c) + rig.state.density(c); };
  return rig.state.velocity[0](face) * 0.5 * (rho(face - Cell{1, 0, 0}) + rho(face));
}

// A wind that begins to blow fills the channel with what was asked for, and as much leaves as enters.
TEST(GasInflow, SteadyWindPassesThrough) {
  for (const GasParams& params : {by_sound, implicit}) {
    Rig rig(channel({48, 1, 1}, wind({30, 0, 0}, 320, 0.5)), params);
    rig.run_until(0.3);
    const double enters = mass_flow(rig, {1, 0, 0}), leaves = mass_flow(rig, {47, 0, 0});
    EXPECT_NEAR(leaves / enters, 1, 1e-3);
    EXPECT_NEAR(enters / (30 * p_0 / (287.05 * 320)), 1, 1e-3);
    for (const int i : {0, 24, 46}) EXPECT_NEAR(rig.state.smoke({i, 0, 0}), 0.5, 1e-3);
    const double before = rig.sums().mass;
    rig.run_until(0.4);
    EXPECT_NEAR(rig.sums().mass / before, 1, 1e-4);
  }
}

/// What is left of a pulse of sound that has left through the inflow, and had time to come back; over what it was.
double echo(const GasParams& params, double speed, double cells_a_step) {
  constexpr int n = 128;
  Setting setting = channel({n, 1, 1}, wind({speed, 0, 0}));
  setting.gas_fills = {{.name = "wind", .shape = std::nullopt, .velocity = Vec3d{speed, 0, 0}}};
  Rig rig(setting, params);
  for (int i = 0; i < n; ++i) {
    const double x = (i + 0.5) / n - 0.5, part = 1e-3 * std::exp(-x * x / (0.06 * 0.06));
    rig.put({i, 0, 0}, rho_0 * (1 + part / 1.4), p_0 * (1 + part));
  }
  while (rig.time < 1.3 / sound) rig.step(1, cells_a_step / (n * sound));
  const Field<float>& left = rig.pressure();
  double most = 0;
  for (int i = 0; i < n; ++i) most = std::max(most, std::abs(double(left({i, 0, 0}))));
  return most / (1e-3 * p_0);
}

// Held fast, the velocity would send all of it back.
TEST(GasInflow, DoesNotEcho) {
  EXPECT_LT(echo(by_sound, 20, 1e9), 0.02);
  EXPECT_LT(echo(implicit, 20, 1), 0.02);
  EXPECT_LT(echo({.pressure = GasPressure::implicit, .time_centred = true}, 20, 1), 0.02);
}

// Nothing goes against a wind that is faster than sound: what is asked for is what is there, from the first cell on,
// whatever was there before.
TEST(GasInflow, FasterThanSoundKeepsItsState) {
  for (const GasParams& params : {by_sound, implicit}) {
    Inflow inflow = wind({900, 0, 0}, 250);
    inflow.pressure = 60000.0;
    Rig rig(channel({32, 1, 1}, inflow), params);
    rig.run_until(0.01);
    for (const int i : {0, 10, 30}) {
      EXPECT_NEAR(rig.pressure()({i, 0, 0}) + p_0, 60000, 60) << i;
      EXPECT_NEAR(rho_0 + rig.state.density({i, 0, 0}), 60000 / (287.05 * 250), 1e-3) << i;
      EXPECT_NEAR(rig.state.velocity[0]({i, 0, 0}), 900, 1) << i;
    }
  }
}

// A jet through a hole in a wall: beside it the wall stands, also once it is switched off; and what it brings along the
// wall it keeps.
TEST(GasInflow, BlowsThroughAHole) {
  Inflow inflow = wind({40, 10, 0}, t_0, 1);
  inflow.shape = Shape::box({-1, 0.2, -1}, {0.1, 0.35, 1});
  inflow.enabled = Animated<bool>({{0.0, true}, {0.004, false}}, Between::step);
  Rig rig(channel({32, 16, 1}, inflow), by_sound);
  const double before = rig.sums().mass;
  rig.run_until(0.003);
  EXPECT_NEAR(rig.state.velocity[0]({0, 8, 0}), 40, 4);
  EXPECT_GT(rig.state.velocity[1]({1, 9, 0}), 4);
  EXPECT_EQ(rig.state.velocity[0]({0, 3, 0}), 0);
  EXPECT_GT(rig.state.smoke({1, 8, 0}), 0.9);
  EXPECT_GT(rig.sums().mass, before);
  rig.run_until(0.006);
  EXPECT_EQ(rig.state.velocity[0]({0, 8, 0}), 0);
  EXPECT_LT(rig.sums().fastest, 60);
}

}  // namespace
}  // namespace silt::gas
