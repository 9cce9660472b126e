#pragma once

// A run of a few frames, for tests of the run folder.

#include "silt/cache/json_line.h"
#include "silt/cache/run_folder.h"
#include "silt/cache/stats_files.h"
#include "silt/cache/test_tools.h"

namespace silt::test {

inline RunStatus status_at(int frame, RunStatus::Phase phase = RunStatus::Phase::running) {
  RunStatus s = RunStatus::of_this_process();
  s.device = "cpu";
  s.frame = frame;
  s.frames = 10;
  s.phase = phase;
  return s;
}

inline void add_frame(RunFolder& run, int n) {
  run.write_file(RunFolder::volume_name("smoke", n), "volume", n, "volume " + std::to_string(n));
  run.write_file(RunFolder::points_name("water", n), "points", n, "points " + std::to_string(n));
  run.write_file(RunFolder::picture_name(n), "picture", n, "png " + std::to_string(n));
  run.add_stats("{\"frame\": " + std::to_string(n) + "}");
  run.set_status(status_at(n));
}

inline std::string add_checkpoint(RunFolder& run, int n) {
  const std::vector<float> values(10, float(n));
  CheckpointWriter writer;
  writer.add("x", values.data(), values.size());
  return run.add_checkpoint(writer, n);
}

/// A finished run of three frames with checkpoints of the second and the third.
inline void make_run(const std::filesystem::path& path) {
  RunFolder run = RunFolder::create(path, "silt = 1\n", status_at(0), /*overwrite=*/true);
  for (int n = 1; n <= 3; ++n) {
    add_frame(run, n);
    if (n > 1) add_checkpoint(run, n);
  }
  run.set_status(status_at(3, RunStatus::Phase::finished));
}

/// With make_run() in the folder.
struct MadeRunTest : FolderTest {
  void SetUp() override {
    FolderTest::SetUp();
    make_run(path);
  }
};

/// What `silt run --resume` does before it simulates; returns the frame after which it goes on.
inline int resume(const std::filesystem::path& path) {
  RunFolder run = RunFolder::open(path);
  const auto found = run.latest_checkpoint();
  run.cut_back(found ? &*found : nullptr);
  return found ? found->frame : 0;
}

}  // namespace silt::test
