#include <gtest/gtest.h>

#include <vector>

#include "silt/core/text.h"
#include "silt/fields/halo.h"
#include "silt/fields/particle_test_tools.h"
#include "silt/fields/row_spans.h"
#include "silt/fields/seeding.h"
#include "silt/physics/common/grid_to_particles.h"
#include "silt/physics/common/particles_to_grid.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

constexpr Transfer all_transfers[] = {Transfer::pic, Transfer::flip, Transfer::blend, Transfer::apic,
                                      Transfer::polypic};

/// A box with particles anywhere in it, and the grid they go to.
struct Rig {
  Domain domain;
  Layout layout;
  TransferOptions options;
  Particles particles;
  CellRanges ranges;
  SortScratch sorting;
  TransferScratch scratch;
  MacField<float> velocity, weight;

  Rig(const Exec& exec, const Box& cells, Side side, TransferOptions how, std::size_t count, int pad = 0)
      : options(how) {
    domain.cells = cells;
    domain.lattice.h = 0.25;
    domain.lattice.active = {1, cells.size().y > 1, cells.size().z > 1};
    for (auto& pair : domain.sides) pair = {side, side};
    layout = make_layout(cells, domain.lattice.active, default_halo, pad);
    velocity = MacField<float>(layout), weight = MacField<float>(layout);
    particles = random_particles(exec, domain, count, 11, how.modes());
    sort_particles(exec, domain, layout, particles, ranges, sorting);
  }
  void to_grid(const Exec& exec) {
    particles_to_grid(exec, domain, particles, ranges, options.across, scratch, velocity, weight);
  }
  void to_particles(const Exec& exec, const MacField<float>& before) {
    grid_to_particles(exec, options, velocity, before, ranges, particles);
  }
  template <class F>
  void each_column_of_flow(int a, const F& f) {
    f(0, particles.velocity[a]);
    for (int m = 1; m < Particles::all_modes; ++m)
      if (particles.has_mode(a, m)) f(m, particles.mode[a][m]);
  }
};

const Box boxes[] = {{{-9, 2, -3}, {8, 17, 13}}, {{-9, 2, 0}, {8, 17, 1}}, {{-9, 0, 0}, {21, 1, 1}}};

template <class Check>
void for_all_rigs(const Check& check) {
  for (const Box& cells : boxes)
    for (Side side : {Side::wall, Side::periodic})
      for (Transfer scheme : all_transfers)
        for (Across across : {Across::linear, Across::smooth}) {
          SCOPED_TRACE(str(cells.size().z, " ", name_of(scheme), int(side), int(across)));
          check(Rig(serial, cells, side, {scheme, across}, 3000));
        }
}

double own_weight(double d) {
  return std::max(0.0, 1 - std::abs(d));
}
double across_weight(Across across, double d) {
  d = std::abs(d);
  if (across == Across::linear) return own_weight(d);
  return d < 0.5 ? 0.75 - d * d : d < 1.5 ? 0.5 * (1.5 - d) * (1.5 - d) : 0;
}

// Written out plainly and in double: every face, every particle near it, with every image across periodic sides.
TEST(ParticlesToGrid, IsTheSumOverAllParticles) {
  for_all_rigs([](Rig rig) {
    for (int a = 0; a < 3; ++a)
      rig.each_column_of_flow(a, [&](int m, Buffer<float>& column) {
        for (std::size_t i = 0; i < rig.particles.count && column.size(); ++i)
          column.host()[i] = float(2 * random_unit(5, i, std::uint64_t(Particles::all_modes * a + m)) - 1);
      });
    rig.to_grid(serial);
    const Int3 active = rig.domain.lattice.active, size = rig.domain.cells.size();
    const bool periodic = rig.domain.periodic(0);
    std::vector<Vec3d> places;
    for (std::size_t i = 0; i < rig.particles.count; ++i) places.push_back(position(rig.particles, i));
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      int checked = 0;
      for_each(rig.domain.faces(a), [&](Cell face) {
        if (checked++ % 43) return;  // it is slow
        double weight = 0, momentum = 0;
        for (std::size_t i = 0; i < rig.particles.count; ++i) {
          double w = 1;
          Vec3d d{};
          for (int b = 0; b < 3 && w != 0; ++b) {
            if (!active[b]) continue;
            d[b] = face[b] + (a == b ? 0 : 0.5) - places[i][b];
            if (periodic) d[b] -= size[b] * std::nearbyint(d[b] / size[b]);
            w *= a == b ? own_weight(d[b]) : across_weight(rig.options.across, d[b]);
          }
          if (w == 0) continue;
          double u = 0;
          rig.each_column_of_flow(a, [&](int m, Buffer<float>& column) {
            double product = column.host()[i];
            const Int3 power = Particles::powers(a, m);
            for (int b = 0; b < 3; ++b) {
              const double t = places[i][b] - std::floor(places[i][b]) - 0.5;
              const double q = d[b] * d[b] - (t - 4 * t * t * t) * d[b] - 0.25;
              product *= power[b] == 2 ? q : power[b] == 1 ? d[b] : 1;
            }
            u += product;
          });
          weight += w, momentum += w * u;
        }
        ASSERT_NEAR(rig.weight[a](face), weight, 1e-5 * (1 + weight)) << a << face;
        if (weight > 1e-3) {
          ASSERT_NEAR(rig.velocity[a](face), momentum / weight, 2e-5 / weight + 1e-5) << a << face;
        }
      });
    }
  });
}

