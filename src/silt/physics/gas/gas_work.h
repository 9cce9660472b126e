#pragma once

#include <memory>
#include <vector>

#include "silt/physics/common/cover_amounts.h"
#include "silt/physics/common/no_slip.h"
#include "silt/physics/gas/inflow.h"
#include "silt/physics/gas/pressure_system.h"
#include "silt/physics/gas/redistribute.h"

namespace silt {

/// Scratch of a substep, and what follows from the scene and the time alone.
struct GasWorkspace {
  GasReference reference;
  CutCells cut;  ///< solids at `placed_at`; faces as open as they are on the mean of the step
  Field<float> distance_before;
  Field<float> room;         ///< the part of each cell that they leave; only where there are any
  Field<float> room_before;  ///< that before this step
  Field<float> room_by_distance, room_by_distance_before;  ///< the same as distances say
  Field<float> room_left;                                  ///< scratch
  Field<unsigned char> heirs;                              ///< of cells that solids fill up or pass over: see heir.h
  Field<float> swept;                                      ///< how it changes: see swept_room
  MacField<float> slip;                                    ///< likewise
  gas::Redistribution small_cells;
  FlowInSolids flow_in_solids;
  Extension into_solid_cells;
  double placed_at = -1;        ///< [s]; negative: not yet
  MacField<float> us;           ///< where the flow goes during the step [m/s]
  MacField<float> after;        ///< velocity after it
  MacField<float> lost;         ///< kinetic energy that vanished at faces [J/m^3]
  Field<float> pressure;        ///< p' of forms that do not keep it
  Field<float> density_before;  ///< that before the step, where solids cut cells
  Field<float> carried;         ///< smoke after the step; made when there is any
  gas::FaceFluxes fluxes;
  gas::StepPressures pressures;
  std::unique_ptr<gas::PressureSystem> system;  ///< made when a step is implicit
  gas::Inlets inlets;
  std::vector<HeldCovers> sources;  ///< of the setting's; kept while they stand still
  double sound_limit = 0;           ///< longest explicit step of the state as it was last looked at [s]
  double theta = 1;                 ///< how much the end of an implicit step counts, likewise

  GasWorkspace(const Layout& layout, gas::Heat heat)
      : reference{Field<float>(layout), Field<float>(layout)},
        us(layout),
        after(layout),
        fluxes(layout),
        pressures(layout) {
    if (heat == gas::Heat::energy)
      lost = MacField<float>(layout);
    else
      pressure = Field<float>(layout);
  }
};

}  // namespace silt
