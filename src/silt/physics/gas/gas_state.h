#pragma once

#include <vector>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/physics/gas/law.h"

namespace silt {

/// Cells beyond the allocated tiles: of the last face of an open side the flow is looked at two faces further on.
inline constexpr int gas_halo = 3;

/// What gas remembers from one substep to the next, and nothing that can be recomputed. SI units. Density and pressure
/// are kept as what they differ by from the reference (GasReference): at Mach 0.001 pressure differs by a millionth,
/// which absolute floats would drown.
struct GasState {
  MacField<float> velocity;             ///< [m/s]
  Field<float> density;                 ///< rho - rho_0 [kg/m^3]
  Field<float> heat;                    ///< p - p_0 [Pa], or F / F_0 - 1 in the entropy form; not there in a linear gas
  Field<float> smoke;                   ///< amount of it, which the gas takes along; only when asked for
  Field<float> fuel;                    ///< what can burn, likewise
  Field<float> room_off;                ///< V less what distances say; only where solids move: see swept_room.h
  std::vector<Buffer<float>> at_sides;  ///< p' on the faces of each open side [Pa]: see open_sides.h

  GasState() = default;
  /// `at_sides` are left to the stepper's start.
  GasState(const Layout& layout, gas::Heat kind, bool with_smoke = false, bool with_fuel = false,
           bool solids_move = false)
      : velocity(layout), density(layout) {
    if (kind != gas::Heat::linear) heat = Field<float>(layout);
    if (with_smoke) smoke = Field<float>(layout);
    if (with_fuel) fuel = Field<float>(layout);
    if (solids_move) room_off = Field<float>(layout);
  }
};

/// Gas at rest under gravity, which density and pressure are counted from: grad p_0 = rho_0 g.
struct GasReference {
  Field<float> density;   ///< rho_0 [kg/m^3]
  Field<float> pressure;  ///< p_0 [Pa]
};

/// Every persistent field with its name and the box where it means something.
template <class Visitor>
void visit(GasState& s, const Domain& domain, Visitor&& v) {
  static constexpr const char* component[3] = {"gas.velocity.x", "gas.velocity.y", "gas.velocity.z"};
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a]) v(component[a], s.velocity[a], domain.faces(a));
  v("gas.density", s.density, domain.cells);
  if (s.heat.allocated()) v("gas.heat", s.heat, domain.cells);
  if (s.smoke.allocated()) v("gas.smoke", s.smoke, domain.cells);
  if (s.fuel.allocated()) v("gas.fuel", s.fuel, domain.cells);
  if (s.room_off.allocated()) v("gas.room_off", s.room_off, domain.cells);
  static constexpr const char* side[6] = {"gas.side.0", "gas.side.1", "gas.side.2",
                                          "gas.side.3", "gas.side.4", "gas.side.5"};
  for (std::size_t i = 0; i < s.at_sides.size(); ++i) v(side[i], s.at_sides[i]);
}

}  // namespace silt
