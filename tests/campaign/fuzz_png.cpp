// The picture of a height field.
#include "campaign/target.h"
#include "silt/render/grey_png.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  return survives(data, size, [&](std::string_view) { decode_grey_png({data, size}, 1 << 20); });
}
