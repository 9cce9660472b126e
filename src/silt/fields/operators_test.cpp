#include "silt/fields/operators.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "silt/core/random.h"
#include "silt/fields/halo.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

/// One thread, where threads are not the matter: teams that wait for each other are slow on a busy machine.
const Exec serial(Device::cpu, 1);

constexpr Int3 actives[] = {{1, 1, 1}, {1, 1, 0}, {1, 0, 0}};

using test::for_each;
using test::noise;

Domain domain_of(Int3 active, Side side = Side::wall, double h = 0.25) {
  const Box cells{{-5, 2, 0}, {8, active.y ? 12 : 3, active.z ? 9 : 1}};
  return {{{0.5, -1, 2}, h, active}, cells, {{{side, side}, {side, side}, {side, side}}}};
}

/// Velocity, open fractions and solids on one layout, all in their own halos too.
struct Flow {
  Domain domain;
  Layout layout;
  MacField<float> u, open, solid;

  explicit Flow(const Domain& d, int pad = 0)
      : domain(d),
        layout(make_layout(d.cells, d.lattice.active, default_halo, pad)),
        u(layout),
        open(layout),
        solid(layout) {
    set(open, [](int, Cell) { return 1.0; });
  }
  void set(MacField<float>& f, const std::function<double(int, Cell)>& value) {
    for (int a = 0; a < 3; ++a) {
      for_each(domain.faces(a), [&](Cell c) { f[a].at(c) = float(value(a, c)); });
      fill_halo(serial, domain, domain.faces(a), {}, f[a]);
    }
  }
  void set_velocity(const std::function<Vec3d(Vec3d)>& velocity) {
    set(u, [&](int a, Cell c) { return velocity(domain.lattice.face_centre(a, c))[a]; });
  }
  /// Everything random; one face in three closed.
  void randomize() {
    set(u, [](int a, Cell c) { return noise(10 + a, c); });
    set(open, [](int a, Cell c) { return std::max(0.0, 0.75 * noise(20 + a, c) + 0.25); });
    set(solid, [](int a, Cell c) { return noise(30 + a, c); });
  }
  Field<double> div(const Exec& exec, double scale = 1) const {
    Field<double> out(layout);
    divergence(exec, domain.cells, domain.lattice.h, u, open, solid, out, scale);
    return out;
  }
  /// The definition, in double.
  double outflow(Cell c) const {
    double sum = 0;
    for (int a = 0; a < 3; ++a)
      if (layout.active[a])
        for (int end = 0; end < 2; ++end) {
          const Cell f = end ? c + unit(a) : c;
          const double A = open[a](f);
          sum += (end ? 1 : -1) * (A * u[a](f) + (1 - A) * solid[a](f)) / domain.lattice.h;
        }
    return sum;
  }
  bool closed(Cell c) const {
    for (int a = 0; a < 3; ++a)
      if (layout.active[a] && (open[a](c) > 0 || open[a](c + unit(a)) > 0)) return false;
    return true;
  }
};

TEST(Divergence, OfALinearFieldIsItsTrace) {
  for (const Int3 active : actives) {
    Flow flow(domain_of(active));
    flow.set_velocity([](Vec3d x) { return Vec3d{2 * x.x + x.y, -3.5 * x.y + x.z, 0.75 * x.z - x.x}; });
    const double trace = 2 - 3.5 * active.y + 0.75 * active.z;
    const Field<double> d = flow.div(serial), twice = flow.div(serial, 2);
    for_each(flow.domain.cells, [&](Cell c) {
      ASSERT_NEAR(d(c), trace, 2e-5) << c;
      ASSERT_DOUBLE_EQ(twice(c), 2 * d(c));
    });
    EXPECT_NEAR(max_divergence(serial, flow.domain, flow.u, flow.open, flow.solid), std::abs(trace), 2e-5);
  }
}

