#include "silt/physics/common/force_fields.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/fields/halo.h"
#include "silt/fields/operators.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

/// A unit box of n cells a side, and air at rest in it.
struct Air {
  Domain domain;
  Layout layout;
  Exec exec{Device::cpu, 2, 0};
  MacField<float> u;
  Field<float> scratch;

  Air(int n, int dims, Side side = Side::wall, int pad = 0) : domain(test::unit_domain(n, dims, side)) {
    layout = make_layout(domain.cells, domain.lattice.active, default_halo, pad);
    u = MacField<float>(layout);
    scratch = Field<float>(layout);
  }
  void push(const ForceField& field, double dt, double time = 0, std::uint64_t seed = 0) {
    apply_force(exec, domain, field, seed, time, dt, scratch, u);
  }
  template <class Visit>
  void each_face(const Visit& visit) const {
    for (int a = 0; a < 3; ++a) {
      const Box f = domain.faces(a);
      for (int z = f.lo.z; z < f.hi.z; ++z)
        for (int y = f.lo.y; y < f.hi.y; ++y)
          for (int x = f.lo.x; x < f.hi.x; ++x) visit(a, domain.lattice.face_centre(a, {x, y, z}), u[a]({x, y, z}));
    }
  }
};

ForceField field(ForceField::Kind kind, std::optional<Shape> shape = {}) {
  return {.name = "f", .kind = std::move(kind), .shape = std::move(shape), .motion = {}, .enabled = true};
}

// Whole inside the shape, nothing outside, half of it on the surface.
TEST(ForceFields, AreBoundedByTheirShape) {
  for (int dims : {2, 3}) {
    Air air(16, dims);
    air.push(field(UniformForce{Vec3d{1, 2, 3}}, Shape::box({0.25, 0.25, -1}, {0.75, 0.75, 2})), 0.5);
    air.each_face([&](int a, const Vec3d& x, float u) {
      const double d = std::max(std::abs(x.x - 0.5), std::abs(x.y - 0.5)) - 0.25, h = air.domain.lattice.h;
      const double share = std::clamp(0.5 - d / h, 0.0, 1.0);
      EXPECT_NEAR(u, 0.5 * (a + 1) * share, 1e-6) << "axis " << a << " at " << x;
    });
  }
}

// f(q) = q ((n + 1) / (n + q^2))^((n + 1) / 2) away from the centre, its mean over the edge across a face; nothing at
// the centre itself, and about 1 at the radius, where it is largest.
TEST(ForceFields, PointPushesAwayAndFadesAsItsPower) {
  const Vec3d centre{0.5, 0.475, 0.475};  // on a face across x
  for (const double power : {0.5, 1.0, 2.0}) {
    Air air(20, 3);
    air.push(field(PointForce{centre, 4.0, 0.2, power}), 0.25);
    air.each_face([&](int a, const Vec3d& x, float u) {
      double mean = 0;
      constexpr int parts = 40;
      for (int i = 0; i < parts; ++i) {
        Vec3d d = x - centre;
        d[a] += ((i + 0.5) / parts - 0.5) / 20;
        const double q = length(d) / 0.2;
        mean += d[a] / 0.2 * std::pow((power + 1) / (power + q * q), 0.5 * (power + 1)) / parts;
      }
      EXPECT_NEAR(u, mean, 1e-5) << x;
    });
    EXPECT_NEAR(air.u[0]({10, 9, 9}), 0, 1e-12);
    EXPECT_NEAR(air.u[0]({14, 9, 9}), 1, 6e-3);  // at the radius
  }

  Air other(20, 3);
  other.push(field(PointForce{centre, -4.0, 0.2, 2}), 0.25);
  EXPECT_NEAR(other.u[0]({14, 9, 9}), -1, 6e-3);
}

// What has a potential has no curl on the grid, or no pressure could bear it. The field at faces has one of 7e-3.
TEST(ForceFields, PointTurnsNothing) {
  Air air(20, 2);
  air.push(field(PointForce{{0.47, 0.53, 0}, -4.0, 0.1, 1}), 0.25);
  for (int y = 1; y < 20; ++y)
    for (int x = 1; x < 20; ++x)
      EXPECT_NEAR(air.u[1]({x, y, 0}) - air.u[1]({x - 1, y, 0}), air.u[0]({x, y, 0}) - air.u[0]({x, y - 1, 0}), 1e-6)
          << x << " " << y;
}

