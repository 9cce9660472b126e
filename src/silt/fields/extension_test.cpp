#include "silt/fields/extension.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "silt/core/random.h"
#include "silt/fields/hodge_star.h"
#include "silt/fields/level_set.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

/// One thread, where threads are not the matter: teams that wait for each other are slow on a busy machine.
const Exec serial(Device::cpu, 1);

constexpr float garbage = -777;

using test::for_each;

Domain domain_of(Int3 active) {
  return {{{}, 1, active}, {{-3, 0, 0}, {13, active.y ? 11 : 1, active.z ? 9 : 1}}, {}};
}

/// Open where x + y + z lies below a threshold: a slanted solid.
MacField<float> slanted(const Domain& domain, int below) {
  MacField<float> open(make_layout(domain.cells, domain.lattice.active));
  for (int a = 0; a < 3; ++a)
    for_each(domain.faces(a), [&](Cell c) { open[a].at(c) = c.x + c.y + c.z < below ? 0.5f : 0.0f; });
  return open;
}

struct Reference {
  Field<float> values;
  Field<float> layer;  ///< 0 known, 1.. reached, -1 not
};

/// The definition: layer by layer, each value the mean of its known neighbours inside the box.
template <class Known>
Reference reference(const Domain& domain, const Box& box, int layers, const Field<float>& field, const Known& known) {
  Reference r{field, Field<float>(field.layout())};
  for_each(box, [&](Cell c) { r.layer.at(c) = known(c) ? 0.0f : -1.0f; });
  for (int l = 1; l <= layers; ++l) {
    const Reference before = r;
    for_each(box, [&](Cell c) {
      if (before.layer(c) >= 0) return;
      double sum = 0;
      int count = 0;
      for (int a = 0; a < 3; ++a)
        for (int s : {-1, 1}) {
          const Cell n = c + unit(a) * s;
          if (domain.lattice.active[a] && box.contains(n) && before.layer(n) >= 0) sum += before.values(n), ++count;
        }
      if (count) r.values.at(c) = float(sum / count), r.layer.at(c) = float(l);
    });
  }
  return r;
}

Field<float> noise(const Layout& layout) {
  Field<float> f(layout);
  for_each(layout.storage(), [&](Cell c) { f.at(c) = float(random_unit(1, layout.index(c), 2)); });
  return f;
}

Box inner_faces(const Domain& domain, int axis) {
  Box b = domain.faces(axis);
  b.lo[axis] += 1, b.hi[axis] -= 1;
  return b;
}

constexpr Int3 actives[] = {{1, 1, 1}, {1, 1, 0}, {1, 0, 0}};

TEST(Extension, FacesAreMeansOfKnownNeighboursLayerByLayer) {
  for (const Int3 active : actives)
    for (int layers : {1, 2, 5}) {
      const Domain domain = domain_of(active);
      const MacField<float> open = slanted(domain, 4);
      for (int axis = 0; axis < dot(active, active); ++axis) {
        Field<float> f = noise(open.layout());
        const Field<float> before = f;
        const auto known = [&](Cell c) { return open[axis](c) > 0; };
        const Reference r = reference(domain, inner_faces(domain, axis), layers, f, known);
        const Extension plan = extend_faces(serial, domain, axis, open, layers);
        EXPECT_FALSE(plan.empty());
        plan.run(Exec(Device::cpu, 3), f);
        int reached = 0;
        for_each(f.layout().storage(), [&](Cell c) {
          ASSERT_NEAR(f(c), r.values(c), 1e-6) << c;
          if (r.layer(c) > 0)
            ++reached;
          else
            ASSERT_EQ(f(c), before(c)) << "known, out of reach or on the boundary: " << c;
        });
        EXPECT_GT(reached, 0);
      }
    }
}