TEST(Divergence, OfARigidRotationVanishes) {
  Flow flow(domain_of({1, 1, 1}));
  const Vec3d w{1, -2, 0.5};
  flow.set_velocity([&](Vec3d x) { return cross(w, x); });
  EXPECT_LT(max_divergence(serial, flow.domain, flow.u, flow.open, flow.solid), 2e-5);
}

// A solid that moves as one with a uniform flow changes nothing, however it cuts the faces.
TEST(Divergence, SolidsMovingWithTheFlowAreNotSeen) {
  Flow flow(domain_of({1, 1, 1}));
  flow.randomize();
  const Vec3d v{1, -2, 0.5};
  flow.set(flow.u, [&](int a, Cell) { return v[a]; });
  flow.set(flow.solid, [&](int a, Cell) { return v[a]; });
  EXPECT_LT(max_divergence(serial, flow.domain, flow.u, flow.open, flow.solid), 1e-12);
}

TEST(Divergence, ThroughCutFacesAndMovingSolids) {
  for (const Int3 active : actives) {
    Flow flow(domain_of(active, Side::periodic));
    flow.randomize();
    const Field<double> d = flow.div(serial);
    double worst = 0;
    for_each(flow.domain.cells, [&](Cell c) {
      ASSERT_NEAR(d(c), flow.outflow(c), 1e-12) << c;
      if (!flow.closed(c)) worst = std::max(worst, std::abs(flow.outflow(c)));
    });
    EXPECT_NEAR(max_divergence(serial, flow.domain, flow.u, flow.open, flow.solid), worst, 1e-12);
    // Through periodic sides nothing gets lost.
    long double sum = 0;
    for_each(flow.domain.cells, [&](Cell c) { sum += d(c); });
    EXPECT_NEAR(double(sum), 0, 1e-10);
  }
}

TEST(Divergence, ClosedCellsDoNotCountButNanDoes) {
  Flow flow(domain_of({1, 1, 0}));
  const Cell c{0, 5, 0};
  for (int a = 0; a < 2; ++a) flow.open[a].at(c) = 0, flow.open[a].at(c + unit(a)) = 0;
  flow.solid[0].at(c) = 1;  // the neighbour sees this too
  flow.solid[0].at(c + unit(0)) = 100, flow.open[0].at(c + unit(0)) = 0;
  for (int a = 0; a < 2; ++a) flow.open[a].at(c + Cell{1, 0, 0} + unit(a)) = 0;
  flow.open[1].at(c + unit(0)) = 0;  // now its right neighbour is closed as well
  EXPECT_NEAR(max_divergence(serial, flow.domain, flow.u, flow.open, flow.solid), 1 / flow.domain.lattice.h, 1e-12);
  flow.u[1].at({3, 4, 0}) = std::nanf("");
  EXPECT_TRUE(std::isnan(max_divergence(serial, flow.domain, flow.u, flow.open, flow.solid)));
}

TEST(Divergence, OnARegionOfTilesOnly) {
  Flow flow(domain_of({1, 1, 0}));
  flow.randomize();
  const Box tile{{0, 8, 0}, {8, 16, 1}};
  Field<double> out(flow.layout);
  for_each(flow.layout.storage(), [&](Cell c) { out.at(c) = -777; });
  divergence(serial, Region(flow.domain.cells, {1, 1, 0}, {{0, 1, 0}}), flow.domain.lattice.h, flow.u, flow.open,
             flow.solid, out);
  for_each(flow.layout.storage(), [&](Cell c) {
    if (tile.contains(c) && flow.domain.cells.contains(c))
      ASSERT_NEAR(out(c), flow.outflow(c), 1e-12) << c;
    else
      ASSERT_EQ(out(c), -777) << c;
  });
}

Field<double> pressure(const Flow& flow, const std::function<double(Vec3d, Cell)>& value) {
  Field<double> q(flow.layout);
  for_each(flow.domain.cells, [&](Cell c) { q.at(c) = value(flow.domain.lattice.centre(c), c); });
  fill_halo(serial, flow.domain, flow.domain.cells, {false, 0}, q);
  return q;
}

