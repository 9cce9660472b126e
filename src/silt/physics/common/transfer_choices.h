#pragma once

#include <vector>

#include "silt/physics/common/transfer_options.h"
#include "silt/scene/table.h"

namespace silt {

/// For the tables of materials that particles carry.
inline std::vector<Choice<Transfer>> transfer_choices() {
  return {{"apic", Transfer::apic, "with its slopes: keeps swirls, quiet"},
          {"polypic", Transfer::polypic, "with its mixed derivatives too: livelier, dearer"},
          {"blend", Transfer::blend, "flip_part of FLIP, the rest PIC: lively, a little noisy"},
          {"flip", Transfer::flip, "the change alone: liveliest, noise that nothing damps"},
          {"pic", Transfer::pic, "the value alone: as thick as honey"}};
}

}  // namespace silt
