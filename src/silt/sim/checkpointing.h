#pragma once

#include <deque>
#include <vector>

#include "silt/cache/checkpoint.h"
#include "silt/sim/clock.h"
#include "silt/simulation.h"

namespace silt {

/// All that persists of a model, ready for a checkpoint: fields are packed, without their halo and padding; particles
/// and values are written as they lie in the model. Both must live, and stay as they are, until the checkpoint is
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

/// Puts the model in the checkpoint's state; it then has as many particles and values as the checkpoint. IoError naming
/// the array when one is missing, of another size, not the model's, or holds what no model writes; nothing is changed
/// then.
void unpack_state(const Checkpoint& checkpoint, Model& model);

/// Clock and the numbers of a frame that has begun, as text in the checkpoint's metadata.
void save_progress(const Clock& clock, const FrameStats& partial, Metadata& metadata);
void load_progress(const Checkpoint& checkpoint, Clock& clock, FrameStats& partial);

}  // namespace silt
