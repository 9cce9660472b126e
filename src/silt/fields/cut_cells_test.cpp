#include "silt/fields/cut_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "silt/core/random.h"
#include "silt/fields/open_square.h"
#include "silt/fields/operators.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

/// One thread, where threads are not the matter: teams that wait for each other are slow on a busy machine.
const Exec serial(Device::cpu, 1);

constexpr double pi = 3.14159265358979323846;

using test::for_each;

/// Area of the unit square where a x + b y <= d, for a, b > 0: a triangle less the two that stick out, plus their
/// overlap.
double area_below(double a, double b, double d) {
  const auto half_square = [](double s) { return s > 0 ? s * s : 0.0; };
  return (half_square(d) - half_square(d - a) - half_square(d - b) + half_square(d - a - b)) / (2 * a * b);
}

TEST(OpenSquare, StraightCutsAreExactAtAnyAngle) {
  for (int n = 0; n < 5000; ++n) {
    const double angle = 2 * pi * random_unit(1, n, 0), nx = std::cos(angle), ny = std::sin(angle);
    const double offset = 1.6 * random_unit(1, n, 1) - 0.8;
    if (std::min(std::abs(nx), std::abs(ny)) < 1e-3) continue;
    // Positive where nx x + ny y > offset, coordinates from the middle; mirrored to positive slopes for the reference.
    const auto p = [&](double x, double y) { return nx * (x - 0.5) + ny * (y - 0.5) - offset; };
    const double a = std::abs(nx), b = std::abs(ny);
    const double expected = 1 - area_below(a, b, offset + 0.5 * (a + b));
    ASSERT_NEAR(open_square(p(0, 0), p(1, 0), p(0, 1), p(1, 1)), expected, 1e-9) << angle << " " << offset;
  }
}

TEST(OpenSquare, AxisAlignedCutsAndWholeSquares) {
  for (double f : {0.0, 0.125, 0.5, 0.875}) {
    EXPECT_DOUBLE_EQ(open_square(-f, 1 - f, -f, 1 - f), 1 - f);
    EXPECT_DOUBLE_EQ(open_square(-f, -f, 1 - f, 1 - f), 1 - f);
    EXPECT_DOUBLE_EQ(open_square(f, f - 1, f, f - 1), f);
  }
  EXPECT_EQ(open_square(1, 2, 3, 4), 1);
  EXPECT_EQ(open_square(-1, -2, -3, -4), 0);
  EXPECT_EQ(open_square(0, 0, 0, 0), 1);
}

// On the edges' crossings alone a square with opposite corners outside could be joined or parted: it is joined, the
// safe choice for flow. Everywhere else inside and outside share the square.
TEST(OpenSquare, InsideAndOutsideShareTheSquare) {
  int shared = 0, ambiguous = 0;
  for (int n = 0; n < 5000; ++n) {
    double p[4];
    for (int i = 0; i < 4; ++i) p[i] = 2 * random_unit(2, n, i) - 1;
    const double open = open_square(p[0], p[1], p[2], p[3]), closed = open_square(-p[0], -p[1], -p[2], -p[3]);
    ASSERT_GE(open, 0);
    ASSERT_LE(open, 1);
    if ((p[0] > 0) == (p[3] > 0) && (p[1] > 0) == (p[2] > 0) && (p[0] > 0) != (p[1] > 0)) {
      ++ambiguous;
      ASSERT_GT(open + closed, 1);
    } else {
      ++shared;
      ASSERT_NEAR(open + closed, 1, 1e-14);
    }
  }
  EXPECT_GT(shared, 1000);
  EXPECT_GT(ambiguous, 100);
}

TEST(OpenSquare, TurningOrMirroringTheSquareChangesNothing) {
  for (int n = 0; n < 2000; ++n) {
    double p[4];
    for (int i = 0; i < 4; ++i) p[i] = 2 * random_unit(3, n, i) - 1;
    const double open = open_square(p[0], p[1], p[2], p[3]);
    ASSERT_NEAR(open_square(p[1], p[3], p[0], p[2]), open, 1e-14);  // a quarter turn
    ASSERT_NEAR(open_square(p[3], p[2], p[1], p[0]), open, 1e-14);  // half a turn
    ASSERT_NEAR(open_square(p[1], p[0], p[3], p[2]), open, 1e-14);  // mirrored in x
    ASSERT_NEAR(open_square(p[0], p[2], p[1], p[3]), open, 1e-14);  // in the diagonal
  }
}

