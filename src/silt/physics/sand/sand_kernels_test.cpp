#include "silt/physics/sand/sand_kernels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

// In simple shear friction rises with the inertial number, whichever axes are sheared; not where nothing moves.
TEST(SandFriction, RisesWithTheRateOfShear) {
  for (int dims : {2, 3})
    for (int along = 0; along < dims; ++along) {
      const int across = (along + 1) % dims;
      const Domain domain = unit_domain(8, dims, Side::open);
      const Layout layout = make_layout(domain.cells, domain.lattice.active);
      const double shear = 0.03, p = 0.04;  // [m/s] over a cell, [m/s]
      MacField<float> velocity(layout), weight(layout);
      for (int a = 0; a < dims; ++a)
        for_each(domain.faces(a), [&](Cell c) {
          weight[a].at(c) = 1;
          velocity[a].at(c) = a == along ? float(shear * c[across]) : 0.2f;
        });
      Field<double> pressure(layout);
      Packing packing(layout);
      GrainFields fields(layout);
      for_each(domain.cells, [&](Cell c) {
        pressure.at(c) = p;
        packing.part.at(c) = packing.fraction.at(c) = 1;
        fields.contacts.rub.at(c) = -1;
      });
      Particles none(domain.lattice.active, Modes::constant);
      CellRanges ranges;
      SortScratch sorting;
      sort_particles(serial, domain, layout, none, ranges, sorting);
      const SandKinds kinds{{.friction = 0.5f, .rise = 0.3f, .slowness = 5.0f}};
      const Cell inside{4, 4, dims == 3 ? 4 : 0};
      find_grains(serial, domain, none, ranges, packing, kinds, {velocity, weight, pressure, 0}, fields);
      const double inertia = 5 * shear / std::sqrt(p);
      EXPECT_NEAR(fields.friction(inside), 0.5 + 0.3 * inertia / (1 + inertia), 1e-5) << dims << along;

      // Under less pressure than counts, that which does.
      find_grains(serial, domain, none, ranges, packing, kinds, {velocity, weight, pressure, 4 * p}, fields);
      EXPECT_NEAR(fields.friction(inside), 0.5 + 0.3 * inertia / (2 + inertia), 1e-5);

      // Faces without particles have no velocity.
      for_each(domain.faces(along), [&](Cell c) { weight[along].at(c) = 0; });
      find_grains(serial, domain, none, ranges, packing, kinds, {velocity, weight, pressure, 0}, fields);
      EXPECT_EQ(fields.friction(inside), 0.5f);
    }
}

// Thin sand bears where it lies on something, and flies elsewhere.
TEST(SandFriction, ThinSandBearsOnWhatItTouches) {
  const Domain domain = unit_domain(4, 3, Side::open);
  const Layout layout = make_layout(domain.cells, domain.lattice.active);
  MacField<float> faces(layout);
  Field<double> pressure(layout);
  Packing packing(layout);
  GrainFields fields(layout);
  const Cell above{1, 1, 2}, below{1, 1, 1}, empty{2, 1, 1};
  for_each(domain.cells, [&](Cell c) { fields.contacts.rub.at(c) = c.z == 1 ? 0.5f : -1.0f; });
  packing.part.at(above) = packing.part.at(below) = 0.1f;
  Particles none(domain.lattice.active, Modes::constant);
  CellRanges ranges;
  SortScratch sorting;
  sort_particles(serial, domain, layout, none, ranges, sorting);
  find_grains(serial, domain, none, ranges, packing, {{.friction = 0.5f}}, {faces, faces, pressure, 0}, fields);
  EXPECT_EQ(fields.friction(above), 0);
  EXPECT_EQ(fields.friction(below), 0.5f);
  EXPECT_EQ(fields.friction(empty), 0);
}

// The same on any axis and for any number of threads; a grain far above counts for no more than a cell.
TEST(SandColumns, LongestLineCountsWhatIsThere) {
  for (const Exec& exec : {serial, Exec(Device::cpu, 3)})
    for (int dims : {2, 3})
      for (int axis = 0; axis < dims; ++axis) {
        const Domain domain = unit_domain(16, dims, Side::wall);
        Field<float> friction(make_layout(domain.cells, domain.lattice.active));
        for_each(domain.cells, [&](Cell c) { friction.at(c) = c[axis] < 3 ? 0.5f : 0.0f; });
        EXPECT_EQ(longest_line(exec, domain, axis, friction), 3);
        EXPECT_EQ(longest_line(exec, domain, (axis + 1) % dims, friction), 16);
        Cell above{5, 5, dims == 3 ? 5 : 0};
        above[axis] = 15;
        friction.at(above) = 0.5f;
        EXPECT_EQ(longest_line(exec, domain, axis, friction), 4);
      }
}

}  // namespace
}  // namespace silt
