#include "silt/sim/machine.h"

#include <gtest/gtest.h>

#include <fstream>

namespace silt {
namespace {

namespace fs = std::filesystem;

/// A tree as the kernel would show it.
class FakeKernel : public testing::Test {
 protected:
  FakeKernel() : root_(fs::path(testing::TempDir()) / ("silt_machine_" + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    put("proc/meminfo", "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:    9000 kB\n");
  }
  ~FakeKernel() override { fs::remove_all(root_); }

  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  Machine machine() const { return this_machine(root_); }

 private:
  fs::path root_;
};

TEST_F(FakeKernel, TellsWhatThereIsAndWhatIsFree) {
  EXPECT_EQ(machine().memory_bytes, 16000 * 1024);
  EXPECT_EQ(machine().available_bytes, 9000 * 1024);
}

TEST_F(FakeKernel, AGroupOfTheSecondVersionBounds) {
  put("proc/self/cgroup", "0::/user/job\n");
  put("sys/fs/cgroup/user/job/memory.max", "max\n");
  put("sys/fs/cgroup/user/memory.max", "8192000\n");
  put("sys/fs/cgroup/user/memory.current", "5000000\n");
  put("sys/fs/cgroup/user/memory.stat", "anon 3000000\ninactive_file 1500000\n");
  EXPECT_EQ(machine().memory_bytes, 8192000);
  EXPECT_EQ(machine().available_bytes, 8192000 - 3500000);
}

TEST_F(FakeKernel, AGroupOfTheFirstVersionBounds) {
  put("proc/self/cgroup", "5:cpu:/other\n4:memory:/job\n");
  put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "4096000\n");
  put("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "5096000\n");
  EXPECT_EQ(machine().memory_bytes, 4096000);
  EXPECT_EQ(machine().available_bytes, 0);
}

TEST_F(FakeKernel, WhatIsUnknownBoundsNothing) {
  put("proc/meminfo", "");
  EXPECT_EQ(machine().memory_bytes, 0);
  EXPECT_EQ(machine().available_bytes, 0);
}

TEST(Machine, ThisOneHasMemoryAndDisk) {
  EXPECT_GT(this_machine().memory_bytes, this_machine().available_bytes);
  EXPECT_GT(this_machine().available_bytes, 0);
  const std::int64_t here = free_disk_bytes(testing::TempDir());
  EXPECT_GT(here, 0);
  EXPECT_NEAR(double(free_disk_bytes(fs::path(testing::TempDir()) / "not" / "made")), double(here), 0.1 * double(here));
}

TEST(Machine, BytesReadAsPeopleWriteThem) {
  EXPECT_EQ(bytes_text(12), "12 bytes");
  EXPECT_EQ(bytes_text(1.5e9), "1.5 GB");
  EXPECT_EQ(bytes_text(999.6e6), "1 GB");
}

}  // namespace
}  // namespace silt
