// A small run that crashes, or finds the disk full, at every single operation of the I/O layer in turn.

#include <map>

#include "silt/cache/fault.h"
#include "silt/cache/run_folder.h"
#include "silt/cache/test_child.h"
#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr int frames = 3;

/// One frame's files in the cache.
struct FrameFiles {
  std::string volumes, points;
};

const std::vector<FrameFiles>& files() {
  static const std::vector<FrameFiles> made = [] {
    TestFolder folder;
    const auto file = [&](const char* kind, int n) { return folder / (kind + std::to_string(n)); };
    EXPECT_EQ(0, in_child([&] {
                for (int n = 1; n <= frames; ++n) {
                  Frame frame = small_frame(n, {{0, 0, 0}, {8, 8, 8}});
                  frame.points.push_back(small_points(frame, 20));
                  write_atomically(file("volume", n), encode_volumes(frame, "smoke").text());
                  write_atomically(file("points", n), encode_points(frame, "water").text());
                }
              }));
    std::vector<FrameFiles> list;
    for (int n = 1; n <= frames; ++n) list.push_back({slurp(file("volume", n)), slurp(file("points", n))});
    return list;
  }();
  return made;
}

RunStatus status_at(int frame) {
  RunStatus s;
  s.frame = frame;
  s.frames = frames;
  s.phase = frame == frames ? RunStatus::Phase::finished : RunStatus::Phase::running;
  return s;
}

/// Frames after `done`, each with a checkpoint: what a simulation writes.
void simulate(RunFolder& run, int done) {
  for (int n = done + 1; n <= frames; ++n) {
    run.write_file(RunFolder::volume_name("smoke", n), "volume", n, files()[std::size_t(n - 1)].volumes);
    run.write_file(RunFolder::points_name("water", n), "points", n, files()[std::size_t(n - 1)].points);
    run.add_stats("{\"frame\": " + std::to_string(n) + "}");
    run.set_status(status_at(n));
    const std::vector<float> values(100, float(n));
    CheckpointWriter writer;
    writer.add("x", values.data(), values.size());
    run.add_checkpoint(writer, n);
  }
}

/// What `silt run --resume` does, and `silt run` where there is nothing yet. Two runs by turns, so that a second run
/// goes over the remains of the first.
void start_or_resume(const fs::path& path) {
  if (folder_state(path) != FolderState::run) {
    RunFolder run = RunFolder::create(path, "silt = 1\n", status_at(0));
    simulate(run, 0);
    return;
  }
  RunFolder run = RunFolder::open(path);
  const auto found = run.latest_checkpoint();
  run.cut_back(found ? &*found : nullptr);
  if (found) {
    float x[100];
    found->checkpoint.copy("x", x, 100);
    ASSERT_EQ(x[99], float(found->frame));
  }
  simulate(run, found ? found->frame : 0);
}

/// Nothing half-written: everything that is listed is whole and readable, and there is a way on.
void check_readable(const fs::path& path, int n) {
  if (folder_state(path) == FolderState::absent) return;
  ASSERT_EQ(folder_state(path), FolderState::run) << n;
  const RunFolder run = RunFolder::view(path);
  for (const ManifestEntry& e : run.manifest().entries()) EXPECT_EQ(run.manifest().problem(e), "") << n;
  EXPECT_EQ(run.scene_text(), "silt = 1\n") << n;
  EXPECT_NO_THROW(run.status()) << n;
  const std::vector<int> done = run.frames();
  for (const int f : done) EXPECT_EQ(run.read_frame(f).number, f) << n;
  const auto found = run.latest_checkpoint();
  if (found) {
    EXPECT_EQ(found->warning, "") << n;
    EXPECT_GE(done.size(), std::size_t(found->frame)) << n;
    EXPECT_LE(int(done.size()), found->frame + 1) << n;  // no more than the work since the last checkpoint is lost
  } else {
    EXPECT_LE(done.size(), 1u) << n;
  }
}

void expect_readable(const fs::path& path, int n) {
  ASSERT_EQ(in_child([&] { check_readable(path, n); }), 0) << n;
}

/// Every file by name with its bytes, but for run folder details that may differ (the lock's process number).
std::map<std::string, std::string> contents(const fs::path& path) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file() && entry.path().extension() != ".lock" && entry.path().filename() != ".lock" &&
        entry.path().filename() != "manifest.jsonl")
      all[entry.path().lexically_relative(path).string()] = slurp(entry.path());
  return all;
}

struct Faults : testing::Test {
  TestFolder folder;
  fs::path path = folder / "out/run";
  std::map<std::string, std::string> wanted;
  int operations = 0;

  void SetUp() override {
    files();
    set_fault("");
    start_or_resume(path);
    operations = int(fault_operations());
    wanted = contents(path);
    ASSERT_GT(operations, 50);
    ASSERT_EQ(wanted.size(), std::size_t(2 * frames + 2 + 3));  // volumes, points, checkpoints, scene, run.json, stats
  }
  void TearDown() override { set_fault(""); }

  void expect_resumes(int n) {
    ASSERT_EQ(in_child([&] { start_or_resume(path); }), 0) << n;
    const auto found = contents(path);
    for (const auto& [name, bytes] : found) EXPECT_TRUE(wanted.contains(name)) << name << " should not be there, " << n;
    for (const auto& [name, bytes] : wanted)
      EXPECT_TRUE(found.contains(name) && found.at(name) == bytes) << name << " is missing or other, " << n;
  }
};

