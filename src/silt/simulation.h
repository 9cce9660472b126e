#pragma once

/// A running simulation, with nothing written to disk:
///
///   Simulation sim{scene, options};
///   while (sim.advance_frame()) use(sim.frame());

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "silt/core/error.h"
#include "silt/core/exec.h"
#include "silt/frame.h"
#include "silt/physics/common/model.h"
#include "silt/scene.h"

namespace silt {

class CheckpointWriter;
class Checkpoint;

/// A frame needs more substeps than run.max_substeps. The state is good, and a resumed run may allow more.
class SubstepLimitError : public SolveError {
  using SolveError::SolveError;
};

struct SimulationOptions {
  Device device = Device::cpu;
  int threads = 0;  ///< 0: all the machine has
  std::int64_t share_loops_from =
      Exec::worth_sharing;  ///< cells; smaller loops run on one thread; answers do not change
  int pad = 0;              ///< cells allocated beyond the domain; answers do not change
  /// Makes the model instead of the scene's materials: a stepper of your own, or one that fails on purpose in a test.
  std::function<std::unique_ptr<Model>(const Scene&, int pad)> model;
};

/// What one frame took and how the state stands after it: one line of stats.jsonl.
struct FrameStats {
  int frame = 1;
  double time = 0;
  int substeps = 0, retries = 0;
  double dt_min = 0, dt_max = 0;
  std::int64_t cells = 0;
  Totals totals;
  std::map<std::string, SolveReport> solves;  ///< the worst of the frame
  std::map<std::string, double> seconds;      ///< by stage
  std::map<std::string, Vec3d> impulses;      ///< that obstacles were given in this frame [N s]; in 2D per metre
  std::int64_t swallowed = 0;                 ///< particles that were lost to solids in this frame
  std::int64_t refused = 0;                   ///< particles that sources had no room for in this frame
  std::int64_t left = 0;                      ///< particles that went out of reach in this frame
  double since = 0;                           ///< when this frame began [s]
  /// Mean over the frame of the force on an obstacle [N]; in 2D per metre.
  std::map<std::string, Vec3d> forces() const;
  double peak_memory_mb = 0;
  std::string state_hash;  ///< of every persistent value, independent of threads and padding
};

class Simulation {
 public:
  Simulation(const Scene& scene, const SimulationOptions& options);
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  /// Advances to the next frame time and lands on it exactly; the first call gives frame 1 at t = 0. False when all
  /// frames are done, or when `cancel` was asked for (then the last substep is finished, and the state may lie between
  /// frames). Throws SolveError when a substep fails even after retries; the state is then the last good one.
  bool advance_frame();
  Frame frame() const;
  const FrameStats& stats() const;
  double time() const;
  int frame_number() const;  ///< of the last complete frame; 0 before the first

  /// Asks advance_frame to stop after the current substep. Safe from a signal handler and from other threads.
  void cancel();
  bool cancelled() const;
  /// Called after each substep with the fraction of the current frame that is done.
  void on_substep(std::function<void(double)> observer);

  /// Everything needed to go on to the same bits, a state between frames included. The writer holds pointers into this
  /// simulation: write it before the next advance_frame().
  void save(CheckpointWriter& writer) const;
  void restore(const Checkpoint& checkpoint);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One JSON object, without a line end.
std::string to_json(const FrameStats& stats);

}  // namespace silt
