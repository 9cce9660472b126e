#include "silt/core/input_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

namespace fs = std::filesystem;

class InputFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) / str("silt_input_", ::getpid());
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  static std::string refusal(const fs::path& path, std::uint64_t most = 100) {
    try {
      read_named_file(path, most);
    } catch (const InputError& e) {
      return e.what();
    }
    return "read";
  }
  fs::path folder;
};

TEST_F(InputFiles, AreReadWhole) {
  const std::string text = std::string(99, 'x') + '\0';
  std::ofstream(folder / "a") << text;
  EXPECT_EQ(read_named_file(folder / "a", 100), text);
  fs::create_symlink("a", folder / "link");
  EXPECT_EQ(read_named_file(folder / "link", 100), text);
}

// Each of these would be waited for, or read for ever.
TEST_F(InputFiles, ThatAreNoneAreRefusedAtOnce) {
  const std::string name = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
  EXPECT_EQ(refusal(name), "cannot read " + name + ": it is a pipe, not a file");
  EXPECT_EQ(refusal(folder), "cannot read " + folder.string() + ": it is a folder, not a file");
  EXPECT_EQ(refusal("/dev/zero"), "cannot read /dev/zero: it is a device, not a file");
  EXPECT_EQ(refusal(folder / "none"), "there is no file " + (folder / "none").string());
  fs::create_symlink("loop", folder / "loop");
  EXPECT_NE(refusal(folder / "loop").find("symbolic links"), std::string::npos);
}

TEST_F(InputFiles, LargerThanTheLimitAreRefusedUnread) {
  std::ofstream(folder / "sparse") << "x";
  fs::resize_file(folder / "sparse", std::uintmax_t(20) << 30);
  EXPECT_EQ(refusal(folder / "sparse", 64 << 20),
            "cannot read " + (folder / "sparse").string() + ": it has 20 GB, and the limit is 64 MB");
  fs::resize_file(folder / "sparse", 101);
  EXPECT_NE(refusal(folder / "sparse").find("it has 101 bytes, and the limit is 100 bytes"), std::string::npos);
}

}  // namespace
}  // namespace silt
