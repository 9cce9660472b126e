#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "silt/geometry/shape.h"
#include "silt/geometry/shape_on.h"

namespace silt {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A primitive in a local frame of its own, with its surface as points told by other means than its distance.
struct Sampled {
  const char* name;
  Shape shape;
  std::vector<Vec3d> surface;
  std::function<bool(const Vec3d&)> inside;
};

constexpr int fine = 240;

/// The surface of revolution round z of a polyline (rho, z), densely.
std::vector<Vec3d> revolve(const std::vector<std::pair<double, double>>& profile) {
  std::vector<Vec3d> out;
  const int steps = fine / int(profile.size() - 1);
  for (std::size_t e = 0; e + 1 < profile.size(); ++e)
    for (int i = 0; i <= steps; ++i)
      for (int a = 0; a < fine; ++a) {
        const double s = double(i) / steps, angle = 2 * pi * a / fine;
        const double rho = profile[e].first * (1 - s) + profile[e + 1].first * s;
        out.push_back(
            {rho * std::cos(angle), rho * std::sin(angle), profile[e].second * (1 - s) + profile[e + 1].second * s});
      }
  return out;
}

std::vector<std::pair<double, double>> arc(double cr, double cz, double r, double from, double to) {
  std::vector<std::pair<double, double>> out;
  for (int i = 0; i <= 120; ++i) {
    const double t = from + (to - from) * i / 120;
    out.emplace_back(cr + r * std::cos(t), cz + r * std::sin(t));
  }
  return out;
}

double rho(const Vec3d& x) {
  return std::hypot(x.x, x.y);
}

std::vector<Sampled> primitives() {
  std::vector<Sampled> out;
  out.push_back({"cylinder", Shape::cylinder({0, 0, 0}, {0, 0, 0.8}, 0.4),
                 revolve({{0, 0}, {0.4, 0}, {0.4, 0.8}, {0, 0.8}}),
                 [](const Vec3d& x) { return x.z > 0 && x.z < 0.8 && rho(x) < 0.4; }});
  out.push_back({"cone", Shape::cone({0, 0, 0}, {0, 0, 0.7}, 0.5, 0.2),
                 revolve({{0, 0}, {0.5, 0}, {0.2, 0.7}, {0, 0.7}}),
                 [](const Vec3d& x) { return x.z > 0 && x.z < 0.7 && rho(x) < 0.5 - 0.3 * x.z / 0.7; }});
  out.push_back({"pointed cone", Shape::cone({0, 0, 0}, {0, 0, 0.7}, 0, 0.5), revolve({{0, 0}, {0.5, 0.7}, {0, 0.7}}),
                 [](const Vec3d& x) { return x.z > 0 && x.z < 0.7 && rho(x) < 0.5 * x.z / 0.7; }});
  std::vector<Vec3d> capsule = revolve(arc(0, 0, 0.3, -pi / 2, 0));
  for (const Vec3d& x : revolve({{0.3, 0}, {0.3, 0.5}})) capsule.push_back(x);
  for (const Vec3d& x : revolve(arc(0, 0.5, 0.3, 0, pi / 2))) capsule.push_back(x);
  out.push_back({"capsule", Shape::capsule({0, 0, 0}, {0, 0, 0.5}, 0.3), std::move(capsule), [](const Vec3d& x) {
                   return length(x - Vec3d{0, 0, std::min(0.5, std::max(0.0, x.z))}) < 0.3;
                 }});
  out.push_back({"torus", Shape::torus({0, 0, 0}, {0, 0, 1}, 0.5, 0.2), revolve(arc(0.5, 0, 0.2, 0, 2 * pi)),
                 [](const Vec3d& x) { return std::hypot(rho(x) - 0.5, x.z) < 0.2; }});
  return out;
}

Vec3d random_point(std::mt19937& random, double reach) {
  std::uniform_real_distribution<double> u(-reach, reach);
  return {u(random), u(random), u(random)};
}

TEST(Primitives, DistanceIsThatToTheirSurface) {
  std::mt19937 random(1);
  for (const Sampled& p : primitives())
    for (int i = 0; i < 40; ++i) {
      const Vec3d x = random_point(random, 1.2);
      double nearest = 1e9;
      for (const Vec3d& s : p.surface) nearest = std::min(nearest, dot(x - s, x - s));
      nearest = std::sqrt(nearest);
      const double d = p.shape.distance(x);
      EXPECT_EQ(d < 0, p.inside(x)) << p.name << x;
      // Samples stand up to 0.013 m apart, and arcs are polygons: the nearest one is not nearer, and not much farther.
      EXPECT_LT(std::abs(d), nearest + 1e-3) << p.name << x;
      EXPECT_GT(std::abs(d), std::sqrt(std::max(0.0, nearest * nearest - 1e-4)) - 1e-3) << p.name << x;
    }
}

TEST(Primitives, PlaneIsExact) {
  const Shape plane = Shape::plane({1, 2, 3}, {0, 3, 4});
  EXPECT_NEAR(plane.distance({7, 5, 7}), 0.6 * 3 + 0.8 * 4, 1e-14);
  EXPECT_NEAR(plane.distance({7, 2, 2}), -0.8, 1e-14);
}

std::vector<Shape> some_of_all() {
  const Shape a = Shape::cylinder({0.1, 0, 0}, {0.5, 0.4, 0.3}, 0.2), b = Shape::box({-0.3, -0.2, 0}, {0.2, 0.4, 0.5});
  std::vector<Shape> out{a, b, Shape::sphere({0.2, 0.1, 0}, 0.4), Shape::plane({0, 0, 0.1}, {0, 1, 1})};
  for (const Sampled& p : primitives()) out.push_back(p.shape);
  out.push_back(Shape::unite(a, b));
  out.push_back(Shape::intersect(a, b));
  out.push_back(Shape::subtract(b, Shape::unite(a, Shape::sphere({0, 0, 0}, 0.1))));
  return out;
}

TEST(Primitives, DistanceChangesByAtMostOneAMetre) {
  std::mt19937 random(2);
  for (const Shape& s : some_of_all())
    for (int i = 0; i < 2000; ++i) {
      const Vec3d x = random_point(random, 1), y = x + random_point(random, 0.05);
      EXPECT_LE(std::abs(s.distance(x) - s.distance(y)), length(x - y) * (1 + 1e-12));
    }
}

TEST(Primitives, ATransformCarriesEveryShapeAlong) {
  const Similarity inner{euler_xyz({30, -50, 80}), {0.4, -0.1, 0.2}, 0.7}, outer{euler_xyz({-10, 20, 5}), {1, 1, 0}, 3};
  std::mt19937 random(3);
  for (const Shape& s : some_of_all()) {
    const Shape moved = s.transformed(inner), nested = moved.transformed(outer);
    for (int i = 0; i < 200; ++i) {
      const Vec3d x = random_point(random, 1);
      EXPECT_NEAR(moved.distance(inner(x)), 0.7 * s.distance(x), 1e-14);
      EXPECT_NEAR(nested.distance(outer(inner(x))), 2.1 * s.distance(x), 1e-13);
    }
  }
}

TEST(Primitives, BoundsHoldWhatIsTurnedAndTouchIt) {
  const Similarity how{euler_xyz({30, -50, 80}), {0.4, -0.1, 0.2}, 1.5};
  for (const Sampled& p : primitives()) {
    const auto [lowest, highest] = p.shape.transformed(how).bounds();
    Vec3d low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
    for (const Vec3d& s : p.surface) low = min(low, how(s)), high = max(high, how(s));
    for (int a = 0; a < 3; ++a) {
      EXPECT_LE(lowest[a], low[a] + 1e-12) << p.name;
      EXPECT_GE(highest[a], high[a] - 1e-12) << p.name;
      EXPECT_NEAR(lowest[a], low[a], 2e-3) << p.name;
      EXPECT_NEAR(highest[a], high[a], 2e-3) << p.name;
    }
  }
  const auto [lowest, highest] = Shape::plane({0, 0.5, 0}, {0, 1, 0}).bounds();
  EXPECT_EQ(highest.y, 0.5);
  EXPECT_LT(lowest.y, -1e20);
  EXPECT_GT(highest.x, 1e20);
}

TEST(Primitives, AShapeWhereKernelsRunIsTheSame) {
  const Exec exec;
  for (const Shape& s : some_of_all()) {
    const ShapeOn on(exec, s);
    EXPECT_EQ(on.view().distance({0.1, 0.2, 0.3}), s.distance({0.1, 0.2, 0.3}));
    EXPECT_EQ(on.view().sample({0.1, 0.2, 0.3}).distance, s.distance({0.1, 0.2, 0.3}));
    EXPECT_EQ(on.view().sample({0.1, 0.2, 0.3}).velocity, Vec3d{});
  }
  EXPECT_EQ(ShapeOn(exec, nullptr).view().count, 0);
}

}  // namespace
}  // namespace silt
