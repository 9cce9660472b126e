#pragma once

#include <optional>
#include <vector>

#include "silt/fields/cut_cells.h"
#include "silt/fields/extension.h"
#include "silt/physics/common/advect.h"
#include "silt/physics/common/cover_amounts.h"
#include "silt/physics/common/flux_transport.h"
#include "silt/physics/common/no_slip.h"
#include "silt/physics/common/viscosity.h"
#include "silt/physics/smoke/contents.h"
#include "silt/solve/poisson_solver.h"

namespace silt {

/// What smoke remembers from one substep to the next, and nothing that can be recomputed. SI units.
struct SmokeState {
  MacField<float> velocity;  ///< [m/s]
  Field<float> density;      ///< amount of smoke, 1 is thick
  Field<float> temperature;  ///< above ambient [K]
  Field<double> pressure;    ///< p / rho [m^2/s^2]: the next solve starts from it
  Field<float> colour[3];    ///< red, green and blue times density, so that mixing is right; only when asked for
  Field<float> fuel;         ///< what can burn; only when asked for

  explicit SmokeState(const Layout& layout, const SmokeContents& contents = {})
      : velocity(layout), density(layout), temperature(layout), pressure(layout) {
    if (contents.colour)
      for (Field<float>& part : colour) part = Field<float>(layout);
    if (contents.fuel) fuel = Field<float>(layout);
  }
  bool coloured() const { return colour[0].allocated(); }

  /// What the flow takes along as it is; colour goes with the density.
  std::vector<Field<float>*> carried() {
    std::vector<Field<float>*> out{&density, &temperature};
    if (fuel.allocated()) out.push_back(&fuel);
    return out;
  }
};

/// Every persistent field with its name and the box where it means something.
template <class Visitor>
void visit(SmokeState& s, const Domain& domain, Visitor&& v) {
  static constexpr const char* component[3] = {"smoke.velocity.x", "smoke.velocity.y", "smoke.velocity.z"};
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a]) v(component[a], s.velocity[a], domain.faces(a));
  v("smoke.density", s.density, domain.cells);
  v("smoke.temperature", s.temperature, domain.cells);
  v("smoke.pressure", s.pressure, domain.cells);
  static constexpr const char* part[3] = {"smoke.colour.red", "smoke.colour.green", "smoke.colour.blue"};
  if (s.coloured())
    for (int i = 0; i < 3; ++i) v(part[i], s.colour[i], domain.cells);
  if (s.fuel.allocated()) v("smoke.fuel", s.fuel, domain.cells);
}

/// Scratch of a substep, and what follows from the scene and the time alone.
struct SmokeWorkspace {
  CutCells cut;           ///< solids, walls and inlets at `placed_at`
  double placed_at = -1;  ///< [s]; negative: not yet
  FlowInSolids flow_in_solids;
  Extension into_solid_cells;
  PoissonSolver poisson;
  std::optional<Viscosity> viscosity;  ///< made when it is asked for
  Field<double> rhs;
  MacField<float> unprojected, other;  ///< u~ of the reflection; where advection writes
  Field<float> carried;
  Field<float> expansion;  ///< div u that burning asks for, of the whole cell [1/s]; made when something burns
  AdvectScratch advect;
  FluxTransport transport;
  Field<float> room;                         ///< open part V of each cell at `placed_at`; made when there are solids
  Field<float> room_before;                  ///< V at the start of the step; made when solids move
  Field<float> distance_before;              ///< to solids then, likewise
  Field<float> least_distance;               ///< and during the step, where they move by about a cell
  CutCells passing;                          ///< scratch of that
  GoneOver gone_over;                        ///< cells that plates pass over in the step
  CellGroups groups;                         ///< of the step: see cell_groups.h
  Field<double> fit;                         ///< potential of what makes fluxes fit moving solids; made when they move
  std::vector<HeldCovers> sources, inflows;  ///< of the setting's; made when first held, kept while they stand still

  explicit SmokeWorkspace(const Layout& layout)
      : cut(layout),
        poisson(layout),
        rhs(layout),
        unprojected(layout),
        other(layout),
        carried(layout),
        advect(layout),
        transport(layout) {}
};

}  // namespace silt