// div(grad q) is the five- or seven-point Laplacian, sides included: 0 beyond open ones, the cell itself behind walls.
TEST(Gradient, ThenDivergenceIsTheLaplacian) {
  for (const Int3 active : actives)
    for (Side side : {Side::wall, Side::open, Side::periodic}) {
      Flow flow(domain_of(active, side));
      const Field<double> q = pressure(flow, [](Vec3d, Cell c) { return noise(1, c); });
      subtract_gradient(serial, flow.domain, q, flow.open, flow.solid, flow.u);
      for (int a = 0; a < 3; ++a) fill_halo(serial, flow.domain, flow.domain.faces(a), {}, flow.u[a]);
      const Field<double> d = flow.div(serial);
      const double h2 = flow.domain.lattice.h * flow.domain.lattice.h;
      for_each(flow.domain.cells, [&](Cell c) {
        double laplacian = 0;
        for (int a = 0; a < 3; ++a)
          if (active[a]) laplacian += q(c + unit(a)) + q(c - unit(a)) - 2 * q(c);
        ASSERT_NEAR(d(c), -laplacian / h2, 2e-5) << c;
      });
    }
}

TEST(Gradient, OfAQuadraticIsExactAndClosedFacesFollowTheSolid) {
  Flow flow(domain_of({1, 1, 1}));
  flow.randomize();
  const MacField<float> before = flow.u;
  const Field<double> q = pressure(flow, [](Vec3d x, Cell) { return x.x * x.x - 2 * x.y * x.y + 3 * x.z; });
  subtract_gradient(serial, flow.domain, q, flow.open, flow.solid, flow.u);
  int closed = 0;
  for (int a = 0; a < 3; ++a) {
    Box inner = flow.domain.faces(a);
    inner.lo[a] += 1, inner.hi[a] -= 1;
    for_each(inner, [&](Cell c) {
      const Vec3d x = flow.domain.lattice.face_centre(a, c);
      const Vec3d gradient{2 * x.x, -4 * x.y, 3};
      if (flow.open[a](c) > 0) {
        ASSERT_NEAR(flow.u[a](c), before[a](c) - gradient[a], 2e-6) << a << " " << c;
      } else {
        ++closed;
        ASSERT_EQ(flow.u[a](c), flow.solid[a](c)) << a << " " << c;
      }
    });
  }
  EXPECT_GT(closed, 100);
}

TEST(Sums, AgreeWithTheirDefinitions) {
  for (const Int3 active : actives)
    for (Side side : {Side::wall, Side::periodic}) {
      Flow flow(domain_of(active, side));
      flow.randomize();
      long double norm = 0, amount = 0, whole = 0;
      double speed = 0, magnitude = 0;
      Field<float> field(flow.layout), room(flow.layout);
      for (int a = 0; a < 3; ++a) {
        long double sum = 0;
        for_each(flow.domain.faces(a), [&](Cell c) {
          const double A = flow.open[a](c), v = flow.u[a](c);
          norm += A * v * v, sum += A * v;
          if (A > 0) speed = std::max(speed, std::abs(v));
        });
        EXPECT_NEAR(star_sum(serial, flow.domain, a, flow.u, flow.open), double(sum), 1e-11);
      }
      for_each(flow.domain.cells, [&](Cell c) {
        field.at(c) = float(3 * noise(50, c));
        room.at(c) = float(0.5 + 0.4 * noise(51, c));
        amount += double(field(c)) * room(c), whole += field(c);
        magnitude = std::max(magnitude, double(std::abs(field(c))));
      });
      EXPECT_NEAR(star_norm(serial, flow.domain, flow.u, flow.open), double(norm), 1e-11);
      EXPECT_NEAR(room_sum(serial, flow.domain, field, &room), double(amount), 1e-11);
      EXPECT_NEAR(room_sum(serial, flow.domain, field), double(whole), 1e-11);
      EXPECT_EQ(max_face_speed(serial, flow.domain, flow.u, flow.open), speed);
      EXPECT_EQ(max_magnitude(serial, flow.domain, field), magnitude);
    }
}

