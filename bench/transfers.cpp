#include <algorithm>
#include <cmath>

#include "bench/bench_run.h"
#include "silt/core/text.h"
#include "silt/fields/seeding.h"
#include "silt/physics/common/grid_to_particles.h"
#include "silt/physics/common/particles_to_grid.h"

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

}  // namespace

/// What a substep of a liquid does with its particles.
void transfers(BenchRun& bench) {
  const int cells = bench.size(100, 30);
  for (Across across : {Across::linear, Across::smooth})
    for (Transfer scheme : {Transfer::pic, Transfer::flip, Transfer::apic, Transfer::polypic}) {
      const TransferOptions options{scheme, across};
      Column column(bench.exec, cells, options);
      const MacField<float> before = column.velocity;
      const double count = double(column.particles.count);
      const double floats = options.modes() == Modes::constant ? 6 : options.modes() == Modes::affine ? 15 : 27;
      const double faces = double(column.layout.size) * 3 * sizeof(float);
      const std::string name = str(name_of(scheme), across == Across::smooth ? " smooth" : "");
      bench.time({.name = name + " to particles",
                  .run =
                      [&] {
                        grid_to_particles(bench.exec, options, column.velocity, before, column.ranges,
                                          column.particles);
                      },
                  .error = [&] { return column.particle_error(); },
                  .allowed = 1e-5,
                  .items = count,
                  .bytes = count * floats * sizeof(float) + faces});
      bench.time({.name = name + " to grid",
                  .run =
                      [&] {
                        particles_to_grid(bench.exec, column.domain, column.particles, column.ranges, across,
                                          column.scratch, column.velocity, column.weight);
                      },
                  .error = [&] { return column.momentum_error(); },
                  .allowed = 1e-6,
                  .items = count,
                  .bytes = count * floats * sizeof(float) + 2 * faces});
    }
}

}  // namespace silt::bench
