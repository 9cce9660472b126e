#include "silt/physics/common/advect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "silt/core/random.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

/// One thread, where threads are not the matter: teams that wait for each other are slow on a busy machine.
const Exec serial(Device::cpu, 1);

constexpr Advection schemes[] = {Advection::linear, Advection::maccormack};
constexpr Side sides[] = {Side::wall, Side::open, Side::periodic};
constexpr double pi = 3.14159265358979323846;

using test::for_each;
using test::noise;

/// A flow on a box, and one cell field carried by it.
struct Flow {
  Domain domain;
  Layout layout;
  MacField<float> u;
  AdvectScratch scratch;

  Flow(const Box& cells, double h, Side x, Side y, Side z, int pad = 0) {
    const Int3 n = cells.size(), active{1, n.y > 1, n.z > 1};
    domain = {{{}, h, active}, cells, {{{x, x}, {y, y}, {z, z}}}};
    layout = make_layout(cells, active, default_halo, pad);
    u = MacField<float>(layout);
    scratch = AdvectScratch(layout);
  }
  void fill(MacField<float>& faces) const {
    for (int a = 0; a < 3; ++a) fill_halo(serial, domain, domain.faces(a), {}, faces[a]);
  }
  void set_velocity(const std::function<Vec3d(Vec3d)>& velocity) {
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) { u[a].at(c) = float(velocity(domain.lattice.face_centre(a, c))[a]); });
    fill(u);
  }
  /// Up to `speed` in every component, uncorrelated.
  void random_velocity(std::uint64_t seed, double speed) {
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) { u[a].at(c) = float(speed * noise(seed + a, c)); });
    fill(u);
  }
  Field<float> cells(const std::function<double(Vec3d, Cell)>& value, const HaloRule& rule = {}) const {
    Field<float> f(layout);
    for_each(domain.cells, [&](Cell c) { f.at(c) = float(value(domain.lattice.centre(c), c)); });
    fill_halo(serial, domain, domain.cells, rule, f);
    return f;
  }
  /// The field after dt, halo filled.
  Field<float> step(const Exec& exec, Advection scheme, double dt, const Field<float>& from,
                    const HaloRule& rule = {}) {
    Field<float> to(layout);
    advect_cells(exec, domain, scheme, dt, u, rule, from, scratch, to);
    fill_halo(serial, domain, domain.cells, rule, to);
    return to;
  }
  MacField<float> step_faces(const Exec& exec, Advection scheme, double dt, const MacField<float>& from) {
    MacField<float> to(layout);
    advect_faces(exec, domain, scheme, dt, u, from, scratch, to);
    fill(to);
    return to;
  }
};

const Box shapes[] = {{{-3, 2, 0}, {9, 12, 8}}, {{-3, 2, 0}, {12, 13, 1}}, {{-8, 0, 0}, {8, 1, 1}}};

template <class Check>
void for_flows(const Check& check) {
  for (const Box& cells : shapes)
    for (Side x : sides)
      for (Side y : sides) check(Flow(cells, 0.1, x, y, Side::wall));
}

TEST(AdvectCells, AConstantStaysThatConstant) {
  for_flows([](Flow flow) {
    flow.random_velocity(1, 0.3);
    const Field<float> f = flow.cells([](Vec3d, Cell) { return 0.3; });
    for (Advection scheme : schemes) {
      const Field<float> after = flow.step(serial, scheme, 1.0, f);  // up to three cells
      for_each(flow.domain.cells, [&](Cell c) { ASSERT_EQ(after(c), 0.3f) << c; });
    }
  });
}

TEST(AdvectCells, WholeCellsInAPeriodicBoxAreExact) {
  for (const Box& cells : {Box{{-8, 0, 0}, {8, 11, 7}}, Box{{-8, 0, 0}, {8, 11, 1}}, Box{{0, 0, 0}, {24, 1, 1}}}) {
    Flow flow(cells, 0.125, Side::periodic, Side::periodic, Side::periodic);
    const Int3 shift = Int3{3, -2, 1} * flow.domain.lattice.active, n = cells.size();
    flow.set_velocity([&](Vec3d) { return shift.as<double>(); });
    const Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(9, c); });
    for (Advection scheme : schemes) {
      const Field<float> after = flow.step(serial, scheme, 0.125, f);
      for_each(cells, [&](Cell c) {
        Cell from = c - shift;
        for (int a = 0; a < 3; ++a) from[a] = cells.lo[a] + (from[a] - cells.lo[a] + n[a]) % n[a];
        ASSERT_EQ(after(c), f(from)) << c;
      });
    }
  }
}

