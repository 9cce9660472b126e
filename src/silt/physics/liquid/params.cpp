#include "silt/physics/liquid/params.h"

#include <algorithm>

#include "silt/physics/common/followed_cells.h"
#include "silt/physics/common/pressure_parameters.h"
#include "silt/physics/common/transfer_choices.h"

namespace silt {
namespace {

/// At 20 degrees Celsius, lava where it flows. Viscosity is kinematic. That of water (1e-6 m^2/s) is left out but
/// beside walls: at the cells a picture can have, numbers are a thousand times as thick.
struct Kind {
  LiquidPreset liquid;
  const char* name;
  double density, viscosity;  // [kg/m^3], [m^2/s]
  const char* help;
};
constexpr Kind kinds[] = {
    {LiquidPreset::water, "water", 1000, 0, "1000 kg/m^3, no viscosity"},
    {LiquidPreset::oil, "oil", 910, 9e-5, "olive oil: 910 kg/m^3, 9e-5 m^2/s"},
    {LiquidPreset::glycerol, "glycerol", 1260, 1.1e-3, "1260 kg/m^3, 1.1e-3 m^2/s, like thin syrup"},
    {LiquidPreset::honey, "honey", 1420, 7e-3, "1420 kg/m^3, 7e-3 m^2/s"},
    {LiquidPreset::lava, "lava", 2700, 0.1, "basalt: 2700 kg/m^3, 0.1 m^2/s"},
};

std::vector<Choice<LiquidPreset>> preset_choices() {
  std::vector<Choice<LiquidPreset>> out;
  for (const Kind& kind : kinds) out.push_back({kind.name, kind.liquid, kind.help});
  return out;
}

}  // namespace

double LiquidParams::reach_in(const Domain& domain) const {
  return reach.value_or(usual_reach(domain));
}

LiquidParams liquid_preset(LiquidPreset liquid) {
  const Kind& kind =
      *std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& k) { return k.liquid == liquid; });
  return {.preset = liquid, .density = kind.density, .viscosity = kind.viscosity};
}

LiquidParams liquid_preset(const Block& block) {
  const Value* value = block.find("preset");
  const std::string* name = value ? value->as<std::string>() : nullptr;
  for (const Kind& kind : kinds)
    if (name && *name == kind.name) return liquid_preset(kind.liquid);
  return {};
}

const Table<LiquidParams>& liquid_table() {
  using P = LiquidParams;
  static const Table<P> table{
      "water",
      "A liquid with a free surface, water or another: particles carry it and a grid keeps its volume.",
      {
          choice("preset", &P::preset, preset_choices(),
                 {.help = "a liquid by its name: stands in for what is not given here"}),
          number("density", &P::density,
                 {.unit = "kg/m^3",
                  .above = 0,
                  .max = 1e5,
                  .help = "of its mass; alone with air, heavy and light liquids flow alike"}),
          number("viscosity", &P::viscosity,
                 {.unit = "m^2/s",
                  .min = 0,
                  .max = 1e6,
                  .help = "kinematic viscosity; 0 leaves it out. With some, say slip = \"none\" of what it sticks to"}),
          number("wall_viscosity", &P::wall_viscosity,
                 {.unit = "m^2/s",
                  .min = 0,
                  .max = 1,
                  .help = "kinematic viscosity in the layer, thinner than cells, by which walls and obstacles with "
                          "slip = \"none\" slow a liquid without viscosity; 0: they do not. With viscosity it is not "
                          "used"}),
          choice("transfer", &P::transfer, transfer_choices(),
                 {.help = "how velocity goes from the grid to particles and back"}),
          choice("weights", &P::weights, weight_choices(), {.help = weights_help}),
          number("flip_part", &P::flip_part, {.min = 0, .max = 1, .help = "share of FLIP in transfer = \"blend\""}),
          choice("moving", &P::moving,
                 {{"straight", Moving::straight, "by the flow where they are: the same seen from a frame that moves"},
                  {"rk2", Moving::rk2, "through the flow, midpoint rule"},
                  {"rk3", Moving::rk3, "through the flow, Ralston's third-order rule"},
                  {"own", Moving::own, "by their own velocity: keeps angular momentum exactly"}},
                 {.help = "how particles move"}),
          choice("walls", &P::walls,
                 {{"let_go", LiquidWalls::let_go, "it comes off ceilings and rising lids"},
                  {"hold", LiquidWalls::hold, "it never comes off what it touches"}},
                 {.help = "what walls and obstacles do when the liquid pulls at them"}),
          number(
              "suction", &P::suction,
              {.unit = "Pa",
               .min = 0,
               .max = 1e9,
               .help =
                   "how hard it must pull before walls let go: 0 comes off at once; water behind a fast solid, with no "
                   "air near, holds to about 1e5"}),
          number(
              "volume_rate", &P::volume_rate,
              {.min = 0,
               .max = 10,
               .help =
                   "how fast lost or gained volume is made up for, in the rate at which the flow deforms; 0 does not"}),
          boolean("reseed", &P::reseed,
                  {.help = "add particles inside the liquid where they have become few, take some away where many"}),
          number("separation", &P::separation,
                 {.unit = "cells",
                  .min = 0,
                  .max = 1,
                  .help = "particles nearer than this push each other apart; 0: they do not"}),
          number("reach", &P::reach,
                 {.unit = "m",
                  .min = 0,
                  .max = 1e6,
                  .help = "how far beyond open sides of the domain it is followed before it is gone; when not given, "
                          "ten times the longest side"}),
          number("cfl", &P::cfl,
                 {.min = 0.1,
                  .max = 10,
                  .help = "cells the fastest liquid may cross in one substep; good up to 5",
                  .resumable = true}),
          solve_tolerance(&P::tolerance, 1e-10),
          solve_iterations(&P::max_iterations),
      }};
  return table;
}

}  // namespace silt
