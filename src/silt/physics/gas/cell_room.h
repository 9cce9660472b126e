#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt::gas {

/// The part V of each cell that lies outside of solids, from distances at its corners: in 2D where what is bilinear
/// between them is positive; in 3D the mean of what the sections across each axis sum up to. Cells with an open face
/// have at least a little. Beyond walls as much as beside them.
void find_room(const Exec& exec, const Domain& domain, const Field<float>& distance, const MacField<float>& open,
               Field<float>& room);

/// Of faces that gas passes, `open` becomes the open fraction on the mean of a step in which distances go from `before`
/// to `after` in a straight line: what passes them then fits what the cells beside them gain and lose, also in the step
/// in which a solid uncovers a whole face at once.
void mean_opening(const Exec& exec, const Domain& domain, const Field<float>& before, const Field<float>& after,
                  MacField<float>& open);

/// What V changes by in such a step; that of cells which nothing can leave by then is their heir's.
void swept_room(const Exec& exec, const Domain& domain, const MacField<float>& open, const Field<float>& room_before,
                const Field<float>& room, Field<float>& swept);

}  // namespace silt::gas
