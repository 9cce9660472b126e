#pragma once

#include "silt/physics/liquid/pools.h"

namespace silt {

/// What a liquid's state has besides particles and fields, as lists that a StateVisitor can take: counts of particles
/// and steps, what emitters remember, and the box of every pool.
struct PackedNumbers {
  Buffer<std::int64_t> counts;
  Buffer<double> emitters;

  void pack(const LiquidState& state);
  /// When what is packed is another state's: makes room for it, with as many pools, their boxes and pressures. Throws
  /// IoError when it cannot be one of this scene.
  void unpack(const PoolRules& rules, Modes modes, LiquidState& state) const;
};

}  // namespace silt
