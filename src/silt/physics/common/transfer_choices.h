#pragma once

#include <vector>

#include "silt/physics/common/transfer_options.h"
#include "silt/scene/table.h"

namespace silt {

/// For the tables of materials that particles carry.
inline std::vector<Choice<Transfer>> transfer_choices() {
  return {{"apic", Transfer::apic, "with its slopes: keeps swirls, quiet"},
          {"polypic", Transfer::polypic,
           "with its mixed derivatives and, with quadratic weights, curvatures too: livelier, dearer"},
          {"blend", Transfer::blend, "flip_part of FLIP, the rest PIC: lively, a little noisy"},
          {"flip", Transfer::flip, "the change alone: liveliest, noise that nothing damps"},
          {"pic", Transfer::pic, "the value alone: as thick as honey"}};
}

inline std::vector<Choice<Across>> weight_choices() {
  return {{"quadratic", Across::smooth, "B-splines over three rows across: angular momentum is exact"},
          {"linear", Across::linear, "over the two nearest: keeps more of small eddies, and not all angular momentum"}};
}
constexpr const char* weights_help = "how faces are weighed along the axes that they do not lie across";

}  // namespace silt
