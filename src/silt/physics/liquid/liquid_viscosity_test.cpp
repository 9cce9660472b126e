#include "silt/physics/liquid/liquid_viscosity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "silt/fields/level_set.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

using test::for_each;
using Flow = std::function<double(int, Vec3d)>;
using Surface = std::function<double(Vec3d)>;

constexpr double pi = 3.14159265358979323846;
constexpr SolveOptions tight{1e-10, 400};

/// A unit box of liquid, or the part of it below a surface.
struct Rig {
  Domain domain;
  SideWalls walls{};
  std::vector<PlacedShape> solids;
  Surface surface, viscosities;
  Exec exec{Device::cpu, 1};
  SolveReport report{};
  MacField<float> mass;

  Rig(int n, int dims, Side sides) : domain(test::unit_domain(n, dims == 1 ? 2 : dims, sides)) {
    if (dims == 1) domain.lattice.active = {1, 0, 0}, domain.cells.hi.y = 1;
  }
  void no_slip() {
    for (auto& ends : walls) ends = {SideWall{true, {}}, SideWall{true, {}}};
  }

  MacField<float> start(const Flow& flow) const {
    MacField<float> u(make_layout(domain.cells, domain.lattice.active));
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) { u[a].at(c) = float(flow(a, domain.lattice.face_centre(a, c))); });
    return u;
  }
  Field<float> sampled(const Surface& f) const {
    Field<float> out(make_layout(domain.cells, domain.lattice.active));
    for_each(domain.cells, [&](Cell c) { out.at(c) = float(f(domain.lattice.centre(c))); });
    fill_level_set_halo(exec, domain, out);
    return out;
  }
  /// `each` is called before every step.
  MacField<float> run(double nu_dt, int times, MacField<float> u, const SolveOptions& options = tight,
                      const std::function<void(MacField<float>&)>& each = {}) {
    const Layout layout = u.layout();
    CutCells cut(layout);
    cut_cells(exec, domain, solids, cut);
    ViscousLiquid liquid{.solids = &cut, .walls = walls, .viscosity = nu_dt};
    Field<float> phi, nu;
    if (surface) phi = sampled(surface), liquid.surface = &phi;
    if (viscosities) nu = sampled(viscosities), liquid.viscosities = &nu;
    LiquidViscosity viscosity(layout);
    report = {};
    for (int i = 0; i < times; ++i) {
      if (each) each(u);
      keep_worst(report, viscosity.run(exec, domain, liquid, viscosities ? nu_dt : 1, options, u));
    }
    mass = viscosity.system().mass();
    return u;
  }
  double momentum(int a, const MacField<float>& u) const {
    double sum = 0;
    for_each(domain.faces(a), [&](Cell c) { sum += double(mass[a](c)) * u[a](c); });
    return sum;
  }
};

double at_rest(int, Vec3d) {
  return 0;
}

Surface ball(Vec3d centre, double radius) {
  return [=](Vec3d x) { return length(x - centre) - radius; };
}

/// Turning about a point, and moving on.
Flow rigid(Vec3d centre, Vec3d velocity, Vec3d spin) {
  return [=](int a, Vec3d x) { return (velocity + cross(spin, x - centre))[a]; };
}

// A liquid that moves and turns as one has no strain: with a free surface round it viscosity does nothing, however
// strong, and wherever the surface cuts cells. (A Laplacian of each component, or a traction that is not zero, would
// stop it.)
TEST(LiquidViscosity, TurningAsOneIsFree) {
  for (int dims : {2, 3})
    for (double nu_dt : {1e-4, 1.0, 1e4}) {
      Rig rig(dims == 3 ? 14 : 20, dims, Side::wall);
      const Vec3d centre{0.513, 0.487, dims == 3 ? 0.52 : 0};
      rig.surface = ball(centre, 0.34);
      const Flow flow = rigid(centre, {0.3, -0.2, dims == 3 ? 0.1 : 0}, {dims == 3 ? 0.7 : 0, dims == 3 ? -0.4 : 0, 2});
      const MacField<float> before = rig.start(flow), u = rig.run(nu_dt, 3, before, {1e-7, 100});
      EXPECT_TRUE(rig.report.converged);
      for (int a = 0; a < dims; ++a)
        for_each(rig.domain.faces(a), [&](Cell c) { EXPECT_NEAR(u[a](c), before[a](c), 3e-6) << a << ' ' << c; });
    }
}

