#pragma once

#include <optional>
#include <string>
#include <vector>

#include "silt/fields/domain.h"
#include "silt/physics/common/transfer_options.h"
#include "silt/scene/table.h"

namespace silt {

/// Grains that a scene can name; see grain_preset.
enum class GrainPreset { dry_sand, glass_beads, gravel, damp_sand };

/// How sand that bears and rubs is worked out: pressure and friction together, [NGL10] and [Tao14]; or as a liquid of
/// which parts are rigid, [ZB05].
enum class SandModel { constrained, rigid_plastic };
/// What stresses of the constrained model may be: |s| <= sqrt 2 tan(phi) p, or each |s_ab| <= tan(phi) p [Tao14].
enum class SandYield { cone, box };

/// What sand is made of: the rest of the [sand] block, and each [grains.NAME]. It holds shear stresses of up to
/// cohesion + pressure tan(friction_angle), and lets itself be pulled as far as `tensile_strength`.
struct Grains {
  std::string name{};  ///< empty: that of the [sand] block
  GrainPreset preset = GrainPreset::dry_sand;
  double friction_angle = 34;       ///< inner, the slope of a pile [degrees]
  double cohesion = 0;              ///< [Pa]
  std::optional<double> tension{};  ///< [Pa]; see tensile_strength
  double density = 1600;            ///< of packed sand, pores included [kg/m^3]
  double grain_size = 5e-4;         ///< diameter [m]
  double friction_rise = 0.26;      ///< what the coefficient of friction gains where it is sheared fast [JFP06]

  double friction() const;  ///< tan(friction_angle)
  /// Where the yield surface ends, at pressure -cohesion / tan(friction_angle) [Pa]; 0 without cohesion.
  double apex() const;
  /// The pull at which it comes apart [Pa]: `tension`, or else all that the yield surface allows.
  double tensile_strength() const;
};

/// What a scene may say of sand: the [sand] block and its [grains.NAME].
///   [ZB05] Zhu & Bridson 2005, Animating sand as a fluid
///   [NGL10] Narain, Golas & Lin 2010, Free-flowing granular materials with two-way solid coupling
///   [Tao14] Tao 2014, Coupled fluids and granular materials
///   [JFP06] Jop, Forterre & Pouliquen 2006, A constitutive law for dense granular flows
struct SandParams {
  SandModel model = SandModel::constrained;
  SandYield yield = SandYield::cone;
  Grains grains{};
  std::vector<Grains> others{};  ///< by name; Fill::grains and Emitter::grains count these
  double wall_friction = 0.5;    ///< of walls and obstacles that say nothing of it: coefficient
  Transfer transfer = Transfer::apic;
  Across weights = Across::smooth;  ///< of faces, for particles
  double flip_part = 0.97;          ///< of the transfer "blend"
  double separation = 0;            ///< particles nearer than this push each other apart [cells]; 0: they do not
  double pair_cohesion = 0;         ///< part of the cohesion with which single particles pull at each other [Tao14]
  std::optional<double> reach{};    ///< how far beyond open sides it is followed [m]; see reach_in
  double cfl = 0.5;                 ///< cells the fastest sand may cross in a substep
  double tolerance = 3e-3;          ///< relative residual of the solve for stress, or pressure
  int max_iterations = 5000;        ///< of all linear solves in a substep together

  TransferOptions transfer_options() const { return {.scheme = transfer, .across = weights, .flip_part = flip_part}; }
  /// `reach`, or else usual_reach [m].
  double reach_in(const Domain& domain) const;
  /// Of a fill or an emitter that has this number: -1 is the [sand] block's.
  const Grains& grains_of(int number) const { return number < 0 ? grains : others[std::size_t(number)]; }
};

/// What grains of that name are like.
Grains grain_preset(GrainPreset preset);
/// The preset that a [sand] or [grains.NAME] block names, or else `otherwise`: what stands in the block goes over it.
Grains grain_preset(const Block& block, const Grains& otherwise = {});

const Table<SandParams>& sand_table();  ///< without `others`
const Table<Grains>& grains_table();    ///< of [grains.NAME]

}  // namespace silt
