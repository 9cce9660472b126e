#pragma once

#include <deque>
#include <vector>

#include "silt/cache/checkpoint.h"
#include "silt/sim/clock.h"
#include "silt/simulation.h"

namespace silt {

/// Every persistent field without its halo and padding, packed for a checkpoint. It must live until the checkpoint is
/// written.
class PackedState {
 public:
  void add_to(CheckpointWriter& writer, Model& model);
  void clear();

 private:
  struct Packer;
  std::deque<std::vector<float>> floats_;  // a deque: what is added never moves
  std::deque<std::vector<double>> doubles_;
};

/// Fills the model's fields. IoError naming the array when one is missing, of another size, or not the model's;
/// nothing is changed then.
void unpack_state(const Checkpoint& checkpoint, Model& model);

/// Clock and the numbers of a frame that has begun, as text in the checkpoint's metadata.
void save_progress(const Clock& clock, const FrameStats& partial, Metadata& metadata);
void load_progress(const Checkpoint& checkpoint, Clock& clock, FrameStats& partial);

}  // namespace silt
