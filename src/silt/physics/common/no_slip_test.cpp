#include "silt/physics/common/no_slip.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

using test::for_each;

/// Fluid above a slanted solid that moves, its velocity linear in the distance from it; closed faces hold garbage.
struct Shear {
  Domain domain{{{0, 0, -0.5 / 24}, 1.0 / 24, {1, 1, 0}}, {{0, 0, 0}, {24, 24, 1}}, {}};
  Vec3d normal = normalized(Vec3d{-0.3, 1, 0}), belt{0.7, 0.21, 0}, slope{2, 0.6, 0};
  Shape solid = Shape::plane({0.5, 0.31, 0}, normal);
  Exec exec{Device::cpu, 2};
  CutCells cut{make_layout(domain.cells, domain.lattice.active)};
  MacField<float> u{make_layout(domain.cells, domain.lattice.active)};

  double depth(int axis, Cell f) const { return solid.distance(domain.lattice.face_centre(axis, f)); }
  double exact(int axis, Cell f) const { return belt[axis] + slope[axis] * depth(axis, f); }

  explicit Shear(bool no_slip) {
    cut_cells(exec, domain, {{solid, {belt, {}, {}}, no_slip ? 1.0 : 0.0}}, cut);
    for (int a = 0; a < 2; ++a)
      for_each(domain.faces(a), [&](Cell f) { u[a].at(f) = cut.open[a](f) > 0 ? float(exact(a, f)) : 99; });
    FlowInSolids(exec, domain, cut, 4).run(exec, domain, cut, u);
  }
};

// A linear profile goes on through the surface of a solid that it sticks to: nearly everywhere, and where the known
// faces beside it lie too near the surface to tell a slope, the solid's own velocity stands.
TEST(FlowInSolids, NoSlipIsMirroredThroughTheSurface) {
  const Shear shear(true);
  const double h = shear.domain.lattice.h;
  double error = 0, size = 0;
  for (int a = 0; a < 2; ++a) {
    Box faces = shear.domain.faces(a);
    faces = {faces.lo + Int3{6, 1, 0}, faces.hi - Int3{6, 1, 0}};  // beside the walls the mean is one-sided
    for_each(faces, [&](Cell f) {
      const double d = shear.depth(a, f);
      if (shear.cut.open[a](f) > 0 || d < -0.6 * h) return;
      const double off = std::abs(shear.u[a](f) - shear.exact(a, f)), step = std::abs(shear.slope[a] * d);
      EXPECT_LE(off, step + 1e-5) << a << ' ' << f;
      error += off / shear.slope[a], size += step / shear.slope[a];
    });
  }
  EXPECT_GT(size, 2 * h);
  EXPECT_LT(error, 0.3 * size);
}

// Deeper in it never runs against the solid faster than the fluid does outside, and free slip knows no mirror.
TEST(FlowInSolids, IsBounded) {
  const Shear sticks(true), slides(false);
  const double h = sticks.domain.lattice.h;
  for (int a = 0; a < 2; ++a)
    for_each(sticks.domain.faces(a), [&](Cell f) {
      const double d = sticks.depth(a, f);
      if (sticks.cut.open[a](f) > 0 || d < -3 * h || f[a] == 0 || f[a] == 24) return;
      EXPECT_LE(std::abs(sticks.u[a](f) - sticks.belt[a]), sticks.slope[a] * 2 * h) << f;
      EXPECT_GE(slides.u[a](f), slides.belt[a] - 0.5 * h * slides.slope[a]) << f;
    });
}

}  // namespace
}  // namespace silt
