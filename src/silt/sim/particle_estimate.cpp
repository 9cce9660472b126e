#include <algorithm>
#include <cmath>

#include "silt/physics/common/domain_round.h"
#include "silt/physics/common/particle_step.h"
#include "silt/physics/liquid/liquid_model.h"
#include "silt/physics/sand/sand_model.h"
#include "silt/physics/sand/sand_step.h"
#include "silt/sim/estimate_parts.h"

namespace silt {
namespace {

constexpr double bytes_per_point = 24;  // of a frame: place, velocity, id, age, source, colour, as packed

/// What one material takes.
struct Costs {
  double bytes_per_particle, bytes_per_cell;
  double seconds_per_particle;       ///< of a substep, on two cores
  double checkpoint_bytes_per_cell;  ///< what the next solve starts from
  double cfl;
  double seconds_per_cell = 0;  ///< of those grids
};

Costs costs_of(const LiquidParams& water) {
  constexpr double each = 2e-7;  // [s]: see `silt bench water`
  constexpr double viscous = 5;  // what a viscosity solve takes, in those: measured on honey
  const LiquidMemory memory = liquid_memory(water);
  return {memory.per_particle, memory.per_cell, each * (1 + (water.viscous() ? viscous : 0)), 8, water.cfl};
}

Costs costs_of(const SandParams& sand, int dims) {
  // [s], measured on nine scenes of sand at scale 0.4 and on sand_column: 1 to 5 for a cell of the box round it, by
  // how it flows, times 1e-6.
  constexpr double constrained = 5e-7, of_cell = 2e-6, rigid_plastic = 2.5e-7;
  const bool usual = sand.model == SandModel::constrained;
  const SandMemory memory = sand_memory(sand, dims);
  return {memory.per_particle,        memory.per_cell, usual ? constrained : rigid_plastic,
          memory.checkpoint_per_cell, sand.cfl,        usual ? of_cell : 0.0};
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

/// All that is filled or poured, within the domain.
Shape::Bounds put_into(const Setting& s) {
  const Shape::Bounds all{s.domain.lower(), s.domain.upper()};
  Shape::Bounds out{all.highest, all.lowest};
  const auto include = [&](const Shape::Bounds& b) {
    const Vec3d low = max(b.lowest, all.lowest), high = min(b.highest, all.highest);
    if (max(low, high) == high) out = {min(out.lowest, low), max(out.highest, high)};
  };
  for (const Fill& fill : s.fills) include(fill.shape ? fill.shape->bounds() : all);
  for (const Emitter& e : s.emitters) include(e.shape.bounds());
  return max(out.lowest, out.highest) == out.highest ? out : all;
}

/// The cells that follow sand: from where it is put down to the bottom, as wide as that or as the heap that it makes,
/// six times as wide as it is high; obstacles may lead it half as far aside as it falls.
Domain sand_box(const Setting& s, double full) {
  constexpr int margin = 4, thrown = 4;  // cells: what a step looks at beyond sand, and how high some is pushed up
  const Lattice& lattice = s.domain.lattice;
  int down = 0;
  for (int a = 0; a < 3; ++a)
    if (std::abs(s.gravity[a]) > std::abs(s.gravity[down])) down = a;
  const double wide = 1.5 * std::pow(4 * full, 1.0 / lattice.dims());
  const Shape::Bounds put = put_into(s);
  const double falls =
      s.gravity[down] > 0 ? s.domain.upper()[down] - put.lowest[down] : put.highest[down] - s.domain.lower()[down];
  const double aside = s.obstacles.empty() ? 0 : 0.5 * falls / lattice.h;
  Box box = s.domain.cells;
  for (int a = 0; a < 3; ++a) {
    if (!lattice.active[a]) continue;
    const double low = (put.lowest[a] - lattice.origin[a]) / lattice.h;
    const double high = (put.highest[a] - lattice.origin[a]) / lattice.h;
    const double more = a == down ? 0 : std::max(aside, 0.5 * (wide - (high - low)));
    box.lo[a] = int(std::floor(low - more)), box.hi[a] = int(std::ceil(high + more));
  }
  if (s.gravity[down] < 0) box.lo[down] = s.domain.cells.lo[down], box.hi[down] += thrown;
  if (s.gravity[down] > 0) box.hi[down] = s.domain.cells.hi[down], box.lo[down] -= thrown;
  return domain_round(s.domain, box, margin);
}

/// The axis along which gravity pulls hardest; 3 without gravity.
int axis_of_gravity(const Setting& s) {
  int down = 0;
  for (int a = 1; a < 3; ++a)
    if (std::abs(s.gravity[a]) > std::abs(s.gravity[down])) down = a;
  return s.gravity[down] == 0 ? 3 : down;
}

/// The share of what is filled that does not reach from wall to wall, by the boxes round it: it falls and splashes.
double share_that_falls(const Setting& s, int down) {
  const Vec3d low = s.domain.lower(), high = s.domain.upper();
  const double near = 1.5 * s.domain.lattice.h;
  double all = 0, falls = 0;
  for (const Fill& fill : s.fills) {
    const Shape::Bounds b = fill.shape ? fill.shape->bounds() : Shape::Bounds{low, high};
    double volume = 1;
    bool held = true;
    for (int a = 0; a < 3; ++a) {
      if (!s.domain.lattice.active[a]) continue;
      volume *= std::max(0.0, std::min(b.highest[a], high[a]) - std::max(b.lowest[a], low[a]));
      if (a != down) held = held && b.lowest[a] <= low[a] + near && b.highest[a] >= high[a] - near;
    }
    all += volume, falls += held ? 0 : volume;
  }
  return all > 0 ? falls / all : 0;
}

/// How much of the way to its highest splash water comes in the time of the run: four times that of a free fall.
double time_to_splash(const Scene& scene, int down) {
  const Setting& s = scene.setting;
  if (down == 3) return 1;
  const double height = s.domain.upper()[down] - s.domain.lower()[down];
  return std::min(1.0, scene.run.frames / scene.run.fps / (4 * std::sqrt(2 * height / std::abs(s.gravity[down]))));
}

/// Cells of all boxes that follow water, at their most: those of the domain; where its top is open, as much again two
/// and a half times above it for what splashes. They are where the water is, though: so many for each cell that is
/// full. Measured on the scenes that come with silt.
double wet_boxes(const Scene& scene, double full) {
  constexpr double above = 2.5, most = 40, most_in_free_flight = 200;
  const Setting& s = scene.setting;
  const int down = axis_of_gravity(s);
  const bool open = down == 3 || s.domain.side(down, s.gravity[down] < 0) == Side::open;
  const double cells =
      double(scene.cells()) * (1 + (open ? above * share_that_falls(s, down) * time_to_splash(scene, down) : 0));
  return std::min(cells, (down == 3 ? most_in_free_flight : most) * full);
}

/// Steps in the mean of all frames. What is filled falls, is stopped and comes to rest; what is poured goes on falling.
double mean_substeps(const Scene& scene, double cfl) {
  const double of_what_bears = scene.sand->model == SandModel::constrained ? 0.5 : 1;  // what lands is slower
  const Setting& s = scene.setting;
  const double g = length(s.gravity), steady = std::max(driven_speed(scene), speed_beside_solids(scene));
  const Shape::Bounds all{s.domain.lower(), s.domain.upper()};
  double top = 0;
  for (const Fill& fill : s.fills)
    top = std::max(top, falling(s, fill.shape ? fill.shape->bounds() : all, length(fill.velocity.value_or(Vec3d{}))));
  const double lasts = g > 0 ? 3 * top / g : 0;
  constexpr double onto_heap = 0.75;  // which grows towards it
  const auto speed = [&](double time) {
    double out = std::max(steady, lasts > 0 ? std::min(g * time, 1.5 * top * (1 - time / lasts)) : top);
    for (const Emitter& e : s.emitters)
      if (e.enabled(time)) out = std::max(out, onto_heap * falling(s, e.shape.bounds(), fastest(e.velocity)));
    return out;
  };
  double sum = 0;
  const int looks = std::min(scene.run.frames, 1000);
  for (int i = 0; i < looks; ++i) {
    const double time = scene.run.frames / scene.run.fps * (i + 0.5) / looks;
    const double fastest = std::max(0.0, speed(time));
    sum += substeps_per_frame(scene, sand_step(s, time, {fastest, of_what_bears * fastest}, cfl));
  }
  return sum / looks;
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
  const Domain box = scene.sand ? sand_box(s, full) : s.domain;
  const double cells = scene.sand ? double(Box(box.cells).count()) : wet_boxes(scene, full);
  out.memory_bytes = double(out.particles) * costs.bytes_per_particle + cells * costs.bytes_per_cell + mesh_bytes(s);

  const double points = scene.output.points ? bytes_per_point * double(out.particles) : 0;
  out.disk_bytes_per_frame = points + volume_bytes(scene, full, cells);
  out.checkpoint_bytes = double(out.particles) * 4 * (3 * 3 + 9 + 5) + costs.checkpoint_bytes_per_cell * cells;

  out.speed = particle_speed(scene);
  out.substeps_per_frame = scene.sand ? mean_substeps(scene, costs.cfl)
                                      : substeps_per_frame(scene, particle_step(s, 0, out.speed, costs.cfl));
  const double mean_particles = share * (amount.at_start + 0.5 * amount.poured);
  out.seconds = (costs.seconds_per_particle * mean_particles + costs.seconds_per_cell * cells) *
                out.substeps_per_frame * std::max(0, scene.run.frames - 1);
  return out;
}

}  // namespace silt
