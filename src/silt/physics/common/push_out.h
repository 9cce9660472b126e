#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/particles.h"

namespace silt {

/// As near as particles are left to a solid that they had got into [cells].
inline constexpr float solid_gap = 0.01f;

/// Moves particles that are inside a solid out of it, along the normal, to just outside [ZB05]. `distance`: of the
/// solids at cell corners [m], as CutCells has it. Where there is no such way, between two sides of a thin solid, it is
/// to the nearest free cell; what has none within a few cells, because a solid has swallowed it whole, dies. Afterwards
/// none is inside.
void push_out(const Exec& exec, const Domain& domain, const Field<float>& distance, Particles& particles);
/// The same of grains, which the solid also stops and rubs: those that were inside lose what their velocity had into
/// it, J, and of what they slip along it by as much as `grip` J, Coulomb's friction [ZB05, (2.8)]; and of the way that
/// they have slipped, in a step of `dt`, the same part. Those that a cell's mean does not stop would else fall faster
/// and faster against it, or glide along it by what gravity adds in a step.
void push_out_and_rub(const Exec& exec, const Domain& domain, const CutCells& solids, double dt, Particles& particles);

/// How many are inside a solid.
std::int64_t inside_solid(const Exec& exec, const Domain& domain, const Field<float>& distance,
                          const Particles& particles);

}  // namespace silt