TEST(Sums, SpeedOfClosedFacesIsIgnoredAndNanIsKept) {
  Flow flow(domain_of({1, 1, 1}));
  flow.u[1].at({0, 5, 5}) = -3;
  flow.u[2].at({0, 5, 5}) = 50, flow.open[2].at({0, 5, 5}) = 0;
  EXPECT_EQ(max_face_speed(serial, flow.domain, flow.u, flow.open), 3);
  for (int a = 0; a < 3; ++a) {
    Flow bad = flow;
    bad.u[a].at({2, 5, 5}) = std::nanf("");
    EXPECT_TRUE(std::isnan(max_face_speed(serial, bad.domain, bad.u, bad.open))) << a;
  }
}

TEST(Faces, ReflectCopyScale) {
  Flow flow(domain_of({1, 1, 0}));
  flow.randomize();
  const MacField<float> u = flow.u, s = flow.solid;
  reflect(serial, flow.domain, flow.u, flow.solid, flow.solid);  // the result may be one of the operands
  MacField<float> copy(flow.layout);
  copy_faces(serial, flow.domain, flow.solid, copy);
  for (int a = 0; a < 2; ++a)
    for_each(flow.domain.faces(a), [&](Cell c) {
      ASSERT_EQ(flow.u[a](c), u[a](c));
      ASSERT_EQ(flow.solid[a](c), 2 * flow.u[a](c) - s[a](c));
      ASSERT_EQ(copy[a](c), flow.solid[a](c));
    });
  for_each(flow.layout.storage(), [&](Cell c) { ASSERT_EQ(flow.u[2](c), 0) << "a flat axis stays zero"; });
  Field<double> q(flow.layout);
  for_each(flow.layout.storage(), [&](Cell c) { q.at(c) = noise(3, c); });
  const Field<double> before = q;
  scale_cells(serial, flow.domain, -2, q);
  for_each(flow.domain.cells, [&](Cell c) { ASSERT_EQ(q(c), -2 * before(c)); });
}

// Threads and the allocated box must not show in a single bit.
TEST(Operators, SameBitsForThreadsAndPadding) {
  for (const Int3 active : actives) {
    const Domain domain = domain_of(active, Side::periodic);
    struct Result {
      Flow flow;
      Field<double> d;
      double worst, norm, sum;
    };
    const auto run = [&](int threads, int pad) {
      const Exec exec(Device::cpu, threads, 0);
      Flow flow(domain, pad);
      flow.randomize();
      Field<double> d = flow.div(exec);
      const double worst = max_divergence(exec, domain, flow.u, flow.open, flow.solid);
      fill_halo(exec, domain, domain.cells, {}, d);
      subtract_gradient(exec, domain, d, flow.open, flow.solid, flow.u);
      const double norm = star_norm(exec, domain, flow.u, flow.open),
                   sum = star_sum(exec, domain, 0, flow.u, flow.open);
      return Result{flow, d, worst, norm, sum};
    };
    const Result one = run(1, 0);
    for (auto [threads, pad] : {std::pair{2, 0}, {3, 16}}) {
      const Result other = run(threads, pad);
      for_each(domain.cells, [&](Cell c) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(one.d(c)), std::bit_cast<std::uint64_t>(other.d(c)));
      });
      for (int a = 0; a < 3; ++a)
        for_each(domain.faces(a), [&](Cell c) { ASSERT_EQ(one.flow.u[a](c), other.flow.u[a](c)); });
      EXPECT_EQ(one.worst, other.worst);
      EXPECT_EQ(one.norm, other.norm);
      EXPECT_EQ(one.sum, other.sum);
    }
  }
}

}  // namespace
}  // namespace silt
