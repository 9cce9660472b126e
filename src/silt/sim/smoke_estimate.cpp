#include <algorithm>
#include <cmath>

#include "silt/physics/smoke/smoke_model.h"
#include "silt/sim/estimate_parts.h"

namespace silt {
namespace {

// Wall time of one cell on two cores [s], measured on smoke_plume: everything but the pressure in one substep, and one
// iteration of a pressure solve. Conjugate gradients with MIC(0) take about as many iterations as the domain is cells
// long (102 at 96 cells, 179 at 192).
constexpr double seconds_per_substep = 4e-7, seconds_per_iteration = 6e-9;

double seconds_per_cell(const Scene& scene) {
  const Int3 n = scene.setting.domain.cells.size();
  const int solves = scene.smoke->splitting == Splitting::reflection ? 2 : 1;
  return seconds_per_substep + solves * seconds_per_iteration * std::max({n.x, n.y, n.z});
}

/// Hot air that rises freely from rest through half the domain: v^2 = 2 a H/2, a = buoyancy g (T - T0) / T0. It mixes
/// on the way, so half of that speed.
double rising_speed(const Scene& scene) {
  const Setting& s = scene.setting;
  double hot = scene.smoke->ambient_temperature;
  const auto include = [&](const auto& put) {
    hot = std::max(hot, highest(put.temperature) + highest(put.fuel) * highest(scene.smoke->fuel_heat));
  };
  for (const Source& source : s.sources) include(source);
  for (const Fill& fill : s.fills) hot = std::max(hot, fill.temperature + fill.fuel * highest(scene.smoke->fuel_heat));
  for (const Inflow& inflow : s.inflows) include(inflow);
  const double t0 = scene.smoke->ambient_temperature;
  const double lift = highest(scene.smoke->buoyancy) * length(s.gravity) * (hot - t0) / t0;
  const Vec3d extent = s.domain.upper() - s.domain.lower();
  const double height = std::abs(dot(extent, normalized(s.gravity)));
  return 0.5 * std::sqrt(std::max(0.0, lift * height));
}

double values_per_cell(const OutputParams& output, const SmokeContents& contents) {
  double out = 0;
  for (const std::string& name : output.volumes) {
    if (name == "colour" && !contents.colour) continue;
    if ((name == "fuel" || name == "flame") && !contents.fuel) continue;
    out += name == "velocity" || name == "colour" ? 3 : 1;
  }
  return out;
}

}  // namespace

SceneEstimate estimate_smoke(const Scene& scene) {
  const Setting& s = scene.setting;
  const SmokeContents contents = contents_of(s);
  SceneEstimate out;
  out.cells = scene.cells();
  const double cells = double(out.cells);
  out.memory_bytes = cells * smoke_bytes_per_cell(*scene.smoke, contents) + mesh_bytes(s);

  out.disk_bytes_per_frame = cells * values_per_cell(scene.output, contents) * (scene.output.half ? 2 : 4);
  // Velocity, density, temperature, pressure; colour; fuel.
  out.checkpoint_bytes = cells * sizeof(float) * (7 + (contents.colour ? 3 : 0) + (contents.fuel ? 1 : 0));

  out.speed = std::max(rising_speed(scene), driven_speed(scene));
  for (const Source& source : s.sources)
    if (source.velocity) out.speed = std::max(out.speed, fastest(*source.velocity));
  for (const Fill& fill : s.fills)
    out.speed = std::max(
        out.speed, length(fill.velocity.value_or(Vec3d{})) + (fill.vortices ? std::abs(fill.vortices->speed) : 0.0));
  for (const Inflow& inflow : s.inflows) out.speed = std::max(out.speed, 1.5 * fastest(inflow.velocity));
  out.speed = std::max(out.speed, speed_beside_solids(scene));
  const double reach = scene.smoke->cells_per_step(s.domain.lattice.dims()) * s.domain.lattice.h;
  out.substeps_per_frame = substeps_per_frame(scene, reach / out.speed);
  out.seconds = seconds_per_cell(scene) * cells * out.substeps_per_frame * std::max(0, scene.run.frames - 1);
  return out;
}

}  // namespace silt