// Across a periodic side the nearest image counts: the field is symmetric about a centre on the seam.
TEST(ForceFields, PointReachesAcrossAPeriodicSide) {
  Air air(16, 2, Side::periodic);
  air.push(field(PointForce{{0, 0.5, 0}, 1.0, 0.2, 2}), 1);
  for (int y = 0; y < 16; ++y)
    for (int x = 1; x < 8; ++x) EXPECT_NEAR(air.u[0]({x, y, 0}), -air.u[0]({16 - x, y, 0}), 1e-6);
  EXPECT_LT(air.u[0]({14, 8, 0}), -0.5);
}

// Round a tilted axis: 2 q / (1 + q^2) along axis x r, and the pull straight to the axis.
TEST(ForceFields, VortexTurnsAboutItsAxis) {
  Air air(20, 3);
  const Vec3d centre{0.4, 0.5, 0.6}, axis = normalized(Vec3d{1, -2, 2});
  air.push(field(VortexForce{centre, Vec3d{1, -2, 2}, 3.0, 0.5, 0.15}), 0.1);
  air.each_face([&](int a, const Vec3d& x, float u) {
    const Vec3d out = (x - centre) - axis * dot(axis, x - centre), round = cross(axis, out);
    const double q = length(out) / 0.15, f = 2 / (1 + q * q) / 0.15;
    EXPECT_NEAR(u, 0.1 * f * (3.0 * round[a] - 0.5 * out[a]), 1e-5) << x;
  });
}

// Counter-clockwise in the plane, and nothing moves along z.
TEST(ForceFields, VortexInThePlane) {
  Air air(16, 2);
  air.push(field(VortexForce{{0.5, 0.5, 0}, {}, 1.0, 0.0, 0.25}), 1);
  EXPECT_GT(air.u[1]({12, 8, 0}), 0.9);
  EXPECT_LT(air.u[0]({8, 12, 0}), -0.9);
}

// exp(-k t), whether in one step or in many, and never past the wind.
TEST(ForceFields, DragIsExact) {
  const ForceField drag = field(DragForce{3.0, Vec3d{2, -1, 0}});
  Air once(8, 2), often(8, 2), violent(8, 2);
  once.push(drag, 0.5);
  for (int i = 0; i < 50; ++i) often.push(drag, 0.01);
  for (int i = 0; i < 3; ++i) violent.push(drag, 1e6);
  EXPECT_NEAR(once.u[0]({4, 4, 0}), 2 * (1 - std::exp(-1.5)), 1e-6);
  EXPECT_NEAR(often.u[0]({4, 4, 0}), 2 * (1 - std::exp(-1.5)), 1e-5);
  EXPECT_EQ(violent.u[0]({4, 4, 0}), 2);
  EXPECT_EQ(violent.u[1]({4, 4, 0}), -1);
}

double mean_square(const Air& air) {
  double sum = 0;
  std::int64_t cells = 0;
  air.each_face([&](int, const Vec3d&, float u) { sum += double(u) * u, ++cells; });
  return sum / double(air.domain.cells.count());
}

double mean_product(const Air& a, const Air& b) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Box f = a.domain.faces(axis);
    for (int z = f.lo.z; z < f.hi.z; ++z)
      for (int y = f.lo.y; y < f.hi.y; ++y)
        for (int x = f.lo.x; x < f.hi.x; ++x) sum += double(a.u[axis]({x, y, z})) * b.u[axis]({x, y, z});
  }
  return sum / double(a.domain.cells.count());
}

double largest_divergence(Air& air) {
  for (int a = 0; a < 3; ++a) fill_halo(air.exec, air.domain, air.domain.faces(a), {}, air.u[a]);
  const Box cells = air.domain.cells;
  const Int3 active = air.domain.lattice.active;
  double largest = 0;
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      for (int x = cells.lo.x; x < cells.hi.x; ++x) {
        double sum = 0;
        for (int a = 0; a < 3; ++a)
          if (active[a]) sum += air.u[a](Cell{x, y, z} + unit(a)) - air.u[a]({x, y, z});
        largest = std::max(largest, std::abs(sum));
      }
  return largest / air.domain.lattice.h;
}

