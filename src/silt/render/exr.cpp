#include "silt/render/exr.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfOutputFile.h>

#include <cstring>

namespace silt {
namespace {

/// OpenEXR writes into a string: what goes to disk is the cache's business.
class StringStream : public Imf::OStream {
 public:
  StringStream() : OStream("picture") {}
  void write(const char bytes[], int n) override {
    if (at_ + std::size_t(n) > text.size()) text.resize(at_ + std::size_t(n));
    std::memcpy(text.data() + at_, bytes, std::size_t(n));
    at_ += std::size_t(n);
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t to) override { at_ = to; }

  std::string text;

 private:
  std::size_t at_ = 0;
};

}  // namespace

std::string encode_exr(const Exposure& picture) {
  const Image& light = picture.light;
  const int width = light.width(), height = light.height();
  Imf::Header header(width, height);
  header.compression() = Imf::ZIP_COMPRESSION;
  Imf::FrameBuffer buffer;
  std::vector<half> rgba;
  rgba.reserve(4 * picture.depth.size());
  constexpr float largest = 65504;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Colour covering = light.at(x, y) - picture.behind.at(x, y);
      for (int c = 0; c < 3; ++c) rgba.emplace_back(std::clamp(covering[c], 0.0f, largest));
      rgba.emplace_back(picture.alpha[picture.index(x, y)]);
    }
  const auto add = [&](const char* name, Imf::PixelType type, const void* first, std::size_t stride) {
    header.channels().insert(name, Imf::Channel(type));
    char* base = static_cast<char*>(const_cast<void*>(first));  // it is only read from
    buffer.insert(name, Imf::Slice(type, base, stride, stride * std::size_t(width)));
  };
  const char* const names[4] = {"R", "G", "B", "A"};
  for (int c = 0; c < 4; ++c) add(names[c], Imf::HALF, rgba.data() + c, 4 * sizeof(half));
  const char* const albedo[3] = {"albedo.R", "albedo.G", "albedo.B"};
  const char* const normal[3] = {"normal.X", "normal.Y", "normal.Z"};
  for (int c = 0; c < 3; ++c) {
    add(albedo[c], Imf::FLOAT, &picture.albedo.at(0, 0)[c], sizeof(Vec3f));
    add(normal[c], Imf::FLOAT, &picture.normal.at(0, 0)[c], sizeof(Vec3f));
  }
  add("Z", Imf::FLOAT, picture.depth.data(), sizeof(float));

  StringStream stream;
  {
    Imf::OutputFile file(stream, header);
    file.setFrameBuffer(buffer);
    file.writePixels(height);
  }  // the table of its lines is written at its end
  return std::move(stream.text);
}

}  // namespace silt
