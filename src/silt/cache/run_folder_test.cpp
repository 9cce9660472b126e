#include "silt/cache/run_folder.h"

#include <unistd.h>

#include <sstream>

#include "silt/cache/test_tools.h"
#include "silt/core/timer.h"

namespace silt {
namespace {

using namespace test;
namespace fs = std::filesystem;

struct RunFolderTest : testing::Test {
  TestFolder folder;
  fs::path path = folder / "run";

  static RunStatus status(int frame = 0) {
    RunStatus s = RunStatus::of_this_process();
    s.device = "cpu";
    s.frame = frame;
    s.frames = 10;
    return s;
  }
  RunFolder create(bool overwrite = false) { return RunFolder::create(path, "silt = 1\n", status(), overwrite); }
  static void add_frame(RunFolder& run, int n) {
    Frame frame = small_frame(n);
    frame.meshes.push_back(small_mesh());
    run.write_volumes(frame);
    run.write_meshes(frame);
    run.write_file(RunFolder::picture_name(n), "picture", n, "png " + std::to_string(n));
    run.add_stats("{\"frame\": " + std::to_string(n) + "}");
    run.set_status(status(n));
  }
  /// Of the lines of stats.jsonl.
  std::vector<int> frames_told() const {
    std::vector<int> frames;
    std::istringstream lines(slurp(path / "stats.jsonl"));
    for (std::string line; std::getline(lines, line);) frames.push_back(std::stoi(line.substr(line.find(": ") + 2)));
    return frames;
  }
  static std::string add_checkpoint(RunFolder& run, int n) {
    const std::vector<float> values(10, float(n));
    CheckpointWriter writer;
    writer.add("x", values.data(), values.size());
    return run.add_checkpoint(writer, n);
  }
};

TEST_F(RunFolderTest, NamesHaveFourDigitsOrMore) {
  EXPECT_EQ(RunFolder::volume_name("smoke", 1), "cache/smoke.volume.0001.vdb");
  EXPECT_EQ(RunFolder::mesh_name("water", "surface", 7), "cache/water.surface.0007.ply");
  EXPECT_EQ(RunFolder::picture_name(12345), "pictures/frame.12345.png");
}

TEST_F(RunFolderTest, KeepsWhatItIsGiven) {
  EXPECT_EQ(folder_state(path), FolderState::absent);
  {
    RunFolder run = create();
    add_frame(run, 1);
    add_frame(run, 2);
  }
  EXPECT_EQ(folder_state(path), FolderState::run);
  const RunFolder run = RunFolder::view(path);
  EXPECT_EQ(run.scene_text(), "silt = 1\n");
  EXPECT_EQ(run.status().frame, 2);
  EXPECT_EQ(run.status().pid, long(::getpid()));
  EXPECT_FALSE(run.finished());
  EXPECT_EQ(run.frames(), (std::vector<int>{1, 2}));
  EXPECT_EQ(run.read_frame(2).volumes[0].values, small_frame(2).volumes[0].values);
  EXPECT_EQ(run.read_frame(2).meshes.at(0).positions, small_mesh().positions);
  EXPECT_TRUE(run.read_frame(2, {.meshes = false}).meshes.empty());
  EXPECT_TRUE(run.read_frame(2, {.volumes = false}).volumes.empty());
  EXPECT_THROW(run.read_frame(3), InputError);
  EXPECT_EQ(frames_told(), (std::vector<int>{1, 2}));
}

TEST_F(RunFolderTest, StatusRoundTrips) {
  RunFolder run = create();
  RunStatus s = status(5);
  s.phase = RunStatus::Phase::failed;
  s.last_error = "it \"blew\" up\n";
  s.eta_seconds = 12.5;
  s.view = RunView{25, {0, 0, 0}, {1, 2, 3}, false, {4, 5, 6}, {0, 1, 0}, {0, 0, 1}, 28.125, 640, 360};
  run.set_status(s);
  EXPECT_EQ(run.status().view, s.view);
  s.view->look = RunLook{{0.1, 0.2, 0.3}, 0.4, {0.5, 0.6, 0.7}, {0.8, 0.9, 1}, {0, 1, 0}, {1, 0, 1}, 34, 8};
  run.set_status(s);
  EXPECT_EQ(run.status().view, s.view);
  EXPECT_EQ(run.status().last_error, s.last_error);
  EXPECT_EQ(run.status().phase, s.phase);
  EXPECT_EQ(run.status().eta_seconds, 12.5);
  s.phase = RunStatus::Phase::finished;
  s.eta_seconds = -1;
  s.view.reset();
  run.set_status(s);
  EXPECT_FALSE(run.status().view);
  EXPECT_TRUE(run.finished());
  EXPECT_EQ(run.status().eta_seconds, -1);
}

TEST_F(RunFolderTest, OneRunAtATime) {
  RunFolder run = create();
  EXPECT_EQ(run.in_use_by(), long(::getpid()));
  EXPECT_EQ(message_of<InputError>([&] { RunFolder::open(path); }),
            path.string() + " is in use by process " + std::to_string(::getpid()));
  EXPECT_THROW(create(/*overwrite=*/true), InputError);
  EXPECT_NO_THROW(RunFolder::view(path));
}

TEST_F(RunFolderTest, OneRenderAtATimeAndNothingIsRemovedMeanwhile) {
  {
    RunFolder run = create();
    add_frame(run, 1);
  }
  const std::string busy = path.string() + " is being rendered by process " + std::to_string(::getpid());
  {
    RunFolder viewer = RunFolder::view(path);
    const FileLock lock = viewer.lock_pictures();
    EXPECT_EQ(message_of<InputError>([&] { viewer.lock_pictures(); }), busy);
    EXPECT_EQ(message_of<InputError>([&] { create(true); }), busy);
    EXPECT_EQ(message_of<InputError>([&] { RunFolder::open(path).cut_back(nullptr); }), busy);
    EXPECT_TRUE(fs::exists(path / RunFolder::picture_name(1)));
  }
  // What was rendered between opening and cutting back is known to be there.
  RunFolder run = RunFolder::open(path);
  const std::string film = RunFolder::film_name();
  RunFolder::view(path).write_file(film, "film", 0, "film");
  run.cut_back(nullptr);
  EXPECT_TRUE(run.manifest().find(film));
  EXPECT_NO_THROW(run.lock_pictures());
}

TEST_F(RunFolderTest, OverwritesARunButNothingElse) {
  {
    RunFolder run = create();
    add_frame(run, 1);
    add_checkpoint(run, 1);
  }
  spill(path / "notes.txt", "mine");
  spill(path / "cache/readme", "mine");
  EXPECT_THROW(create(), InputError);
  create(/*overwrite=*/true);
  EXPECT_FALSE(fs::exists(path / "cache/smoke.volume.0001.vdb"));
  EXPECT_FALSE(fs::exists(path / "checkpoints/0001.safetensors"));
  EXPECT_FALSE(fs::exists(path / "stats.jsonl"));
  EXPECT_EQ(slurp(path / "notes.txt"), "mine");
  EXPECT_EQ(slurp(path / "cache/readme"), "mine");
  EXPECT_EQ(RunFolder::view(path).manifest().entries().size(), 1u);
}

TEST_F(RunFolderTest, LeavesForeignFoldersAlone) {
  fs::create_directory(path);
  spill(path / "thesis.txt", "years of work");
  EXPECT_EQ(folder_state(path), FolderState::foreign);
  EXPECT_THROW(create(), InputError);
  EXPECT_THROW(create(/*overwrite=*/true), InputError);
  EXPECT_THROW(RunFolder::open(path), InputError);
  EXPECT_EQ(slurp(path / "thesis.txt"), "years of work");
  EXPECT_FALSE(fs::exists(path / ".lock"));
  spill(folder / "file", "x");
  EXPECT_EQ(folder_state(folder / "file"), FolderState::foreign);
  fs::create_directory(folder / "empty");
  EXPECT_EQ(folder_state(folder / "empty"), FolderState::absent);
}

TEST_F(RunFolderTest, KeepsTheLastTwoCheckpoints) {
  RunFolder run = create();
  EXPECT_FALSE(run.latest_checkpoint());
  for (int n = 1; n <= 4; ++n) add_checkpoint(run, n);
  EXPECT_FALSE(fs::exists(path / "checkpoints/0002.safetensors"));
  EXPECT_TRUE(fs::exists(path / "checkpoints/0003.safetensors"));
  EXPECT_EQ(add_checkpoint(run, 4), "checkpoints/0004-2.safetensors");  // the first of frame 4 stays
  EXPECT_EQ(run.latest_checkpoint()->name, "checkpoints/0004-2.safetensors");
  EXPECT_TRUE(fs::exists(path / "checkpoints/0004.safetensors"));
  EXPECT_FALSE(fs::exists(path / "checkpoints/0003.safetensors"));
}

TEST_F(RunFolderTest, FallsBackToTheOlderCheckpointAndSaysSo) {
  RunFolder run = create();
  add_checkpoint(run, 3);
  add_checkpoint(run, 5);
  EXPECT_EQ(run.latest_checkpoint()->warning, "");
  flip_bit(path / "checkpoints/0005.safetensors", 200);
  const auto found = run.latest_checkpoint();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->frame, 3);
  EXPECT_NE(found->warning.find("0005.safetensors is damaged"), std::string::npos) << found->warning;
  EXPECT_NE(found->warning.find("frame 3"), std::string::npos) << found->warning;
  halve(path / "checkpoints/0003.safetensors");
  const std::string message = message_of<IoError>([&] { run.latest_checkpoint(); });
  EXPECT_NE(message.find("0003.safetensors is damaged"), std::string::npos) << message;
}

TEST_F(RunFolderTest, CutsBackToTheCheckpoint) {
  {
    RunFolder run = create();
    for (int n = 1; n <= 4; ++n) {
      add_frame(run, n);
      if (n == 2) add_checkpoint(run, n);
    }
  }
  spill(path / "cache/.smoke.volume.0005.vdb.tmp", "half");
  spill(path / "cache/smoke.volume.0005.vdb", "not listed");
  spill(path / "cache/readme", "mine");
  RunFolder run = RunFolder::open(path);
  const auto found = run.latest_checkpoint();
  ASSERT_TRUE(found);
  run.cut_back(&*found);
  EXPECT_EQ(run.frames(), (std::vector<int>{1, 2}));
  EXPECT_EQ(frames_told(), (std::vector<int>{1, 2}));
  for (const char* gone : {"cache/smoke.volume.0003.vdb", "cache/smoke.volume.0005.vdb", "pictures/frame.0004.png",
                           "cache/.smoke.volume.0005.vdb.tmp"})
    EXPECT_FALSE(fs::exists(path / gone)) << gone;
  EXPECT_TRUE(fs::exists(path / "pictures/frame.0002.png"));
  EXPECT_EQ(slurp(path / "cache/readme"), "mine");
  EXPECT_TRUE(run.latest_checkpoint());

  run.cut_back(nullptr);
  EXPECT_TRUE(run.frames().empty());
  EXPECT_EQ(slurp(path / "stats.jsonl"), "");
  run.set_status(status());  // which said that there was one
  EXPECT_FALSE(run.latest_checkpoint());
  EXPECT_EQ(run.scene_text(), "silt = 1\n");
}

// After falling back the damaged, newer checkpoint is gone: it must not come before the next one.
TEST_F(RunFolderTest, CuttingBackDropsNewerCheckpoints) {
  RunFolder run = create();
  add_checkpoint(run, 2);
  add_checkpoint(run, 2);
  halve(path / "checkpoints/0002-2.safetensors");
  const auto found = run.latest_checkpoint();
  run.cut_back(&*found);
  EXPECT_FALSE(fs::exists(path / "checkpoints/0002-2.safetensors"));
  EXPECT_EQ(run.latest_checkpoint()->warning, "");
}

TEST_F(RunFolderTest, DamagedStatsAreNamedAndRefused) {
  RunFolder run = create();
  add_frame(run, 1);
  add_frame(run, 2);
  add_checkpoint(run, 2);
  const auto found = run.latest_checkpoint();
  const std::string good = slurp(path / "stats.jsonl");
  flip_bit(path / "stats.jsonl", 3);
  EXPECT_NE(message_of<IoError>([&] { run.cut_back(&*found); }).find("stats.jsonl is damaged"), std::string::npos);
  spill(path / "stats.jsonl", good.substr(0, 7));
  EXPECT_NE(message_of<IoError>([&] { run.cut_back(&*found); }).find("7 bytes"), std::string::npos);
  fs::remove(path / "stats.jsonl");  // as the message advises
  EXPECT_NO_THROW(run.cut_back(&*found));
}

// Of a run of 20,000 frames one is read as fast as of a run of 200: nobody goes through the whole list for each.
TEST_F(RunFolderTest, AFrameOfManyIsReadAsFastAsOneOfFew) {
  constexpr int read = 200;
  const auto seconds_of = [&](int frames) {
    RunFolder run = create(/*overwrite=*/true);
    for (int n = 1; n <= read; ++n) {
      Frame frame;
      frame.number = n;
      frame.meshes.push_back(small_mesh());
      run.write_meshes(frame);
    }
    std::string more;
    for (int n = read + 1; n <= frames; ++n)
      more += manifest_line({RunFolder::mesh_name("water", "surface", n), {}, "mesh", n}) + '\n';
    spill(path / "manifest.jsonl", slurp(path / "manifest.jsonl") + more);
    run.refresh();
    EXPECT_EQ(run.frames().size(), std::size_t(frames));
    const Timer timer;
    for (int n = 1; n <= read; ++n) EXPECT_EQ(run.read_frame(n).meshes.size(), 1u);
    return timer.seconds();
  };
  const double few = seconds_of(read), many = seconds_of(20000);
  EXPECT_LT(many, 8 * few);
}

// A truncated and a bit-flipped file of each kind: named, refused, and never parsed.
TEST_F(RunFolderTest, DamagedFilesOfEveryKindAreNamedAndRefused) {
  const auto make = [&] {
    RunFolder run = create(/*overwrite=*/true);
    add_frame(run, 1);
    add_checkpoint(run, 1);
  };
  struct Kind {
    const char* name;
    void (*use)(const RunFolder&);
  };
  const Kind kinds[] = {
      {"cache/smoke.volume.0001.vdb", [](const RunFolder& r) { r.read_frame(1); }},
      {"cache/water.surface.0001.ply", [](const RunFolder& r) { r.read_frame(1); }},
      {"checkpoints/0001.safetensors", [](const RunFolder& r) { r.latest_checkpoint(); }},
      {"pictures/frame.0001.png", [](const RunFolder& r) { r.manifest().read_verified("pictures/frame.0001.png"); }},
      {"scene.toml", [](const RunFolder& r) { r.scene_text(); }},
      {"run.json", [](const RunFolder& r) { r.status(); }},
  };
  for (const Kind& kind : kinds) {
    for (const bool flip : {true, false}) {
      make();
      const RunFolder run = RunFolder::view(path);
      kind.use(run);
      if (flip)
        flip_bit(path / kind.name, fs::file_size(path / kind.name) / 2);
      else
        halve(path / kind.name);
      const std::string message = message_of<IoError>([&] { kind.use(run); });
      EXPECT_NE(message.find(kind.name), std::string::npos) << message;
      EXPECT_NE(message.find("damaged"), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace silt
