#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "silt/fields/cut_cells.h"
#include "silt/fields/extension.h"
#include "silt/fields/particle_sort.h"
#include "silt/fields/row_spans.h"
#include "silt/fields/used_rows.h"
#include "silt/physics/common/emitter.h"
#include "silt/physics/common/particles_to_grid.h"
#include "silt/physics/common/surface_beside_solids.h"
#include "silt/physics/liquid/films_on_solids.h"
#include "silt/physics/liquid/liquid_viscosity.h"
#include "silt/solve/poisson_solver.h"

namespace silt {

/// Liquid with a grid of its own: particles, and a domain that reaches a few cells beyond them. Its sides are the
/// scene's where it touches those; at the others there is only air.
struct LiquidPool {
  Domain domain;
  Particles particles;
  Field<double> pressure;  ///< p / rho [m^2/s^2]: the next solve starts from it
  Field<double> wetted;    ///< how long walls and solids have been wet, in the cells beside them [s]; see wall_layer.h
};

/// What a liquid remembers from one substep to the next, and nothing that can be recomputed. SI units.
struct LiquidState {
  std::vector<LiquidPool> pools;        ///< in order of where they are
  Particles spray;                      ///< drops too small for a grid, which fly freely
  std::vector<EmitterMemory> emitters;  ///< of the setting's
  std::uint64_t born = 0, died = 0;     ///< particles, in all pools
  std::uint64_t steps = 0;              ///< substeps so far: counts for what is random
};

/// Scratch of a pool's substep, and what follows from the scene, the time and the pool's particles.
struct LiquidWorkspace {
  Domain domain;
  CellRanges ranges;
  CutCells cut;
  double placed_at = -1;               ///< when the solids in `cut` are there [s]; negative: not yet
  bool stepped = false;                ///< whether the fields below are those of a step
  Field<float> phi;                    ///< level set of the liquid [m]
  Field<unsigned char> air, released;  ///< released: that walls have let go of
  MacField<float> velocity;            ///< [m/s]
  MacField<float> weight;              ///< of the particles on each face; then where they are moved, [m/s]
  MacField<float> kick;                ///< what the pressure adds [m/s]
  MacField<float> forced;              ///< what force fields add [m/s]; made when there are any
  MacField<float> before;              ///< what came from the particles; only with FLIP
  MacField<float> star;
  Field<float> held;         ///< what walls and solids hold each cell down to; made where they differ, see let_go.h
  Field<double> rhs, drift;  ///< drift: potential of what keeps the volume [m^2]
  Field<double> correction;  ///< what viscosity adds to dt p / rho [m^2/s]; only with viscosity
  Field<float> capacity, room, scratch;  ///< room: that solids leave of each cell, wherever they are placed
  BesideSolidsScratch beside_solids;
  PoissonSolver poisson;
  std::array<Extension, 3> beyond;             ///< of each component, from the liquid into the air
  std::unique_ptr<LiquidViscosity> viscosity;  ///< made when it is asked for
  TransferScratch transfer;
  FilmsOnSolids films;
  ThinSides sides;  ///< of thin solids, as `cut` has them

  RowSpans wet;         ///< cells of liquid: pressures are worked out in no others
  RowSpans near;        ///< cells near particles, where those are few: `domain` then has only them in use
  int carried = 0;      ///< how far from the liquid its velocity is carried, and a cell more [cells]
  RowSpans round;       ///< where few cells are in use: those so near the liquid
  RowSpans placed;      ///< where `cut` and `capacity` are worked out; none: everywhere
  UsedRows used;        ///< of the fields above
  UsedRows round_used;  ///< of the star

  /// The domain with cells of liquid alone in use.
  Domain wet_domain() const {
    Domain out = domain;
    if (!wet.first.empty()) out.cells.rows = &wet;
    return out;
  }

  /// The domain with the cells round the liquid alone in use.
  Domain round_domain() const {
    Domain out = domain;
    if (domain.cells.rows) out.cells.rows = &round;
    return out;
  }

  LiquidWorkspace(const Domain& d, const Layout& layout)
      : domain(d),
        cut(layout),
        phi(layout),
        air(layout),
        released(layout),
        velocity(layout),
        weight(layout),
        kick(layout),
        star(layout),
        rhs(layout),
        drift(layout),
        capacity(layout),
        room(layout),
        scratch(layout),
        poisson(layout) {}
};

}  // namespace silt
