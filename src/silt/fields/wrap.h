#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// A domain that is open wherever `domain` is not periodic: beyond it fields stay zero.
Domain bare_sides(const Domain& domain);

/// The halo of a field that is zero beyond all sides but periodic ones, where it goes on from the other end. Without a
/// periodic side nothing is written: such halos are zero from the start, and stay so.
template <class T>
void wrap_cells(const Exec& exec, const Domain& domain, Field<T>& field);
template <class T>
void wrap_faces(const Exec& exec, const Domain& domain, MacField<T>& field);
void wrap_edges(const Exec& exec, const Domain& domain, MacField<float>& field);

/// Edges along an axis, both ends included, where cells are in use.
Cells edges_in_use(const Domain& domain, int along);

extern template void wrap_cells(const Exec&, const Domain&, Field<unsigned char>&);
extern template void wrap_cells(const Exec&, const Domain&, Field<float>&);
extern template void wrap_cells(const Exec&, const Domain&, Field<double>&);
extern template void wrap_faces(const Exec&, const Domain&, MacField<float>&);
extern template void wrap_faces(const Exec&, const Domain&, MacField<double>&);

}  // namespace silt