Domain unit_box(int n, Side x = Side::open, Side y = Side::open, Side z = Side::open) {
  return {{{}, 1.0 / n, {1, 1, 1}}, {{0, 0, 0}, {n, n, n}}, {{{x, x}, {y, y}, {z, z}}}};
}

Domain unit_square(int n, Side side = Side::open) {
  return {{{}, 1.0 / n, {1, 1, 0}}, {{0, 0, 0}, {n, n, 1}}, {{{side, side}, {side, side}, {side, side}}}};
}

/// A shape displaced and moving without turning.
PlacedShape placed(const Shape& shape, const Vec3d& position, const Vec3d& velocity) {
  return {shape.transformed({{}, position, 1}), {velocity, {}, {}}};
}

CutCells cut(const Domain& domain, const std::vector<PlacedShape>& solids, int pad = 0, const Exec& exec = serial) {
  CutCells out(make_layout(domain.cells, domain.lattice.active, default_halo, pad));
  cut_cells(exec, domain, solids, out);
  return out;
}

struct BallError {
  double volume, surface;
};

/// A ball somewhere in the unit box. Closed areas of parallel faces, times h, add up to its volume; what is missing
/// from the faces of each cell is its piece of surface.
BallError ball_error(int n) {
  const Vec3d centre{0.47, 0.52, 0.505};
  const double r = 0.31, h = 1.0 / n;
  const Shape ball = Shape::sphere(centre, r);
  const Domain domain = unit_box(n);
  const CutCells c = cut(domain, {placed(ball, {}, {})});
  double volume[3] = {0, 0, 0}, surface = 0;
  Vec3d net{};
  for (int a = 0; a < 3; ++a) for_each(domain.faces(a), [&](Cell f) { volume[a] += (1 - c.open[a](f)) * h * h * h; });
  for_each(domain.cells, [&](Cell i) {
    Vec3d normal;
    for (int a = 0; a < 3; ++a) normal[a] = (double(c.open[a](i + unit(a))) - c.open[a](i)) * h * h;
    surface += length(normal);
    net += normal;
  });
  EXPECT_LT(length(net), 1e-6) << "a closed surface has no net area";
  double worst = 0;
  for (double v : volume) worst = std::max(worst, std::abs(v - 4 * pi / 3 * r * r * r));
  return {worst, std::abs(surface - 4 * pi * r * r)};
}

TEST(CutCells, ABallConvergesAtSecondOrder) {
  const BallError coarse = ball_error(16), fine = ball_error(64);
  EXPECT_LT(fine.volume, 2e-4);
  EXPECT_LT(fine.surface, 2e-3);
  EXPECT_GT(std::log2(coarse.volume / fine.volume) / 2, 1.7);
  EXPECT_GT(std::log2(coarse.surface / fine.surface) / 2, 1.7);
}

TEST(CutCells, DistancesAndFractionsInAPlane) {
  const int n = 64;
  const double h = 1.0 / n, r = 0.3;
  const Shape disc = Shape::sphere({0.5, 0.45, 0.5 * h}, r);  // the plane lies at half a cell's depth
  const Domain domain = unit_square(n);
  const CutCells c = cut(domain, {placed(disc, {}, {})});
  for_each(domain.corners(), [&](Cell at) {
    const Vec3d x = domain.lattice.corner(at);
    const double exact = std::hypot(x.x - 0.5, x.y - 0.45) - r;
    EXPECT_NEAR(c.distance(at), std::min(exact, solid_reach * h), 2e-5 * h + 1e-6) << at;
  });
  double area[2] = {0, 0};
  for (int a = 0; a < 2; ++a) for_each(domain.faces(a), [&](Cell f) { area[a] += (1 - c.open[a](f)) * h * h; });
  // Chords, each right to h^2, summed as rectangles: h^1.5 at the two tips.
  EXPECT_NEAR(area[0], pi * r * r, 1e-3);
  EXPECT_NEAR(area[1], pi * r * r, 1e-3);
  // Faces along the column x = 0.5 are closed from 0.15 to 0.75: two of them in part.
  for_each({{n / 2, 0, 0}, {n / 2 + 1, n, 1}}, [&](Cell f) {
    const double y0 = f.y * h, y1 = y0 + h;
    const double closed = std::max(0.0, std::min(y1, 0.75) - std::max(y0, 0.15)) / h;
    EXPECT_NEAR(c.open[0](f), 1 - closed, 1e-4) << f;
  });
}

