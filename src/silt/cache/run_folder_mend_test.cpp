// What a run survives besides crashes: lists that are cut or gone, files that are missing.

#include <map>

#include "silt/cache/run_test_tools.h"

namespace silt {
namespace {

using namespace test;
namespace fs = std::filesystem;

struct MendTest : MadeRunTest {
  fs::path manifest = path / "manifest.jsonl";
  std::map<std::string, std::string> wanted;

  void SetUp() override {
    MadeRunTest::SetUp();
    wanted = contents();
  }
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file() && !entry.path().filename().string().ends_with(".lock") && entry.path() != manifest)
        all[entry.path().lexically_relative(path).string()] = slurp(entry.path());
    return all;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const ManifestEntry& e : RunFolder::view(path).manifest().entries()) all.push_back(e.name);
    std::sort(all.begin(), all.end());
    return all;
  }
};

// However many lines are left of it, all that the run finished is still on the list, and resuming loses nothing.
TEST_F(MendTest, ACutManifestLosesNothing) {
  const std::string text = slurp(manifest);
  const std::vector<std::string> all = names();
  for (std::size_t end = 0; end != std::string::npos; end = text.find('\n', end + 1)) {
    spill(manifest, text.substr(0, end == 0 ? 0 : end + 1));
    EXPECT_TRUE(RunFolder::view(path).harmed_files(3).empty());
    EXPECT_EQ(resume(path), 3) << end;
    EXPECT_EQ(contents(), wanted) << end;
    std::vector<std::string> listed = names();
    if (std::find(listed.begin(), listed.end(), "scene.toml") == listed.end()) listed.push_back("scene.toml");
    EXPECT_EQ(listed, all) << end;
  }
}

TEST_F(MendTest, AManifestThatIsGoneLosesNothing) {
  fs::remove(manifest);
  EXPECT_EQ(resume(path), 3);
  EXPECT_EQ(contents(), wanted);
  EXPECT_EQ(RunFolder::view(path).latest_checkpoint()->warning, "");
}

// Whichever line cannot be read, and whyever: what it said is found elsewhere, it is told, and resuming writes a list
// that can be read.
TEST_F(MendTest, ADamagedLineLosesNothing) {
  const std::string text = slurp(manifest);
  const std::vector<std::string> all = names();
  const auto damage = [](std::string line, int how) {
    const std::size_t size = line.find("\"size\"") + 7;
    if (how == 0) line.replace(line.size() / 3, 9, "\0\xff garbage", 9);
    if (how == 1) line.resize(line.size() / 2);
    if (how == 2) line.replace(size, 1, "-9");
    if (how == 3) line.insert(size, std::string(5000, '1'));
    if (how == 4) line.clear();
    return line;
  };
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    for (int how = 0; how < 6; ++how) {
      const bool joined = how == 5;  // with the next: the line break itself is gone
      if (joined && end + 1 == text.size()) continue;
      spill(manifest, text.substr(0, begin) + damage(text.substr(begin, end - begin), how) + (joined ? "?" : "") +
                          text.substr(end + joined));
      const RunFolder run = RunFolder::view(path);
      EXPECT_NE(run.damage().find("manifest.jsonl is damaged: line "), std::string::npos) << run.damage();
      EXPECT_EQ(run.damage().find("on no list any more"), std::string::npos) << run.damage();
      EXPECT_TRUE(run.harmed_files(3).empty());
      EXPECT_EQ(run.unproven(3), "");
      EXPECT_EQ(resume(path), 3) << begin;
      EXPECT_EQ(contents(), wanted) << begin;
      EXPECT_EQ(RunFolder::view(path).damage(), "");
      std::vector<std::string> listed = names();
      if (std::find(listed.begin(), listed.end(), "scene.toml") == listed.end()) listed.push_back("scene.toml");
      EXPECT_EQ(listed, all) << begin;
      make_run(path);
      wanted = contents();
    }
}

// What render and surface made is on the manifest alone.
TEST_F(MendTest, ADamagedLineTellsWhatIsOnNoListAnyMore) {
  RunFolder::view(path).write_file(RunFolder::film_name(), "film", 3, "film");
  const std::string text = slurp(manifest), last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  spill(manifest, text.substr(0, text.size() - last.size()) + "?" + last);
  EXPECT_NE(RunFolder::view(path).damage().find("pictures/film.mp4 is on no list any more"), std::string::npos);
  EXPECT_EQ(resume(path), 3);
  EXPECT_EQ(slurp(path / RunFolder::film_name()), "film");
}

TEST_F(MendTest, ADamagedLineThatNothingElseTellsOfIsRefusedAndKept) {
  fs::remove(path / "stats.jsonl");
  std::string text = slurp(manifest);
  text[text.find("smoke.volume.0002")] = 'x';
  spill(manifest, text);
  const auto before = contents();
  const std::string message = message_of<InputError>([&] { resume(path); });
  EXPECT_NE(message.find("it does not have cache/smoke.volume.0002.vdb"), message.npos) << message;
  EXPECT_NE(message.find("throw the whole run away with `silt run " + path.string() + " --overwrite`"), message.npos)
      << message;
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(RunFolder::view(path).frames(), (std::vector<int>{1, 2, 3}));
}

TEST_F(MendTest, AManifestOfNothingButDamageIsRefusedInTime) {
  spill(manifest, std::string(1 << 20, '\n'));
  EXPECT_NE(message_of<IoError>([&] { RunFolder::view(path); }).find("more than 100000 of its lines cannot be read"),
            std::string::npos);
}

