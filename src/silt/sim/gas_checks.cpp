#include "silt/core/text.h"
#include "silt/physics/gas/shown_sound.h"
#include "silt/sim/people.h"
#include "silt/sim/scene_checks.h"

namespace silt {
namespace {

std::string form_of(const SceneBlocks& blocks) {
  return blocks.gas.values.form == GasForm::momentum ? "momentum" : "velocity";
}

void check_fill(const SceneBlocks& blocks, const ReadBlock<FillParams>& b, Diagnostics& diagnostics) {
  const FillParams& p = b.values;
  if (!b.good) return;
  if (p.fuel > 0 && !blocks.gas.values.ideal())
    diagnostics.error(b.where("fuel"),
                      "gas of the form \"" + form_of(blocks) + "\" has no temperature, and nothing burns in it",
                      "choose form = \"energy\" or \"entropy\"");
  if (p.pressure && p.temperature && p.gas_density && blocks.gas.values.ideal())
    diagnostics.error(b.where("gas_density"), "pressure, temperature and gas_density say the same thing twice",
                      "any two of them say the third");
  if (p.pressure && p.gas_density && !blocks.gas.values.ideal())
    diagnostics.error(b.where("gas_density"),
                      "in the form \"" + form_of(blocks) + "\" pressure follows from density, and both are given",
                      "leave one of them out, or choose form = \"energy\"");
  const RunParams& run = blocks.run.values;
  if (blocks.run.good && p.time > (run.frames - 1) / run.fps)
    diagnostics.warning(b.where("time"),
                        str("'", b.block.path(), "' comes at ", short_text(p.time), " s, after the last frame"),
                        str("that is at ", short_text((run.frames - 1) / run.fps), " s"));
  const bool says =
      p.pressure || p.temperature || p.gas_density || p.velocity || p.vortices || p.smoke > 0 || p.fuel > 0;
  if (!says)
    diagnostics.warning(b.block.where(), "'" + b.block.path() + "' changes nothing: the air is there already",
                        "give it a pressure, temperature, gas_density, velocity, vortices, smoke or fuel");
}

/// Gas whose pressure goes with its density has no temperature.
template <class S>
void refuse_heat(const SceneBlocks& blocks, const ReadBlock<S>& b, std::initializer_list<const char*> names,
                 Diagnostics& diagnostics) {
  if (!b.good || blocks.gas.values.ideal()) return;
  for (const char* name : names)
    if (b.block.has(name))
      diagnostics.error(b.where(name),
                        "gas of the form \"" + form_of(blocks) + "\" has no temperature, and '" + b.block.path() +
                            "' has '" + name + "'",
                        "choose form = \"energy\" or \"entropy\"");
}

void check_inflow(const SceneBlocks& blocks, const ReadBlock<InflowParams>& b, Diagnostics& diagnostics) {
  if (b.block.has("colour"))
    diagnostics.error(b.where("colour"), "'colour' is for smoke, and this scene is one of gas");
  refuse_heat(blocks, b, {"temperature", "fuel"}, diagnostics);
}

/// Air that lies has something to lie on.
void check_gravity(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  if (!blocks.domain.good) return;
  const DomainParams& domain = blocks.domain.values;
  const int up = blocks.dims == 3 ? 2 : 1;
  for (int axis = 0; axis < blocks.dims; ++axis) {
    const double g = domain.gravity ? (*domain.gravity)[axis] : blocks.dims > 1 && axis == up ? -9.81 : 0;
    if (g == 0 || domain.sides.at(axis, 0) != Side::periodic) continue;
    constexpr char names[] = "xyz";
    diagnostics.error(blocks.domain.where("sides"),
                      str("gravity pulls along ", names[axis], ", where the sides are periodic: air cannot lie there"),
                      "give gravity no part along that axis: gravity = [0, 0] in 2D");
  }
}

/// Numbers that change nothing, and steps that hide what the frames are for.
void warn_of_idle_numbers(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const ReadBlock<GasParams>& b = blocks.gas;
  if (!b.good) return;
  if (b.values.ideal() && b.values.speed_of_sound != GasParams().speed_of_sound)
    diagnostics.warning(b.block.key_where("speed_of_sound"),
                        "speed_of_sound is for the forms \"velocity\" and \"momentum\"; in this one it follows from "
                        "the temperature",
                        "leave it out, or choose one of those forms");
  if (b.values.pressure == GasPressure::explicit_ && b.values.time_centred)
    diagnostics.warning(b.block.key_where("time_centred"), "time_centred is for implicit steps, and these are explicit",
                        "leave it out, or choose pressure = \"implicit\" or \"auto\"");
}

}  // namespace

void check_shown_sound(const SceneBlocks& blocks, const Domain& domain, Diagnostics& diagnostics) {
  if (blocks.material != "gas" || !blocks.gas.good || !blocks.run.good) return;
  const GasParams& gas = blocks.gas.values;
  if (gas.pressure != GasPressure::implicit || gas.time_centred) return;
  if (!gas::shows_sound(gas, domain, 1 / blocks.run.values.fps)) return;
  diagnostics.warning(blocks.gas.where("pressure"),
                      str("at ", short_text(blocks.run.values.fps),
                          " frames a second sound could be seen, but implicit steps let it fade"),
                      "pressure = \"auto\" keeps it, and so does time_centred = true");
}

void check_gas(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  if (blocks.material != "gas") {
    for (const auto& b : blocks.inflows)
      if (b.block.has("pressure"))
        diagnostics.error(b.where("pressure"), "'pressure' is for gas, and this scene has none");
    return;
  }
  for (const auto& b : blocks.fills) check_fill(blocks, b, diagnostics);
  for (const auto& b : blocks.sources) refuse_heat(blocks, b, {"temperature", "power", "fuel"}, diagnostics);
  for (const auto& b : blocks.inflows) check_inflow(blocks, b, diagnostics);
  check_gravity(blocks, diagnostics);
  warn_of_idle_numbers(blocks, diagnostics);
}

}  // namespace silt