// A bar that runs through the whole depth cuts each layer of a 3D lattice as it cuts the plane.
TEST(CutCells, FlatAgreesWithDeep) {
  const int n = 16;
  const Shape bar =
      Shape::subtract(Shape::box({0.23, 0.31, -5}, {0.71, 0.64, 5}), Shape::box({0.4, 0.5, -9}, {0.49, 2, 9}));
  const Domain deep = unit_box(n, Side::wall, Side::open, Side::open), flat = unit_square(n);
  Domain flat_walls = flat;
  flat_walls.sides = deep.sides;
  const CutCells a = cut(deep, {placed(bar, {0.02, 0, 0}, {1, 2, 3})}),
                 b = cut(flat_walls, {placed(bar, {0.02, 0, 0}, {1, 2, 3})});
  for (int axis = 0; axis < 2; ++axis)
    for_each(flat_walls.faces(axis), [&](Cell f) {
      for (int k : {0, 7, 15}) {
        ASSERT_NEAR(a.open[axis]({f.x, f.y, k}), b.open[axis](f), 1e-6) << axis << f;
        ASSERT_EQ(a.solid_velocity[axis]({f.x, f.y, k}), b.solid_velocity[axis](f)) << axis << f;
      }
    });
  for_each(b.open.layout().storage(), [&](Cell c) { ASSERT_EQ(b.open[2](c), 0) << "a flat axis has no faces"; });
}

TEST(CutCells, WallsAreClosedOpenSidesOpenPeriodicSidesWrap) {
  const int n = 10;
  const Domain domain = unit_box(n, Side::wall, Side::open, Side::periodic);
  const CutCells c = cut(domain, {});
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < n; ++k) {
      EXPECT_EQ(c.open[0]({0, j, k}), 0);
      EXPECT_EQ(c.open[0]({n, j, k}), 0);
      EXPECT_EQ(c.open[0]({5, j, k}), 1);
      EXPECT_EQ(c.open[1]({j, 0, k}), 1);
      EXPECT_EQ(c.open[1]({j, n, k}), 1);
      EXPECT_EQ(c.open[2]({j, k, 0}), 1);
      EXPECT_EQ(c.open[2]({j, k, n}), 1);  // in the halo
    }
  EXPECT_EQ(c.distance({5, 5, 5}), float(solid_reach * domain.lattice.h));
  // A ball that pokes through the lower end of the periodic axis: its section is seen on the upper face as well.
  const Shape ball = Shape::sphere({0.5, 0.5, 0}, 0.27);
  const CutCells d = cut(domain, {placed(ball, {}, {})});
  EXPECT_EQ(d.open[2]({5, 5, 0}), 0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) EXPECT_EQ(d.open[2]({i, j, n}), d.open[2]({i, j, 0}));
}

TEST(CutCells, OnlyOneEndMayBeAWall) {
  Domain domain = unit_square(8);
  domain.sides[1] = {Side::wall, Side::open};
  const CutCells c = cut(domain, {});
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(c.open[1]({i, 0, 0}), 0);
    EXPECT_EQ(c.open[1]({i, 8, 0}), 1);
  }
}

TEST(CutCells, SliversCountAsClosed) {
  const Domain domain = unit_square(8);
  const double h = 1.0 / 8;
  const Shape most = Shape::box({0.25, 0.25, -1}, {0.5, 0.5 - 5e-4 * h, 1}),
              half = Shape::box({0.25, 0.25, -1}, {0.5, 0.5 - 0.5 * h, 1});
  EXPECT_EQ(cut(domain, {placed(most, {}, {})}).open[0]({3, 3, 0}), 0);
  EXPECT_NEAR(cut(domain, {placed(half, {}, {})}).open[0]({3, 3, 0}), 0.5, 2e-5);
}

// A box whose sides lie on the lattice, to rounding, closes exactly the faces it should: none of its cells opens to the
// fluid, none of the fluid's closes.
TEST(CutCells, SurfacesOnTheLatticeCloseTheirFaces) {
  const Domain domain = unit_square(10);
  const Shape box = Shape::box({0.3, 0.1 + 0.2, -1}, {0.7, 0.6, 1});
  const CutCells c = cut(domain, {placed(box, {}, {})});
  for (int j = 3; j < 6; ++j) {
    EXPECT_EQ(c.open[0]({3, j, 0}), 0) << j;
    EXPECT_EQ(c.open[0]({7, j, 0}), 0) << j;
    EXPECT_EQ(c.open[0]({2, j, 0}), 1) << j;
    EXPECT_EQ(c.open[0]({8, j, 0}), 1) << j;
  }
  EXPECT_EQ(c.open[1]({4, 3, 0}), 0);
  EXPECT_EQ(c.open[1]({4, 6, 0}), 0);
  EXPECT_NEAR(c.open[1]({2, 4, 0}), 1, 2e-5);
}

