#include "silt/physics/common/advect.h"

#include "silt/physics/common/advect_pass.h"

namespace silt {

namespace {

void advect(const AdvectPass& pass, const Field<float>& from, AdvectScratch& scratch, Field<float>& to) {
  switch (pass.options.scheme) {
    case Advection::upwind:
      return advect_upwind(pass, from, to);
    case Advection::lax_friedrichs:
      return advect_lax_friedrichs(pass, from, to);
    case Advection::lax_wendroff:
      return advect_lax_wendroff(pass, from, scratch, to);
    case Advection::linear:
      return advect_linear(pass, from, to);
    case Advection::cubic:
      return advect_cubic(pass, from, to);
    case Advection::maccormack:
      return advect_maccormack(pass, from, scratch, to);
    case Advection::bfecc:
      return advect_bfecc(pass, from, scratch, to);
  }
}

}  // namespace

void advect_cells(const Exec& exec, const Domain& domain, const AdvectionOptions& options, double dt,
                  const MacField<float>& velocity, const HaloRule& beyond, const Field<float>& from,
                  AdvectScratch& scratch, Field<float>& to) {
  advect({exec, domain, options, dt, velocity, beyond, -1}, from, scratch, to);
}

void advect_faces(const Exec& exec, const Domain& domain, const AdvectionOptions& options, double dt,
                  const MacField<float>& velocity, const SideWalls& walls, const MacField<float>& from,
                  AdvectScratch& scratch, MacField<float>& to) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!domain.lattice.active[axis]) continue;
    advect({exec, domain, options, dt, velocity, velocity_halo(walls, axis), axis}, from[axis], scratch, to[axis]);
    slow_what_enters(exec, domain, velocity, axis, dt, to[axis]);
  }
}

}  // namespace silt
