#include "silt/physics/sand/params.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "silt/physics/common/followed_cells.h"
#include "silt/physics/common/transfer_choices.h"

namespace silt {
namespace {

struct Kind {
  GrainPreset preset;
  const char* name;
  double friction_angle, cohesion, density, grain_size;  // [degrees], [Pa], [kg/m^3], [m]
  const char* help;
};
constexpr Kind kinds[] = {
    {GrainPreset::dry_sand, "dry_sand", 34, 0, 1600, 5e-4, "34 degrees, 1600 kg/m^3"},
    // Between the slopes at which they come to rest and start, 22 and 27.4 degrees [LMV04]; validation/collapse.
    {GrainPreset::glass_beads, "glass_beads", 26, 0, 1500, 1.15e-3,
     "26 degrees, 1500 kg/m^3: flows far, piles are flat"},
    {GrainPreset::gravel, "gravel", 40, 0, 1700, 1e-2, "40 degrees, 1700 kg/m^3: piles are steep"},
    {GrainPreset::damp_sand, "damp_sand", 34, 800, 1700, 5e-4, "34 degrees, 800 Pa, 1700 kg/m^3: holds its shape"},
};

std::vector<Choice<GrainPreset>> preset_choices() {
  std::vector<Choice<GrainPreset>> out;
  for (const Kind& kind : kinds) out.push_back({kind.name, kind.preset, kind.help});
  return out;
}

std::vector<Parameter<Grains>> grain_parameters() {
  using P = Grains;
  return {
      choice("preset", &P::preset, preset_choices(),
             {.help = "grains by their name: stand in for what is not given here"}),
      number("friction_angle", &P::friction_angle,
             {.unit = "degrees",
              .min = 0,
              .max = 80,
              .help = "of inner friction: about the slope that a pile comes to rest at"}),
      number("cohesion", &P::cohesion,
             {.unit = "Pa",
              .min = 0,
              .max = 1e9,
              .help = "shear that it holds without any pressure; with 200 a bank of 10 cm stands upright"}),
      number("tension", &P::tension,
             {.unit = "Pa",
              .min = 0,
              .max = 1e9,
              .help = "the pull at which it comes apart; when not given, the largest its cohesion allows, cohesion / "
                      "tan(friction_angle)"}),
      number("density", &P::density,
             {.unit = "kg/m^3", .above = 0, .max = 1e5, .help = "of packed sand, with the pores between its grains"}),
      number("grain_size", &P::grain_size,
             {.unit = "m",
              .above = 0,
              .max = 1,
              .help = "diameter of a grain: the coarser, the more friction rises where sand is sheared fast"}),
      number("friction_rise", &P::friction_rise,
             {.min = 0,
              .max = 10,
              .help = "what the coefficient of friction gains at most where sand is sheared fast under little "
                      "pressure; 0: nothing"}),
  };
}

std::vector<Parameter<SandParams>> sand_parameters() {
  using P = SandParams;
  std::vector<Parameter<P>> out = inlined(&P::grains, grain_parameters());
  const std::vector<Parameter<P>> own{
      choice("model", &P::model,
             {{"constrained", SandModel::constrained, "pressure and friction together, everywhere what sand can bear"},
              {"rigid_plastic", SandModel::rigid_plastic,
               "a liquid with rigid parts, after Zhu and Bridson: quick, and only roughly sand"}},
             {.help = "how pressure and friction are worked out"}),
      choice("yield", &P::yield,
             {{"cone", SandYield::cone, "friction is the same in all directions"},
              {"box", SandYield::box, "each component of the stress by itself, after Tao: piles get corners"}},
             {.help = "how much friction the constrained model allows"}),
      number("wall_friction", &P::wall_friction,
             {.min = 0,
              .max = 100,
              .help = "coefficient of friction, the tangent of an angle, of walls and obstacles that say nothing of "
                      "theirs"}),
      choice("transfer", &P::transfer, transfer_choices(),
             {.help = "how velocity goes from the grid to particles and back"}),
      choice("weights", &P::weights, weight_choices(), {.help = weights_help}),
      number("flip_part", &P::flip_part, {.min = 0, .max = 1, .help = "share of FLIP in transfer = \"blend\""}),
      number("separation", &P::separation,
             {.unit = "cells",
              .min = 0,
              .max = 0.45,
              .help = "particles nearer than this push each other apart; 0: they do not. Packed they lie half a cell "
                      "apart, and with a distance near that they would never be at rest"}),
      number(
          "pair_cohesion", &P::pair_cohesion,
          {.min = 0,
           .max = 1,
           .help = "part of the cohesion with which single particles pull at those they have just come apart from, so "
                   "that clumps hold together in flight; 0: none"}),
      number("reach", &P::reach,
             {.unit = "m",
              .min = 0,
              .max = 1e6,
              .help = "how far beyond open sides of the domain it is followed before it is gone; when not given, "
                      "ten times the longest side"}),
      number("cfl", &P::cfl,
             {.min = 0.05, .max = 5, .help = "cells the fastest sand may cross in one substep", .resumable = true}),
      number("tolerance", &P::tolerance,
             {.min = 1e-10,
              .max = 0.1,
              .help = "relative residual at which the solve for pressure and friction stops",
              .resumable = true}),
      integer("max_iterations", &P::max_iterations,
              {.min = 1,
               .max = 1000000,
               .help = "iterations, of all solves together, before a substep counts as failed",
               .resumable = true}),
  };
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

}  // namespace

double Grains::friction() const {
  return std::tan(friction_angle * std::numbers::pi / 180);
}

double Grains::apex() const {
  constexpr double least = 0.01;  // without friction there would be no end to it
  return cohesion / std::max(friction(), least);
}

double Grains::tensile_strength() const {
  return tension.value_or(apex());
}

double SandParams::reach_in(const Domain& domain) const {
  return reach.value_or(usual_reach(domain));
}

Grains grain_preset(GrainPreset preset) {
  const Kind& kind =
      *std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& k) { return k.preset == preset; });
  return {.preset = preset,
          .friction_angle = kind.friction_angle,
          .cohesion = kind.cohesion,
          .density = kind.density,
          .grain_size = kind.grain_size};
}

Grains grain_preset(const Block& block, const Grains& otherwise) {
  const Value* value = block.find("preset");
  const std::string* name = value ? value->as<std::string>() : nullptr;
  for (const Kind& kind : kinds)
    if (name && *name == kind.name) return grain_preset(kind.preset);
  return otherwise;
}

const Table<SandParams>& sand_table() {
  static const Table<SandParams> table{
      "sand",
      "Grains that flow like a liquid, and come to rest in piles: particles carry them, a grid finds pressure and "
      "friction.",
      sand_parameters()};
  return table;
}

const Table<Grains>& grains_table() {
  static const Table<Grains> table{
      "grains.NAME",
      "Another kind of sand in the same scene, for the fills and sources that name it. What it does not say is as in "
      "[sand].",
      grain_parameters()};
  return table;
}

}  // namespace silt
