#pragma once

/// What emitters remember as plain numbers, for checkpoints.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "silt/core/buffer.h"
#include "silt/physics/common/emitter.h"

namespace silt {

inline constexpr std::size_t counts_of_emitter = 2, values_of_emitter = 4;

inline void pack_emitters(const std::vector<EmitterMemory>& emitters, std::vector<std::int64_t>& whole,
                          std::vector<double>& real) {
  for (const EmitterMemory& e : emitters) {
    whole.insert(whole.end(), {e.on, std::int64_t(e.steps)});
    real.insert(real.end(), {e.drift.x, e.drift.y, e.drift.z, e.owed});
  }
}

/// Both go on behind what was read.
inline void unpack_emitters(const std::int64_t*& whole, const double*& real, std::vector<EmitterMemory>& emitters) {
  for (EmitterMemory& e : emitters) {
    e.on = *whole++ != 0, e.steps = std::uint64_t(*whole++);
    e.drift = {real[0], real[1], real[2]}, e.owed = real[3];
    real += values_of_emitter;
  }
}

template <class T>
void put_into(const std::vector<T>& from, Buffer<T>& to) {
  if (to.size() != from.size()) to = Buffer<T>(from.size());
  std::copy(from.begin(), from.end(), to.host());
}

}  // namespace silt
