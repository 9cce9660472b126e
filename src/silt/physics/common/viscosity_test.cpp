#include "silt/physics/common/viscosity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

using test::for_each;

constexpr double pi = 3.14159265358979323846;
constexpr SolveOptions tight{1e-10, 1000};

struct Rig {
  Domain domain;
  SideWalls walls{};
  std::vector<PlacedShape> solids;
  Exec exec{Device::cpu, 2};

  /// A box of n cells along each of `dims` axes, side 1 m, with one kind of side all round.
  Rig(int n, int dims, Side sides) {
    domain.lattice.h = 1.0 / n;
    domain.cells = {{0, 0, 0}, {n, n, dims == 3 ? n : 1}};
    if (dims == 2) domain.lattice.active.z = 0, domain.lattice.origin.z = -0.5 / n;
    for (auto& ends : domain.sides) ends = {sides, sides};
  }

  MacField<float> run(double nu_dt, int times, const std::function<double(int, Vec3d)>& start) {
    const Layout layout = make_layout(domain.cells, domain.lattice.active);
    CutCells cut(layout);
    cut_cells(exec, domain, solids, cut);
    MacField<float> u(layout);
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) { u[a].at(c) = float(start(a, domain.lattice.face_centre(a, c))); });
    Viscosity viscosity(layout);
    for (int i = 0; i < times; ++i) {
      const SolveReport report = viscosity.run(exec, domain, cut, walls, nu_dt, tight, u);
      EXPECT_TRUE(report.converged);
    }
    return u;
  }
};

double at_rest(int, Vec3d) {
  return 0;
}

// A shear wave in a periodic box is an eigenvector: one backward Euler step divides it by 1 + nu dt k_h^2, with the
// grid's own k_h^2 = (2 - 2 cos(k h)) / h^2.
TEST(Viscosity, ShearWaveDecaysAsTheGridSays) {
  for (int dims : {2, 3}) {
    constexpr int n = 16;
    Rig rig(n, dims, Side::periodic);
    const double k = 2 * pi, nu_dt = 0.013, h = 1.0 / n;
    const auto wave = [&](int a, Vec3d x) { return a == 0 ? std::sin(k * x.y) : 0; };
    const MacField<float> u = rig.run(nu_dt, 1, wave);
    const double factor = 1 / (1 + nu_dt * (2 - 2 * std::cos(k * h)) / (h * h));
    for (int a = 0; a < dims; ++a)
      for_each(rig.domain.faces(a), [&](Cell c) {
        EXPECT_NEAR(u[a](c), factor * wave(a, rig.domain.lattice.face_centre(a, c)), 1e-6) << a << ' ' << c;
      });
  }
}

// Between a wall at rest and one that moves, the flow ends linear (Couette), on any grid to rounding: the walls lie
// half a cell beside the faces.
TEST(Viscosity, CouetteIsLinear) {
  for (int dims : {2, 3}) {
    Rig rig(10, dims, Side::periodic);
    rig.domain.sides[1] = {Side::wall, Side::wall};
    rig.walls[1] = {SideWall{true, {}}, SideWall{true, {1.5, 0, 0}}};
    const MacField<float> u = rig.run(10, 12, at_rest);
    for_each(rig.domain.faces(0), [&](Cell c) {
      EXPECT_NEAR(u[0](c), 1.5 * rig.domain.lattice.face_centre(0, c).y, 1e-5) << dims << "D " << c;
    });
    for_each(rig.domain.faces(1), [&](Cell c) { EXPECT_EQ(u[1](c), 0) << c; });
  }
}

// The same between solids whose surfaces cut the cells anywhere: a first-order wall would be off by up to half a cell.
TEST(Viscosity, CouetteBetweenSolidsThatCutCells) {
  for (double offset : {0.0, 0.013, 0.031, 0.049, 0.07, 0.0999}) {
    Rig rig(10, 2, Side::periodic);
    const double low = 0.2 + offset, high = 0.75 - 0.6 * offset;
    const Shape bottom = Shape::box({-9, -0.3, -9}, {9, low, 9}), top = Shape::box({-9, high, -9}, {9, 1.3, 9});
    rig.domain.sides[1] = {Side::wall, Side::wall};
    rig.solids = {{bottom, {{}}, true}, {top, {{-0.7, 0, 0}}, true}};
    const MacField<float> u = rig.run(10, 12, at_rest);
    for_each(rig.domain.faces(0), [&](Cell c) {
      const double y = rig.domain.lattice.face_centre(0, c).y;
      const double expected = y < low ? 0 : y > high ? -0.7 : -0.7 * (y - low) / (high - low);
      EXPECT_NEAR(u[0](c), expected, 1e-4) << "offset " << offset << " y " << y;
    });
  }
}