// A shear wave is an eigenvector of the grid: a step divides it by 1 + nu dt k_h^2, k_h^2 = (2 - 2 cos(k h)) / h^2.
// A compression wave, along itself, by twice as much: no liquid has one, but D_aa is right.
TEST(LiquidViscosity, WavesDecayAsTheGridSays) {
  for (int dims : {1, 2, 3})
    for (const bool shear : {true, false}) {
      constexpr int n = 16;
      if (dims == 1 && shear) continue;
      Rig rig(n, dims, Side::periodic);
      const double k = 2 * pi, nu_dt = 0.013, h = 1.0 / n;
      const int along = shear ? 1 : 0;
      const auto wave = [&](int a, Vec3d x) { return a == 0 ? std::sin(k * x[along]) : 0; };
      const MacField<float> u = rig.run(nu_dt, 1, rig.start(wave));
      const double factor = 1 / (1 + (shear ? 1 : 2) * nu_dt * (2 - 2 * std::cos(k * h)) / (h * h));
      for (int a = 0; a < dims; ++a)
        for_each(rig.domain.faces(a), [&](Cell c) {
          EXPECT_NEAR(u[a](c), factor * wave(a, rig.domain.lattice.face_centre(a, c)), 1e-6) << a << ' ' << c;
        });
    }
}

// The same wave's rate of decay against nu k^2, by steps that shrink with h^2: second order.
TEST(LiquidViscosity, ShearWaveDecaysAtItsRateToSecondOrder) {
  double before = 0;
  for (int n : {8, 16, 32}) {
    Rig rig(n, 2, Side::periodic);
    const double k = 2 * pi, nu = 0.02, end = 0.5;
    const int steps = n * n / 8;
    const MacField<float> u =
        rig.run(nu * end / steps, steps, rig.start([&](int a, Vec3d x) { return a == 1 ? std::cos(k * x.x) : 0; }));
    const double rate = -std::log(u[1](Cell{0, 0, 0}) / std::cos(0.5 * k / n)) / (nu * end);
    const double error = std::abs(rate / (k * k) - 1);
    EXPECT_LT(error, 5.0 / (n * n)) << n;
    EXPECT_LT(error, before > 0 ? 0.27 * before : 1) << n;
    before = error;
  }
}

// A layer of liquid on a floor that it slides on, with its surface anywhere in a cell: u = cos(k y), k = pi / H, has no
// traction at either end and decays at nu k^2.
TEST(LiquidViscosity, FreeSurfaceHasNoTraction) {
  for (double offset : {0.0, 0.2, 0.45, 0.55, 0.8, 0.99}) {
    double before = 0;
    for (int n : {16, 32}) {
      Rig rig(n, 2, Side::periodic);
      rig.domain.sides[1] = {Side::wall, Side::wall};
      const double height = (0.625 * n + offset) / n, k = pi / height, nu = 0.02, end = 0.5;
      rig.surface = [=](Vec3d x) { return x.y - height; };
      const Flow flow = [=](int a, Vec3d x) { return a == 0 ? std::cos(k * x.y) : 0; };
      const int steps = n * n / 16;
      const MacField<float> u = rig.run(nu * end / steps, steps, rig.start(flow));
      double error = 0;
      for_each(rig.domain.faces(0), [&](Cell c) {
        const Vec3d x = rig.domain.lattice.face_centre(0, c);
        if (x.y < height) error = std::max(error, std::abs(u[0](c) - std::exp(-nu * k * k * end) * flow(0, x)));
      });
      EXPECT_LT(error, 3.0 / (n * n)) << n << " offset " << offset;
      EXPECT_LT(error, before > 0 ? 0.5 * before : 1) << n << " offset " << offset;
      before = error;
    }
  }
}