// f(x, t) = f(x - u t) for a uniform flow; linear interpolation is exact for a linear f.
TEST(AdvectCells, ALinearFieldMovesExactlyAwayFromTheSides) {
  for (const Box& cells : shapes) {
    Flow flow(cells, 0.1, Side::wall, Side::wall, Side::wall);
    const Int3 active = flow.domain.lattice.active;
    const Vec3d v = Vec3d{0.7, -1.1, 0.4} * active.as<double>();
    flow.set_velocity([&](Vec3d) { return v; });
    const Vec3d slope{1.5, -0.5, 2};
    const Field<float> f = flow.cells([&](Vec3d x, Cell) { return dot(slope, x); });
    for (Advection scheme : schemes) {
      const Field<float> after = flow.step(serial, scheme, 0.13, f);
      for_each({cells.lo + active * 3, cells.hi - active * 3},
               [&](Cell c) { ASSERT_NEAR(after(c), dot(slope, flow.domain.lattice.centre(c) - v * 0.13), 2e-6) << c; });
    }
  }
}

TEST(AdvectCells, WhatEntersThroughAnOpenSideStandsBeyondIt) {
  const Box cells{{0, 0, 0}, {8, 6, 1}};
  Flow flow(cells, 0.5, Side::open, Side::wall, Side::wall);
  flow.set_velocity([](Vec3d) { return Vec3d{1, 0, 0}; });
  const HaloRule empty{false, 0};
  const Field<float> f = flow.cells([](Vec3d, Cell) { return 1; }, empty);
  for (Advection scheme : schemes) {
    const Field<float> after = flow.step(serial, scheme, 0.5, f, empty);  // one cell to the right
    for_each(cells, [&](Cell c) { ASSERT_EQ(after(c), c.x == 0 ? 0.0f : 1.0f) << c; });
  }
}

TEST(AdvectCells, NoNewExtrema) {
  for (int n = 0; n < 200; ++n) {
    const Box& cells = n % 8 ? shapes[1 + n % 2] : shapes[0];
    Flow flow(cells, 1, sides[n % 3], sides[n / 3 % 3], Side::wall);
    flow.random_velocity(3 * n, 0.1 + 3 * random_unit(1, n, 0));
    const Field<float> f = flow.cells([&](Vec3d, Cell c) { return noise(1000 + n, c); });
    float lo = 2, hi = -2;
    for_each(cells, [&](Cell c) { lo = std::min(lo, f(c)), hi = std::max(hi, f(c)); });
    for (Advection scheme : schemes) {
      const Field<float> after = flow.step(serial, scheme, 1, f);
      // Interpolating between the same two values may round outwards by one unit of the last place.
      for_each(cells, [&](Cell c) {
        ASSERT_GE(after(c), lo - 2e-7f) << n << c;
        ASSERT_LE(after(c), hi + 2e-7f) << n << c;
      });
    }
  }
}

TEST(AdvectCells, ManyCellsAStepStayBounded) {
  for (Side side : sides) {
    Flow flow({{0, 0, 0}, {32, 24, 1}}, 1, side, side, Side::wall);
    flow.random_velocity(5, 5);
    for (Advection scheme : schemes) {
      Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(6, c); });
      for (int n = 0; n < 50; ++n) f = flow.step(serial, scheme, 1, f);
      for_each(flow.domain.cells, [&](Cell c) { ASSERT_LE(std::abs(f(c)), 1.00001f) << c; });
    }
  }
}

struct RotationError {
  double l1, drift;
};

