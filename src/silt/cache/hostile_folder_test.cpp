// A run folder that somebody made to do harm: nothing outside of it is read, changed or deleted.

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "silt/cache/info.h"
#include "silt/cache/run_test_tools.h"

namespace silt {
namespace {

using namespace test;
namespace fs = std::filesystem;

struct HostileTest : MadeRunTest {
  /// Everything silt does with a folder. What it may throw is an Error, nothing else.
  void do_everything() {
    const auto attempt = [](const auto& action) {
      try {
        action();
      } catch (const Error&) {
      }
    };
    attempt([&] { describe(path); });
    attempt([&] { RunFolder::view(path).read_frame(1); });
    attempt([&] { resume(path); });
    attempt([&] {
      RunFolder run = RunFolder::open(path);
      for (int n = 4; n <= 8; ++n) add_frame(run, n), add_checkpoint(run, n);
    });
    attempt([&] {
      RunFolder run = RunFolder::view(path);
      const FileLock lock = run.lock_pictures(true);
      run.write_file(RunFolder::film_name(), "film", 1, "film");
      for (const ManifestEntry& e : run.manifest().entries()) run.remove(e.name);
    });
    attempt([&] { RunFolder::create(path, "silt = 1\n", status_at(0), /*overwrite=*/true); });
  }
  /// A line for this name at the end of the manifest.
  void list(const std::string& name, const std::string& kind, int frame = 1) {
    spill(path / "manifest.jsonl",
          slurp(path / "manifest.jsonl") + manifest_line({name, stamp_of("years of work"), kind, frame}) + '\n');
  }
};

TEST_F(HostileTest, NamesInTheManifestLeadNowhereElse) {
  const std::string absolute = (home / "thesis.txt").string();
  for (const std::string& name :
       {std::string("../home/thesis.txt"), std::string("checkpoints/../../home/0001.safetensors"), absolute,
        std::string("cache/../../home/thesis.txt"), std::string("./../home/thesis.txt"),
        std::string("cache/sub/../../../home/thesis.txt"), std::string("//") + absolute, std::string("..")}) {
    for (const char* kind : {"checkpoint", "volume", "picture", "level_set", "scene"}) {
      make_run(path);
      list(name, kind);
      const std::string message = message_of<IoError>([&] { RunFolder::view(path); });
      EXPECT_NE(message.find("manifest.jsonl is damaged: line"), message.npos) << message;
      do_everything();
    }
  }
}

TEST_F(HostileTest, NamesInStatsLeadNowhereElse) {
  std::string line = "{\"frame\": 3, \"files\": [";
  line += manifest_line({"../home/thesis.txt", stamp_of("years of work"), "volume", 3}) + "]}\n";
  spill(path / "stats.jsonl", slurp(path / "stats.jsonl") + line);
  EXPECT_FALSE(RunFolder::view(path).manifest().find("../home/thesis.txt"));
  do_everything();
}

// A shape's file is named in the file of the bodies.
TEST_F(HostileTest, NamesInBodiesLeadNowhereElse) {
  const Json row = Json::array({1, 0, 0});
  const Json body = {{"name", "post"},
                     {"shape", "../home/thesis.txt"},
                     {"rotation", {row, row, row}},
                     {"scale", 1},
                     {"translation", row},
                     {"velocity", row},
                     {"spin", row},
                     {"centre", row}};
  RunFolder run = RunFolder::open(path);
  Frame frame = small_frame(1);
  run.write_volumes(frame);
  run.write_points(frame);
  run.write_file("cache/bodies.0001.json", "bodies", 1,
                 dump_checked({{"frame", 1}, {"time", 0}, {"bodies", Json::array({body})}}));
  for (const ManifestEntry& e : run.manifest().entries_named("cache/water.points.0001")) run.remove(e.name);
  const std::string message = message_of<IoError>([&] { run.read_frame(1); });
  EXPECT_NE(message.find("is not in the manifest"), message.npos) << message;
}

TEST_F(HostileTest, LinksAreNotFollowed) {
  for (const char* name : {".lock", ".render.lock", "manifest.jsonl", "stats.jsonl", "run.json", "scene.toml",
                           "cache/smoke.volume.0001.vdb", "checkpoints/0003.safetensors", "pictures/frame.0001.png",
                           "pictures/film.mp4", ".silt-incomplete"}) {
    for (const bool hard : {false, true}) {
      fs::remove_all(path);
      make_run(path);
      fs::remove(path / name);
      if (hard)
        fs::create_hard_link(home / "thesis.txt", path / name);
      else
        fs::create_symlink(home / "thesis.txt", path / name);
      do_everything();
      EXPECT_EQ(slurp(home / "thesis.txt"), "years of work") << name;
    }
  }
}

TEST_F(HostileTest, FoldersThatAreLinksAreRefused) {
  for (const char* sub : RunDirectory::subfolders) {
    fs::remove_all(path);
    make_run(path);
    fs::remove_all(path / sub);
    fs::create_directory_symlink(home, path / sub);
    const std::string message = message_of<IoError>([&] { RunFolder::view(path); });
    EXPECT_NE(message.find(std::string(sub) + " is a symbolic link"), message.npos) << message;
    do_everything();
  }
}

// The folder that the user names may be a link: that is theirs.
TEST_F(HostileTest, TheRunFolderItselfMayBeALink) {
  fs::create_directory_symlink(path, place / "link");
  EXPECT_EQ(resume(place / "link"), 3);
}

TEST_F(HostileTest, PipesAndFoldersInPlaceOfFilesAreRefusedAtOnce) {
  for (const char* name : {".lock", ".render.lock", "manifest.jsonl", "stats.jsonl", "run.json", "scene.toml",
                           "cache/smoke.volume.0001.vdb", "checkpoints/0003.safetensors"}) {
    for (const bool pipe : {false, true}) {
      fs::remove_all(path);
      make_run(path);
      fs::remove(path / name);
      if (pipe)
        ASSERT_EQ(::mkfifo((path / name).c_str(), 0600), 0);
      else
        fs::create_directory(path / name);
      do_everything();
    }
  }
}

TEST_F(HostileTest, NestedJsonIsAPlainError) {
  const std::string brackets(100'000, '[');
  const std::string deep = "{\"a\": " + brackets + std::string(100'000, ']') + ", \"check\": \"0123456789abcdef\"}";
  for (const char* name : {"manifest.jsonl", "run.json", "stats.jsonl"})
    for (const std::string& text : {brackets, deep, deep + '\n', "{\"a\":" + brackets}) {
      fs::remove_all(path);
      make_run(path);
      spill(path / name, text);
      do_everything();
    }
  spill(path / "run.json", std::string(1000, '['));
  EXPECT_NE(message_of<IoError>([&] { RunFolder::view(path).status(); }).find("run.json is damaged"),
            std::string::npos);
}

TEST_F(HostileTest, HugeFilesAreRefusedBeforeMemoryIsTaken) {
  fs::resize_file(path / "run.json", std::uintmax_t(20) << 30);
  EXPECT_NE(message_of<IoError>([&] { RunFolder::view(path).status(); }).find("run.json is too large"),
            std::string::npos);
  fs::resize_file(path / "manifest.jsonl", std::uintmax_t(20) << 30);
  EXPECT_NE(message_of<IoError>([&] { RunFolder::view(path); }).find("manifest.jsonl is too large"), std::string::npos);
}

}  // namespace
}  // namespace silt
