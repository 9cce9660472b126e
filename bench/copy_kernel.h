#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// to = from on every cell of a box: the plain copy that every figure is set against.
void copy_cells(const Exec& exec, const Box& cells, const Field<float>& from, Field<float>& to);

}  // namespace silt
