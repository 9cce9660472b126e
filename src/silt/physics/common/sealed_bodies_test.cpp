#include "silt/physics/common/sealed_bodies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "silt/fields/hodge_star.h"
#include "silt/fields/particle_test_tools.h"
#include "silt/physics/common/free_surface.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

/// A closed room full of liquid that flows anyhow, u = 0 on the walls; 2D.
struct FullRoom {
  static constexpr int n = 16;
  Domain domain = unit_domain(n, 2, Side::wall);
  Layout layout = make_layout(domain.cells, domain.lattice.active);
  CutCells cut{layout};
  MacField<float> star{layout}, kick{layout}, velocity{layout};
  Field<unsigned char> air{layout}, released{layout};
  Field<double> rhs{layout}, asked{layout}, q{layout};
  PoissonSolver solver{layout};

  FullRoom() {
    cut_cells(serial, domain, {}, cut);
    hodge_star(serial, domain, {.open = &cut.open}, star);
    for (int a = 0; a < 2; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        if (c[a] > 0 && c[a] < n) velocity[a].at(c) = float(noise(std::uint64_t(a), c));
      });
  }
  SolveReport project() {
    return project_free_surface(serial, {domain, domain, cut, star, air, rhs, asked, released, solver}, {.on = true},
                                {1e-9, 1000}, q, kick, velocity);
  }
  double divergence(Cell c) const {
    double sum = 0;
    for (int a = 0; a < 2; ++a) sum += double(velocity[a](c + unit(a))) - velocity[a](c);
    return sum;
  }
  int count_released() const {
    int sum = 0;
    for_each(domain.cells, [&](Cell c) { sum += released(c) != 0; });
    return sum;
  }
  /// Of the cells that touch a wall.
  double lowest() const {
    double least = 1e9;
    for_each(domain.cells, [&](Cell c) {
      if (std::min({c.x, c.y, n - 1 - c.x, n - 1 - c.y}) == 0) least = std::min(least, q(c));
    });
    return least;
  }
};

// The pressure is known but for a constant. With its mean taken out half of the room pulled at the walls, 40 cells of
// them were released, and the flow went through the walls.
TEST(SealedBodies, NothingIsReleasedWhereAConstantWillDo) {
  FullRoom room;
  EXPECT_TRUE(room.project().converged);
  EXPECT_EQ(room.count_released(), 0);
  EXPECT_NEAR(room.lowest(), 0, 1e-3);
  double most = 0;
  for_each(room.domain.cells, [&](Cell c) { most = std::max(most, std::abs(room.divergence(c))); });
  EXPECT_LT(most, 1e-4);
  // What was released a step ago, when there was air, is bound again.
  for (int x = 0; x < FullRoom::n; ++x) room.q.at({x, FullRoom::n - 1, 0}) = -1;
  EXPECT_TRUE(room.project().converged);
  EXPECT_EQ(room.count_released(), 0);
}

// A wall that goes away from a full room: a void must open, and nowhere but where the pressure is at its bound.
TEST(SealedBodies, AVoidOpensWhereSolidsDrawApart) {
  FullRoom room;
  constexpr double speed = 0.5;
  for (int y = 0; y < FullRoom::n; ++y) {
    room.cut.solid_velocity[0].at({FullRoom::n, y, 0}) = float(speed);
    room.velocity[0].at({FullRoom::n, y, 0}) = float(speed);
  }
  EXPECT_TRUE(room.project().converged);
  EXPECT_GT(room.count_released(), 0);
  double opened = 0;
  for_each(room.domain.cells, [&](Cell c) {
    const double d = room.divergence(c);
    if (room.released(c))
      opened += d;
    else
      EXPECT_NEAR(d, 0, 1e-3) << c.x << ' ' << c.y;
  });
  EXPECT_NEAR(opened, speed * FullRoom::n, 1e-2);
}

/// Particles in every cell of a room but in a void of some cells; `in_all`: what the void lacks is elsewhere.
struct Pocketed {
  Domain domain = unit_domain(16, 2, Side::wall);
  Layout layout = make_layout(domain.cells, domain.lattice.active);
  MacField<float> open{layout};
  Particles particles{domain.lattice.active, Modes::constant};
  CellRanges ranges;
  Field<float> phi{layout};
  Field<unsigned char> air{layout};

  Pocketed(const Box& hole, bool in_all) {
    for (int a = 0; a < 2; ++a) for_each(domain.faces(a), [&](Cell c) { open[a].at(c) = c[a] > 0 && c[a] < 16; });
    for_each(domain.cells, [&](Cell c) {
      air.at(c) = hole.contains(c), phi.at(c) = air(c) ? 0.02f : -0.1f;
      for (int k = 0; k < 4; ++k) add(air(c) ? Cell{c.x, 0, 0} : c, !air(c) || in_all);
    });
    SortScratch sorting;
    sort_particles(serial, domain, layout, particles, ranges, sorting);
  }
  void add(Cell c, bool there) {
    if (!there) return;
    const std::size_t i = append(serial, particles, 1);
    for (int a = 0; a < 2; ++a) particles.cell[a].host()[i] = c[a], particles.offset[a].host()[i] = 0.5f;
    particles.id.host()[i] = particles.born++;
  }
  bool fill() { return fill_pockets(domain, open, nullptr, particles, ranges, phi, air); }
};

TEST(SealedBodies, AFullRoomHasNoVoid) {
  const Box hole{{5, 6, 0}, {7, 7, 1}}, large{{4, 6, 0}, {8, 9, 1}};
  Pocketed full(hole, true);
  EXPECT_TRUE(full.fill());
  for_each(hole, [&](Cell c) {
    EXPECT_FALSE(full.air(c));
    EXPECT_LT(full.phi(c), 0);
  });
  EXPECT_FALSE(full.fill()) << "there is none left";
  EXPECT_FALSE(Pocketed(large, false).fill()) << "a twentieth of the room is air";
  Pocketed open_above(hole, true);
  open_above.domain.sides[1][1] = Side::open;
  for (int x = 0; x < 16; ++x) open_above.open[1].at({x, 16, 0}) = 1;
  EXPECT_FALSE(open_above.fill());
  for_each(hole, [&](Cell c) { EXPECT_EQ(open_above.air(c), 1); });
}

}  // namespace
}  // namespace silt