TEST(Extension, CellsWithAnOpenFaceAreKnown) {
  for (const Int3 active : actives) {
    const Domain domain = domain_of(active);
    const MacField<float> open = slanted(domain, 4);
    const auto known = [&](Cell c) {
      for (int a = 0; a < 3; ++a)
        if (active[a] && (open[a](c) > 0 || open[a](c + unit(a)) > 0)) return true;
      return false;
    };
    Field<float> f = noise(open.layout());
    const Reference r = reference(domain, domain.cells, 3, f, known);
    extend_cells(serial, domain, open, 3).run(serial, f);
    for_each(f.layout().storage(), [&](Cell c) { ASSERT_NEAR(f(c), r.values(c), 1e-6) << c; });
  }
}

// A constant is carried exactly, as many layers as asked and no further.
TEST(Extension, CarriesAConstantTheGivenNumberOfLayers) {
  const Domain domain = domain_of({1, 1, 0});
  MacField<float> open(make_layout(domain.cells, {1, 1, 0}));
  for_each(domain.faces(1), [&](Cell c) { open[1].at(c) = c.x < 2 ? 1.0f : 0.0f; });
  for (int layers : {0, 1, 4}) {
    Field<float> f(open.layout());
    for_each(f.layout().storage(), [&](Cell c) { f.at(c) = open[1](c) > 0 ? 3.125f : garbage; });
    extend_faces(serial, domain, 1, open, layers).run(serial, f);
    for_each(inner_faces(domain, 1), [&](Cell c) { ASSERT_EQ(f(c), c.x < 2 + layers ? 3.125f : garbage) << c; });
    for_each({{2, 0, 0}, {13, 1, 1}}, [&](Cell c) { ASSERT_EQ(f(c), garbage) << "boundary face " << c; });
    for_each({{2, 11, 0}, {13, 12, 1}}, [&](Cell c) { ASSERT_EQ(f(c), garbage) << "boundary face " << c; });
  }
}

TEST(Extension, NothingToDoOrNothingKnown) {
  const Domain domain = domain_of({1, 1, 1});
  EXPECT_TRUE(extend_faces(serial, domain, 0, slanted(domain, 1000), 3).empty());
  EXPECT_TRUE(extend_cells(serial, domain, slanted(domain, 1000), 3).empty());
  EXPECT_TRUE(extend_cells(serial, domain, slanted(domain, -1000), 3).empty());
  EXPECT_TRUE(Extension().empty());
  EXPECT_TRUE(
      extend_faces(serial, domain_of({1, 1, 0}), 2, slanted(domain_of({1, 1, 0}), 4), 3).empty());  // a flat axis
  Field<float> f = noise(make_layout(domain.cells, {1, 1, 1}));
  const Field<float> before = f;
  extend_cells(serial, domain, slanted(domain, -1000), 3).run(serial, f);
  for_each(f.layout().storage(), [&](Cell c) { ASSERT_EQ(f(c), before(c)); });
}

TEST(Extension, SameBitsForAnyThreadCount) {
  const Domain domain = domain_of({1, 1, 1});
  const MacField<float> open = slanted(domain, 9);
  const Extension plan = extend_cells(serial, domain, open, 4);
  Field<float> one = noise(open.layout());
  plan.run(Exec(Device::cpu, 1), one);
  for (int threads : {2, 3, 8}) {
    Field<float> f = noise(open.layout());
    plan.run(Exec(Device::cpu, threads), f);
    for_each(f.layout().storage(), [&](Cell c) { ASSERT_EQ(f(c), one(c)); });
  }
}