/// A smooth blob carried an eighth of a turn round the middle of the unit square, at no more than 0.8 cells a step.
RotationError rotate_blob(Advection scheme, int n) {
  Flow flow({{0, 0, 0}, {n, n, 1}}, 1.0 / n, Side::wall, Side::wall, Side::wall);
  const Vec3d middle{0.5, 0.5, 0};
  flow.set_velocity([&](Vec3d x) { return Vec3d{-(x.y - 0.5), x.x - 0.5, 0} * (2 * pi); });
  const auto blob = [&](Vec3d x, double angle) {
    const Vec3d at = middle + Vec3d{std::cos(angle), std::sin(angle), 0} * 0.15;
    const double dx = x.x - at.x, dy = x.y - at.y;
    return std::exp(-(dx * dx + dy * dy) / (2 * 0.08 * 0.08));
  };
  const int steps = n / 2;
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

TEST(AdvectCells, OrderOfARotatingBlob) {
  for (auto [scheme, order, drift] : {std::tuple{Advection::linear, 0.8, 2e-3}, {Advection::maccormack, 1.6, 2e-3}}) {
    const RotationError coarse = rotate_blob(scheme, 32), mid = rotate_blob(scheme, 64),
                        fine = rotate_blob(scheme, 128);
    EXPECT_GT(std::log2(coarse.l1 / mid.l1), order);
    EXPECT_GT(std::log2(mid.l1 / fine.l1), order);
    EXPECT_LT(std::log2(mid.l1 / fine.l1), 3) << "too good to be true";
    EXPECT_LT(mid.drift, drift);
    EXPECT_LT(fine.drift, drift);
  }
  EXPECT_LT(4 * rotate_blob(Advection::maccormack, 64).l1, rotate_blob(Advection::linear, 64).l1);
}

TEST(AdvectFaces, AUniformVelocityStaysUniform) {
  for_flows([](Flow flow) {
    const Vec3d v{0.3, -0.25, 0.125};
    flow.set_velocity([&](Vec3d) { return v; });
    for (Advection scheme : schemes) {
      const MacField<float> after = flow.step_faces(serial, scheme, 0.77, flow.u);
      for (int a = 0; a < 3; ++a)
        for_each(flow.domain.faces(a), [&](Cell c) { ASSERT_EQ(after[a](c), float(v[a])) << a << c; });
    }
  });
}

// Each component is carried from the centre of its own face: a linear field in a uniform flow shows any other offset.
TEST(AdvectFaces, EveryComponentStartsFromItsOwnFace) {
  for (const Box& cells : shapes) {
    Flow flow(cells, 0.1, Side::wall, Side::wall, Side::wall);
    const Int3 active = flow.domain.lattice.active;
    const Vec3d v = Vec3d{0.7, -1.1, 0.4} * active.as<double>();
    flow.set_velocity([&](Vec3d) { return v; });
    const auto value = [](int a, Vec3d x) { return dot(Vec3d{1.5, -0.5, 2}, x) * (a + 1); };
    MacField<float> f(flow.layout);
    for (int a = 0; a < 3; ++a)
      for_each(flow.domain.faces(a),
               [&](Cell c) { f[a].at(c) = float(value(a, flow.domain.lattice.face_centre(a, c))); });
    flow.fill(f);
    for (Advection scheme : schemes) {
      const MacField<float> after = flow.step_faces(serial, scheme, 0.13, f);
      for (int a = 0; a < 3; ++a) {
        if (!active[a]) continue;
        for_each({cells.lo + active * 3, cells.hi - active * 3}, [&](Cell c) {
          ASSERT_NEAR(after[a](c), value(a, flow.domain.lattice.face_centre(a, c) - v * 0.13), 5e-6) << a << c;
        });
      }
    }
  }
}

// A rigid rotation is linear, so that only the path is wrong: by the midpoint rule, to third order in one step.
double rotation_error(Advection scheme, double dt) {
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

TEST(AdvectFaces, ARotationCarriedByItselfIsSecondOrder) {
  for (Advection scheme : schemes) {
    const double coarse = rotation_error(scheme, 0.4), fine = rotation_error(scheme, 0.2);
    EXPECT_GT(coarse / fine, 6.5);  // 8 for a local error of dt^3
    EXPECT_LT(fine, 0.2 * 0.2 * 0.2 * 0.25);
  }
}

// In a linear flow every interpolation is exact, so that the path must be that of the midpoint rule,
//   foot = x - dt u(x - dt/2 u(x)),
// to rounding: any value taken from the wrong place shows.
TEST(Advect, PathsInALinearFlowAreThoseOfTheMidpointRule) {
  for (const Box& cells : shapes) {
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
    const auto foot = [&](Vec3d x) { return x - u(x - u(x) * (0.5 * dt)) * dt; };
    const Box inner{cells.lo + active * 3, cells.hi - active * 3};
    const Field<float> f = flow.cells([&](Vec3d x, Cell) { return value(x); });
    const Field<float> after = flow.step(serial, Advection::linear, dt, f);
    for_each(inner, [&](Cell c) { ASSERT_NEAR(after(c), value(foot(flow.domain.lattice.centre(c))), 5e-6) << c; });
    const MacField<float> faces = flow.step_faces(serial, Advection::linear, dt, flow.u);
    for (int a = 0; a < 3; ++a)
      if (active[a])
        for_each(inner, [&](Cell c) {
          ASSERT_NEAR(faces[a](c), u(foot(flow.domain.lattice.face_centre(a, c)))[a], 2e-6) << a << c;
        });
  }
}

// Rolling everything round a periodic box rolls the answer: nothing marks the seam.
TEST(Advect, TheSeamOfAPeriodicBoxDoesNotShow) {
  const Box cells{{-2, 0, 0}, {10, 9, 1}};
  const Int3 n = cells.size(), roll{5, 4, 0};
  const auto rolled = [&](Cell c) {
    return Cell{cells.lo.x + (c.x - cells.lo.x + roll.x) % n.x, (c.y + roll.y) % n.y, 0};
  };
  Flow flow(cells, 1, Side::periodic, Side::periodic, Side::wall), other = flow;
  flow.random_velocity(1, 0.8);
  for (int a = 0; a < 2; ++a) for_each(cells, [&](Cell c) { other.u[a].at(rolled(c)) = flow.u[a](c); });
  other.fill(other.u);
  const Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(2, c); });
  Field<float> g(flow.layout);
  for_each(cells, [&](Cell c) { g.at(rolled(c)) = f(c); });
  fill_halo(serial, other.domain, cells, {}, g);
  for (Advection scheme : schemes) {
    const Field<float> a = flow.step(serial, scheme, 1, f), b = other.step(serial, scheme, 1, g);
    const MacField<float> u = flow.step_faces(serial, scheme, 1, flow.u),
                          v = other.step_faces(serial, scheme, 1, other.u);
    for_each(cells, [&](Cell c) {
      ASSERT_EQ(a(c), b(rolled(c))) << c;
      ASSERT_EQ(u[0](c), v[0](rolled(c))) << c;
      ASSERT_EQ(u[1](c), v[1](rolled(c))) << c;
    });
  }
}

