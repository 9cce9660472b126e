#include <algorithm>
#include <cmath>

#include "silt/physics/gas/gas_model.h"
#include "silt/physics/gas/gas_state.h"
#include "silt/sim/estimate_parts.h"

namespace silt {
namespace {

// Wall time of one cell in one substep on two cores [s], measured at 64^3.
constexpr double seconds_explicit = 5e-8, seconds_implicit = 1.2e-7;

/// Room of cells now and before, what they share and hand over, and who is nearest: 36; the rest of it measured on
/// explosion.
constexpr double bytes_beside_solids = 88;

/// The fastest sound anywhere, that of blasts and of what is heated included [m/s].
double fastest_sound(const Scene& scene) {
  const GasParams& gas = *scene.gas;
  if (!gas.ideal()) return gas.speed_of_sound;
  double hottest = gas.ambient_temperature;
  for (const GasFill& fill : scene.setting.gas_fills) {
    const GasContent& content = fill.content;
    if (content.pressure && content.density && !content.temperature)
      hottest = std::max(hottest, *content.pressure / (gas.gas_constant * *content.density));
    hottest = std::max(hottest, content.temperature.value_or(0));
  }
  for (const GasSource& source : scene.setting.gas_sources)
    if (source.temperature) hottest = std::max(hottest, highest(*source.temperature));
  for (const Inflow& inflow : scene.setting.inflows) hottest = std::max(hottest, highest(inflow.temperature));
  return std::sqrt(gas.gamma * gas.gas_constant * hottest);
}

/// What a blast drives [m/s]: at most about twice the sound in what it was.
double blown_speed(const Scene& scene, double sound) {
  const GasParams& gas = *scene.gas;
  double out = 0;
  for (const GasFill& fill : scene.setting.gas_fills) {
    out = std::max(out, length(fill.velocity.value_or(Vec3d{})) + (fill.vortices ? std::abs(fill.vortices->speed) : 0));
    const double jump = fill.content.pressure.value_or(gas.ambient_pressure) / gas.ambient_pressure;
    if (jump > 1) out = std::max(out, sound * std::min(2.0, std::log(jump) / gas.gamma));
  }
  for (const GasSource& source : scene.setting.gas_sources)
    if (source.velocity) out = std::max(out, fastest(*source.velocity));
  for (const Inflow& inflow : scene.setting.inflows) out = std::max(out, fastest(inflow.velocity));
  return out;
}

double values_per_cell(const Scene& scene) {
  double out = 0;
  for (const std::string& name : scene.output.volumes) out += name == "velocity" ? 3 : 1;
  return out;
}

}  // namespace

SceneEstimate estimate_gas(const Scene& scene) {
  const Setting& s = scene.setting;
  const GasParams& gas = *scene.gas;
  SceneEstimate out;
  out.cells = scene.cells();
  const double cells = double(out.cells), h = s.domain.lattice.h;
  const double held = double(make_layout(s.domain.cells, s.domain.lattice.active, gas_halo).size);
  out.memory_bytes = held * (gas_bytes_per_cell(gas) + (s.obstacles.empty() ? 0 : bytes_beside_solids)) + mesh_bytes(s);
  out.disk_bytes_per_frame = cells * values_per_cell(scene) * (scene.output.half ? 2 : 4);
  out.checkpoint_bytes = cells * sizeof(float) * 6;
  const double sound = fastest_sound(scene);
  out.speed = std::max({blown_speed(scene, sound), driven_speed(scene), speed_beside_solids(scene)});
  const double root = std::sqrt(double(s.domain.lattice.dims()));
  const double of_sound = gas.cfl * h / (out.speed + root * sound), of_flow = gas.cfl * h / std::max(out.speed, 1e-6);
  const bool implicit =
      gas.pressure == GasPressure::implicit || (gas.pressure == GasPressure::automatic && of_flow > 4 * of_sound);
  out.substeps_per_frame = substeps_per_frame(scene, implicit ? of_flow : of_sound);
  out.seconds = (implicit ? seconds_implicit : seconds_explicit) * cells * out.substeps_per_frame *
                std::max(0, scene.run.frames - 1);
  return out;
}

}  // namespace silt