// Where few cells are in use faces are not written anew: what a particle said beyond a wall goes when it does.
TEST(ParticlesToGrid, NothingIsLeftBeyondAWall) {
  Rig rig(serial, {{0, 0, 0}, {64, 32, 1}}, Side::wall, {Transfer::apic, Across::smooth}, 1);
  const auto put = [&](Cell c) {
    for (int a = 0; a < 2; ++a) rig.particles.cell[a].host()[0] = c[a], rig.particles.offset[a].host()[0] = 0.3f;
    sort_particles(serial, rig.domain, rig.layout, rig.particles, rig.ranges, rig.sorting);
    const RowSpans rows = cells_near(rig.ranges, rig.domain.cells, rig.domain.lattice.active, 5);
    rig.domain.cells.rows = &rows;
    rig.to_grid(serial);
    rig.domain.cells.rows = nullptr;
  };
  put({20, 0, 0});
  EXPECT_GT(rig.weight[0]({20, -1, 0}), 0);
  put({20, 3, 0});
  EXPECT_GT(rig.weight[0]({20, 3, 0}), 0);
  EXPECT_EQ(rig.weight[0]({20, -1, 0}), 0);
  EXPECT_EQ(rig.velocity[0]({20, -1, 0}), 0);
}

// Whatever a transfer can carry comes back as it was: constants with PIC, affine fields with APIC, with PolyPIC
// multilinear ones and, with quadratic weights, those with curvatures across a component. Particles' own velocities are
// those of the field where it has none: else they are its mean under the weights.
TEST(Transfers, GiveBackTheFieldsTheyCanHold) {
  for_all_rigs([](Rig rig) {
    if (rig.domain.periodic(0) && rig.options.modes() != Modes::constant) return;  // such fields are not periodic
    const auto holds = [&](int a, int m) { return m == 0 || rig.particles.has_mode(a, m); };
    const bool bends = rig.options.modes() == Modes::biquadratic;
    const auto coefficient = [](int a, int m) { return 0.3 + 0.1 * a - 0.05 * m; };
    const Vec3d middle = (rig.domain.cells.lo + rig.domain.cells.hi).as<double>() * 0.5;
    const auto flow = [&](int a, const Vec3d& x) {
      double u = 0;
      for (int m = 0; m < Particles::all_modes; ++m) {
        double product = holds(a, m) ? coefficient(a, m) : 0;
        for (int b = 0; b < 3; ++b) product *= std::pow((x[b] - middle[b]) / 8, Particles::powers(a, m)[b]);
        u += product;
      }
      return u;
    };
    for (int a = 0; a < 3; ++a) {
      if (!rig.domain.lattice.active[a]) continue;
      for_each(grow(rig.domain.cells, rig.domain.lattice.active), [&](Cell c) {
        Vec3d x = c.as<double>() + Vec3d{0.5, 0.5, 0.5};
        x[a] -= 0.5;
        rig.velocity[a].at(c) = float(flow(a, x));
      });
    }
    const MacField<float> before = rig.velocity;
    for (int a = 0; a < 3; ++a)  // FLIP keeps what a particle differs from the grid by: nothing here
      for (std::size_t i = 0; i < rig.particles.count && rig.domain.lattice.active[a]; ++i)
        rig.particles.velocity[a].host()[i] = float(flow(a, position(rig.particles, i)));
    rig.to_particles(serial, before);
    for (int a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < rig.particles.count && rig.domain.lattice.active[a] && !bends; ++i)
        ASSERT_NEAR(rig.particles.velocity[a].host()[i], flow(a, position(rig.particles, i)), 2e-6);
    rig.to_grid(serial);
    for (int a = 0; a < 3; ++a)
      for_each(rig.domain.faces(a), [&](Cell c) {
        if (rig.weight[a](c) > 0.1f) {
          ASSERT_NEAR(rig.velocity[a](c), before[a](c), 2e-5) << a << c;
        }
      });
  });
}

