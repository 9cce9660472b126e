#include <algorithm>
#include <cmath>

#include "silt/physics/liquid/liquid_model.h"
#include "silt/physics/sand/sand_model.h"
#include "silt/sim/estimate_parts.h"

namespace silt {
namespace {

constexpr double bytes_per_point = 24;  // of a frame: place, velocity, id, age, source, colour, as packed

/// What one material takes.
struct Costs {
  double bytes_per_particle, bytes_per_cell;
  double seconds_per_particle;       ///< of a substep, on two cores
  double spread;                     ///< cells of the grids that follow it, for each that is full
  double checkpoint_bytes_per_cell;  ///< what the next solve starts from
  double cfl;
};

Costs costs_of(const LiquidParams& water) {
  constexpr double each = 2e-7;  // [s]: see `silt bench water`
  constexpr double viscous = 5;  // what a viscosity solve takes, in those: measured on honey
  const LiquidMemory memory = liquid_memory(water);
  return {memory.per_particle, memory.per_cell, each * (1 + (water.viscous() ? viscous : 0)), 6, 8, water.cfl};
}

Costs costs_of(const SandParams& sand, int dims) {
  constexpr double constrained = 2e-6, rigid_plastic = 2.5e-7;  // [s]: measured on sand_column
  const SandMemory memory = sand_memory(sand, dims);
  return {memory.per_particle,
          memory.per_cell,
          sand.model == SandModel::constrained ? constrained : rigid_plastic,
          3,  // it does not splash
          memory.checkpoint_per_cell,
          sand.cfl};
}

/// Falling freely from the highest of it to the bottom of the domain, beginning at `speed`: v^2 = v0^2 + 2 g H.
double falling(const Setting& s, const Shape::Bounds& from, double speed) {
  const double g = length(s.gravity);
  if (g == 0) return speed;
  const Vec3d up = s.gravity * (-1 / g), low = s.domain.lower(), high = s.domain.upper();
  double height = 0;
  for (int a = 0; a < 3; ++a)
    if (s.domain.lattice.active[a])
      height += std::abs(up[a]) *
                (up[a] > 0 ? std::min(high[a], from.highest[a]) - low[a] : high[a] - std::max(low[a], from.lowest[a]));
  return std::sqrt(speed * speed + 2 * g * std::max(0.0, height));
}

double particle_speed(const Scene& scene) {
  const Setting& s = scene.setting;
  double out = std::max(driven_speed(scene), speed_beside_solids(scene));
  const Shape::Bounds all{s.domain.lower(), s.domain.upper()};
  for (const Fill& fill : s.fills)
    out = std::max(out, falling(s, fill.shape ? fill.shape->bounds() : all, length(fill.velocity.value_or(Vec3d{}))));
  for (const Emitter& e : s.emitters) out = std::max(out, falling(s, e.shape.bounds(), fastest(e.velocity)));
  return out;
}

/// Volumes of a frame, as they are packed: amounts where there is some and a little round it, distances near their
/// surfaces, seven cells thick and a splash larger than a ball's.
double volume_bytes(const Scene& scene, double full, double cells) {
  const double dims = scene.setting.domain.lattice.dims(), near = std::min(cells, 40 * std::pow(full, 1 - 1 / dims));
  double numbers = 0;
  for (const std::string& name : scene.output.volumes)
    numbers += name == "velocity" || name == "bearing"   ? 3 * std::min(cells, 2 * full)
               : name == "packing" || name == "pressure" ? std::min(cells, 2 * full)
                                                         : near;
  return numbers * (scene.output.half ? 2 : 4);
}

}  // namespace

SceneEstimate estimate_particles(const Scene& scene) {
  const Setting& s = scene.setting;
  const Lattice& lattice = s.domain.lattice;
  const Costs costs = scene.water ? costs_of(*scene.water) : costs_of(*scene.sand, lattice.dims());
  const ParticleAmount amount = particle_amount(scene);
  const double full = amount.at_start + amount.poured, share = 1 << lattice.dims();
  SceneEstimate out;
  out.cells = scene.cells();
  out.particles = std::llround(share * full);
  const double cells = std::min(double(out.cells), costs.spread * full);
  out.memory_bytes = double(out.particles) * costs.bytes_per_particle + cells * costs.bytes_per_cell + mesh_bytes(s);

  const double points = scene.output.points ? bytes_per_point * double(out.particles) : 0;
  out.disk_bytes_per_frame = points + volume_bytes(scene, full, cells);
  const double kept = std::ceil(double(scene.run.frames) / scene.output.every);
  const double checkpoint = double(out.particles) * 4 * (3 * 3 + 9 + 5) + costs.checkpoint_bytes_per_cell * cells;
  out.disk_total = kept * out.disk_bytes_per_frame + 2 * checkpoint;

  out.speed = particle_speed(scene);
  const double g = length(s.gravity), by_speed = costs.cfl * lattice.h / out.speed;
  const double by_waves = g > 0 ? 0.8 * std::sqrt(lattice.h / g) : by_speed;  // see particle_step
  out.substeps_per_frame = substeps_per_frame(scene, std::min(by_speed, by_waves));
  const double mean_particles = share * (amount.at_start + 0.5 * amount.poured);
  out.seconds =
      costs.seconds_per_particle * mean_particles * out.substeps_per_frame * std::max(0, scene.run.frames - 1);
  return out;
}

}  // namespace silt
