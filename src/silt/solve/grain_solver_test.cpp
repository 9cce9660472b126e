#include "silt/solve/grain_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "silt/solve/sample_grains.h"

namespace silt {
namespace {

using namespace test;

constexpr double degree = 3.14159265358979 / 180;
constexpr Side wall = Side::wall, ring = Side::periodic;

SampleGrains::Has below(int axis, int height) {
  return [=](Cell c) { return c[axis] < height; };
}
/// A box full of grains up to a height, in the plane or in space.
SampleGrains filled_box(int dims, double mu) {
  return dims == 2 ? SampleGrains({{0, 0, 0}, {12, 14, 1}}, {wall, wall, wall}, mu, below(1, 10))
                   : SampleGrains({{0, 0, 0}, {8, 9, 10}}, {wall, wall, wall}, mu, below(2, 7));
}
Vec3d down(int dims) {
  return dims == 2 ? Vec3d{0, -1, 0} : Vec3d{0, 0, -1};
}

// Packed between walls nothing can move. With friction the walls bear a part; without it the pressure is that of a
// liquid in every cell.
TEST(GrainSolver, GrainsBetweenWallsRest) {
  for (int dims : {2, 3}) {
    SampleGrains rough = filled_box(dims, 0.6);
    const GrainReport report = rough.step(down(dims));
    EXPECT_TRUE(report.converged);
    EXPECT_LT(rough.fastest(), 0.02);
    SampleGrains smooth = filled_box(dims, 1e-6);
    EXPECT_TRUE(smooth.step(down(dims), {.tolerance = 2e-4, .max_iterations = 2000}).converged);
    EXPECT_LT(smooth.fastest(), 0.02);
    const int up = dims - 1, top = dims == 2 ? 10 : 7;
    for_each(smooth.domain.cells, [&](Cell c) {
      const double depth = std::max(0.0, top - (c[up] + 0.5));
      ASSERT_NEAR(smooth.p(c), depth, 0.01 * top) << c;
    });
  }
}

/// A bed on a floor, endless along it.
SampleGrains bed(int dims, double mu) {
  return dims == 2 ? SampleGrains({{0, 0, 0}, {16, 8, 1}}, {ring, wall, wall}, mu, below(1, 6))
                   : SampleGrains({{0, 0, 0}, {8, 8, 8}}, {ring, ring, wall}, mu, below(2, 6));
}
/// How much faster it becomes in a step of unit gravity that is tilted towards `direction`, after some others.
constexpr int steps = 4;
struct Slide {
  double along = 0, across = 0;
};
Slide slide(SampleGrains& grains, double tilt, const Vec3d& direction) {
  const Vec3d g = direction * std::sin(tilt) + down(grains.dims()) * std::cos(tilt);
  Vec3d gained{};
  for (int n = 0; n < steps; ++n) {
    Vec3d before{};
    for (int a = 0; a < grains.dims(); ++a) before[a] = grains.mean(a).value;
    EXPECT_TRUE(grains.step(g).converged);
    for (int a = 0; a < grains.dims(); ++a) gained[a] = grains.mean(a).value - before[a];
  }
  const double along = dot(gained, direction);
  return {along, length(gained - direction * along)};
}
std::vector<Vec3d> directions(int dims) {
  if (dims == 2) return {{1, 0, 0}, {-1, 0, 0}};
  return {{1, 0, 0}, {0, 1, 0}, {std::sqrt(0.5), std::sqrt(0.5), 0}};
}

// Below the angle of friction a bed rests; above it, it slides with g (sin t - tan(phi) cos t), whatever the direction:
// the cone is round. All its layers are then at their bounds at once, and some may slide a little on others.
void check_beds(int dims) {
  const double mu = std::tan(25 * degree);
  for (const Vec3d& direction : directions(dims))
    for (double tilt : {23, 40}) {
      SampleGrains grains = bed(dims, mu);
      const Slide found = slide(grains, tilt * degree, direction);
      const double expected = std::max(0.0, std::sin(tilt * degree) - mu * std::cos(tilt * degree));
      EXPECT_NEAR(found.along, expected, 0.012) << tilt << direction;
      EXPECT_LT(found.across, 0.01) << tilt << direction;
    }
}
TEST(GrainSolver, BedsInAPlaneSlideAboveTheAngleOfFriction) {
  check_beds(2);
}
TEST(GrainSolver, BedsInSpaceSlideAboveTheAngleOfFriction) {
  check_beds(3);
}

// What slides on a slope below the angle of friction slows down by tan(phi) cos t - sin t a step, and stops.
TEST(GrainSolver, SlidingBedsStop) {
  const double mu = std::tan(25 * degree), tilt = 15 * degree, slows = mu * std::cos(tilt) - std::sin(tilt);
  for (int dims : {2, 3}) {
    SampleGrains grains = bed(dims, mu);
    const Vec3d g = Vec3d{std::sin(tilt), 0, 0} + down(dims) * std::cos(tilt);
    for (int n = 0; n < 2; ++n) EXPECT_TRUE(grains.step(g).converged);
    for_each(grains.domain.faces(0), [&](Cell c) {
      if (grains.mass[0](c) > 0) grains.u[0].at(c) = 0.3;
    });
    for (const double expected : {0.3 - slows, 0.0, 0.0}) {
      EXPECT_TRUE(grains.step(g).converged);
      EXPECT_NEAR(grains.mean(0).value, expected, 0.03);
    }
    EXPECT_LT(grains.fastest(), 0.02);
  }
}

// A smooth floor lets the bed slide before the grains do among themselves; grains that stick to it stay.
TEST(GrainSolver, WallsRubAsTheyAreToldTo) {
  const double mu = std::tan(35 * degree), tilt = 25 * degree;
  for (int dims : {2, 3})
    for (double rub : {0.0, 0.2, double(grain::sticks)}) {
      SampleGrains grains = bed(dims, mu);
      grains.rub[dims - 1][0] = rub;
      const Slide found = slide(grains, tilt, {1, 0, 0});
      EXPECT_NEAR(found.along, std::max(0.0, std::sin(tilt) - rub * std::cos(tilt)), 0.015) << rub;
      EXPECT_LT(grains.mean(0).spread, 0.05 * steps) << rub;
    }
}

// Above the inner angle what sticks to the floor stays, and what lies on it slides. (A little too easily: the stress
// across the floor of the cells that stay takes from the pressure that they have in common with those that slide.)
TEST(GrainSolver, GrainsSlideOnThoseThatStick) {
  const double mu = std::tan(25 * degree), tilt = 40 * degree;
  for (int dims : {2, 3}) {
    SampleGrains grains = bed(dims, mu);
    const int up = dims - 1;
    grains.rub[up][0] = grain::sticks;
    slide(grains, tilt, {1, 0, 0});
    EXPECT_NEAR(grains.mean(0, [&](Cell c) { return c[up] == 0; }).value / steps, 0, 0.01);
    const SampleGrains::Mean above = grains.mean(0, [&](Cell c) { return c[up] > 0; });
    EXPECT_NEAR(above.value / steps, std::sin(tilt) - mu * std::cos(tilt), 0.015);
  }
}

// In a box of stresses a bed holds sqrt 2 times as much along the diagonal as along an axis; in the cone just as much.
TEST(GrainSolver, BoxesHoldMoreAlongTheirDiagonals) {
  const double mu = std::tan(25 * degree), tilt = 35 * degree;
  const auto friction = [&](const Vec3d& direction, bool box) {
    SampleGrains grains = bed(3, mu);
    grains.rub[2][0] = grain::sticks;
    const Vec3d g = direction * std::sin(tilt) + down(3) * std::cos(tilt);
    double speed = 0;
    for (int n = 0; n < steps; ++n) EXPECT_TRUE(grains.step(g, {.tolerance = 1e-3, .box = box}).converged);
    for (int a = 0; a < 2; ++a) speed += direction[a] * grains.mean(a, [](Cell c) { return c.z > 0; }).value / steps;
    return (std::sin(tilt) - speed) / std::cos(tilt);
  };
  for (const bool box : {false, true}) {
    const double along = friction({1, 0, 0}, box), across = friction({std::sqrt(0.5), std::sqrt(0.5), 0}, box);
    EXPECT_NEAR(across / along, box ? std::sqrt(2) : 1, 0.03) << box;
    if (!box) {
      EXPECT_NEAR(along, mu, 0.03);
    }
  }
}

// A belt under a bed drags it: by mu g a step, and no faster than itself.
TEST(GrainSolver, MovingWallsDrag) {
  for (int dims : {2, 3}) {
    SampleGrains grains = bed(dims, 0.8);
    const int up = dims - 1;
    grains.rub[up][0] = 0.3;
    grains.dragging[up][0] = {0.5, 0, 0};
    EXPECT_TRUE(grains.step(down(dims)).converged);
    EXPECT_NEAR(grains.mean(0).value, 0.3, 0.01);
    EXPECT_TRUE(grains.step(down(dims)).converged);
    EXPECT_NEAR(grains.mean(0).value, 0.5, 0.01);
    EXPECT_LT(grains.mean(0).spread, 0.02);
  }
}

TEST(GrainSolver, WhatFliesKeepsFalling) {
  for (int dims : {2, 3}) {
    const Box cells{{0, 0, 0}, {12, 12, dims == 2 ? 1 : 12}};
    const auto has = [=](Cell c) { return length(c.as<double>() - Vec3d{6, 6, dims == 2 ? 0.0 : 6.0}) < 4; };
    SampleGrains grains(cells, {ring, wall, wall}, 0.6, has);
    for (int a = 0; a < dims; ++a)
      for_each(grains.domain.faces(a), [&](Cell c) {
        if (grains.mass[a](c) > 0) grains.u[a].at(c) = 0.7 - a;
      });
    for (int n = 0; n < 3; ++n) EXPECT_TRUE(grains.step(down(dims)).converged);
    for (int a = 0; a < dims; ++a) {
      EXPECT_NEAR(grains.mean(a).value, 0.7 - a + 3 * down(dims)[a], 1e-3);
      EXPECT_LT(grains.mean(a).spread, 5e-3);
    }
    for_each(cells, [&](Cell c) { ASSERT_NEAR(grains.p(c), 0, 5e-3); });
  }
}

// Loose grains come closer freely until there is no room left.
TEST(GrainSolver, RoomBetweenGrainsIsTakenUpFirst) {
  for (int dims : {2, 3}) {
    const int up = dims - 1;
    const double inflow = 1.0 / 6;  // of each layer of six, when the floor stops the lowest and the top falls freely
    for (double room : {2.0, 1.0, 0.5}) {
      SampleGrains grains = bed(dims, 0.5);
      for_each(grains.domain.cells, [&](Cell c) { grains.slack.at(c) = float(room * inflow); });
      EXPECT_TRUE(grains.step(down(dims)).converged);
      const double top = grains.mean(up, [&](Cell c) { return c[up] == 6; }).value;
      EXPECT_NEAR(top, -std::min(1.0, room), room < 1 ? 0.01 : 0.3) << room;
    }
  }
}

constexpr double root_two = 1.41421356237;

/// The answer of a step, number by number: what the stress does, and whether it may.
class Answer {
 public:
  explicit Answer(const SampleGrains& of)
      : grains_(of), view_(of.s.read(of.host())), dims_(of.dims()), force_(of.layout) {
    for (int a = 0; a < 3; ++a)
      for_each(grains_.domain.faces(a), [&](Cell c) {
        force_[a].at(c) = grains_.mass[a](c) * (grains_.u[a](c) - grains_.before[a](c));
        masses_ += grains_.mass[a](c) * grains_.mass[a](c);
      });
  }