// Where neither list tells of files, they are kept, and nothing goes on.
TEST_F(MendTest, WhatCannotBeProvedIsRefusedAndKept) {
  const std::string first = slurp(manifest).substr(0, slurp(manifest).find('\n') + 1);
  spill(manifest, first);
  fs::remove(path / "stats.jsonl");
  const auto before = contents();
  const std::string message = message_of<InputError>([&] { resume(path); });
  EXPECT_NE(message.find("manifest.jsonl is damaged: it does not have cache/smoke.volume.0001.vdb, nor 5 more"),
            message.npos)
      << message;
  EXPECT_NE(message.find("--overwrite"), message.npos) << message;
  EXPECT_EQ(contents(), before);
}

TEST_F(MendTest, ARunThatHasLostItsCheckpointsDoesNotBeginAgain) {
  fs::remove_all(path / "checkpoints");
  for (const char* gone : {"", "manifest.jsonl"}) {
    if (*gone) fs::remove(path / gone);
    const auto before = contents();
    std::string message;
    try {
      resume(path);
    } catch (const Error& e) {
      message = e.what();
    }
    EXPECT_NE(message.find("--overwrite"), message.npos) << message;
    EXPECT_EQ(contents(), before);
  }
}

// A run that was killed before its first checkpoint begins again, as it should.
TEST_F(MendTest, ARunThatNeverHadACheckpointBeginsAgain) {
  {
    RunFolder run = RunFolder::create(path, "silt = 1\n", status_at(0), /*overwrite=*/true);
    add_frame(run, 1);
  }
  EXPECT_EQ(resume(path), 0);
  EXPECT_FALSE(fs::exists(path / RunFolder::volume_name("smoke", 1)));
}

TEST_F(MendTest, AnUnlistedCheckpointMustProveItself) {
  fs::remove(manifest);
  flip_bit(path / "checkpoints/0003.safetensors", fs::file_size(path / "checkpoints/0003.safetensors") - 1);
  const auto found = RunFolder::view(path).latest_checkpoint();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->frame, 2);
  EXPECT_NE(found->warning.find("0003.safetensors is damaged"), std::string::npos) << found->warning;
  flip_bit(path / "checkpoints/0002.safetensors", 60);
  const auto before = contents();
  EXPECT_NE(message_of<IoError>([&] { resume(path); }).find("--overwrite"), std::string::npos);
  EXPECT_EQ(contents(), before);
}

TEST_F(MendTest, EveryBitOfACheckpointIsProved) {
  const std::string text = slurp(path / "checkpoints/0003.safetensors");
  ASSERT_TRUE(proves_itself(text));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string bad = text;
    bad[i] = char(bad[i] ^ 16);
    EXPECT_FALSE(proves_itself(bad)) << i;
  }
  for (std::size_t n = 0; n < text.size(); ++n) EXPECT_FALSE(proves_itself(text.substr(0, n))) << n;
  EXPECT_FALSE(proves_itself(text + '\0'));
}

// Harmed files are named, and replaced only by the same bits.
TEST_F(MendTest, MendsWithTheSameBitsOnly) {
  const std::string volume = RunFolder::volume_name("smoke", 2), points = RunFolder::points_name("water", 1);
  fs::remove(path / volume);
  flip_bit(path / points, 3);
  fs::remove(manifest);  // stats.jsonl knows as well
  RunFolder run = RunFolder::open(path);
  const std::vector<HarmedFile> harmed = run.harmed_files(3);
  ASSERT_EQ(harmed.size(), 2u);
  EXPECT_EQ(harmed[0].problem, (path / volume).string() + " is missing");
  EXPECT_NE(harmed[1].problem.find(points + " is damaged"), std::string::npos) << harmed[1].problem;

  run.begin_mending(harmed);
  run.write_file(RunFolder::volume_name("smoke", 3), "volume", 3, "not one of them");
  run.write_file(volume, "volume", 2, "other bits");
  EXPECT_FALSE(fs::exists(path / volume));
  run.write_file(volume, "volume", 2, "volume 2");
  EXPECT_EQ(run.end_mending(), std::vector<std::string>{points});
  EXPECT_EQ(slurp(path / volume), "volume 2");
  EXPECT_EQ(slurp(path / RunFolder::volume_name("smoke", 3)), "volume 3");
  EXPECT_EQ(run.harmed_files(3).size(), 1u);
}

// `silt surface` and `silt render` replace and remove files that stats.jsonl tells of: the manifest has the last word.
TEST_F(MendTest, WhatWasMadeAnewIsNotHarmed) {
  const std::string picture = RunFolder::picture_name(2), volume = RunFolder::volume_name("smoke", 1);
  {
    RunFolder run = RunFolder::view(path);
    run.write_file(picture, "picture", 2, "a better png");
    run.remove(RunFolder::picture_name(1));
  }
  EXPECT_EQ(resume(path), 3);
  const RunFolder run = RunFolder::view(path);
  EXPECT_EQ(run.manifest().read_verified(picture).text(), "a better png");
  EXPECT_FALSE(run.manifest().find(RunFolder::picture_name(1)));
}

// A crash in the middle of stats.jsonl or after it, at every length: never more on the list than there is.
TEST_F(MendTest, ATornLineOfStatsTellsNothing) {
  const std::string text = slurp(path / "stats.jsonl");
  const std::size_t first = text.find('\n') + 1, second = text.find('\n', first) + 1;
  for (std::size_t n = first; n < second; ++n) EXPECT_EQ(files_in_stats(text.substr(0, n)).size(), 3u) << n;
  for (std::size_t i = 20; i < first - 1; ++i) {
    std::string bad = text.substr(0, first);
    bad[i] = char(bad[i] ^ 1);
    EXPECT_LT(files_in_stats(bad).size(), 3u) << i;
  }
}

}  // namespace
}  // namespace silt
