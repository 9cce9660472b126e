#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/sand/params.h"
#include "silt/physics/sand/sand_state.h"

namespace silt {

/// What a state of sand has besides particles and stresses, as lists that a StateVisitor can take: steps, what emitters
/// remember, and the box of the grid that the stresses are on.
struct PackedSand {
  Buffer<std::int64_t> counts;
  Buffer<double> values;

  void pack(const SandState& state);
  /// When what is packed is another state's: makes room for it. `allowed`: cells that the grid may have; `pad`: see
  /// make_layout. Throws IoError when it cannot be one of this scene.
  void unpack(const Setting& setting, const SandParams& params, const Box& allowed, int pad, SandState& state) const;
};

}  // namespace silt