// Across a periodic side a solid goes on at the other end.
TEST(CutCells, SolidsGoOnAcrossAPeriodicSide) {
  const Domain domain = unit_square(16, Side::periodic);
  const Shape ball = Shape::sphere({0, 0.5, 0}, 0.2), moved = Shape::sphere({1, 0.5, 0}, 0.2);
  const CutCells a = cut(domain, {placed(ball, {}, {1, 2, 0})}), b = cut(domain, {placed(moved, {}, {1, 2, 0})});
  for (int axis = 0; axis < 2; ++axis)
    for_each(domain.faces(axis), [&](Cell f) {
      ASSERT_NEAR(a.open[axis](f), b.open[axis](f), 1e-5) << axis << f;
      ASSERT_EQ(a.solid_velocity[axis](f), b.solid_velocity[axis](f)) << axis << f;
    });
  EXPECT_EQ(a.open[0]({0, 8, 0}), 0);
  EXPECT_LT(a.open[1]({14, 8, 0}), 1);
}

// However far it has travelled, a solid in a periodic box is where its position says, modulo the box.
TEST(CutCells, SolidsTravelRoundAPeriodicBox) {
  const Domain domain = unit_square(16, Side::periodic);
  const Shape ball = Shape::sphere({0.5, 0.5, 0}, 0.2);
  const CutCells here = cut(domain, {placed(ball, {}, {1, 0, 0})});
  for (double turns : {1.0, -1.0, 3.0, -7.0}) {
    const CutCells far = cut(domain, {placed(ball, {turns, 0, 0}, {1, 0, 0})});
    for (int axis = 0; axis < 2; ++axis)
      for_each(domain.faces(axis), [&](Cell f) {
        ASSERT_NEAR(here.open[axis](f), far.open[axis](f), 1e-5) << turns << f;
        ASSERT_EQ(here.solid_velocity[axis](f), far.solid_velocity[axis](f)) << turns << f;
      });
  }
}

// Two solids side by side: each face moves with the nearer one, whatever their order.
TEST(CutCells, FacesMoveWithTheNearerSolid) {
  const Domain domain = unit_square(20);
  const Shape left = Shape::box({0.2, 0.2, -1}, {0.48, 0.8, 1}), right = Shape::box({0.52, 0.2, -1}, {0.8, 0.8, 1});
  const PlacedShape moving = placed(left, {}, {1, 0, 0}), still = placed(right, {}, {});
  for (const auto& solids : {std::vector{moving, still}, std::vector{still, moving}}) {
    const CutCells c = cut(domain, solids);
    EXPECT_EQ(c.solid_velocity[0]({9, 10, 0}), 1);
    EXPECT_EQ(c.solid_velocity[0]({12, 10, 0}), 0);
  }
}

TEST(CutCells, FacesOfAMovingSolidMoveWithIt) {
  const Domain domain = unit_box(20, Side::wall, Side::wall, Side::wall);
  const Shape ball = Shape::sphere({}, 0.2), slab = Shape::box({0, 0, 0}, {1, 1, 0.1});
  const CutCells c = cut(domain, {placed(slab, {}, {}), placed(ball, {0.5, 0.5, 0.6}, {1, -2, 3})});
  const Vec3d v{1, -2, 3};
  for (int a = 0; a < 3; ++a)
    for_each(domain.faces(a), [&](Cell f) {
      const Vec3d x = domain.lattice.face_centre(a, f);
      const double d = ball.distance(x - Vec3d{0.5, 0.5, 0.6});
      const bool wall = f[a] == 0 || f[a] == 20;
      // Whatever the ball closes, in part even, moves with it; walls and what is far off do not.
      if (wall || x.z < 0.15 || d > 0.15) {
        ASSERT_EQ(c.solid_velocity[a](f), 0) << f;
      } else if (d < 0.05 || c.open[a](f) < 1) {
        ASSERT_EQ(c.solid_velocity[a](f), v[a]) << f;
      }
    });
}

// A rigid body that does not change its volume pushes out as much as it sucks in.
TEST(CutCells, AMovingSolidHasNoNetFlux) {
  const Domain domain = unit_box(20, Side::wall, Side::wall, Side::wall);
  const Shape ball = Shape::sphere({0.5, 0.52, 0.47}, 0.2);
  const CutCells c = cut(domain, {placed(ball, {}, {1, -2, 3})});
  MacField<float> still(c.open.layout());
  Field<double> d(c.open.layout());
  divergence(serial, domain.cells, domain.lattice.h, still, c.open, c.solid_velocity, d);
  double sum = 0, size = 0;
  for_each(domain.cells, [&](Cell i) { sum += d(i), size += std::abs(d(i)); });
  EXPECT_GT(size, 100);
  EXPECT_NEAR(sum, 0, 1e-9 * size);
}

