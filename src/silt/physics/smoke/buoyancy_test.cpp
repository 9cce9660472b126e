#include "silt/physics/smoke/buoyancy.h"

#include <gtest/gtest.h>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

constexpr BuoyancyLaw air{.ambient = 300, .buoyancy = 1, .weight = 0.25f};

// g (1 - T0 / T): Boussinesq's g (T - T0) / T0 to first order, never more than g, and downwards where it is cold.
TEST(Buoyancy, IsBoussinesqForSmallDifferencesAndSaturates) {
  EXPECT_NEAR(air.lift(0.3f) / 0.001, 1, 1.1e-3);
  EXPECT_NEAR(air.lift(-0.3f) / -0.001, 1, 1.1e-3);
  EXPECT_NEAR(air.lift(1200), 0.8, 1e-6);
  EXPECT_LT(air.lift(1e6f), 1);
  EXPECT_NEAR(air.lift(-150), -1, 1e-6);  // twice as heavy
  EXPECT_EQ(air.lift(-300), -9);          // no air: what a scheme undershot to
}

struct Room {
  Domain domain{{{}, 1, {1, 1, 0}}, {{0, 0, 0}, {4, 4, 1}}, {}};
  Exec exec{Device::cpu, 1};
  Layout layout = make_layout(domain.cells, domain.lattice.active);
  Field<float> temperature{layout}, density{layout}, fuel{layout};
};

TEST(Buoyancy, ActsOnTheFacesAcrossGravity) {
  Room r;
  MacField<float> u(r.layout);
  test::for_each(r.layout.storage(), [&](Cell c) { r.temperature.at(c) = 1200, r.density.at(c) = 0.4f; });
  add_buoyancy(r.exec, r.domain, {0, -10, 0}, air, 0.1, r.temperature, r.density, u);
  EXPECT_NEAR(u[1]({1, 2, 0}), 0.8 - 0.1, 1e-6);
  EXPECT_EQ(u[0]({1, 2, 0}), 0);
}

// The bound is that of the heat which fuel is about to release, where it is hot enough to.
TEST(Buoyancy, BoundCountsWhatIsAboutToBurn) {
  Room r;
  const BuoyantFuel burning{.ignition = 150, .heat = 1000, .soot = 2};
  const auto most = [&] { return largest_buoyancy(r.exec, r.domain, air, burning, r.temperature, r.density, r.fuel); };
  EXPECT_EQ(most(), 0);
  r.fuel.at({2, 1, 0}) = 1;
  r.temperature.at({2, 1, 0}) = 100;
  EXPECT_NEAR(most(), 0.25, 1e-6);  // too cold to burn: 1 - 300 / 400
  r.temperature.at({2, 1, 0}) = 200;
  EXPECT_NEAR(most(), 0.8 + 0.25 * 2, 1e-6);
  r.fuel = {};
  EXPECT_NEAR(most(), 0.4, 1e-6);
}

}  // namespace
}  // namespace silt