// Couette: between a wall at rest and one that moves the flow is linear, exact on any grid. Poiseuille: with a force
// along the walls a parabola, higher by g h^2 / 8 nu all over, because the walls lie half a cell beside the faces.
TEST(LiquidViscosity, CouetteAndPoiseuille) {
  for (int dims : {2, 3}) {
    Rig rig(10, dims, Side::periodic);
    rig.domain.sides[1] = {Side::wall, Side::wall};
    rig.walls[1] = {SideWall{true, {}}, SideWall{true, {1.5, 0, 0}}};
    const MacField<float> u = rig.run(10, 12, rig.start(at_rest));
    for_each(rig.domain.faces(0), [&](Cell c) {
      EXPECT_NEAR(u[0](c), 1.5 * rig.domain.lattice.face_centre(0, c).y, 1e-5) << dims << "D " << c;
    });
    for_each(rig.domain.faces(1), [&](Cell c) { EXPECT_NEAR(u[1](c), 0, 1e-12) << c; });

    rig.walls[1][1].velocity = {};
    const auto pushed = [&](MacField<float>& v) { for_each(rig.domain.faces(0), [&](Cell c) { v[0].at(c) += 80; }); };
    const MacField<float> v = rig.run(10, 12, rig.start(at_rest), tight, pushed);
    for_each(rig.domain.faces(0), [&](Cell c) {
      const double y = rig.domain.lattice.face_centre(0, c).y;
      EXPECT_NEAR(v[0](c), 4 * y * (1 - y) + 0.01, 2e-5) << dims << "D " << c;
    });
  }
}

// Couette between solids whose surfaces cut the cells anywhere; and round inside a drum that turns, where the liquid in
// the end turns with it.
TEST(LiquidViscosity, SolidsThatCutCellsAndMove) {
  for (double offset : {0.0, 0.013, 0.031, 0.049, 0.07, 0.0999}) {
    Rig rig(10, 2, Side::periodic);
    const double low = 0.2 + offset, high = 0.75 - 0.6 * offset;
    rig.domain.sides[1] = {Side::wall, Side::wall};
    rig.solids = {{Shape::box({-9, -0.3, -9}, {9, low, 9}), {{}}, true},
                  {Shape::box({-9, high, -9}, {9, 1.3, 9}), {{-0.7, 0, 0}}, true}};
    const MacField<float> u = rig.run(10, 12, rig.start(at_rest));
    for_each(rig.domain.faces(0), [&](Cell c) {
      const double y = rig.domain.lattice.face_centre(0, c).y;
      const double expected = y < low ? 0 : y > high ? -0.7 : -0.7 * (y - low) / (high - low);
      EXPECT_NEAR(u[0](c), expected, 1e-4) << "offset " << offset << " y " << y;
    });
  }
  Rig rig(24, 2, Side::wall);
  const Vec3d centre{0.52, 0.49, 0};
  const Flow turning = rigid(centre, {}, {0, 0, 3});
  rig.solids = {{Shape::sphere(centre, 0.2), {{}, {0, 0, 3}, centre}, true}};
  rig.surface = ball(centre, 0.4);
  const MacField<float> u = rig.run(10, 30, rig.start(at_rest));
  for (int a = 0; a < 2; ++a)
    for_each(rig.domain.faces(a), [&](Cell c) {
      const Vec3d x = rig.domain.lattice.face_centre(a, c);
      EXPECT_NEAR(u[a](c), turning(a, x), length(x - centre) < 0.4 ? 1e-4 : 1e9) << a << ' ' << c;
    });
}

// What slides freely is not slowed.
TEST(LiquidViscosity, FreeSlipLeavesAUniformStream) {
  Rig rig(12, 3, Side::wall);
  rig.domain.sides[0] = {Side::periodic, Side::periodic};
  rig.solids = {{Shape::box({-9, 0.33, 0.41}, {9, 0.62, 0.77}), {{}}, false}};
  rig.surface = [](Vec3d x) { return x.z - 0.913; };
  const MacField<float> u = rig.run(0.4, 3, rig.start([](int a, Vec3d) { return a == 0 ? 1 : 0; }));
  for_each(rig.domain.faces(0), [&](Cell c) { EXPECT_NEAR(u[0](c), 1, 1e-6) << c; });
}