  int corners() const { return 1 << dims_; }
  int parts() const { return dims_ * (dims_ + 1) / 2; }
  double u(int a, Cell c) const { return grains_.u[a](grains_.wrapped(c)); }
  double stress(Cell c, int k, int part) const { return view_.at(c)[(k * parts() + part) * lane_count]; }
  double traction(Cell c, int a) const { return view_.at(c)[(corners() * parts() + a) * lane_count]; }
  double mean(Cell c, int part) const {
    double sum = 0;
    for (int k = 0; k < corners(); ++k) sum += stress(c, k, part) / corners();
    return sum;
  }
  /// p at a corner: what pushes along each axis is the same at both ends of the cell.
  double pressure(Cell c, int k) const {
    double out = grains_.p(c);
    for (int a = 0; a < dims_; ++a) {
      double end = 0;
      for (int other = 0; other < corners(); ++other)
        if ((other >> a & 1) == (k >> a & 1)) end += stress(c, other, a) / (corners() / 2);
      out += end - mean(c, a);
    }
    return std::max(0.0, out);
  }

  /// What p does, and whether grains part where it pushes, or are squeezed.
  void check_pressure(Cell c) {
    const double p = grains_.p(c);
    double outflow = 0;
    for (int a = 0; a < dims_; ++a) {
      const Cell up = c + unit(a);
      outflow += grains_.open[a](up) * u(a, up) - grains_.open[a](c) * u(a, c);
      force_[a].at(up) -= grains_.open[a](up) * p, force_[a].at(c) += grains_.open[a](c) * p;
    }
    EXPECT_GE(p, 0);
    squeezed_ += std::pow(p > 0 ? outflow : std::min(0.0, outflow), 2);
    power_ += p * std::abs(outflow), pressures_ += p;
  }
  /// What a corner does; it is within its cone, and where it slides at its bound, along the flow.
  void check_corner(Cell c, int k, double mu) {
    double squares = 0, rate = 0, work = 0, trace = 0;
    for (int a = 0; a < dims_; ++a) trace += u(a, c + unit(a)) - u(a, c);
    const auto add = [&](double s, double d) { squares += s * s, rate += d * d, work += s * d; };
    for (int a = 0; a < dims_; ++a) {
      const double s = stress(c, k, a);
      add(s, u(a, c + unit(a)) - u(a, c) - trace / dims_);
      force_[a].at(c + unit(a)) += s / corners(), force_[a].at(c) -= s / corners();
    }
    for (int e = dims_ == 3 ? 0 : 2; e < 3; ++e) {
      const int a = (e + 1) % 3, b = (e + 2) % 3;
      const Cell n = c + unit(a) * (k >> a & 1) + unit(b) * (k >> b & 1);
      const double s = stress(c, k, dims_ == 3 ? 3 + e : 2), on = grains_.sheared[e](n);
      if (on == 0) {
        ASSERT_EQ(s, 0);
      }
      add(s, on * (u(a, n) - u(a, n - unit(b)) + u(b, n) - u(b, n - unit(a))) / root_two);
      const double f = s / (corners() * root_two);
      force_[a].at(n) += f, force_[a].at(n - unit(b)) -= f;
      force_[b].at(n) += f, force_[b].at(n - unit(a)) -= f;
    }
    const double most = root_two * mu * pressure(c, k);
    EXPECT_LE(std::sqrt(squares), 1.01 * most + 0.05) << c << k;
    if (!(rate > 0.01) || !(grains_.p(c) > 0.5)) return;
    ++sliding_;
    EXPECT_GT(work, 0.97 * std::sqrt(squares * rate)) << c << k;
    EXPECT_NEAR(std::sqrt(squares), most, 0.02 * grains_.p(c) + 0.05) << c << k;
  }
  /// What the floor does to a cell on it: no more than its friction times what pushes.
  void check_floor(Cell c, double rub) {
    const int up = dims_ - 1;
    double squares = 0;
    for (int a = 0; a < dims_; ++a) {
      const double t = traction(c, a);
      if (a == up || c[up] > 0) {
        ASSERT_EQ(t, 0);
        continue;
      }
      squares += t * t;
      force_[a].at(c) += 0.5 * t, force_[a].at(c + unit(a)) += 0.5 * t;
    }
    if (c[up] > 0) return;
    EXPECT_LE(std::sqrt(squares), 1.01 * rub * (grains_.p(c) - mean(c, up) + 0.5) + 0.02) << c;
  }
  /// It is what has changed the velocity.
  void check_sums(const GrainReport& report) const {
    double left = 0;
    for (int a = 0; a < 3; ++a)
      for_each(grains_.domain.faces(a), [&](Cell c) {
        if (grains_.mass[a](c) > 0) left += force_[a](c) * force_[a](c);
      });
    EXPECT_GT(sliding_, 10);
    EXPECT_NEAR(std::sqrt(left / masses_), report.momentum, 1e-5);
    EXPECT_NEAR(std::sqrt(squeezed_ / masses_), report.compression, 1e-5);
    EXPECT_LT(report.momentum, 1e-3);
    EXPECT_LT(report.compression, 1e-3);
    EXPECT_LT(power_, 2e-3 * pressures_);
  }