TEST_F(Faults, CrashAtEveryOperation) {
  for (int n = 1; n <= operations; ++n) {
    fs::remove_all(path.parent_path());
    ASSERT_EQ(in_child([&] { set_fault("crash:" + std::to_string(n)), start_or_resume(path); }), fault_exit_code) << n;
    expect_readable(path, n);
    expect_resumes(n);
  }
}

TEST_F(Faults, DiskFullAtEveryOperation) {
  for (int n = 1; n <= operations; ++n) {
    fs::remove_all(path.parent_path());
    ASSERT_EQ(in_child([&] { set_fault("enospc:" + std::to_string(n)), start_or_resume(path); }), disk_was_full) << n;
    expect_readable(path, n);
    expect_resumes(n);
  }
}

// The run is cut in the middle of frame 2; then resuming it crashes at every operation, cutting back included.
TEST_F(Faults, CrashAtEveryOperationOfResuming) {
  const fs::path before = folder / "before";
  fs::remove_all(path.parent_path());
  ASSERT_EQ(in_child([&] { set_fault("crash:" + std::to_string(operations * 3 / 5)), start_or_resume(path); }),
            fault_exit_code);
  ASSERT_EQ(folder_state(path), FolderState::run);
  fs::copy(path, before, fs::copy_options::recursive);
  for (int n = 1;; ++n) {
    fs::remove_all(path);
    fs::copy(before, path, fs::copy_options::recursive);
    const int code = in_child([&] { set_fault("crash:" + std::to_string(n)), start_or_resume(path); });
    if (code == 0) {
      EXPECT_GT(n, 20);
      break;
    }
    ASSERT_EQ(code, fault_exit_code) << n;
    expect_readable(path, n);
    expect_resumes(n);
  }
}

// A crash while overwriting leaves the old run whole or no run; starting again gives the new one.
TEST_F(Faults, CrashAtEveryOperationOfOverwriting) {
  const fs::path before = folder / "before";
  fs::copy(path, before, fs::copy_options::recursive);
  const auto overwrite = [&] { RunFolder::create(path, "silt = 1\n", status_at(0), /*overwrite=*/true); };
  for (int n = 1;; ++n) {
    fs::remove_all(path);
    fs::copy(before, path, fs::copy_options::recursive);
    const int code = in_child([&] { set_fault("crash:" + std::to_string(n)), overwrite(); });
    if (code == 0) break;
    ASSERT_EQ(code, fault_exit_code) << n;
    if (folder_state(path) == FolderState::run) {
      const RunFolder run = RunFolder::view(path);
      for (const ManifestEntry& e : run.manifest().entries()) EXPECT_EQ(run.manifest().problem(e), "") << n;
      EXPECT_EQ(run.frames().size(), run.finished() ? std::size_t(frames) : 0u) << n;
    }
    ASSERT_EQ(in_child(overwrite), 0) << n;
    EXPECT_EQ(contents(path).size(), 2u) << n;
  }
}

// A file written anew under a listed name never disagrees with the manifest.
TEST_F(Faults, CrashWhileReplacingAFile) {
  const std::string name = "pictures/frame.0001.png";
  const fs::path before = folder / "before";
  {
    RunFolder run = RunFolder::open(path);
    run.write_file(name, "picture", 1, "old picture");
  }
  fs::copy(path, before, fs::copy_options::recursive);
  for (int n = 1;; ++n) {
    fs::remove_all(path);
    fs::copy(before, path, fs::copy_options::recursive);
    const int code = in_child([&] {
      set_fault("crash:" + std::to_string(n));
      RunFolder::open(path).write_file(name, "picture", 1, "a new picture");
    });
    const RunFolder run = RunFolder::view(path);
    const ManifestEntry* e = run.manifest().find(name);
    EXPECT_EQ(e ? run.manifest().problem(*e) : "", "") << n;
    if (code == 0) break;
    ASSERT_EQ(code, fault_exit_code) << n;
  }
}

// Nothing but set_fault() asks for one: the environment of what users run does not.
TEST(Fault, CrashAndCount) {
  TestFolder folder;
  if (const char* out = std::getenv("SILT_FAULT_TEST_OUT")) {  // the child
    set_fault(std::getenv("SILT_FAULT_TEST"));
    write_atomically(out, "hello");
    return;
  }
  const auto run = [&](const std::string& fault) {
    const std::string program = fs::read_symlink("/proc/self/exe").string();
    const std::string command = "SILT_FAULT_TEST_OUT='" + (folder / "a.bin").string() + "' SILT_FAULT_TEST='" + fault +
                                "' '" + program + "' --gtest_filter=Fault.CrashAndCount >/dev/null 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(run("crash:4"), fault_exit_code);
  EXPECT_FALSE(fs::exists(folder / "a.bin"));
  ::setenv("SILT_FAULT", "crash:4", 1);
  EXPECT_EQ(run(""), 0);
  ::unsetenv("SILT_FAULT");
  EXPECT_EQ(run("count:" + (folder / "count").string()), 0);
  EXPECT_EQ(slurp(folder / "count"), "5\n");
}

}  // namespace
}  // namespace silt
