#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/halo.h"

namespace silt {

enum class Advection { linear, maccormack };

/// Fields that advection writes to on the way; made once.
struct AdvectScratch {
  Field<float> forward, lowest, highest;
  AdvectScratch() = default;
  explicit AdvectScratch(const Layout& layout) : forward(layout), lowest(layout), highest(layout) {}
};

/// Carries values at cell centres along the flow for dt: semi-Lagrangian, traced back by the midpoint rule.
///   linear      linear interpolation                                                        [STA99] Stam 1999
///   maccormack  corrected by the error of going there and back, clamped to the eight values
///               the plain scheme interpolated between: no new extrema                       [SEL08] Selle et al. 2008
/// Halos of `from` and `velocity` must be filled (one layer); `to` must not be `from`.
/// `beyond` fills the halo of an intermediate field as the caller's own halo rule would.
void advect_cells(const Exec& exec, const Domain& domain, Advection scheme, double dt, const MacField<float>& velocity,
                  const HaloRule& beyond, const Field<float>& from, AdvectScratch& scratch, Field<float>& to);

/// The same for a staggered field, each component from the centre of its own face.
void advect_faces(const Exec& exec, const Domain& domain, Advection scheme, double dt, const MacField<float>& velocity,
                  const MacField<float>& from, AdvectScratch& scratch, MacField<float>& to);

}  // namespace silt
