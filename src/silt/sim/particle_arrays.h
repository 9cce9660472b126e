#pragma once

/// What changes in number, as arrays of a checkpoint: particles as one list a column, "water.particles.velocity.x", and
/// how many were born and died, "water.particles.born"; plain values as one list.

#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/checkpoint.h"
#include "silt/fields/particles.h"

namespace silt {

/// IoError naming it when it is not there.
const Checkpoint::Array& array_of(const Checkpoint& checkpoint, std::string_view name);
/// The same, and when it is not a list of that type.
const Checkpoint::Array& list_of(const Checkpoint& checkpoint, std::string_view name, Dtype dtype);

template <class T>
void add_list(CheckpointWriter& writer, std::string_view name, const Buffer<T>& values) {
  writer.add(std::string(name), values.host(), values.size());
}

/// Makes `values` as long as the list is.
template <class T>
void unpack_list(const Checkpoint& checkpoint, std::string_view name, Buffer<T>& values) {
  const std::size_t count = std::size_t(list_of(checkpoint, name, dtype_of<T>()).count());
  if (values.size() != count) values = Buffer<T>(count);
  checkpoint.copy(name, values.host(), count);
}

void add_particles(CheckpointWriter& writer, std::string_view name, Particles& particles);

/// Names of all the arrays these particles have. IoError when one is missing or they do not agree with each other; when
/// a particle lies nowhere (an offset outside its cell) or has an id that was never given. A cell may lie anywhere:
/// what has left the domain, or is dead, is only taken away by the next sort.
std::vector<std::string> check_particles(const Checkpoint& checkpoint, std::string_view name, Particles& like);

/// Needs check_particles to have passed.
void unpack_particles(const Checkpoint& checkpoint, std::string_view name, Particles& particles);

}  // namespace silt
