#pragma once

#include <cstdint>
#include <string>

#include "silt/core/timer.h"
#include "silt/simulation.h"

namespace silt {

/// How far a run is: a bar that is redrawn on a terminal, a line now and then in a log, nothing when quiet.
class Progress {
 public:
  enum class Style { bar, lines, quiet };
  /// `free_frames`: so many cost next to nothing. The first one of a run does, which is its start.
  Progress(int first_frame, int frames, Style style, int free_frames = 1)
      : first_(first_frame),
        frames_(frames),
        free_(free_frames),
        style_(style),
        drawn_share_(double(first_frame) / frames) {}
  static Style style_for(bool json);

  /// The run is `fraction` of the way from frame `done` to the next.
  void substep(int done, double fraction);
  void frame(const FrameStats& stats);
  /// So many are done, of work that is not a simulation's.
  void done(int frames) { draw(frames, 0); }
  /// Takes the bar away, so that other text can be written.
  void clear();

  double elapsed() const { return timer_.seconds(); }
  /// Seconds left; negative when not known yet.
  double eta(double frames_done) const;

 private:
  std::string line(double frames_done, double fraction) const;
  void draw(double frames_done, double fraction);

  int first_, frames_, free_;
  Style style_;
  Timer timer_;
  bool of_particles_ = false;  // the cost of liquids goes by particles, of others by cells
  double pieces_ = 0;          // of either, in the last frame
  double piece_substeps_ = 0;
  double max_speed_ = 0;
  int retries_ = 0;  ///< of steps, in all
  double drawn_at_ = 0;
  double drawn_share_;
  bool on_screen_ = false;
};

}  // namespace silt