// A solid on the seam of a periodic box is extended into as one in its middle is.
TEST(Extension, CrossesPeriodicSides) {
  constexpr int n = 16;
  Domain domain{{{}, 1, {1, 1, 0}}, {{0, 0, 0}, {n, n, 1}}, {}};
  domain.sides[0] = domain.sides[1] = {Side::periodic, Side::periodic};
  const Layout layout = make_layout(domain.cells, domain.lattice.active);
  const auto extended = [&](int axis, Int3 shift) {
    MacField<float> open(layout), u(layout);
    const auto from = [&](Cell c) { return Cell{(c.x + shift.x) % n, (c.y + shift.y) % n, 0}; };
    for (int a = 0; a < 2; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        const Cell s = from(c);
        open[a].at(c) = std::hypot(s.x - 8.0, s.y - 7.0) > 4.2;
        u[a].at(c) = open[a].at(c) > 0 ? float(test::noise(5, s)) : garbage;
      });
    extend_faces(serial, domain, axis, open, 3).run(serial, u[axis]);
    return u;
  };
  for (int axis = 0; axis < 2; ++axis) {
    const MacField<float> middle = extended(axis, {});
    for (const Int3 shift : {Int3{8, 0, 0}, Int3{0, 7, 0}, Int3{9, 6, 0}}) {
      const MacField<float> moved = extended(axis, shift);
      for_each(domain.faces(axis), [&](Cell c) {
        const Cell s{(c.x + shift.x) % n, (c.y + shift.y) % n, 0};
        EXPECT_NEAR(moved[axis](c), middle[axis](s), 1e-6) << axis << ' ' << c;
      });
    }
  }
}

/// A liquid below a level set, and a velocity known on its faces.
struct Liquid {
  Domain domain;
  Field<float> phi;
  MacField<float> weights, u;

  template <class Distance, class Velocity>
  Liquid(int n, int dims, Side side, const Distance& distance, const Velocity& velocity)
      : domain(test::unit_domain(n, dims, side)),
        phi(make_layout(domain.cells, domain.lattice.active)),
        weights(phi.layout()),
        u(phi.layout()) {
    for_each(domain.cells, [&](Cell c) { phi.at(c) = float(distance(domain.lattice.centre(c))); });
    fill_level_set_halo(serial, domain, phi);
    StarParts parts;
    parts.liquid = &phi;
    hodge_star(serial, domain, parts, weights);
    for (int a = 0; a < dims; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        u[a].at(c) = weights[a](c) > 0 ? float(velocity(domain.lattice.face_centre(a, c))) : garbage;
      });
  }
  /// The worst |u - expected| on faces of the air less than three cells from the liquid.
  template <class Expected>
  double error(int axis, const Expected& expected) const {
    double worst = 0;
    for_each(inner_faces(domain, axis), [&](Cell c) {
      const double d = 0.5 * (double(phi(c)) + phi(c - unit(axis)));
      if (weights[axis](c) > 0 || d > 3 * domain.lattice.h) return;
      const Vec3d x = domain.lattice.face_centre(axis, c);
      worst = std::max(worst, std::abs(u[axis](c) - expected(x)));
    });
    return worst;
  }
};

// Above a slanted plane the upwind differences of a linear field are exact: what varies along the plane alone is
// carried outwards as it is, to rounding, away from the sides.
TEST(Extension, AlongThePlanesNormalIsExact) {
  for (int dims : {2, 3}) {
    const Vec3d normal = normalized(Vec3d{0.35, 0.9, dims == 3 ? -0.25 : 0});
    const Vec3d along = cross(normal, normalized(Vec3d{dims == 3 ? 0.4 : 0, 0, 1})) * 5;
    const Vec3d middle{0.5, 0.5, dims == 3 ? 0.5 : 0};
    const auto velocity = [&](Vec3d x) { return 1 + dot(along, x - middle); };
    Liquid liquid(
        32, dims, Side::wall, [&](Vec3d x) { return dot(normal, x - middle) - 0.013; }, velocity);
    for (int a = 0; a < dims; ++a) {
      extend_faces(serial, liquid.domain, a, liquid.weights, 6).run_along(serial, liquid.phi, liquid.u[a]);
      EXPECT_LT(liquid.error(a,
                             [&](Vec3d x) {
                               const bool inside =
                                   std::abs(x.x - 0.5) < 0.25 && (dims == 2 || std::abs(x.z - 0.5) < 0.25);
                               const Cell c{int(x.x * 32 + (a == 0 ? 0.5 : 0)), int(x.y * 32 + (a == 1 ? 0.5 : 0)),
                                            dims == 3 ? int(x.z * 32 + (a == 2 ? 0.5 : 0)) : 0};
                               return inside ? velocity(x) : double(liquid.u[a](c));
                             }),
                2e-5)
          << dims << "D " << a;
    }
  }
}

