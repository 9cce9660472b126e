#include "silt/cache/file_ops.h"

#include <fcntl.h>
#include <unistd.h>

#include "silt/cache/fault.h"
#include "silt/cache/test_child.h"

namespace silt {
namespace {

using namespace test;

struct FileOps : testing::Test {
  TestFolder folder;
  void TearDown() override { set_fault(""); }
};

TEST_F(FileOps, WritesAndStamps) {
  const FileStamp stamp = write_atomically(folder / "a.bin", "hello");
  EXPECT_EQ(slurp(folder / "a.bin"), "hello");
  EXPECT_EQ(stamp, stamp_of("hello"));
  EXPECT_EQ(stamp.size, 5u);
  EXPECT_NE(stamp.xxh3, stamp_of("hellp").xxh3);
  EXPECT_EQ(Folder(folder.path()).names(), std::vector<std::string>{"a.bin"});
}

// The stamp of a file written in pieces is the stamp of the whole.
TEST_F(FileOps, PiecesHaveTheStampOfTheWhole) {
  const std::string text(100'000, 'x');
  FileWriter writer(folder / "a.bin");
  for (std::size_t i = 0; i < text.size(); i += 1000) writer.write(text.data() + i, 1000);
  EXPECT_EQ(writer.commit(), stamp_of(text));
  EXPECT_EQ(slurp(folder / "a.bin"), text);
}

TEST_F(FileOps, AbandonedWriterLeavesTheOldFile) {
  write_atomically(folder / "a.bin", "old");
  {
    FileWriter writer(folder / "a.bin");
    writer.write("new", 3);
  }
  EXPECT_EQ(slurp(folder / "a.bin"), "old");
  EXPECT_EQ(Folder(folder.path()).names(), std::vector<std::string>{"a.bin"});
}

TEST_F(FileOps, AppendCutsATornLine) {
  append_line(folder / "a.jsonl", "one");
  append_line(folder / "a.jsonl", "two");
  spill(folder / "a.jsonl", "one\ntwo\nthr" + std::string(10'000, 'e'));
  append_line(folder / "a.jsonl", "four");
  EXPECT_EQ(slurp(folder / "a.jsonl"), "one\ntwo\nfour\n");
  EXPECT_THROW(append_line(folder / "a.jsonl", "a\nb"), Error);
}

TEST_F(FileOps, ErrorsNamePathAndReason) {
  const std::string message = message_of<IoError>([&] { write_atomically(folder / "no/such/a.bin", "x"); });
  EXPECT_NE(message.find("no/such"), std::string::npos) << message;
  EXPECT_NE(message.find("No such file"), std::string::npos) << message;
  EXPECT_THROW(read_file(folder / "nothing"), IoError);
  EXPECT_THROW(read_file(folder.path()), IoError);
}

// A device that is always full gives the error of a real disk, not of our own fault injection.
TEST_F(FileOps, FullDeviceIsDiskFull) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  const disk::Descriptor full(::open("/dev/full", O_WRONLY));
  const std::string message = message_of<DiskFullError>([&] { disk::write_all(full, "a.bin", "x", 1); });
  EXPECT_EQ(message, "the disk is full: cannot write a.bin");
}

// create, write, sync, rename, sync of the folder.
TEST_F(FileOps, CountsEveryOperation) {
  set_fault("");
  write_atomically(folder / "a.bin", "hello");
  EXPECT_EQ(fault_operations(), 5);
}

TEST_F(FileOps, DiskFullAtAnyOperationLeavesOldOrNew) {
  for (int n = 1; n <= 5; ++n) {
    write_atomically(folder / "a.bin", "old");
    set_fault("enospc:" + std::to_string(n));
    EXPECT_THROW(write_atomically(folder / "a.bin", "newer"), DiskFullError) << n;
    set_fault("");
    EXPECT_EQ(slurp(folder / "a.bin"), n < 5 ? "old" : "newer") << n;
    EXPECT_EQ(Folder(folder.path()).names(), std::vector<std::string>{"a.bin"}) << n;
  }
}

TEST_F(FileOps, DiskFullCutsAnAppendBack) {
  append_line(folder / "a.jsonl", "one");
  for (int n = 1; n <= 3; ++n) {
    set_fault("enospc:" + std::to_string(n));
    EXPECT_THROW(append_line(folder / "a.jsonl", "two"), DiskFullError);
    set_fault("");
    EXPECT_EQ(slurp(folder / "a.jsonl"), "one\n") << n;
  }
}

// A write dies after half of its bytes.
TEST_F(FileOps, CrashInAWriteLeavesHalf) {
  const auto write = [&] { set_fault("crash:2"), write_atomically(folder / "a.bin", "12345678"); };
  ASSERT_EQ(in_child(write), fault_exit_code);
  const std::vector<std::string> left = Folder(folder.path()).names();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_TRUE(is_temporary_name(left[0])) << left[0];
  EXPECT_EQ(slurp(folder / left[0]), "1234");
}

TEST_F(FileOps, BadFaultIsRefused) {
  EXPECT_THROW(set_fault("crash"), InputError);
  EXPECT_THROW(set_fault("crash:0"), InputError);
  EXPECT_THROW(set_fault("burn:3"), InputError);
  EXPECT_THROW(set_fault("crash:3x"), InputError);
}

TEST_F(FileOps, AdoptsAFinishedFile) {
  const std::filesystem::path temporary = temporary_name(folder / "film.mp4");
  EXPECT_NE(temporary, temporary_name(folder / "film.mp4"));
  spill(temporary, "film");
  EXPECT_EQ(adopt_file(temporary, folder / "film.mp4"), stamp_of("film"));
  EXPECT_EQ(slurp(folder / "film.mp4"), "film");
}

TEST_F(FileOps, MakesFoldersAboveIt) {
  make_folder(folder / "a/b/c/");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  spill(folder / "file", "");
  EXPECT_THROW(make_folder(folder / "file/x"), IoError);
}

TEST_F(FileOps, LockNamesItsHolder) {
  const Folder here(folder.path());
  EXPECT_EQ(FileLock::holder(here, ".lock"), 0);
  {
    FileLock lock(here, ".lock", "out/x");
    EXPECT_EQ(FileLock::holder(here, ".lock"), long(::getpid()));
    // Another open file of the same process stands for another process.
    const std::string message = message_of<InputError>([&] { FileLock second(here, ".lock", "out/x"); });
    EXPECT_EQ(message, "out/x is in use by process " + std::to_string(::getpid()));
  }
  EXPECT_EQ(FileLock::holder(here, ".lock"), 0);
  FileLock again(here, ".lock", "out/x");
  EXPECT_EQ(FileLock::holder_note(here, ".lock"), "");
}

TEST_F(FileOps, LockHasTheNoteOfItsHolder) {
  const Folder here(folder.path());
  EXPECT_EQ(FileLock::holder_note(here, ".lock"), "");
  {
    FileLock lock(here, ".lock", "out/x", "is being painted", "blue");
    EXPECT_EQ(FileLock::holder(here, ".lock"), long(::getpid()));
    EXPECT_EQ(FileLock::holder_note(here, ".lock"), "blue");
  }
  EXPECT_EQ(FileLock::holder_note(here, ".lock"), "");
}

}  // namespace
}  // namespace silt
