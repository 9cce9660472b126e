#pragma once

#include <optional>

#include "silt/fields/domain.h"
#include "silt/geometry/keyframes.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/transfer_options.h"
#include "silt/scene/table.h"

namespace silt {

/// Liquids that a scene can name; see liquid_preset.
enum class LiquidPreset { water, oil, glycerol, honey, lava };

/// What solids and walls do when liquid pulls at them.
enum class LiquidWalls { let_go, hold };

/// What a scene may say of a liquid: the [water] block.
struct LiquidParams {
  LiquidPreset preset = LiquidPreset::water;  ///< whose values stood in for what the block did not say
  Transfer transfer = Transfer::apic;
  Across weights = Across::smooth;   ///< of faces, for particles
  double flip_part = 0.97;           ///< of the transfer "blend"
  Moving moving = Moving::straight;  ///< how particles follow the flow
  double density = 1000;             ///< [kg/m^3]: of totals and of what the liquid does to bodies, not of its flow
  Animated<double> viscosity = 0.0;  ///< kinematic [m^2/s]
  double wall_viscosity = 1e-6;      ///< kinematic, of the layer beside walls that cells are too large for [m^2/s]
  LiquidWalls walls = LiquidWalls::let_go;
  double suction = 0;             ///< walls that let go do so at this pull [Pa]
  double volume_rate = 0.6;       ///< how fast crowds and voids among particles are evened out, in |grad u|
  bool reseed = true;             ///< fill and thin cells within the liquid that have too few or many particles
  double separation = 0;          ///< particles nearer than this push each other apart [cells]; 0: they do not
  std::optional<double> reach{};  ///< how far beyond open sides it is followed [m]; see reach_in
  double cfl = 2;                 ///< cells the fastest liquid may cross in a substep
  double tolerance = 1e-4;        ///< relative residual of the pressure solve
  int max_iterations = 200;

  TransferOptions transfer_options() const { return {.scheme = transfer, .across = weights, .flip_part = flip_part}; }
  /// Whether there is any viscosity, now or at another time.
  bool viscous() const { return !viscosity.constant() || viscosity(0) > 0; }
  /// Whether walls and solids that it sticks to slow it in a layer thinner than cells. One with viscosity has its own.
  bool rubs_walls() const { return !viscous() && wall_viscosity > 0; }
  /// `reach`, or else ten times the domain's longest side [m].
  double reach_in(const Domain& domain) const;
};

/// What a liquid of that name is like, all else being usual.
LiquidParams liquid_preset(LiquidPreset liquid);
/// The preset that a [water] block names: what stands in the block goes over it.
LiquidParams liquid_preset(const Block& block);

const Table<LiquidParams>& liquid_table();

}  // namespace silt
