#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace silt {

/// A picture of plain numbers, 0 black to 1 white, as they stand in the file; row 0 at the top.
struct GreyImage {
  int width = 0, height = 0;
  std::vector<float> values;
};

/// Of an 8 or 16 bit PNG: grey as it is, colour as its brightness, alpha passed over. Throws IoError when the bytes are
/// not a readable PNG of at most `most` pixels, or too few for the picture that they claim.
GreyImage decode_grey_png(std::span<const std::uint8_t> bytes, std::int64_t most);

}  // namespace silt
