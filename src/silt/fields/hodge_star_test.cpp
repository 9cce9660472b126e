#include "silt/fields/hodge_star.h"

#include <gtest/gtest.h>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

const Exec serial(Device::cpu, 1);
const Domain domain{{{}, 1, {1, 1, 1}}, {{0, 0, 0}, {6, 5, 4}}, {}};

MacField<float> faces(float x, float y, float z) {
  MacField<float> out(make_layout(domain.cells, domain.lattice.active));
  const float value[] = {x, y, z};
  for (int a = 0; a < 3; ++a) test::for_each(domain.faces(a), [&](Cell c) { out[a].at(c) = value[a]; });
  return out;
}

TEST(HodgeStar, IsOneOnAPlainLattice) {
  MacField<float> w = faces(0, 0, 0);
  hodge_star(serial, domain, {}, w);
  for (int a = 0; a < 3; ++a) test::for_each(domain.faces(a), [&](Cell c) { ASSERT_EQ(w[a](c), 1) << a << c; });
}

TEST(HodgeStar, MultipliesAreaAndPorosityAndDividesByDensity) {
  const MacField<float> open = faces(0.5f, 1, 0), porosity = faces(0.4f, 0.5f, 1), density = faces(2, 4, 8);
  MacField<float> w = faces(0, 0, 0);
  hodge_star(serial, domain, {.open = &open, .porosity = &porosity, .density = &density}, w);
  const float expected[] = {0.1f, 0.125f, 0};
  for (int a = 0; a < 3; ++a)
    test::for_each(domain.faces(a), [&](Cell c) { ASSERT_FLOAT_EQ(w[a](c), expected[a]) << a << c; });
}

// A surface across z at height s: the dual edge it cuts counts with the part below it.
TEST(HodgeStar, CutEdgesCountWithTheirLiquidPart) {
  Field<float> liquid(make_layout(domain.cells, domain.lattice.active));
  MacField<float> w = faces(0, 0, 0);
  Field<unsigned char> air(liquid.layout());
  for (const float s : {2.0f, 2.25f, 2.4999f, 1.5001f}) {
    test::for_each(grow(domain.cells, {1, 1, 1}), [&](Cell c) { liquid.at(c) = float(c.z) + 0.5f - s; });
    hodge_star(serial, domain, {.liquid = &liquid}, w);
    cells_of_air(serial, domain, liquid, air);
    const float theta = std::max(s - 1.5f, 0.01f);
    test::for_each(domain.faces(2), [&](Cell c) {
      ASSERT_NEAR(w[2](c), c.z < 2 ? 1 : c.z == 2 ? 1 / theta : 0, 1e-3) << s << c;
    });
    test::for_each(domain.faces(0), [&](Cell c) { ASSERT_EQ(w[0](c), c.z < 2 ? 1 : 0) << s << c; });
    test::for_each(domain.cells, [&](Cell c) { ASSERT_EQ(air(c), c.z < 2 ? 0 : 1) << s << c; });
  }
}

}  // namespace
}  // namespace silt
