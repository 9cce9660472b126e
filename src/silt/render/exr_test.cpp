#include "silt/render/exr.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>
#include <gtest/gtest.h>

#include <cstring>

namespace silt {
namespace {

class StringReader : public Imf::IStream {
 public:
  explicit StringReader(const std::string& text) : IStream("text"), text_(text) {}
  bool read(char c[], int count) override {
    std::memcpy(c, text_.data() + at_, std::size_t(count));
    at_ += std::size_t(count);
    return at_ < text_.size();
  }
  std::uint64_t tellg() override { return at_; }
  void seekg(std::uint64_t to) override { at_ = to; }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

TEST(Exr, ReadsBackAsItWasWritten) {
  constexpr int width = 10, height = 6;
  Exposure picture(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t i = picture.index(x, y);
      picture.light.at(x, y) = {float(x) + 0.5f, 100.0f * float(y), 1e6f};
      picture.behind.at(x, y) = {0.5f, 0, 0};  // the background is not written
      picture.albedo.at(x, y) = {0.1f * float(x), 0.5f, 1};
      picture.normal.at(x, y) = {0, -1, 0.25f};
      picture.depth[i] = 0.001f + float(i), picture.alpha[i] = x < 5 ? 0.0f : 1.0f;
    }
  const std::string text = encode_exr(picture);
  StringReader reader(text);
  Imf::InputFile file(reader);
  ASSERT_EQ(file.header().dataWindow().max.x, width - 1);
  ASSERT_EQ(file.header().dataWindow().max.y, height - 1);
  const auto channel = [&](const char* name) {
    EXPECT_TRUE(file.header().channels().findChannel(name)) << name;
    std::vector<float> values(width * height);
    Imf::FrameBuffer buffer;
    buffer.insert(name,
                  Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(values.data()), sizeof(float), sizeof(float) * width));
    file.setFrameBuffer(buffer);
    file.readPixels(0, height - 1);
    return values;
  };
  const std::vector<float> r = channel("R"), g = channel("G"), b = channel("B"), a = channel("A"), z = channel("Z"),
                           red = channel("albedo.R"), up = channel("normal.Z");
  for (std::size_t i = 0; i < r.size(); ++i) {
    EXPECT_EQ(r[i], float(i % width));
    EXPECT_EQ(g[i], 100.0f * float(i / width));
    EXPECT_EQ(b[i], 65504);  // the largest half float, not infinity
    EXPECT_EQ(a[i], i % width < 5 ? 0 : 1);
    EXPECT_EQ(z[i], picture.depth[i]);
    EXPECT_EQ(red[i], 0.1f * float(i % width));
    EXPECT_EQ(up[i], 0.25f);
  }
}

}  // namespace
}  // namespace silt