// The same when it tumbles: over the cells that have fluid in them, so that the flux is that through its own surface.
TEST(CutCells, ATurningSolidHasNoNetFlux) {
  const Domain domain = unit_box(20, Side::wall, Side::wall, Side::wall);
  const Vec3d middle{0.51, 0.48, 0.5};
  const Shape brick =
      Shape::box({-0.3, -0.1, -0.05}, {0.3, 0.1, 0.05}).transformed({rotation_about({1, 2, 3}, 0.7), middle, 1});
  const CutCells c = cut(domain, {{brick, {{0.3, 0, -0.2}, {3, -2, 5}, middle}}});
  MacField<float> still(c.open.layout());
  Field<double> d(c.open.layout());
  divergence(serial, domain.cells, domain.lattice.h, still, c.open, c.solid_velocity, d);
  const auto open = [&](Cell i) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) sum += c.open[a](i) + c.open[a](i + unit(a));
    return sum > 0;
  };
  double sum = 0, size = 0;
  for_each(domain.cells, [&](Cell i) {
    if (open(i)) sum += d(i), size += std::abs(d(i));
  });
  EXPECT_GT(size, 100);
  EXPECT_NEAR(sum, 0, 1e-6 * size);
  // A face in the solid moves as that point of the brick does.
  const Vec3d x = domain.lattice.face_centre(1, {10, 10, 10});
  EXPECT_NEAR(c.solid_velocity[1]({10, 10, 10}), cross(Vec3d{3, -2, 5}, x - middle).y, 1e-6);
}

TEST(CutCells, AnInletHasItsFlux) {
  const int n = 20;
  const double h = 1.0 / n;
  const Domain domain = unit_box(n, Side::wall, Side::wall, Side::wall);
  const Shape patch = Shape::box({-1, 0.25, 0.5}, {2, 0.5, 0.8});  // 5 x 6 faces
  for (int end = 0; end < 2; ++end) {
    CutCells c = cut(domain, {});
    open_inlet(serial, domain, 0, end, &patch, {1.5, 9, 9}, c);
    MacField<float> still(c.open.layout());
    Field<double> d(c.open.layout());
    divergence(serial, domain.cells, h, still, c.open, c.solid_velocity, d);
    double flux = 0;  // [m^3/s]
    for_each(domain.cells, [&](Cell i) { flux += d(i) * h * h * h; });
    EXPECT_NEAR(flux, (end ? 1 : -1) * 1.5 * 30 * h * h, 1e-9);
    const int x = end ? n : 0;
    EXPECT_EQ(c.solid_velocity[0]({x, 5, 10}), 1.5f);
    EXPECT_EQ(c.open[0]({x, 5, 10}), 0);
    EXPECT_EQ(c.solid_velocity[0]({x, 4, 10}), 0);
    EXPECT_EQ(c.solid_velocity[1]({x, 5, 10}), 0);
  }
  CutCells whole = cut(domain, {});
  open_inlet(serial, domain, 2, 0, nullptr, {0, 0, 0.5}, whole);
  for_each({{0, 0, 0}, {n, n, 1}}, [&](Cell f) { ASSERT_EQ(whole.solid_velocity[2](f), 0.5f); });
}

TEST(CutCells, SameBitsForThreadsAndPadding) {
  const Domain domain = unit_box(12, Side::wall, Side::open, Side::periodic);
  const Shape ball = Shape::sphere({0.47, 0.52, 0.505}, 0.31);
  const std::vector<PlacedShape> solids{placed(ball, {0.1, 0, 0}, {1, 2, 3})};
  const CutCells one = cut(domain, solids);
  for (auto [threads, pad] : {std::pair{2, 0}, {3, 16}}) {
    const CutCells other = cut(domain, solids, pad, Exec(Device::cpu, threads, 0));
    for_each(domain.corners(), [&](Cell c) { ASSERT_EQ(one.distance(c), other.distance(c)); });
    for (int a = 0; a < 3; ++a)
      for_each(grow(domain.faces(a), {1, 1, 1}), [&](Cell f) {
        ASSERT_EQ(one.open[a](f), other.open[a](f)) << a << f;
        ASSERT_EQ(one.solid_velocity[a](f), other.solid_velocity[a](f)) << a << f;
      });
  }
}

}  // namespace
}  // namespace silt