// In free flight nothing outside pushes: momentum and angular momentum stay, energy falls, whatever the viscosity does.
TEST(LiquidViscosity, KeepsMomentumInFreeFlight) {
  for (int dims : {1, 2, 3})
    for (const bool varies : {false, true}) {
      Rig rig(20, dims, Side::open);
      const Vec3d centre{0.51, dims > 1 ? 0.48 : rig.domain.lattice.centre({}).y,
                         dims > 2 ? 0.5 : rig.domain.lattice.centre({}).z};
      rig.surface = ball(centre, 0.33);
      if (varies) rig.viscosities = [](Vec3d x) { return 0.01 + x.x * x.x; };
      const MacField<float> before =
          rig.start([](int a, Vec3d x) { return 1 + a + std::sin(31 * x.x + 17 * x.y * (a + 1) + 23 * x.z); });
      const MacField<float> u = rig.run(0.05, 1, before);
      ASSERT_TRUE(rig.report.converged);
      Vec3d turning[2];
      double energy[2] = {}, weight = 0;
      for (int a = 0; a < dims; ++a) {
        EXPECT_NEAR(rig.momentum(a, u), rig.momentum(a, before), 1e-5 * std::abs(rig.momentum(a, before)));
        for_each(rig.domain.faces(a), [&](Cell c) {
          Vec3d e;
          e[a] = rig.mass[a](c);
          const Vec3d arm = rig.domain.lattice.face_centre(a, c) - centre;
          weight += e[a];
          for (int i = 0; i < 2; ++i) {
            const double v = (i ? u : before)[a](c);
            turning[i] += cross(arm, e * v);
            energy[i] += e[a] * v * v;
          }
        });
      }
      EXPECT_LT(length(turning[1] - turning[0]), 1e-6 * weight) << dims << "D";
      EXPECT_LT(energy[1], energy[0]);
    }
}

// a . (A b) = b . (A a), and a . (A a) > 0: the matrix is symmetric and positive, with solids, sides and a surface.
TEST(LiquidViscosity, TheMatrixIsSymmetricAndPositive) {
  for (int dims : {1, 2, 3})
    for (const Side side : {Side::wall, Side::open, Side::periodic}) {
      Rig rig(12, dims, side);
      rig.no_slip();
      rig.surface = [](Vec3d x) { return 0.7 * x.x + 0.5 * x.y - 0.8; };
      rig.solids = {{Shape::sphere({0.4, 0.4, 0}, 0.2), {{0.1, 0.2, 0}}, true},
                    {Shape::sphere({0.8, 0.3, 0.6}, 0.17), {{}}, false}};
      const Layout layout = make_layout(rig.domain.cells, rig.domain.lattice.active);
      CutCells cut(layout);
      cut_cells(rig.exec, rig.domain, rig.solids, cut);
      const Field<float> phi = rig.sampled(rig.surface);
      ViscousSystem system(layout);
      system.prepare(rig.exec, rig.domain, {&cut, &phi, rig.walls, 0.3, nullptr}, 1);
      MacField<float> x[2] = {MacField<float>(layout), MacField<float>(layout)};
      MacField<double> ax[2] = {MacField<double>(layout), MacField<double>(layout)};
      for (int i = 0; i < 2; ++i) {
        for (int a = 0; a < dims; ++a)
          for_each(rig.domain.faces(a), [&](Cell c) {
            if (system.mass()[a](c) > 0) x[i][a].at(c) = float(test::noise(std::uint64_t(7 + 3 * i + a), c));
          });
        EXPECT_GT(system.apply(rig.exec, x[i], ax[i]), 0);
      }
      double sum[2] = {}, size = 0;
      for (int a = 0; a < dims; ++a)
        for_each(rig.domain.faces(a), [&](Cell c) {
          for (int i = 0; i < 2; ++i) sum[i] += ax[i][a](c) * x[1 - i][a](c);
          size += std::abs(ax[0][a](c) * x[1][a](c));
        });
      EXPECT_NEAR(sum[0], sum[1], 1e-12 * size) << dims << "D";
    }
}

