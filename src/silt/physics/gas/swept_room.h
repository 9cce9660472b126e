#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt::gas {

/// Of faces that gas passes, `open` becomes the open fraction on the mean of a step in which distances go from `before`
/// to `after` in a straight line: what passes them then fits what the cells beside them gain and lose, also in the step
/// in which a solid uncovers a whole face at once.
void mean_opening(const Exec& exec, const Domain& domain, const Field<float>& before, const Field<float>& after,
                  MacField<float>& open);

/// What V changes by in such a step; that of cells which nothing can leave by then is their heir's.
void swept_room(const Exec& exec, const Domain& domain, const MacField<float>& open, const Field<float>& room_before,
                const Field<float>& room, Field<float>& swept);

}  // namespace silt::gas