// What slides freely is not slowed: a uniform stream along walls and past solids stays what it is.
TEST(Viscosity, FreeSlipLeavesAUniformStream) {
  Rig rig(12, 3, Side::wall);
  rig.domain.sides[0] = {Side::periodic, Side::periodic};
  const Shape beam = Shape::box({-9, 0.33, 0.41}, {9, 0.62, 0.77});
  rig.solids = {{beam, {{}}, false}};
  const MacField<float> u = rig.run(0.4, 3, [](int a, Vec3d) { return a == 0 ? 1 : 0; });
  for_each(rig.domain.faces(0), [&](Cell c) { EXPECT_NEAR(u[0](c), 1, 1e-6) << c; });
}

// Nothing gets faster than the fastest thing there was, and what sticks to things at rest comes to rest.
TEST(Viscosity, StrongViscosityBringsFluidToRestBesideNoSlip) {
  Rig rig(16, 3, Side::wall);
  const Shape ball = Shape::sphere({0.47, 0.52, 0.55}, 0.21);
  rig.solids = {{ball, {{}}, true}};
  const auto noise = [](int a, Vec3d x) { return std::sin(31 * x.x + 17 * x.y + 5 * x.z + a); };
  for (auto& ends : rig.walls) ends = {SideWall{true, {}}, SideWall{true, {}}};
  const MacField<float> mild = rig.run(0.001, 1, noise), strong = rig.run(1, 30, noise);
  for (int a = 0; a < 3; ++a) {
    Box inner = rig.domain.faces(a);
    inner.lo[a] += 1, inner.hi[a] -= 1;
    for_each(inner, [&](Cell c) {
      EXPECT_LE(std::abs(mild[a](c)), 1);
      EXPECT_NEAR(strong[a](c), 0, 1e-4) << c;
    });
  }
}

// A channel along x and the same one along y: x is the axis along which faces away from solids are taken together, and
// only the first channel is long enough for that.
TEST(Viscosity, IsTheSameAlongEveryAxis) {
  constexpr int n = 10, length = 44;
  const auto turned = [](auto v) { return decltype(v){v.y, v.x, v.z}; };
  const auto flow = [](int a, Vec3d x) { return std::sin(9 * x.x + 7 * x.y + 5 * x.z + a); };
  for (bool no_slip : {false, true}) {
    Rig along_x(n, 3, Side::wall), along_y(n, 3, Side::wall);
    along_x.domain.cells.hi.x = along_y.domain.cells.hi.y = length;
    const Vec3d ball{2.6, 0.47, 0.52};
    along_x.solids = {{Shape::sphere(ball, 0.21), {{}}, no_slip ? 1.0 : 0.0}};
    along_y.solids = {{Shape::sphere(turned(ball), 0.21), {{}}, no_slip ? 1.0 : 0.0}};
    const MacField<float> u = along_x.run(0.003, 2, flow);
    const MacField<float> v =
        along_y.run(0.003, 2, [&](int a, Vec3d x) { return flow(a == 2 ? 2 : 1 - a, turned(x)); });
    for (int a = 0; a < 3; ++a)
      for_each(along_x.domain.faces(a),
               [&](Cell c) { ASSERT_NEAR(u[a](c), v[a == 2 ? 2 : 1 - a](turned(c)), 1e-6) << a << ' ' << c; });
  }
}

// Where no face is free there is nothing to solve, and nothing changes.
TEST(Viscosity, SolidsThatFillEverythingAreLeftAlone) {
  Rig rig(8, 2, Side::wall);
  const Shape all = Shape::box({-1, -1, -1}, {2, 2, 2});
  rig.solids = {{all, {{}}, false}};
  const MacField<float> u = rig.run(0.1, 1, [](int, Vec3d) { return 3; });
  for_each(rig.domain.faces(0), [&](Cell c) { EXPECT_EQ(u[0](c), 3) << c; });
}

}  // namespace
}  // namespace silt
