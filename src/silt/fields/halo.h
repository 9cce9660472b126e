#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// What a field holds just outside the domain. Periodic sides wrap; walls repeat the value at the wall; beyond open
/// sides stands either `open_value` or, with `open_repeats`, the value at the side.
struct HaloRule {
  bool open_repeats = true;
  double open_value = 0;
};

/// Fills the field's halo layers around `box`, the cells (or faces: domain.faces(axis)) the field has in the domain.
/// One process: walls and periodicity. This is the place where many processes will exchange.
template <class T>
void fill_halo(const Exec& exec, const Domain& domain, const Box& box, const HaloRule& rule, Field<T>& field);

extern template void fill_halo(const Exec&, const Domain&, const Box&, const HaloRule&, Field<float>&);
extern template void fill_halo(const Exec&, const Domain&, const Box&, const HaloRule&, Field<double>&);

}  // namespace silt
