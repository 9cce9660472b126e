#pragma once

#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// Gas beside a solid that it slides along moves with it across the surface: on closed faces
///   out = u + n (n . (u_solid - u)),
/// u the flow carried on into solids, n the surface's normal. A face that the solid uncovers then begins with what
/// fills the room behind it, where the flow a cell further away would leave a hole. Other faces are copied.
void follow_solids(const StepFrame& frame, const MacField<float>& velocity, MacField<float>& out);

}  // namespace silt::gas
