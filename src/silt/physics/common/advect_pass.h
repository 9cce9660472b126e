#pragma once

/// What the schemes share: the arguments of one field's advection, and the choice of the kernel that fits them. For the
/// sources of the schemes only.

#include "silt/fields/backflow.h"
#include "silt/physics/common/advect.h"
#include "silt/physics/common/open_sides.h"
#include "silt/physics/common/trace.h"

namespace silt {

/// One field carried for one step. `site` says where its values sit: -1 for cell centres, else on faces across it.
struct AdvectPass {
  const Exec& exec;
  const Domain& domain;
  const AdvectionOptions& options;
  double dt;
  const MacField<float>& velocity;
  HaloRule beyond;
  int site;

  Box box() const { return site < 0 ? domain.cells : domain.faces(site); }
  SampleBounds bounds() const { return SampleBounds::of(domain, site); }
  OpenSides open_sides() const { return OpenSides::of(domain, box()); }
  /// Cells that a flow of 1 m/s goes back in the step.
  float back() const { return float(-dt / domain.lattice.h); }
  /// The one place where a field made on the way gets its halo.
  void fill_halo(Field<float>& field) const {
    silt::fill_halo(exec, domain, box(), beyond, field);
    if (site >= 0) enter_at_rest(exec, domain, velocity, site, field);
  }
};

void advect_upwind(const AdvectPass& pass, const Field<float>& from, Field<float>& to);
void advect_lax_friedrichs(const AdvectPass& pass, const Field<float>& from, Field<float>& to);
void advect_lax_wendroff(const AdvectPass& pass, const Field<float>& from, AdvectScratch& scratch, Field<float>& to);
void advect_linear(const AdvectPass& pass, const Field<float>& from, Field<float>& to);
void advect_cubic(const AdvectPass& pass, const Field<float>& from, Field<float>& to);
void advect_maccormack(const AdvectPass& pass, const Field<float>& from, AdvectScratch& scratch, Field<float>& to);
void advect_bfecc(const AdvectPass& pass, const Field<float>& from, AdvectScratch& scratch, Field<float>& to);

namespace detail {

/// The midpoint rule is built with and without wrapping; the third-order rule, which is asked for less often, with it
/// only: the same bits where nothing wraps, and a quarter less to compile.
template <int Site, class Run>
void with_trace_of(const AdvectPass& pass, const Run& run) {
  const Domain& d = pass.domain;
  const MacView<const float> u = pass.velocity.read(pass.exec);
  const SampleBounds x = SampleBounds::of(d, 0), y = SampleBounds::of(d, 1), z = SampleBounds::of(d, 2);
  if (pass.options.tracing == Tracing::rk3)
    run(Trace<Site, true, Tracing::rk3>{u, {x, y, z}});
  else if (pass.bounds().wraps())
    run(Trace<Site, true, Tracing::rk2>{u, {x, y, z}});
  else
    run(Trace<Site, false, Tracing::rk2>{u, {x, y, z}});
}

}  // namespace detail

/// Calls `run` with the Trace made for the pass's sites, sides and rule, so that kernels need not ask in every cell.
/// `run` is a named struct with a template operator(): its kernels are instantiated from there.
template <class Run>
void with_trace(const AdvectPass& pass, const Run& run) {
  switch (pass.site) {
    case 0:
      return detail::with_trace_of<0>(pass, run);
    case 1:
      return detail::with_trace_of<1>(pass, run);
    case 2:
      return detail::with_trace_of<2>(pass, run);
    default:
      return detail::with_trace_of<-1>(pass, run);
  }
}

}  // namespace silt
