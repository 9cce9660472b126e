#pragma once

#include "silt/physics/gas/transport.h"

namespace silt::gas {

/// How much of a step is looked ahead.
struct Ahead {
  double all;       ///< the part of dt that advection, gravity and q count
  double pressure;  ///< that p' counts
};

/// us = u + dt (- u . grad u - grad (p' + q) / rho + g rho' / rho), each as far as `ahead` says, on the faces that gas
/// passes. In explicit steps by central differences: it is only a forecast. In implicit ones as momentum is carried:
/// the pressure takes away whatever of us diverges, and what is carried otherwise than it was foreseen would come back
/// twice the Courant number as large each step, where it alternates from cell to cell.
void forecast(const StepFrame& frame, const Ahead& ahead, const MacField<float>& velocity, const Field<float>& density,
              const Field<float>& pressure, const Field<float>& q, MacField<float>& us);

/// How velocity is carried.
///   advected   u_t + us . grad u: Bonner's velocity and entropy forms
///   conserved  momentum through the faces of a cell about each face, by the mean of the mass fluxes beside: then the
///              mass about a face, the mean of that in its two cells, changes by what flows in, and momentum is kept
enum class Carried { advected, conserved };

/// u after the step, from fluxes and pressures of the same step; state.density is that after it.
///   conserved:  m u = m_before u_before - dt (sum of mass flux times u on the face about it) - dt grad push + dt rho'
///   g
/// `lost` receives the kinetic energy that vanished at each face [J/m^3], what the pressures' work did not account for;
/// a cell's inner energy gains it back: see return_heat. Only of conserved.
struct MomentumIn {
  const MacField<float>& us;
  const FaceFluxes& fluxes;
  const StepPressures& pressures;
  const Field<float>& density;
  const MacField<float>& velocity;               ///< before
  const Field<float>* density_before = nullptr;  ///< only where solids cut cells
};
void carry_momentum(const StepFrame& frame, Carried carried, const MomentumIn& in, MacField<float>& after,
                    MacField<float>* lost);

/// p' += (gamma - 1) (what its faces lost), shared between the two cells of a face by what they hold, at the pressures
/// on the mean of the step, `push`: a cold cell beside a hot one could not bear half of what is negative. Inner and
/// kinetic energy together then change by fluxes alone.
void return_heat(const StepFrame& frame, const MacField<float>& lost, const Field<float>& push, Field<float>& pressure);

/// The same where solids cut cells, in two parts: small cells share it in between.
void find_heat(const StepFrame& frame, const MacField<float>& lost, const Field<float>& push, Field<float>& heat);
void add_heat_back(const StepFrame& frame, const Field<float>& heat, Field<float>& pressure);

}  // namespace silt::gas
