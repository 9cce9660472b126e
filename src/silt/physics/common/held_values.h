#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/physics/common/cover_amounts.h"
#include "silt/physics/common/setting.h"

namespace silt {

/// Pulls cells under a cover to `value`.
void hold_cells(const Exec& exec, const CoverAmounts& cover, double value, Field<float>& field);
/// Pulls faces under a cover to `velocity` [m/s].
void hold_faces(const Exec& exec, const CoverAmounts& cover, const Vec3d& velocity, MacField<float>& faces);

/// field *= factor on every cell of the domain.
void decay_cells(const Exec& exec, const Domain& domain, double factor, Field<float>& field);

/// Sets faces under the cover to `velocity` with vortices on top [m/s].
void fill_faces(const Exec& exec, const Domain& domain, const Cover& cover, const Vec3d& velocity,
                const Vortices& vortices, MacField<float>& faces);

/// out = field + shift on cells that are open at all, `elsewhere` on the others; packed, x fastest.
void pack_open_cells(const Exec& exec, const Domain& domain, const Field<float>& field, const MacField<float>& open,
                     double shift, double elsewhere, Buffer<float>& out);

}  // namespace silt
