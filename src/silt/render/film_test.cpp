#include "silt/render/film.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>

#include "silt/cache/file_ops.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/image.h"
#include "silt/render/jpeg.h"

namespace silt {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, with odd letters in its name, removed at the end.
class Film : public testing::Test {
 protected:
  void SetUp() override {
    const char* path = std::getenv("PATH");
    if (path) path_ = path;
    folder_ = fs::path(testing::TempDir()) /
              str("silt film 50%d ", getpid(), ' ', testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  fs::path picture(int i) const {
    char name[32];
    std::snprintf(name, sizeof name, "frame.%04d.png", i);
    return folder_ / name;
  }
  void write_pictures(const std::vector<int>& numbers) {
    for (const int i : numbers) {
      const float level = float(i % 7) / 7;
      const std::vector<std::uint8_t> bytes = encode_png(Image(65, 48, {level, 0.3f, 0.5f}));  // an odd width
      std::ofstream(picture(i), std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    }
  }
  /// What make_film complains of; nothing when it succeeds.
  std::optional<std::string> complaint(const std::vector<int>& numbers) { return complaint(numbers, folder_); }
  /// With ffmpeg writing to a file in another folder.
  std::optional<std::string> complaint(const std::vector<int>& numbers, const fs::path& where) {
    const auto read = [&](std::size_t i) { return read_file(picture(numbers[i])); };
    try {
      write_atomically(out(), make_film(numbers.size(), read, 24, Folder(where)).text());
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }
  fs::path out() const { return folder_ / "film.mp4.part"; }

  fs::path folder_;
  std::string path_;
};

std::string ask_ffprobe(const fs::path& film) {
  const std::string command =
      "ffprobe -v error -count_frames -show_entries stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames "
      "-of csv=p=0 '" +
      film.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<char, 256> line{};
  return pipe && std::fgets(line.data(), int(line.size()), pipe.get()) ? line.data() : "";
}

bool have_ffmpeg() {
  return std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0;
}

TEST_F(Film, HasEveryPictureAlsoWhenTheirNumbersHaveGaps) {
  if (!have_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::vector<int> numbers{3, 5, 7, 9, 10, 9999, 10000};
  write_pictures(numbers);
  EXPECT_EQ(complaint(numbers), std::nullopt);
  EXPECT_EQ(ask_ffprobe(out()), "h264,64,48,yuv420p,24/1,7\n");
}

// /proc has no files without a name, as some disks have none.
TEST_F(Film, IsKeptInMemoryWhereTheDiskHasNoUnnamedFiles) {
  if (!have_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  write_pictures({1, 2, 3});
  EXPECT_EQ(complaint({1, 2, 3}, "/proc"), std::nullopt);
  EXPECT_EQ(ask_ffprobe(out()), "h264,64,48,yuv420p,24/1,3\n");
}

TEST_F(Film, WithoutPicturesIsRefused) {
  EXPECT_EQ(complaint({}), "there are no pictures to make a film of");
}

TEST_F(Film, MissingFfmpegIsSaid) {
  write_pictures({1});
  setenv("PATH", "", 1);
  EXPECT_EQ(complaint({1}),
            "ffmpeg was not found: pictures are in " + folder_.string() + "; install it with 'apt-get install ffmpeg'");
}

TEST_F(Film, FailurePassesOnTheReasonAndLeavesNothing) {
  if (!have_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  std::ofstream(picture(1)) << "no picture";
  const std::string said = complaint({1}).value_or("");
  EXPECT_NE(said.find("ffmpeg could not make the film"), std::string::npos) << said;
  EXPECT_NE(said.find("it says: "), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(out()));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

// A picture that cannot be made leaves the one there was.
TEST_F(Film, AJpegIsWholeOrAsItWas) {
  const fs::path jpeg = folder_ / "picture.jpg", bin = folder_ / "bin";
  std::ofstream(jpeg) << "before";
  fs::create_directories(bin);
  std::ofstream(bin / "ffmpeg") << "#!/bin/sh\nexit 1\n";
  fs::permissions(bin / "ffmpeg", fs::perms::owner_all);
  setenv("PATH", (bin.string() + ":" + path_).c_str(), 1);
  EXPECT_THROW(write_jpeg(Image(16, 16), jpeg), Error);
  std::string text;
  std::ifstream(jpeg) >> text;
  EXPECT_EQ(text, "before");
  setenv("PATH", path_.c_str(), 1);
  if (!have_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  write_jpeg(Image(16, 16), jpeg);
  std::ifstream(jpeg) >> text;
  EXPECT_EQ(text.substr(0, 2), "\xff\xd8");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);  // it, and bin
}

/// Whether a process is there and runs; what nobody has waited for does not.
bool is_alive(const std::string& process) {
  std::ifstream in("/proc/" + process + "/stat");
  std::string text;
  std::getline(in, text);
  return in && text.find(") Z ") == std::string::npos;
}

std::string wait_for_text(const fs::path& file) {
  std::string text;
  for (int patience = 1000; text.empty() && patience > 0; --patience) {
    ::usleep(10'000);
    std::ifstream(file) >> text;
  }
  return text;
}

// kill -9 of the one who waits for it: ffmpeg dies too, and what it has started and let go of finds no name to write
// to.
TEST_F(Film, FfmpegDiesWithItsParent) {
  const fs::path bin = folder_ / "bin", said = folder_ / "said", late = folder_ / "late";
  fs::create_directories(bin);
  std::ofstream(bin / "ffmpeg")
      << "#!/bin/sh\nfor last; do :; done\n(sleep 1; echo orphan > \"${last#file:}\"; echo x > '" << late.string()
      << "') &\necho $$ > '" << said.string() << "'\nexec sleep 100\n";
  fs::permissions(bin / "ffmpeg", fs::perms::owner_all);
  setenv("PATH", (bin.string() + ":" + path_).c_str(), 1);
  write_pictures({1});
  const pid_t parent = ::fork();
  if (parent == 0) {
    complaint({1});
    ::_exit(0);
  }
  const std::string ffmpeg = wait_for_text(said);
  ASSERT_TRUE(is_alive(ffmpeg)) << ffmpeg;
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  for (int patience = 500; is_alive(ffmpeg) && patience > 0; --patience) ::usleep(10'000);
  EXPECT_FALSE(is_alive(ffmpeg));
  EXPECT_EQ(wait_for_text(late), "x");  // what it had started goes on
  EXPECT_FALSE(fs::exists(out()));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 4);  // bin, said, late, picture
}

}  // namespace
}  // namespace silt