// From water to honey and far beyond, in one step: it converges, in as many iterations, and energy falls.
TEST(LiquidViscosity, AnyStepIsStable) {
  for (int dims : {1, 2, 3})
    for (double k : {1e-3, 1.0, 1e3, 1e6}) {  // nu dt / h^2
      Rig rig(24, dims, Side::wall);
      rig.no_slip();
      rig.surface = [](Vec3d x) { return x.y + 0.3 * x.x - 0.71 + 0.05 * std::sin(9 * x.x); };
      rig.solids = {{Shape::sphere({0.4, 0.3, 0.5}, 0.13), {{}}, true}};
      const Flow flow = [](int a, Vec3d x) { return std::sin(31 * x.x + 17 * x.y + 5 * x.z + a); };
      const MacField<float> before = rig.start(flow), u = rig.run(k / (24 * 24), 1, before, {1e-6, 200});
      EXPECT_TRUE(rig.report.converged) << k;
      EXPECT_LT(rig.report.iterations, 25) << dims << "D " << k;
      double energy[2] = {};
      for (int a = 0; a < dims; ++a)
        for_each(rig.domain.faces(a), [&](Cell c) {
          energy[0] += rig.mass[a](c) * before[a](c) * before[a](c);
          energy[1] += rig.mass[a](c) * u[a](c) * u[a](c);
          EXPECT_LE(std::abs(u[a](c)), 3) << a << ' ' << c;  // in the air it goes on as in the liquid
        });
      EXPECT_LT(energy[1], energy[0] * (k < 1 ? 1 : 0.2));
    }
}

// When iterations run out it says so; when numbers are bad it says so and leaves the velocity alone.
TEST(LiquidViscosity, SaysWhatItDidNotReach) {
  Rig rig(16, 2, Side::wall);
  rig.no_slip();
  const Flow flow = [](int a, Vec3d x) { return std::sin(31 * x.x + 17 * x.y + a); };
  MacField<float> u = rig.run(1, 1, rig.start(flow), {1e-12, 2});
  EXPECT_FALSE(rig.report.converged);
  EXPECT_EQ(rig.report.iterations, 2);
  for_each(rig.domain.faces(0), [&](Cell c) { EXPECT_TRUE(std::isfinite(u[0](c))); });
  MacField<float> bad = rig.start(flow);
  bad[0].at({5, 5, 0}) = std::numeric_limits<float>::quiet_NaN();
  u = rig.run(1, 1, bad);
  EXPECT_FALSE(rig.report.converged);
  for_each(rig.domain.faces(1), [&](Cell c) { EXPECT_EQ(u[1](c), bad[1](c)); });
}

TEST(LiquidViscosity, NoLiquidNoChange) {
  Rig rig(10, 3, Side::wall);
  rig.surface = [](Vec3d) { return 1.0; };
  const MacField<float> u = rig.run(1, 1, rig.start([](int, Vec3d) { return 3; }));
  EXPECT_TRUE(rig.report.converged);
  for_each(rig.domain.faces(0), [&](Cell c) { EXPECT_EQ(u[0](c), 3); });
}

TEST(LiquidViscosity, SameBitsForAnyThreadCount) {
  Rig rig(16, 3, Side::periodic);
  rig.surface = ball({0.5, 0.5, 0.5}, 0.41);
  const MacField<float> start = rig.start([](int a, Vec3d x) { return std::sin(31 * x.x + 17 * x.y + 5 * x.z + a); });
  const auto with = [&](const Exec& exec) {
    rig.exec = exec;
    return rig.run(0.1, 1, start, {1e-12, 3});  // teams that wait for each other are slow on a busy machine
  };
  const MacField<float> one = with(Exec(Device::cpu, 1)), other = with(Exec(Device::cpu, 3, 1));
  for (int a = 0; a < 3; ++a)
    for_each(rig.domain.faces(a), [&](Cell c) { ASSERT_EQ(one[a](c), other[a](c)) << a << ' ' << c; });
}

}  // namespace
}  // namespace silt
