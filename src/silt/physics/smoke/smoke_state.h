#pragma once

#include <optional>

#include "silt/fields/cut_cells.h"
#include "silt/fields/extension.h"
#include "silt/physics/common/advect.h"
#include "silt/physics/common/viscosity.h"
#include "silt/solve/poisson_solver.h"

namespace silt {

/// What smoke remembers from one substep to the next, and nothing that can be recomputed. SI units.
struct SmokeState {
  MacField<float> velocity;  ///< [m/s]
  Field<float> density;      ///< amount of smoke, 1 is thick
  Field<float> temperature;  ///< above ambient [K]
  Field<double> pressure;    ///< p / rho [m^2/s^2]: the next solve starts from it

  explicit SmokeState(const Layout& layout)
      : velocity(layout), density(layout), temperature(layout), pressure(layout) {}
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
}

/// Scratch of a substep, and what follows from the scene and the time alone.
struct SmokeWorkspace {
  CutCells cut;           ///< solids, walls and inlets at `placed_at`
  double placed_at = -1;  ///< [s]; negative: not yet
  Extension into_solid_faces[3];
  Extension into_solid_cells;
  PoissonSolver poisson;
  std::optional<Viscosity> viscosity;  ///< made when it is asked for
  Field<double> rhs;
  MacField<float> unprojected, other;  ///< u~ of the reflection; where advection writes
  Field<float> carried;
  AdvectScratch advect;

  explicit SmokeWorkspace(const Layout& layout)
      : cut(layout),
        poisson(layout),
        rhs(layout),
        unprojected(layout),
        other(layout),
        carried(layout),
        advect(layout) {}
};

}  // namespace silt
