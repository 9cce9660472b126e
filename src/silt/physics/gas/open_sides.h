#pragma once

#include <vector>

#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// One side of the domain that gas passes freely, and sound without an echo.
struct OpenSide {
  int axis, end;
  Box faces;  ///< those on it
};
std::vector<OpenSide> open_sides(const Domain& domain);

/// Open sides let sound out: what a wave that leaves does to pressure and velocity goes together, dp = rho c du, u
/// outwards; nothing comes in. Each of their faces has a pressure p_b, of the state, which follows that, and falls
/// back to the air's within some passages of the domain, so that steady winds blow through:
///   p_b' = rho c u' - K p_b,   K = c / (10 L)         [TW87]; [PL92]
/// Beyond the side stands 2 p_b - p, so that the face has p_b; gas that comes in is air, squeezed to that.
///   [TW87] Thompson 1987, Time dependent boundary conditions for hyperbolic systems
///   [PL92] Poinsot & Lele 1992, Boundary conditions for direct simulations of compressible viscous flows
void begin_open(const StepFrame& frame, const Field<float>& pressure, GasState& state);  ///< p_b = p' inside
/// p_b of inflows, before the step: see Inlets.
void blow_in(const StepFrame& frame, const Field<float>& pressure, GasState& state);
void fill_open(const StepFrame& frame, const std::vector<Buffer<float>>& at_sides, GasState& state,
               Field<float>& pressure);

/// What an implicit step knows of open faces before it is solved: us~ there, and the weights of the system: with the
/// pressure that u will have, u = u* + (weight) p of the cell inside.
void prepare_open(const StepFrame& frame, const std::vector<Buffer<float>>& at_sides, const GasState& state,
                  const Field<float>& pressure, MacField<float>& us, MacField<float>& weights);
/// us of open faces, from the pressure that was solved for.
void take_open(const StepFrame& frame, const MacField<float>& weights, const Field<double>& solved,
               MacField<float>& us);

/// What stands beyond for the momentum, in the halos of push and work: the p_b that goes with the change in velocity
/// that it makes. Of the step's pressures, before the velocity changes.
void fill_open_push(const StepFrame& frame, const std::vector<Buffer<float>>& at_sides, const GasState& state,
                    const Field<float>& pressure, Field<float>& push, Field<float>& work);
/// p_b and the velocity after the step, by what it has changed from `before`.
void follow_open(const StepFrame& frame, const MacField<float>& before, const Field<float>& pressure,
                 const Field<float>& push, GasState& state);

}  // namespace silt::gas
