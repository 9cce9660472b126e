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

/// Stresses of the cells that have any, as lists: what is spread thinly over a large grid costs what it is.
struct PackedStress {
  Buffer<std::int64_t> spans;  ///< parts of rows: y, z, where it begins and where it ends
  Buffer<double> pressure;     ///< of their cells, one after the other
  Buffer<float> corners;       ///< so many numbers of each as the model has

  void pack(const SandState& state);
  /// Into a state whose grid is as large as it was. Throws IoError when it cannot be of that.
  void unpack(SandState& state) const;
};

}  // namespace silt