// Round a ball: a field that is constant along radii stays so, to first order, where the mean of neighbours smears it;
// and a linear field goes on with an error of no more than its slope times the distance, and that of the grid.
TEST(Extension, AlongTheNormalsOfABall) {
  for (int dims : {2, 3}) {
    const Vec3d centre{0.51, 0.48, dims == 3 ? 0.5 : 0};
    const auto distance = [&](Vec3d x) { return length(x - centre) - 0.25; };
    const auto radial = [&](Vec3d x) {
      const Vec3d e = normalized(x - centre);
      return e.x * e.y + 0.5 * e.x - e.z;
    };
    double before = 0;
    for (int n : {24, 48, 96}) {
      if (dims == 3 && n == 96) continue;
      Liquid liquid(n, dims, Side::wall, distance, radial);
      Liquid plain = liquid;
      const Extension plan = extend_faces(serial, liquid.domain, 0, liquid.weights, 6);
      plan.run_along(serial, liquid.phi, liquid.u[0]);
      plan.run(serial, plain.u[0]);
      const double error = liquid.error(0, radial);
      EXPECT_LT(error, 2.5 / n) << dims << "D " << n;
      EXPECT_LT(error, 0.5 * plain.error(0, radial)) << dims << "D " << n;
      EXPECT_LT(error, before > 0 ? 0.65 * before : 1) << dims << "D " << n;
      before = error;

      const Vec3d slope{2, -1, dims == 3 ? 1.0 : 0};
      const auto linear = [&](Vec3d x) { return dot(slope, x); };
      Liquid other(n, dims, Side::wall, distance, linear);
      plan.run_along(serial, other.phi, other.u[0]);
      EXPECT_LT(other.error(0, linear), length(slope) * 3.2 / n) << dims << "D " << n;
      const auto at_foot = [&](Vec3d x) { return linear(x - normalized(x - centre) * distance(x)); };
      EXPECT_LT(other.error(0, at_foot), length(slope) * 1.5 / n) << dims << "D " << n;
    }
  }
}

// The same bits for any number of threads; and a ball on the seam of a periodic box is one in its middle.
TEST(Extension, AlongNormalsAcrossSeamsAndThreads) {
  const auto extended = [](Vec3d centre, const Exec& exec) {
    const auto away = [=](Vec3d x) {
      return Vec3d{std::remainder(x.x - centre.x, 1.0), std::remainder(x.y - centre.y, 1.0), 0};
    };
    Liquid liquid(
        32, 2, Side::periodic, [&](Vec3d x) { return length(away(x)) - 0.25; },
        [&](Vec3d x) { return 3 * away(x).x - away(x).y; });
    for (int a = 0; a < 2; ++a)
      extend_faces(exec, liquid.domain, a, liquid.weights, 4).run_along(exec, liquid.phi, liquid.u[a]);
    return liquid.u;
  };
  const MacField<float> middle = extended({0.5, 0.5, 0}, serial), seam = extended({0, 0.5, 0}, serial),
                        threads = extended({0.5, 0.5, 0}, Exec(Device::cpu, 3, 1));
  for (int a = 0; a < 2; ++a)
    for_each({{0, 0, 0}, {32, 32, 1}}, [&](Cell c) {
      EXPECT_NEAR(seam[a](Cell{(c.x + 16) % 32, c.y, 0}), middle[a](c), 1e-5) << a << ' ' << c;
      EXPECT_EQ(threads[a](c), middle[a](c)) << a << ' ' << c;
    });
}

}  // namespace
}  // namespace silt