 private:
  const SampleGrains& grains_;
  CornerStress::View<const float> view_;
  int dims_, sliding_ = 0;
  MacField<double> force_;
  double masses_ = 0, squeezed_ = 0, power_ = 0, pressures_ = 0;
};

// The stress that is left is the answer: inside its cones, along the flow where grains slide, pushing only where grains
// touch; and it is what has changed the velocity.
TEST(GrainSolver, StressObeysItsLaws) {
  for (int dims : {2, 3}) {
    SampleGrains grains = sample_column(dims);
    grains.rub[dims - 1][0] = 0.4;
    grains.step(down(dims));
    const GrainReport report = grains.step(down(dims));
    EXPECT_TRUE(report.converged);
    Answer answer(grains);
    for_each(grains.domain.cells, [&](Cell c) {
      if (!grains.grains(c)) {
        ASSERT_EQ(grains.p(c), 0);
        return;
      }
      answer.check_pressure(c);
      for (int k = 0; k < answer.corners(); ++k) answer.check_corner(c, k, 0.6);
      answer.check_floor(c, 0.4);
    });
    answer.check_sums(report);
  }
}

// A cut stands by cohesion alone.
TEST(GrainSolver, CohesionHoldsACut) {
  for (int dims : {2, 3}) {
    SampleGrains loose = sample_column(dims), held = sample_column(dims);
    for_each(held.domain.cells, [&](Cell c) { held.cohesion.at(c) = held.grains(c) ? 3.0f : 0.0f; });
    loose.step(down(dims));
    EXPECT_TRUE(held.step(down(dims)).converged);
    EXPECT_GT(loose.fastest(), 0.2);
    EXPECT_LT(held.fastest(), 0.02);
  }
}

// A layer of four cells hangs from a ceiling by its tension: what that does not bear of its weight makes it fall. Half
// a cell hangs on the ceiling itself.
TEST(GrainSolver, TensionHoldsWhatHangs) {
  constexpr double weight = 3.5;
  for (int dims : {2, 3}) {
    const int up = dims - 1;
    for (double strength : {0.0, 3.0, 6.0}) {
      const Box cells{{0, 0, 0}, {8, 8, dims == 2 ? 1 : 8}};
      SampleGrains hung(cells, {ring, dims == 2 ? wall : ring, wall}, 0.6, [=](Cell c) { return c[up] > 3; });
      for_each(cells, [&](Cell c) { hung.tension.at(c) = hung.grains(c) ? float(strength) : 0.0f; });
      EXPECT_TRUE(hung.step(down(dims)).converged);
      const double fall = -hung.mean(up, [&](Cell c) { return c[up] == 4; }).value;
      EXPECT_NEAR(fall, std::max(0.0, 1 - strength / weight), 0.02) << strength;
    }
  }
}

// However thick it is: what flows out where tension could hold it is not taken for an answer.
TEST(GrainSolver, TensionHoldsThickLayers) {
  constexpr int rows = 24;
  SampleGrains hung({{0, 0, 0}, {8, rows + 2, 1}}, {ring, wall, wall}, 0.6, [](Cell c) { return c.y > 1; });
  for_each(hung.domain.cells, [&](Cell c) { hung.tension.at(c) = hung.grains(c) ? 2.0f * rows : 0.0f; });
  EXPECT_TRUE(hung.step(down(2)).converged);
  EXPECT_LT(hung.fastest(), 0.05);
}

// Grains that lie thinly weigh little, and are softer: as stiff as packed ones they took three times as many
// iterations.
TEST(GrainSolver, ThinGrainsAreSolvedForInTwiceTheTurns) {
  const auto iterations = [](float weight) {
    SampleGrains grains = sample_column(3);
    for (int a = 0; a < 3; ++a) for_each(grains.domain.faces(a), [&](Cell c) { grains.mass[a].at(c) *= weight; });
    int sum = 0;
    for (int n = 0; n < 4; ++n) sum += grains.step(down(3), {.tolerance = 3e-3}).iterations;
    return sum;
  };
  EXPECT_LT(iterations(0.1f), 2.2 * iterations(1));
}

TEST(GrainSolver, AnswersAreGoodGuesses) {
  for (int dims : {2, 3}) {
    SampleGrains grains = filled_box(dims, 0.6);
    const MacField<double> still = grains.u;
    const GrainReport cold = grains.step(down(dims));
    grains.u = still;
    const GrainReport warm = grains.step(down(dims));
    EXPECT_TRUE(cold.converged && warm.converged);
    EXPECT_LT(warm.iterations, 0.7 * cold.iterations);
  }
}

void expect_same(const SampleGrains& a, const SampleGrains& b) {
  for (int k = 0; k < 3; ++k) for_each(a.domain.faces(k), [&](Cell c) { ASSERT_EQ(a.u[k](c), b.u[k](c)) << k << c; });
  const auto left = a.s.read(a.host()), right = b.s.read(b.host());
  for_each(a.domain.cells, [&](Cell c) {
    ASSERT_EQ(a.p(c), b.p(c)) << c;
    for (int m = 0; m < a.s.numbers(); ++m)
      ASSERT_EQ(left.at(c)[m * lane_count], right.at(c)[m * lane_count]) << c << m;
  });
}

TEST(GrainSolver, SameBitsForAnyThreadsAndLayouts) {
  for (int dims : {2, 3}) {
    SampleGrains one = sample_column(dims), two = sample_column(dims), padded = sample_column(dims, 16);
    const GrainOptions options{.tolerance = 1e-3, .max_iterations = 30};
    const int iterations = one.step(down(dims), options).iterations;
    EXPECT_EQ(iterations, two.step(down(dims), options, Exec(Device::cpu, 2, 0)).iterations);
    EXPECT_EQ(iterations, padded.step(down(dims), options).iterations);
    expect_same(one, two);
    expect_same(one, padded);
  }
}

TEST(GrainSolver, BadNumbersEndIt) {
  for (int dims : {2, 3}) {
    const Cell inside{5, 4, dims == 2 ? 0 : 3};
    SampleGrains velocity = filled_box(dims, 0.6), stress = filled_box(dims, 0.6), guess = filled_box(dims, 0.6);
    velocity.u[0].at(inside) = std::nan("");
    EXPECT_FALSE(velocity.step(down(dims)).converged);
    stress.s.update(stress.host()).at(inside)[0] = std::nanf("");
    EXPECT_FALSE(stress.step(down(dims)).converged);
    guess.p.at(inside) = std::nan("");  // of which nothing is left after a pass
    EXPECT_TRUE(guess.step(down(dims)).converged);
    EXPECT_LT(guess.fastest(), 0.02);
  }
}

TEST(GrainSolver, NothingIsSolvedWhereThereAreNoGrains) {
  SampleGrains none({{0, 0, 0}, {8, 8, 1}}, {wall, wall, wall}, 0.6, [](Cell) { return false; });
  const GrainReport report = none.step(down(2));
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
}

}  // namespace
}  // namespace silt
