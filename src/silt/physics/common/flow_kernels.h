#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// rhs += scale expansion on cells that are open at all.
void add_expansion(const Exec& exec, const Domain& domain, double scale, const MacField<float>& open,
                   const Field<float>& expansion, Field<double>& rhs);

/// Velocity at cell centres, three floats a cell, packed, x fastest.
void pack_velocity(const Exec& exec, const Domain& domain, const MacField<float>& velocity, Buffer<float>& out);

/// A cell field, packed, x fastest.
void pack_cells(const Exec& exec, const Domain& domain, const Field<float>& field, Buffer<float>& out);

}  // namespace silt
