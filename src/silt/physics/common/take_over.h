#pragma once

#include "silt/core/cells.h"
#include "silt/fields/field.h"

namespace silt {

/// to = from where `to` has nothing yet, in the cells that both have.
void take_over(const Exec& exec, const Cells& cells, const Field<double>& from, Field<double>& to);

}  // namespace silt
