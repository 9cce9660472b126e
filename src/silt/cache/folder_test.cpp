#include "silt/cache/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "silt/cache/file_ops.h"
#include "silt/cache/run_directory.h"
#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;
namespace fs = std::filesystem;

TEST_F(FolderTest, ReadsAndWritesPlainFiles) {
  const Folder folder(path);
  EXPECT_EQ(folder.write("a", "hello"), stamp_of("hello"));
  EXPECT_EQ(folder.read("a").text(), "hello");
  folder.append_line("b", "one");
  folder.append_line("b", "two");
  folder.truncate("b", 4);
  EXPECT_EQ(slurp(path / "b"), "one\n");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(folder.make("c").path(), path / "c");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a", "b", "c"}));
  folder.remove("a");
  folder.remove("a");
  EXPECT_FALSE(folder.has("a"));
  EXPECT_FALSE(folder.find("a"));
}

// /proc has no files without a name, as some disks have none: then they are kept in memory.
TEST_F(FolderTest, UnnamedFilesAreInMemoryWhereTheDiskHasNone) {
  for (const fs::path& where : {path, fs::path("/proc")}) {
    const disk::Descriptor fd = Folder(where).open_unnamed();
    ASSERT_EQ(::write(fd, "hello", 5), 5);
    char back[8] = {};
    EXPECT_EQ(::pread(fd, back, sizeof back, 0), 5);
    EXPECT_STREQ(back, "hello");
  }
  EXPECT_TRUE(Folder(path).names().empty());
}

TEST_F(FolderTest, NamesAreOneEntryOfIt) {
  const Folder folder(path);
  using namespace std::string_literals;
  for (const std::string& name : {""s, "."s, ".."s, "../home/thesis.txt"s, precious.string(), "a/b"s, "/"s, "a\0b"s}) {
    EXPECT_THROW(folder.read(name), IoError) << name;
    EXPECT_THROW(folder.write(name, "x"), IoError) << name;
    EXPECT_THROW(folder.append_line(name, "x"), IoError) << name;
    EXPECT_THROW(folder.truncate(name, 0), IoError) << name;
    EXPECT_THROW(folder.remove(name), IoError) << name;
    EXPECT_THROW(folder.rename("a", name), IoError) << name;
    EXPECT_THROW(folder.make(name), IoError) << name;
    EXPECT_THROW(folder.entry(name), IoError) << name;
    EXPECT_THROW(FileLock(folder, name, "it"), Error) << name;
  }
}

TEST_F(FolderTest, SymbolicLinksAreNamedAndNotFollowed) {
  const Folder folder(path);
  fs::create_symlink(precious, path / "a");
  fs::create_directory_symlink(place.path(), path / "sub");
  for (const std::string& message :
       {message_of<IoError>([&] { folder.read("a"); }), message_of<IoError>([&] { folder.append_line("a", "x"); }),
        message_of<IoError>([&] { folder.truncate("a", 0); }),
        message_of<InputError>([&] { FileLock(folder, "a", "it"); }), message_of<IoError>([&] { folder.find("sub"); }),
        message_of<IoError>([&] { folder.make("sub"); })})
    EXPECT_NE(message.find("is a symbolic link"), std::string::npos) << message;
  EXPECT_EQ(folder.entry("a"), Folder::Entry::other);
  EXPECT_TRUE(folder.files().empty());
  EXPECT_EQ(FileLock::holder(folder, "a"), 0);
  folder.write("a", "in its place");  // renaming replaces the link, not what it leads to
  EXPECT_EQ(folder.entry("a"), Folder::Entry::file);
  EXPECT_EQ(slurp(path / "a"), "in its place");
}

TEST_F(FolderTest, FilesWithASecondNameAreNotChangedInPlace) {
  const Folder folder(path);
  fs::create_hard_link(precious, path / "a");
  EXPECT_NE(message_of<IoError>([&] { folder.append_line("a", "x"); }).find("hard link"), std::string::npos);
  EXPECT_THROW(folder.truncate("a", 0), IoError);
  EXPECT_THROW(FileLock(folder, "a", "it"), InputError);
  EXPECT_EQ(folder.read("a").text(), "years of work");
}