// PolyPIC's modes are as many as the faces that a particle weighs: alone, it gives back whatever they held. APIC has
// four for eighteen of them.
TEST(Transfers, ALoneParticleGivesBackAllFacesWithPolyPic) {
  for (const Box& cells : boxes)
    for (const Across across : {Across::linear, Across::smooth})
      for (const Transfer scheme : {Transfer::polypic, Transfer::apic}) {
        Rig rig(serial, cells, Side::wall, {scheme, across}, 1);
        const Int3 active = rig.domain.lattice.active;
        for (int a = 0; a < 3; ++a) {
          if (!active[a]) continue;
          rig.particles.cell[a].host()[0] = rig.domain.cells.lo[a] + 4;
          rig.particles.offset[a].host()[0] = 0.2f + 0.13f * float(a);
        }
        sort_particles(serial, rig.domain, rig.layout, rig.particles, rig.ranges, rig.sorting);
        for (int a = 0; a < 3; ++a)
          if (active[a])
            for_each(rig.domain.faces(a), [&](Cell c) {
              rig.velocity[a].at(c) =
                  float(random_unit(3, std::uint64_t(a), std::uint64_t((c.x * 64 + c.y) * 64 + c.z + 100000)));
            });
        const MacField<float> before = rig.velocity;
        rig.to_particles(serial, before);
        rig.to_grid(serial);
        double worst = 0;
        int faces = 0;
        for (int a = 0; a < 3; ++a)
          for_each(rig.domain.faces(a), [&](Cell c) {
            if (!(rig.weight[a](c) > 1e-4f)) return;
            worst = std::max(worst, std::abs(double(rig.velocity[a](c)) - before[a](c))), ++faces;
          });
        const int dims = rig.domain.lattice.dims();
        EXPECT_EQ(faces, dims * 2 * int(std::pow(across == Across::linear ? 2 : 3, dims - 1)));
        if (scheme == Transfer::polypic) {
          EXPECT_LT(worst, 1e-4) << dims << " " << int(across);
        } else if (dims > 1) {
          EXPECT_GT(worst, 0.05) << dims << " " << int(across);
        }
      }
}

// FLIP takes the change alone: where the grid does nothing, particles keep their velocities to rounding; a blend keeps
// its part of the difference.
TEST(GridToParticles, FlipKeepsWhatTheGridDoesNotKnow) {
  for (const auto& [scheme, part] : {std::pair{Transfer::flip, 1.0}, {Transfer::blend, 0.6}, {Transfer::pic, 0.0}}) {
    Rig rig(serial, boxes[0], Side::wall, {scheme, Across::linear, 0.6}, 20000);
    const std::vector<float> own(rig.particles.velocity[1].host(),
                                 rig.particles.velocity[1].host() + rig.particles.count);
    rig.to_grid(serial);
    const MacField<float> before = rig.velocity;
    for_each(grow(rig.domain.cells, {1, 1, 1}), [&](Cell c) { rig.velocity[1].at(c) += 0.5f; });
    Rig pic = rig;
    pic.options.scheme = Transfer::pic;
    pic.to_particles(serial, before);
    rig.to_particles(serial, before);
    for (std::size_t i = 0; i < rig.particles.count; ++i) {
      const double grid = pic.particles.velocity[1].host()[i];
      ASSERT_NEAR(rig.particles.velocity[1].host()[i], grid + part * (own[i] - (grid - 0.5)), 1e-5);
    }
  }
}

// No momentum is made or lost: sum of weight x velocity over the faces is the particles' sum.
TEST(ParticlesToGrid, KeepsMassAndMomentum) {
  for_all_rigs([](Rig rig) {
    rig.to_grid(serial);
    for (int a = 0; a < 3; ++a) {
      if (!rig.domain.lattice.active[a]) continue;
      double mass = 0, momentum = 0, own = 0;
      const Box faces =
          rig.domain.periodic(0) ? rig.domain.faces(a) : grow(rig.domain.cells, rig.domain.lattice.active);
      for_each(faces,
               [&](Cell c) { mass += rig.weight[a](c), momentum += double(rig.weight[a](c)) * rig.velocity[a](c); });
      for (std::size_t i = 0; i < rig.particles.count; ++i) own += rig.particles.velocity[a].host()[i];
      EXPECT_NEAR(mass, double(rig.particles.count), 1e-5 * rig.particles.count);
      EXPECT_NEAR(momentum, own, 1e-3);
    }
  });
}

TEST(Transfers, SameBitsForAnyThreadsAndAnyPadding) {
  for (const Box& cells : boxes)
    for (Side side : {Side::wall, Side::periodic}) {
      const auto after = [&](const Exec& exec, int pad) {
        Rig rig(exec, cells, side, {Transfer::polypic, Across::smooth}, 5000, pad);
        for (int n = 0; n < 3; ++n) {
          rig.to_grid(exec);
          for (int a = 0; a < 3; ++a) fill_halo(exec, rig.domain, rig.domain.faces(a), HaloRule{}, rig.velocity[a]);
          rig.to_particles(exec, rig.velocity);
        }
        return all_values(rig.particles);
      };
      const auto one = after(serial, 0);
      EXPECT_EQ(after(Exec(Device::cpu, 3, 0), 0), one);
      EXPECT_EQ(after(Exec(Device::cpu, 2, 0), 16), one);
    }
}

}  // namespace
}  // namespace silt
