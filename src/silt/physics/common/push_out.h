#pragma once

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

/// How many are inside a solid.
std::int64_t inside_solid(const Exec& exec, const Domain& domain, const Field<float>& distance,
                          const Particles& particles);

}  // namespace silt
