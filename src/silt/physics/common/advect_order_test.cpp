// How fast errors fall: of fields carried by a rotation, and of the paths themselves.

#include <gtest/gtest.h>

#include "silt/physics/common/advect.h"
#include "silt/physics/common/advect_test_tools.h"

namespace silt {
namespace {

using namespace test;

struct RotationError {
  double l1, drift;
};

/// A smooth blob carried an eighth of a turn round the middle of the unit square, dt proportional to h: 0.8 cells a
/// step at most, half of that for finite differences.
RotationError rotate_blob(const AdvectionOptions& scheme, int n) {
  Flow flow({{0, 0, 0}, {n, n, 1}}, 1.0 / n, Side::wall, Side::wall, Side::wall);
  const Vec3d middle{0.5, 0.5, 0};
  flow.set_velocity([&](Vec3d x) { return Vec3d{-(x.y - 0.5), x.x - 0.5, 0} * (2 * pi); });
  const auto blob = [&](Vec3d x, double angle) {
    const Vec3d at = middle + Vec3d{std::cos(angle), std::sin(angle), 0} * 0.15;
    const double dx = x.x - at.x, dy = x.y - at.y;
    return std::exp(-(dx * dx + dy * dy) / (2 * 0.08 * 0.08));
  };
  const int steps = finite_difference(scheme.scheme) ? n : n / 2;
  Field<float> f = flow.cells([&](Vec3d x, Cell) { return blob(x, 0); });
  double before = 0, after = 0, error = 0;
  for_each(flow.domain.cells, [&](Cell c) { before += f(c); });
  for (int s = 0; s < steps; ++s) f = flow.step(serial, scheme, 0.125 / steps, f);
  for_each(flow.domain.cells, [&](Cell c) {
    after += f(c);
    error += std::abs(f(c) - blob(flow.domain.lattice.centre(c), pi / 4));
  });
  return {error / (double(n) * n), std::abs(after / before - 1)};
}

struct Expected {
  AdvectionOptions scheme;
  double order, highest;
};

class AdvectOrder : public testing::TestWithParam<Expected> {};

TEST_P(AdvectOrder, OfARotatingBlob) {
  const auto& [scheme, order, highest] = GetParam();
  const RotationError coarse = rotate_blob(scheme, 32), mid = rotate_blob(scheme, 64), fine = rotate_blob(scheme, 128);
  const double first = std::log2(coarse.l1 / mid.l1), second = std::log2(mid.l1 / fine.l1);
  EXPECT_GT(first, order - 0.2) << scheme;
  EXPECT_GT(second, order) << scheme;
  EXPECT_LT(second, highest) << scheme << ": too good to be true";
  EXPECT_LT(fine.drift, 2e-3) << scheme;
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, AdvectOrder,
    testing::Values(Expected{{Advection::upwind}, 0.8, 1.3}, Expected{{Advection::lax_friedrichs}, 0.7, 1.3},
                    Expected{{Advection::lax_wendroff}, 1.8, 2.4}, Expected{{Advection::linear}, 0.8, 1.3},
                    Expected{{Advection::linear, Tracing::rk3}, 0.8, 1.3}, Expected{{Advection::cubic}, 1.7, 3},
                    Expected{{Advection::cubic, Tracing::rk3}, 1.7, 3.2},
                    Expected{{Advection::maccormack, Tracing::rk2, false}, 1.8, 2.4},
                    Expected{{Advection::maccormack}, 1.6, 2.4},
                    Expected{{Advection::bfecc, Tracing::rk2, false}, 1.8, 2.4},
                    Expected{{Advection::bfecc}, 1.6, 2.4}),
    [](const testing::TestParamInfo<Expected>& one) {
      const AdvectionOptions& o = one.param.scheme;
      return std::string(name_of(o.scheme)) + (o.tracing == Tracing::rk3 ? "_rk3" : "") + (o.clamp ? "" : "_free");
    });

TEST(AdvectOrder, CorrectedSchemesAreSharper) {
  const double linear = rotate_blob({Advection::linear}, 64).l1;
  for (Advection scheme : {Advection::maccormack, Advection::bfecc, Advection::cubic})
    EXPECT_LT(4 * rotate_blob({scheme}, 64).l1, linear) << name_of(scheme);
}

// In a linear flow every interpolation is exact, so that the path must be that of the rule, to rounding: any value
// taken from the wrong place shows.
TEST(AdvectPaths, InALinearFlowAreThoseOfTheRule) {
  for (const Box& cells : boxes) {
    Flow flow(cells, 0.1, Side::wall, Side::wall, Side::wall);
    const Int3 active = flow.domain.lattice.active;
    const Vec3d middle = (flow.domain.lower() + flow.domain.upper()) * 0.5, in_plane = active.as<double>();
    const auto u = [&](Vec3d x) {
      const Vec3d r = (x - middle) * in_plane;
      return Vec3d{0.3 * r.x - r.y + 0.5 * r.z, 0.8 * r.x + 0.2 * r.y - 0.4 * r.z, -0.7 * r.x + 0.6 * r.y - 0.5 * r.z} *
             in_plane;
    };
    const auto value = [](Vec3d x) { return dot(Vec3d{1.5, -0.5, 2}, x); };
    flow.set_velocity(u);
    const double dt = 0.4;
    for (Tracing rule : {Tracing::rk2, Tracing::rk3}) {
      const auto foot = [&](Vec3d x) {
        const Vec3d k1 = u(x), k2 = u(x - k1 * (dt / 2)), k3 = u(x - k2 * (0.75 * dt));
        return rule == Tracing::rk2 ? x - k2 * dt : x - (k1 * 2.0 + k2 * 3.0 + k3 * 4.0) * (dt / 9);
      };
      const Box inner = grow(cells, active * -3);
      const Field<float> f = flow.cells([&](Vec3d x, Cell) { return value(x); });
      const Field<float> after = flow.step(serial, {Advection::linear, rule}, dt, f);
      for_each(inner, [&](Cell c) { ASSERT_NEAR(after(c), value(foot(flow.domain.lattice.centre(c))), 5e-6) << c; });
      const MacField<float> faces = flow.step_faces(serial, {Advection::linear, rule}, dt, flow.u);
      for (int a = 0; a < 3; ++a)
        if (active[a])
          for_each(inner, [&](Cell c) {
            ASSERT_NEAR(faces[a](c), u(foot(flow.domain.lattice.face_centre(a, c)))[a], 2e-6) << a << c;
          });
    }
  }
}

// A rigid rotation is linear, so that only the path is wrong.
double rotation_error(const AdvectionOptions& scheme, double dt) {
  const int n = 32;
  Flow flow({{0, 0, 0}, {n, n, 1}}, 1.0 / n, Side::wall, Side::wall, Side::wall);
  const auto spin = [](Vec3d x) { return Vec3d{-(x.y - 0.5), x.x - 0.5, 0}; };
  flow.set_velocity(spin);
  const MacField<float> after = flow.step_faces(serial, scheme, dt, flow.u);
  double worst = 0;
  for (int a = 0; a < 2; ++a)
    for_each(flow.domain.faces(a), [&](Cell c) {
      const Vec3d x = flow.domain.lattice.face_centre(a, c);
      const double dx = x.x - 0.5, dy = x.y - 0.5;
      if (dx * dx + dy * dy > 0.25 * 0.25) return;
      const Vec3d foot{0.5 + std::cos(dt) * dx + std::sin(dt) * dy, 0.5 - std::sin(dt) * dx + std::cos(dt) * dy, 0};
      worst = std::max(worst, std::abs(after[a](c) - spin(foot)[a]));
    });
  return worst;
}

// One step of a rule of order p errs by dt^(p+1).
TEST(AdvectPaths, HaveTheOrderOfTheirRule) {
  for (const AdvectionOptions& scheme : semi_lagrangian_schemes()) {
    const bool third = scheme.tracing == Tracing::rk3;
    const double coarse = rotation_error(scheme, 0.4), fine = rotation_error(scheme, 0.2);
    EXPECT_GT(coarse / fine, third ? 13 : 6.5) << scheme;
    EXPECT_LT(fine, std::pow(0.2, third ? 4 : 3) * 0.25) << scheme;
  }
}

}  // namespace
}  // namespace silt