// Opening one for reading would wait for a writer for ever.
TEST_F(FolderTest, OnlyPlainFilesAreOpened) {
  const Folder folder(path);
  ASSERT_EQ(::mkfifo((path / "a").c_str(), 0600), 0);
  EXPECT_NE(message_of<IoError>([&] { folder.read("a"); }).find("no plain file"), std::string::npos);
  EXPECT_THROW(folder.append_line("a", "x"), IoError);
  EXPECT_THROW(FileLock(folder, "a", "it"), InputError);
  EXPECT_EQ(FileLock::holder(folder, "a"), 0);
  fs::create_directory(path / "b");
  EXPECT_THROW(folder.read("b"), IoError);
  EXPECT_THROW(folder.remove("b"), IoError);
}

// The folder is the one that was opened, whatever has its name by now.
TEST_F(FolderTest, StaysTheSameWhenItsNameIsGivenToAnother) {
  const Folder folder(path);
  fs::rename(path, place / "elsewhere");
  fs::create_directory_symlink(place.path(), path);
  folder.write("precious", "mine");
  EXPECT_EQ(slurp(place / "elsewhere/precious"), "mine");
}

// A sparse file is no reason to take memory.
TEST_F(FolderTest, LargerFilesThanExpectedAreRefusedAtOnce) {
  spill(path / "a", "x");
  fs::resize_file(path / "a", std::uintmax_t(1) << 40);
  const std::string message = message_of<IoError>([&] { Folder(path).read("a", 1 << 20); });
  EXPECT_NE(message.find("a is too large: 1099511627776 bytes, and such a file has at most 1048576"), message.npos)
      << message;
}

TEST_F(FolderTest, UnnamedFilesLeaveNoName) {
  const Folder folder(path);
  const disk::Descriptor file = folder.open_unnamed();
  disk::write_all(file, "it", "text", 4);
  char text[8];
  EXPECT_EQ(disk::read_all(file, "it", text, sizeof text), 4u);
  EXPECT_TRUE(folder.names().empty());
}

// A folder that a user names for exports has other programs' temporaries, too.
TEST_F(FolderTest, OnlyItsOwnTemporariesAreRemoved) {
  const Folder folder(path);
  const std::vector<std::string> others{".notes.tmp", ".a.1.tmp",       ".a.-1.tmp",
                                        ".1-2.tmp",   ".a.1-2.tmp.tmp", "a.1-2.tmp"};
  for (const std::string& name : others) spill(path / name, "a user's");
  spill(path / temporary_entry("frame.0001.vtu"), "half");
  folder.remove_temporaries();
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(path / name)) << name;
  EXPECT_EQ(folder.files().size(), others.size());
}

TEST(RunFiles, NamesAreThoseOfTheLayout) {
  using namespace std::string_literals;
  for (const char* name : {"scene.toml", "cache/smoke.volume.0001.vdb", "checkpoints/0001-2.safetensors",
                           "pictures/film.mp4", "cache/a b%2Fc.shape.0001.ply", "cache/наклон.vdb"})
    EXPECT_TRUE(is_run_file(name)) << name;
  for (const std::string& name : {""s,
                                  "run.json"s,
                                  "manifest.jsonl"s,
                                  ".lock"s,
                                  "cache"s,
                                  "cache/"s,
                                  "cache/."s,
                                  "cache/.."s,
                                  "cache/../run.json"s,
                                  "../cache/a.vdb"s,
                                  "/cache/a.vdb"s,
                                  "cache//a.vdb"s,
                                  "cache/sub/a.vdb"s,
                                  "cache/.a.vdb"s,
                                  "other/a.vdb"s,
                                  "checkpoints/../../x.safetensors"s,
                                  "cache/a\nb"s,
                                  "cache/a\0b"s,
                                  "cache/\x1b[2Ja"s,
                                  "cache/" + std::string(256, 'a')})
    EXPECT_FALSE(is_run_file(name)) << name;
}

}  // namespace
}  // namespace silt