TEST(Advect, SameBitsForThreadsAndPadding) {
  for (auto [shape, scheme] : {std::pair{0, Advection::maccormack}, {1, Advection::linear}}) {
    const Box& cells = shapes[shape];
    struct Result {
      Field<float> f;
      MacField<float> u;
      Domain domain;
    };
    const auto run = [&cells, scheme = scheme](int threads, int pad) {
      const Exec exec(Device::cpu, threads, 0);
      Flow flow(cells, 0.1, Side::periodic, Side::wall, Side::open, pad);
      flow.random_velocity(1, 0.4);
      Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(2, c); });
      f = flow.step(exec, scheme, 1, f);
      return Result{f, flow.step_faces(exec, scheme, 1, flow.u), flow.domain};
    };
    const Result one = run(1, 0);
    for (auto [threads, pad] : {std::pair{2, 0}, {3, 16}, {8, 0}}) {
      const Result other = run(threads, pad);
      const auto same = [](float a, float b) {
        return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
      };
      for_each(cells, [&](Cell c) { ASSERT_TRUE(same(one.f(c), other.f(c))) << c; });
      for (int a = 0; a < 3; ++a)
        for_each(one.domain.faces(a), [&](Cell c) { ASSERT_TRUE(same(one.u[a](c), other.u[a](c))) << a << c; });
    }
  }
}

}  // namespace
}  // namespace silt
