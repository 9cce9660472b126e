#include "silt/solve/strain_multigrid.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "silt/fields/row_spans.h"
#include "silt/fields/wrap.h"
#include "silt/solve/sample_strain.h"

namespace silt {
namespace {

using namespace test;

/// A cycle for the coefficients of a sample; `rows`: only these are in use.
struct Cycle {
  StrainMultigrid multigrid;
  explicit Cycle(const SampleStrain& p, const RowSpans* rows = nullptr, const Exec& exec = serial) {
    take(p, rows, exec);
  }
  void take(const SampleStrain& p, const RowSpans* rows = nullptr, const Exec& exec = serial) {
    Domain domain = p.domain;
    domain.cells.rows = rows;
    multigrid.place(domain, p.layout);
    StrainSystem& to = multigrid.system();
    const auto copy = [&](const Cells& where, const Field<float>& from, Field<float>& field) {
      for (int z = where.lo.z; z < where.hi.z; ++z)
        for (int y = where.lo.y; y < where.hi.y; ++y)
          where.visit_row(y, z, [&](int begin, int end) {
            for (int x = begin; x < end; ++x) field.at({x, y, z}) = from({x, y, z});
          });
    };
    copy(domain.cells, p.system.squeeze, to.squeeze), copy(domain.cells, p.system.stretch, to.stretch);
    for (int a = 0; a < 3; ++a) {
      copy(domain.faces(a), p.system.mass[a], to.mass[a]), copy(domain.faces(a), p.system.open[a], to.open[a]);
      if (!p.has_edges(a)) continue;
      const Cells edges = edges_in_use(domain, a);
      copy(edges, p.system.shear[a], to.shear[a]);
    }
    for (Field<float>* field : {&to.squeeze, &to.stretch}) wrap_cells(exec, domain, *field);
    for (MacField<float>* field : {&to.mass, &to.open}) wrap_faces(exec, domain, *field);
    wrap_edges(exec, domain, to.shear);
    multigrid.prepare(exec);
  }
  MacField<float> of(const MacField<float>& r, const Exec& exec = serial) {
    MacField<float> z(r.layout());
    multigrid.precondition(exec, r, z);
    return z;
  }
};

void expect_same(const SampleStrain& p, const MacField<float>& a, const MacField<float>& b) {
  for (int k = 0; k < 3; ++k) for_each(p.domain.faces(k), [&](Cell c) { ASSERT_EQ(a[k](c), b[k](c)) << k << c; });
}

template <class Check>
void for_several_levels(const Check& check) {
  for (Side x : {Side::wall, Side::periodic}) {
    check(SampleStrain({{-4, 3, 0}, {28, 24, 1}}, x, Side::wall, Side::wall));
    check(SampleStrain({{-4, 3, 2}, {12, 14, 13}}, x, Side::wall, Side::wall));
    check(SampleStrain({{-4, 3, 2}, {9, 14, 18}}, Side::wall, Side::wall, x));
  }
}

TEST(StrainMultigrid, IsSymmetricAndPositive) {
  for_several_levels([](SampleStrain p) {
    p.set_random(0.2);
    Cycle cycle(p);
    const MacField<float> a = p.random_faces(1), b = p.random_faces(5), za = cycle.of(a), zb = cycle.of(b);
    const double aa = dot(p.domain, a, za), bb = dot(p.domain, b, zb);
    EXPECT_GT(aa, 0);
    EXPECT_GT(bb, 0);
    EXPECT_NEAR(dot(p.domain, a, zb), dot(p.domain, b, za), 1e-5 * std::sqrt(aa * bb)) << p.domain.cells;
  });
}

/// Conjugate gradients to a residual of 1e-6, from zero.
int iterations(const SampleStrain& p, Cycle& cycle) {
  MacField<float> r = p.random_faces(3), z = cycle.of(r), d = z, ad(p.layout);
  Field<float> outflow(p.layout);
  const double stop = 1e-12 * dot(p.domain, r, r);
  double rz = dot(p.domain, r, z);
  for (int n = 1; n < 100; ++n) {
    const double alpha = rz / apply(serial, p.system, d, outflow, ad);
    for (int a = 0; a < 3; ++a) for_each(p.domain.faces(a), [&](Cell c) { r[a].at(c) -= float(alpha) * ad[a](c); });
    if (dot(p.domain, r, r) < stop) return n;
    z = cycle.of(r);
    const double next = dot(p.domain, r, z), beta = next / std::exchange(rz, next);
    for (int a = 0; a < 3; ++a)
      for_each(p.domain.faces(a), [&](Cell c) { d[a].at(c) = z[a](c) + float(beta) * d[a](c); });
  }
  return 100;
}

// Stiff grains that weigh little against it: 13, 15, 16 in the plane, 17, 21 in space. Without coarser lattices the
// count is proportional to n.
TEST(StrainMultigrid, CountsOfConjugateGradientsHardlyGrow) {
  for (Side side : {Side::wall, Side::periodic})
    for (int dims : {2, 3}) {
      int first = 0;
      for (int n : {16, 32, 64}) {
        if (n * dims > 128) continue;
        SampleStrain p({{0, 0, 0}, {n, n, dims == 3 ? n : 1}}, side, Side::wall, side);
        p.set_all(1, 30, 30, 15, p.system);
        Cycle cycle(p);
        const int count = iterations(p, cycle);
        if (first == 0) first = count;
        EXPECT_LE(count, dims == 2 ? 18 : 23) << n << " in " << dims << "D";
        EXPECT_LE(count, 1.3 * first) << n << " in " << dims << "D";
      }
    }
}

TEST(StrainMultigrid, SameBitsForAnyThreads) {
  const Exec two(Device::cpu, 2, 0);
  for_several_levels([&](SampleStrain p) {
    p.set_random(0.2);
    Cycle one_cycle(p), two_cycle(p, nullptr, two);
    const MacField<float> r = p.random_faces(1);
    MacField<float> x = r;
    expect_same(p, one_cycle.of(r), two_cycle.of(r, two));
    EXPECT_EQ(one_cycle.multigrid.energy(serial, x), two_cycle.multigrid.energy(two, x));
  });
}

TEST(StrainMultigrid, EnergyIsThatOfTheSystem) {
  for_several_levels([&](SampleStrain p) {
    p.set_random(0.2);
    Cycle cycle(p);
    MacField<float> x = p.random_faces(1), ax(p.layout);
    Field<float> outflow(p.layout);
    EXPECT_EQ(cycle.multigrid.energy(serial, x), apply(serial, p.system, x, outflow, ax));
  });
}

/// Only faces and cells within some cells of a point are there.
void keep_near(Cell middle, int radius, SampleStrain& p) {
  const auto near = [&](Cell c) {
    int d = 0;
    for (int a = 0; a < 3; ++a) d = std::max(d, std::abs(c[a] - middle[a]));
    return d <= radius;
  };
  for (int a = 0; a < 3; ++a)
    for_each(p.layout.storage(), [&](Cell c) {
      if (near(c)) return;
      StrainSystem& s = p.system;
      for (MacField<float>* field : {&s.mass, &s.open, &s.shear}) (*field)[a].at(c) = 0;
      s.squeeze.at(c) = s.stretch.at(c) = 0;
    });
}

RowSpans rows_near(Cell middle, int radius, const SampleStrain& p) {
  RowMarks marks(p.domain.cells);
  const Box box = intersect(grow({middle, middle + Int3{1, 1, 1}}, p.domain.lattice.active * radius), p.domain.cells);
  for (int z = box.lo.z; z < box.hi.z; ++z)
    for (int y = box.lo.y; y < box.hi.y; ++y) marks.set(box.lo.x, box.hi.x - 1, y, z);
  return marks.spans();
}

// What is not in use is not looked at, and answers are the same; also when what is in use has moved since.
TEST(StrainMultigrid, RowsInUseChangeNothing) {
  for (int depth : {1, 24})
    for (Side side : {Side::wall, Side::periodic}) {
      const SampleStrain empty({{-8, 0, 0}, {32, 24, depth}}, side, Side::wall, side);
      std::optional<Cycle> moving;
      RowSpans kept[2];
      int n = 0;
      for (const Cell middle : {Cell{2, 9, depth / 2}, Cell{13, 12, depth / 2}}) {
        SampleStrain p = empty;
        p.set_random(0.2);
        keep_near(middle, 3, p);
        RowSpans& rows = kept[n++] = rows_near(middle, 5, p);
        ASSERT_LT(rows.used(), p.domain.cells.count() / 2);
        moving ? moving->take(p, &rows) : void(moving.emplace(p, &rows));
        const MacField<float> r = p.random_faces(1);
        const MacField<float> all = Cycle(p).of(r);
        EXPECT_GT(dot(p.domain, all, r), 0);
        expect_same(p, all, Cycle(p, &rows).of(r));
        expect_same(p, all, moving->of(r));
      }
    }
}

TEST(StrainMultigrid, PaddingChangesNothing) {
  for (Side side : {Side::wall, Side::periodic})
    for (int depth : {1, 8}) {
      SampleStrain plain({{-4, 3, 0}, {12, 14, depth}}, side, Side::wall, side);
      SampleStrain padded({{-4, 3, 0}, {12, 14, depth}}, side, Side::wall, side, 16);
      plain.set_random(0.2), padded.set_random(0.2);
      ASSERT_FALSE(plain.layout == padded.layout);
      const MacField<float> r = plain.random_faces(1), wide = padded.random_faces(1);
      expect_same(plain, Cycle(plain).of(r), Cycle(padded).of(wide));
    }
}

}  // namespace
}  // namespace silt
