#include "silt/cache/checkpoint.h"

#include <random>

#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;

struct CheckpointTest : testing::Test {
  TestFolder folder;
  std::vector<float> density{1, 2, 3, 4, 5, 6, 7};
  std::vector<double> pressure{0.1, 0.2};
  std::vector<std::uint64_t> ids{~0ull, 0};

  std::string bytes() const {
    CheckpointWriter writer;
    writer.metadata["time"] = exact_text(0.1);
    writer.metadata["frame"] = "12";
    writer.add("smoke.density", density.data(), density.size());
    writer.add("smoke.pressure", Dtype::f64, {1, 2}, pressure.data(), 16);
    writer.add("smoke.empty", Dtype::u8, {0, 5}, nullptr, 0);
    writer.add("smoke.ids", ids.data(), ids.size());
    FileWriter file(folder / "a.safetensors");
    writer.write(file);
    const FileStamp stamp = file.commit();
    std::string text = slurp(folder / "a.safetensors");
    EXPECT_EQ(stamp, stamp_of(text));
    return text;
  }
};

TEST_F(CheckpointTest, RoundTrip) {
  const Checkpoint c = read_checkpoint("a", Bytes(bytes()));
  EXPECT_EQ(c.number("time"), 0.1);
  EXPECT_EQ(c.integer("frame"), 12);
  EXPECT_EQ(c.text("silt_version"), SILT_VERSION);
  ASSERT_EQ(c.arrays().size(), 4u);
  std::vector<float> a(7);
  std::vector<double> b(2);
  std::vector<std::uint64_t> d(2);
  c.copy("smoke.density", a.data(), 7);
  c.copy("smoke.pressure", b.data(), 2);
  c.copy("smoke.ids", d.data(), 2);
  EXPECT_EQ(a, density);
  EXPECT_EQ(b, pressure);
  EXPECT_EQ(d, ids);
  EXPECT_EQ(c.find("smoke.pressure")->shape, (std::vector<std::int64_t>{1, 2}));
  EXPECT_THROW(c.copy("smoke.density", a.data(), 6), IoError);
  EXPECT_THROW(c.copy("smoke.density", reinterpret_cast<std::int32_t*>(a.data()), 7), IoError);
  EXPECT_THROW(c.copy("smoke.none", a.data(), 7), IoError);
  EXPECT_THROW(c.text("none"), IoError);
}

// The published layout: length, JSON, data; every array 64-byte aligned in the file; no holes between arrays.
TEST_F(CheckpointTest, IsAlignedSafetensors) {
  const std::string file = bytes();
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  EXPECT_EQ((8 + length) % 64, 0u);
  EXPECT_EQ(file[8], '{');
  Bytes bytes_in_memory{file};
  const char* begin = bytes_in_memory.data();
  const Checkpoint c = read_checkpoint("a", std::move(bytes_in_memory));
  for (const auto& array : c.arrays()) EXPECT_EQ((array.data - begin) % 64, 0) << array.name;
  EXPECT_EQ(c.arrays().back().data + c.arrays().back().bytes, begin + file.size());
}

TEST_F(CheckpointTest, SameContentSameBytes) {
  EXPECT_EQ(bytes(), bytes());
}

TEST_F(CheckpointTest, OtherVersionNamesItsWriter) {
  std::string file = bytes();
  const std::string ours = R"("checkpoint_version":"1","silt_version":")" SILT_VERSION "\"";
  std::string theirs = R"("checkpoint_version":"7","silt_version":"9)" + std::string(SILT_VERSION).substr(1) + "\"";
  const auto at = file.find(ours);
  ASSERT_NE(at, std::string::npos);
  file.replace(at, ours.size(), theirs);
  const std::string message = message_of<InputError>([&] { read_checkpoint("x/0048.safetensors", Bytes(file)); });
  EXPECT_NE(message.find("x/0048.safetensors was written by silt 9"), std::string::npos) << message;
  EXPECT_NO_THROW(read_checkpoint("a", Bytes(file), /*any_version=*/true));
}

TEST_F(CheckpointTest, RefusesWhatLiesOutside) {
  const auto file = [](const std::string& header, std::size_t data) {
    const std::uint64_t length = header.size();
    return Bytes(std::string(reinterpret_cast<const char*>(&length), 8) + header + std::string(data, 'x'));
  };
  const char* bad[] = {
      R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})",                     // data is 8 bytes
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})",                      // ends before it begins
      R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",                      // shape does not fit
      R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})",                     // negative
      R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})",  // 4 * 2^62 * 4 wraps to 0
      R"({"a":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}})",
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}})",
      R"({"a":{"dtype":"F32","shape":[2]}})",
      R"({"a":7})",
      R"([])",
      R"(nonsense)",
      R"({"__metadata__":{"x":1}})",
  };
  for (const char* header : bad) EXPECT_THROW(read_checkpoint("a", file(header, 8), true), IoError) << header;
  EXPECT_THROW(read_checkpoint("a", Bytes(std::string_view("1234567"))), IoError);
  EXPECT_THROW(read_checkpoint("a", Bytes(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff{}"))), IoError);
  EXPECT_NO_THROW(read_checkpoint("a", file(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8), true));
}

// Whatever a mutated file says, it is refused or read within its bounds.
TEST_F(CheckpointTest, MutationsNeverEscape) {
  const std::string good = bytes();
  std::mt19937 random(1);
  int refused = 0;
  for (int n = 0; n < 2000; ++n) {
    std::string bad = good;
    const int changes = 1 + int(random() % 4);
    for (int c = 0; c < changes; ++c) {
      const std::size_t at = random() % std::min<std::size_t>(bad.size(), random() % 2 ? 16 : bad.size());
      switch (random() % 4) {
        case 0:
          bad[at] = char(bad[at] ^ (1 << random() % 8));
          break;
        case 1:
          bad[at] = char('0' + random() % 10);
          break;
        case 2:
          bad.resize(at + 1);
          break;
        case 3:
          bad.insert(at, 1, char(random()));
          break;
      }
    }
    Bytes mutated{bad};
    const char *begin = mutated.data(), *end = begin + mutated.size();
    try {
      const Checkpoint c = read_checkpoint("a", std::move(mutated), /*any_version=*/true);
      for (const auto& a : c.arrays()) {
        ASSERT_TRUE(a.data >= begin && a.data <= end && a.bytes <= std::size_t(end - a.data)) << n;
        volatile char sum = 0;
        for (std::size_t i = 0; i < a.bytes; ++i) sum = char(sum + a.data[i]);
      }
    } catch (const IoError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
}

TEST_F(CheckpointTest, RefusesMisuse) {
  CheckpointWriter writer;
  writer.add("a", density.data(), 7);
  EXPECT_THROW(writer.add("a", density.data(), 7), Error);
  EXPECT_THROW(writer.add("b", Dtype::f32, {8}, density.data(), 28), Error);
}

TEST(ExactText, GivesTheSameBits) {
  for (const double v : {0.1, 1.0 / 3, 1e-310, -2.5e300, 0.0})
    EXPECT_EQ(std::strtod(exact_text(v).c_str(), nullptr), v);
}

}  // namespace
}  // namespace silt
