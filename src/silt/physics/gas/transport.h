#pragma once

#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// What crosses each face in a second, by area.
struct FaceFluxes {
  MacField<float> mass;  ///< A rho_f u [kg/(m^2 s)]
  MacField<float> heat;  ///< energy: A p_f u [W/m^2]; entropy: mass times F_f

  FaceFluxes() = default;
  explicit FaceFluxes(const Layout& layout) : mass(layout), heat(layout) {}
};

/// Fluxes at the velocities `us`, held for the step.
void find_fluxes(const StepFrame& frame, const MacField<float>& us, const GasState& state, FaceFluxes& out);

/// What cells are pushed by and work against, of one step [Pa].
struct StepPressures {
  Field<float> push;  ///< first q; then what the momentum feels, q and p' on the mean of the step
  Field<float> work;  ///< p' that cells swell against; in an implicit step what was solved for
  explicit StepPressures(const Layout& layout) : push(layout), work(layout) {}
};

/// Mass and heat after the step, from the fluxes; and the pressures that go with it.
///   rho += - dt div(rho_f us)
///   energy:   p += - dt (div(p_f us) + (gamma - 1) p_work div us)
///   entropy:  F += - dt/rho (div(F_f rho_f us) - F div(rho_f us))
/// In an explicit step p_work is the pressure in the middle of it, after half of the swelling, and p' of the push the
/// mean of both ends; in an implicit one both are the `work` that is there already.
/// `pressure` is p' before the step, and after it; of the energy form it is state.heat itself. Where solids cut cells
/// the entropy form leaves rho F' in state.heat, what cells can share, and its pressure to be found when they have.
void take_fluxes(const StepFrame& frame, const MacField<float>& us, const FaceFluxes& fluxes, GasState& state,
                 Field<float>& pressure, StepPressures& pressures);

/// state.heat from rho F' to F', of the entropy form.
void factors_of_amounts(const StepFrame& frame, GasState& state);

/// The second half of an explicit push, where solids cut cells: push += p' / 2, once small cells have shared theirs.
void add_half(const StepFrame& frame, const Field<float>& pressure, Field<float>& push);

/// Halos too.
void copy(const Exec& exec, const Field<float>& from, Field<float>& to);

/// Where solids move: `values` = `left`, by volume, and what is left in cells that a solid has filled in this step goes
/// to a neighbour. Halos of `left` must be filled.
void hand_over(const StepFrame& frame, const Field<unsigned char>& heirs, const Field<float>& left,
               Field<float>& values);

/// An amount that the flow takes along, by volume: to = from - dt div(from_f us). `from` has its halo filled.
void carry_amount(const StepFrame& frame, const MacField<float>& us, const Field<float>& from, Field<float>& to);

}  // namespace silt::gas
