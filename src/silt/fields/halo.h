#pragma once

#include <array>
#include <optional>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// What a field holds just outside the domain. Periodic sides wrap; walls repeat the value at the wall or, where the
/// value on the wall itself is given, mirror the field through it; beyond open sides stands either `open_value` or,
/// with `open_repeats`, the value at the side.
struct HaloRule {
  bool open_repeats = true;
  double open_value = 0;
  std::array<std::array<std::optional<double>, 2>, 3> on_wall{};  ///< [axis][end]; for values half a cell from it
};

/// Fills the field's halo layers around `box`, the cells (or faces: domain.faces(axis)) the field has in the domain.
/// Beside rows of it that are not in use nothing is filled. One process: walls and periodicity. This is the place where
/// many processes will exchange.
template <class T>
void fill_halo(const Exec& exec, const Domain& domain, const Cells& box, const HaloRule& rule, Field<T>& field);

/// Only what loops over `section`, a part of the box, find beyond its two sides across one axis.
void fill_halo_along(const Exec& exec, const Domain& domain, int axis, const Box& box, const Box& section,
                     const HaloRule& rule, Field<float>& field);

extern template void fill_halo(const Exec&, const Domain&, const Cells&, const HaloRule&, Field<float>&);
extern template void fill_halo(const Exec&, const Domain&, const Cells&, const HaloRule&, Field<double>&);
extern template void fill_halo(const Exec&, const Domain&, const Cells&, const HaloRule&, Field<unsigned char>&);

}  // namespace silt