ForceField swirls(double scale = 0.1) {
  return field(TurbulenceForce{.strength = 2.0, .scale = scale, .octaves = 3, .roughness = 0.6, .rate = 1});
}

// As strong as asked for, and without divergence on the grid; also across the seams of a periodic box.
TEST(Turbulence, HasItsStrengthAndNoDivergence) {
  for (int dims : {2, 3})
    for (Side side : {Side::wall, Side::periodic}) {
      Air air(dims == 3 ? 32 : 96, dims, side);
      air.push(swirls(dims == 3 ? 0.125 : 0.07), 1, 0.3);
      EXPECT_NEAR(std::sqrt(mean_square(air)), 2, dims == 3 ? 0.25 : 0.3) << dims << "D";  // one sample of it
      EXPECT_LT(largest_divergence(air) * air.domain.lattice.h, 5e-6) << dims << "D";
    }
}

TEST(Turbulence, ChangesWithTimeAndSeedAndName) {
  ForceField other_name = swirls();
  other_name.name = "g";
  Air now(64, 2), same(64, 2), half(64, 2), later(64, 2), seeded(64, 2), named(64, 2);
  now.push(swirls(), 1);
  same.push(swirls(), 1);
  half.push(swirls(), 1, 0.5);
  later.push(swirls(), 1, 1);
  seeded.push(swirls(), 1, 0, 1);
  named.push(other_name, 1);
  const double square = mean_square(now);
  EXPECT_EQ(mean_product(now, same), square);
  EXPECT_NEAR(mean_product(now, half) / square, std::sqrt(0.5), 0.15);
  for (const Air* other : {&later, &seeded, &named}) EXPECT_NEAR(mean_product(now, *other) / square, 0, 0.15);
}

// Random numbers belong to places: neither threads nor what else is allocated change a bit.
TEST(Turbulence, SameBitsForAnyThreadsAndPadding) {
  for (int dims : {2, 3}) {
    Air one(24, dims), many(24, dims, Side::wall, 16);
    one.exec = Exec(Device::cpu, 1);
    many.exec = Exec(Device::cpu, 3, 0);
    const ForceField bounded = [] {
      ForceField f = swirls();
      f.shape = Shape::sphere({0.5, 0.5, 0.2}, 0.4);
      return f;
    }();
    one.push(bounded, 0.1, 0.7);
    many.push(bounded, 0.1, 0.7);
    EXPECT_EQ(mean_product(one, many), mean_square(one));
    for (int a = 0; a < dims; ++a)
      for (int x = 0; x < 24; ++x) EXPECT_EQ(one.u[a]({x, 11, 0}), many.u[a]({x, 11, 0}));
    EXPECT_GT(mean_square(one), 1e-4);
  }
}

TEST(ForceFields, MoveAndSwitchOff) {
  ForceField f = field(UniformForce{Vec3d{1, 0, 0}}, Shape::sphere({0.25, 0.5, 0}, 0.1));
  f.motion.position = Animated<Vec3d>({{0.0, {0, 0, 0}}, {1.0, {0.5, 0, 0}}}, Between::linear);
  f.enabled = Animated<bool>({{0.0, true}, {2.0, false}}, Between::step);
  Air early(16, 2), late(16, 2), off(16, 2);
  early.push(f, 1, 0);
  late.push(f, 1, 1);
  off.push(f, 1, 2);
  EXPECT_EQ(early.u[0]({4, 8, 0}), 1);
  EXPECT_EQ(early.u[0]({12, 8, 0}), 0);
  EXPECT_EQ(late.u[0]({4, 8, 0}), 0);
  EXPECT_EQ(late.u[0]({12, 8, 0}), 1);
  EXPECT_EQ(mean_square(off), 0);
  EXPECT_EQ(largest_push({f}, 0), 1);
  EXPECT_EQ(largest_push({f}, 2), 0);
}

}  // namespace
}  // namespace silt
