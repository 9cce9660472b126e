#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "silt/fields/cut_cells.h"
#include "silt/fields/extension.h"
#include "silt/fields/particle_sort.h"
#include "silt/fields/row_spans.h"
#include "silt/fields/used_rows.h"
#include "silt/physics/common/emitter.h"
#include "silt/physics/common/particles_to_grid.h"
#include "silt/physics/sand/grain_faces.h"
#include "silt/physics/sand/packing.h"
#include "silt/physics/sand/rigid_plastic_work.h"
#include "silt/solve/bounded_solver.h"
#include "silt/solve/grain_solver.h"

namespace silt {

/// What sand remembers from one substep to the next, and nothing that can be recomputed. SI units; stresses over
/// density and cell size, times how long forces acted in the last step: [m/s]. Velocities are those half a step before
/// the places: what a step moves particles with is what they have in its middle.
struct SandState {
  Particles particles;
  std::vector<EmitterMemory> emitters;  ///< of the setting's
  std::uint64_t steps = 0;              ///< substeps so far: counts for what is random
  Box grid;                             ///< cells that the next are on
  Field<double> pressure;               ///< the next solve starts from these
  CornerStress stress;                  ///< only of the constrained model
  RowSpans stressed;                    ///< cells of the grid outside of these have neither; without rows: any may
  double kick_before = 0;               ///< how long forces acted in the step that they are of [s]
  double dt_before = 0;                 ///< how long the last step was [s]
  std::optional<double> bearing_speed;  ///< the fastest of what bears [m/s]; not known: of none of it
};

/// Cells of the grid that may have stress.
inline Cells stressed_cells(const SandState& state) {
  return {state.grid, state.stressed.first.empty() ? nullptr : &state.stressed};
}

/// Scratch of a substep, and what follows from the scene, the time and the particles.
struct SandWorkspace {
  Domain domain_of_grid;  ///< that of the scene, as far as there is sand
  Domain domain;          ///< the same, with the cells near particles alone in use
  Domain stressed;        ///< the same, with those in use that may have stress, and after the solve those that have
  CellRanges ranges;
  CutCells cut;
  double kick = 0;                   ///< how long forces act in this step [s]
  double placed_at = -1;             ///< when the solids in `cut` are there [s]; negative: not yet
  RowSpans placed;                   ///< the cells that they are placed in; none: all
  MacField<float> velocity, weight;  ///< [m/s]; of the particles on each face, then where they are moved, [m/s]
  MacField<float> before;            ///< what came from the particles; only with FLIP
  MacField<float> heavy;             ///< weight by mass; only where sands differ in density
  MacField<double> u;
  Packing packing;
  GrainFields grains;
  GrainSolver solver;
  Field<double> rhs, spread;             ///< spread: potential of what makes room [cells^2]
  Field<float> capacity, room, scratch;  ///< room: that solids leave of each cell, wherever they are placed
  BoundedSolver bounded;
  std::array<Extension, 3> beyond;
  std::unique_ptr<RigidPlasticWork> rigid_plastic;  ///< only of that model
  TransferScratch transfer;
  RowSpans near, nearer;  ///< the cells of these
  RowSpans bearing;       ///< cells that the solve for the stress looks at: see bearing_cells
  UsedRows used;

  /// Of the particles on each face, in those of the usual sand.
  const MacField<float>& masses() const { return heavy[0].allocated() ? heavy : weight; }

  SandWorkspace(const Domain& d, const Layout& layout)
      : domain_of_grid(d),
        domain(d),
        stressed(d),
        cut(layout),
        velocity(layout),
        weight(layout),
        u(layout),
        packing(layout),
        grains(layout),
        rhs(layout),
        spread(layout),
        capacity(layout),
        room(layout),
        scratch(layout) {}
};

}  // namespace silt
