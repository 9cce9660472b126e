#include "silt/cache/manifest.h"

#include <nlohmann/json.hpp>

#include "silt/cache/json_line.h"
#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;

struct ManifestTest : testing::Test {
  TestFolder folder;
  std::filesystem::path path = folder / "manifest.jsonl";

  void SetUp() override { std::filesystem::create_directory(folder / "cache"); }

  void write(const std::string& name, const std::string& bytes, int frame = 1) {
    Manifest(RunDirectory(folder.path())).add({name, write_atomically(folder / name, bytes), "volume", frame});
  }
};

TEST_F(ManifestTest, RemembersFilesInOrder) {
  write("cache/b", "bee");
  write("cache/a", "ay", 7);
  const auto entries = Manifest(RunDirectory(folder.path())).entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "cache/b");
  EXPECT_EQ(entries[1].name, "cache/a");
  EXPECT_EQ(entries[1].stamp, stamp_of("ay"));
  EXPECT_EQ(entries[1].kind, "volume");
  EXPECT_EQ(entries[1].frame, 7);
}

TEST_F(ManifestTest, LatestLineWinsAndForgetting) {
  write("cache/a", "one");
  write("cache/a", "another");
  Manifest manifest{RunDirectory(folder.path())};
  EXPECT_EQ(manifest.entries().size(), 1u);
  EXPECT_EQ(manifest.read_verified("cache/a").text(), "another");
  manifest.forget("cache/a");
  manifest.forget("cache/never_there");
  EXPECT_EQ(manifest.find("cache/a"), nullptr);
  EXPECT_TRUE(Manifest(RunDirectory(folder.path())).entries().empty());
}

TEST_F(ManifestTest, KnowsTheFilesOfAFrame) {
  write("cache/b", "bee", 2);
  write("cache/a", "ay", 2);
  write("cache/c", "sea", 1);
  write("cache/d", "dee", 2);
  write("cache/b", "another", 2);  // comes last now
  write("cache/d", "dee", 3);      // goes to another frame
  Manifest manifest{RunDirectory(folder.path())};
  const auto names = [&](int frame) {
    std::vector<std::string> all;
    for (const ManifestEntry& e : manifest.of_frame(frame)) all.push_back(e.name);
    return all;
  };
  EXPECT_EQ(names(2), (std::vector<std::string>{"cache/a", "cache/b"}));
  EXPECT_EQ(names(3), (std::vector<std::string>{"cache/d"}));
  manifest.forget(manifest.find("cache/a")->name);
  EXPECT_EQ(names(2), (std::vector<std::string>{"cache/b"}));
  manifest.keep_only([](const ManifestEntry& e) { return e.frame != 3; });
  EXPECT_TRUE(names(3).empty());
  EXPECT_TRUE(names(0).empty());
  EXPECT_TRUE(manifest.has_removed("cache/a"));
}

TEST_F(ManifestTest, NamesAndRefusesDamage) {
  write("cache/a", "0123456789");
  write("cache/b", "0123456789");
  write("cache/c", "0123456789");
  halve(folder / "cache/a");
  flip_bit(folder / "cache/b", 4);
  std::filesystem::remove(folder / "cache/c");
  const Manifest manifest{RunDirectory(folder.path())};
  EXPECT_EQ(message_of<IoError>([&] { manifest.read_verified("cache/a"); }),
            (folder / "cache/a").string() + " is damaged: 5 bytes, 10 expected");
  EXPECT_EQ(message_of<IoError>([&] { manifest.read_verified("cache/b"); }),
            (folder / "cache/b").string() + " is damaged: its checksum does not match the manifest");
  EXPECT_EQ(message_of<IoError>([&] { manifest.read_verified("cache/c"); }),
            (folder / "cache/c").string() + " is missing");
  EXPECT_THROW(manifest.read_verified("cache/d"), IoError);
  EXPECT_NE(manifest.problem(*manifest.find("cache/b")), "");
  EXPECT_EQ(manifest.problem(*manifest.find("cache/b"), /*checksum=*/false), "");
  EXPECT_NE(manifest.problem(*manifest.find("cache/a"), /*checksum=*/false), "");
}

// Cut at every byte: what is left of the last line is dropped, never an error, never half an entry.
TEST_F(ManifestTest, TornLastLineIsDropped) {
  write("cache/a", "one");
  const std::size_t first = slurp(path).size();
  write("cache/b", "two");
  const std::string text = slurp(path);
  for (std::size_t n = first; n < text.size(); ++n) {
    spill(path, text.substr(0, n));
    EXPECT_EQ(Manifest(RunDirectory(folder.path())).entries().size(), 1u) << n;
  }
}

// Every single flipped bit of a line is noticed, and the line named.
TEST_F(ManifestTest, EveryFlippedBitIsNoticed) {
  write("cache/a", "one");
  write("cache/b", "two");
  const std::string text = slurp(path);
  const std::size_t first_line = text.find('\n');
  for (std::size_t i = 0; i < first_line; ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = text;
      bad[i] = char(bad[i] ^ (1 << bit));
      spill(path, bad);
      const Manifest manifest{RunDirectory(folder.path())};
      ASSERT_NE(manifest.damage().find("manifest.jsonl is damaged: line 1"), std::string::npos) << " at " << i;
      ASSERT_EQ(manifest.entries().size(), 1u) << i;
      ASSERT_TRUE(manifest.find("cache/b"));
    }
}

TEST_F(ManifestTest, KeepsOnlyWhatItIsTold) {
  for (int f = 1; f <= 4; ++f) write("cache/f" + std::to_string(f), "x", f);
  Manifest manifest{RunDirectory(folder.path())};
  manifest.keep_only([](const ManifestEntry& e) { return e.frame <= 2; });
  EXPECT_EQ(manifest.entries().size(), 2u);
  EXPECT_EQ(Manifest(RunDirectory(folder.path())).entries().size(), 2u);
}

TEST(CheckedJson, RoundTripsAndRefuses) {
  const std::string text = dump_checked({{"a", 1.5}, {"b", "\xff not UTF-8"}}, 2);
  const auto object = parse_checked(text);
  ASSERT_TRUE(object);
  EXPECT_EQ((*object)["a"], 1.5);
  EXPECT_FALSE(parse_checked(R"({"a": 1})"));
  EXPECT_FALSE(parse_checked("[]"));
  EXPECT_FALSE(parse_checked(""));
  EXPECT_EQ(parse_hex64(hex64(0x0123456789abcdefu)), 0x0123456789abcdefu);
  EXPECT_FALSE(parse_hex64("12"));
}

}  // namespace
}  // namespace silt
