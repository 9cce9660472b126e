#include <algorithm>
#include <cmath>

#include "bench/bench_run.h"
#include "silt/core/text.h"
#include "silt/fields/seeding.h"
#include "silt/physics/common/grid_to_particles.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/particles_to_grid.h"
#include "silt/physics/common/separate.h"

namespace silt::bench {

namespace {

/// [ZB05]'s column of water: 100 x 60 x 60 cells, of which so many are full that there are about 433,479 particles.
struct Column {
  Domain domain;
  Layout layout;
  Particles particles;
  CellRanges ranges;
  SortScratch sorting;
  TransferScratch scratch;
  MacField<float> velocity, weight;

  /// An affine flow, which every transfer carries exactly over a whole number of round trips.
  static double flow(int a, const Vec3d& x) { return 0.3 + 0.1 * a + (x[(a + 1) % 3] - 30) * (a == 0 ? -0.01 : 0.01); }

  Column(const Exec& exec, int cells, const TransferOptions& options)
      : domain{{{}, 1.0 / cells, {1, 1, 1}}, {{0, 0, 0}, {cells, cells * 3 / 5, cells * 3 / 5}}, {}},
        layout(make_layout(domain.cells, {1, 1, 1})),
        particles({1, 1, 1}, options.modes()),
        velocity(layout),
        weight(layout) {
    seed_particles(exec, domain, Shape::box({0, 0, 0}, {0.25, 0.6, 0.3613}), {}, particles);
    sort_particles(exec, domain, layout, particles, ranges, sorting);
    const Box stored = layout.storage();
    for (int a = 0; a < 3; ++a)
      for (int z = stored.lo.z; z < stored.hi.z; ++z)
        for (int y = stored.lo.y; y < stored.hi.y; ++y)
          for (int x = stored.lo.x; x < stored.hi.x; ++x) {
            Vec3d at = Vec3d{x + 0.5, y + 0.5, z + 0.5};
            at[a] -= 0.5;
            velocity[a].at({x, y, z}) = float(flow(a, at));
          }
    const ParticleView view = read(Exec(Device::cpu, 1), particles);
    for (std::size_t i = 0; i < particles.count; ++i) {
      const Vec3d x = view.cell_at(std::int64_t(i)).as<double>() + view.offset_at(std::int64_t(i)).as<double>();
      for (int a = 0; a < 3; ++a) particles.velocity[a].host()[i] = float(flow(a, x));
    }
  }

  /// Of velocities that came from the flow: linear interpolation is exact in it.
  double particle_error() const {
    double worst = 0;
    const ParticleView view = read(Exec(Device::cpu, 1), particles);
    for (std::size_t i = 0; i < particles.count; i += 101) {
      const Vec3d x = view.cell_at(std::int64_t(i)).as<double>() + view.offset_at(std::int64_t(i)).as<double>();
      for (int a = 0; a < 3; ++a) worst = std::max(worst, std::abs(particles.velocity[a].host()[i] - flow(a, x)));
    }
    return worst;
  }
  /// Of the faces' momentum, per particle.
  double momentum_error() const {
    double worst = 0;
    for (int a = 0; a < 3; ++a) {
      const float *u = velocity[a].values().host(), *w = weight[a].values().host(), *v = particles.velocity[a].host();
      double faces = 0, own = 0;
      for (std::int64_t i = 0; i < layout.size; ++i) faces += double(u[i]) * w[i];
      for (std::size_t i = 0; i < particles.count; ++i) own += v[i];
      worst = std::max(worst, std::abs(faces - own) / double(particles.count));
    }
    return worst;
  }
};

/// Both ways, with the bytes of what is read and written of a particle.
void time_transfers(BenchRun& bench, int cells, const TransferOptions& options) {
  Column column(bench.exec, cells, options);
  const MacField<float> before = column.velocity;
  const double count = double(column.particles.count), faces = double(column.layout.size) * 3 * sizeof(float);
  const double floats = options.modes() == Modes::constant ? 6 : options.modes() == Modes::affine ? 15 : 27;
  const std::string name = str(name_of(options.scheme), options.across == Across::smooth ? " smooth" : "");
  bench.time(
      {.name = name + " to particles",
       .run = [&] { grid_to_particles(bench.exec, options, column.velocity, before, column.ranges, column.particles); },
       .error = [&] { return column.particle_error(); },
       .allowed = 1e-5,
       .items = count,
       .bytes = count * floats * sizeof(float) + faces,
       .least_rate = options.scheme == Transfer::apic ? 33.0 : 0.0});
  bench.time({.name = name + " to grid",
              .run =
                  [&] {
                    particles_to_grid(bench.exec, column.domain, column.particles, column.ranges, options.across,
                                      column.scratch, column.velocity, column.weight);
                  },
              .error = [&] { return column.momentum_error(); },
              .allowed = 1e-6,
              .items = count,
              .bytes = count * floats * sizeof(float) + 2 * faces,
              .least_rate = options.scheme == Transfer::apic ? 33.0 : 0.0});
}

/// Of the APIC particles' columns.
void time_moves(BenchRun& bench, int cells) {
  Column column(bench.exec, cells, {});
  const double count = double(column.particles.count);
  double dt = column.domain.lattice.h;  // a cell is crossed in about 1.5 of these
  const auto move = [&](Moving rule) {
    move_particles(bench.exec, column.domain, rule, column.velocity, dt, 1, column.particles);
    dt = -dt;
  };
  const auto none_lost = [&] { return double(column.particles.died); };
  for (const auto& [name, rule] : {std::pair{"own", Moving::own}, {"rk2", Moving::rk2}, {"rk3", Moving::rk3}})
    bench.time({.name = str("move ", name, ", both ways"),
                .run = [&, rule = rule] { move(rule), move(rule); },
                .error = none_lost,
                .items = 2 * count,
                .bytes = 2 * count * 48});
  const auto sort = [&] {
    sort_particles(bench.exec, column.domain, column.layout, column.particles, column.ranges, column.sorting);
  };
  sort();
  bench.time({.name = "move rk2 sorted, and sort",
              .run =
                  [&] {
                    move_particles(bench.exec, column.domain, Moving::rk2, column.velocity, dt, 1, column.particles,
                                   &column.ranges);
                    dt = -dt;
                    sort();
                  },
              .error = none_lost,
              .items = count,
              .bytes = count * 2 * 92});
  bench.time({.name = "move own and sort",
              .run =
                  [&] {
                    move(Moving::own);
                    sort();
                  },
              .error = none_lost,
              .items = count,
              .bytes = count * 2 * 92});
  Separation separation;
  bench.time(
      {.name = "separate",
       .run = [&] { find_separation(bench.exec, column.domain, {}, column.ranges, column.particles, separation); },
       .error = none_lost,
       .items = count,
       .bytes = count * 2 * 24});
}

}  // namespace

/// What a substep of a liquid does with its particles: transfers, moves, and the sort that comes after. `both ways`: to
/// and fro by turns, so that particles stay where they are.
void transfers(BenchRun& bench) {
  const int cells = bench.size(100, 30);
  for (Across across : {Across::linear, Across::smooth})
    for (Transfer scheme : {Transfer::pic, Transfer::flip, Transfer::apic, Transfer::polypic})
      time_transfers(bench, cells, {scheme, across});
  time_moves(bench, cells);
}

}  // namespace silt::bench
