#include "validation/spinning_drop.h"

#include <cmath>

#include "silt/physics/liquid/liquid_stepper.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846, omega = 2 * pi;  // a turn a second

/// u = omega x r about `middle`, with its slopes where particles carry them.
void set_spinning(const Lattice& lattice, const Vec3d& middle, Particles& particles) {
  const Exec host(Device::cpu, 1);
  const ParticleView at = read(host, particles);
  for (std::size_t i = 0; i < particles.count; ++i) {
    const Vec3d x = lattice.origin +
                    (at.cell_at(std::int64_t(i)).as<double>() + at.offset_at(std::int64_t(i)).as<double>()) * lattice.h;
    particles.velocity[0].update(host)[i] = float(-omega * (x.y - middle.y));
    particles.velocity[1].update(host)[i] = float(omega * (x.x - middle.x));
    if (particles.has_mode(0, 2)) particles.mode[0][2].update(host)[i] = float(-omega * lattice.h);  // of u along y
    if (particles.has_mode(1, 1)) particles.mode[1][1].update(host)[i] = float(omega * lattice.h);   // of v along x
  }
}

struct Motion {
  double angular_momentum = 0, energy = 0;
};

/// Of the particles, about their middle.
Motion motion_of(const Lattice& lattice, const LiquidState& state) {
  Vec3d middle{}, mean{};
  double count = 0;
  const Exec host(Device::cpu, 1);
  const auto each_of = [&](const Particles& particles, const auto& visit) {
    const ParticleView p = read(host, particles);
    for (std::size_t n = 0; n < particles.count; ++n) {
      const auto i = std::int64_t(n);
      visit((p.cell_at(i).as<double>() + p.offset_at(i).as<double>()) * lattice.h,
            Vec3d{p.velocity[0][i], p.velocity[1][i], 0});
    }
  };
  const auto each = [&](const auto& visit) {  // what has come off flies on
    for (const LiquidPool& pool : state.pools) each_of(pool.particles, visit);
    each_of(state.spray, visit);
  };
  each([&](const Vec3d& x, const Vec3d& u) { middle += x, mean += u, count += 1; });
  Motion out;
  each([&](const Vec3d& x, const Vec3d& u) {
    out.angular_momentum += cross(x - middle / count, u - mean / count).z;
    out.energy += 0.5 * dot(u, u);
  });
  return out;
}

}  // namespace

Spin spin(const Exec& exec, Transfer transfer, int cells, double dt) {
  LiquidParams params;
  params.transfer = transfer;
  params.reseed = false;  // the same particles all along
  Setting setting;
  setting.domain.lattice = {{0, 0, 0}, 1.0 / cells, {1, 1, 0}};
  setting.domain.cells = {{0, 0, 0}, {cells, cells, 1}};
  for (auto& pair : setting.domain.sides) pair = {Side::open, Side::open};
  const Vec3d middle{0.5, 0.5, 0};
  Fill drop;
  drop.shape = Shape::sphere(middle, 0.3);
  setting.fills.push_back(drop);
  LiquidStepper stepper(params, setting, 0);
  LiquidState state;
  stepper.start(exec, state);
  for (LiquidPool& pool : state.pools) set_spinning(setting.domain.lattice, middle, pool.particles);
  const Motion first = motion_of(setting.domain.lattice, state);
  Spin out;
  const int steps = int(std::lround(1 / dt)), shown = steps / 50;
  for (int step = 0; step <= steps; ++step) {
    if (step % shown == 0) {
      const Motion now = motion_of(setting.domain.lattice, state);
      out.turns.push_back(step * dt);
      out.angular_momentum.push_back(now.angular_momentum / first.angular_momentum);
      out.energy = now.energy / first.energy;
    }
    if (step < steps) stepper.substep(exec, step * dt, dt, state);
  }
  return out;
}

}  // namespace silt::validation
