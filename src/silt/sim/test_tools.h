#pragma once

// Shared by the tests of this room: checkpoints of simulations, good ones and damaged ones.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "silt/cache/checkpoint.h"
#include "silt/core/text.h"
#include "silt/simulation.h"

namespace silt::test {

/// The hash of every frame that is left.
inline std::string run_to_end(Simulation& sim) {
  std::string hashes;
  while (sim.advance_frame()) hashes += sim.stats().state_hash + ' ';
  return hashes;
}

/// What a reader finds of what a writer has.
inline Checkpoint through_a_file(const CheckpointWriter& writer) {
  const std::filesystem::path path = testing::TempDir() + str("/silt_sim_", ::getpid(), ".safetensors");
  FileWriter file(path);
  writer.write(file);
  file.commit();
  Checkpoint checkpoint = read_checkpoint(path, read_file(path));
  std::filesystem::remove(path);
  return checkpoint;
}

inline Checkpoint saved(const Simulation& sim) {
  CheckpointWriter writer;
  sim.save(writer);
  return through_a_file(writer);
}

/// A checkpoint as silt would write it, except for one array.
struct Damage {
  std::string array;
  std::function<void(std::vector<char>& bytes, Dtype& dtype, std::vector<std::int64_t>& shape)> change;
};

inline Checkpoint damaged(const Checkpoint& good, const Damage& damage) {
  CheckpointWriter writer;
  writer.metadata = good.metadata();
  std::deque<std::vector<char>> bytes;
  for (const Checkpoint::Array& a : good.arrays()) {
    std::vector<char>& data = bytes.emplace_back(a.data, a.data + a.bytes);
    Dtype dtype = a.dtype;
    std::vector<std::int64_t> shape = a.shape;
    if (a.name == damage.array) damage.change(data, dtype, shape);
    if (!shape.empty()) writer.add(a.name, dtype, shape, data.data(), data.size());
  }
  return through_a_file(writer);
}

template <class T>
void set_value(std::vector<char>& bytes, std::size_t at, T value) {
  ASSERT_LE((at + 1) * sizeof(T), bytes.size());
  std::memcpy(bytes.data() + at * sizeof(T), &value, sizeof(T));
}

}  // namespace silt::test
