// Where bodies are, as it is and with a checksum that holds.
#include "campaign/checked.h"
#include "campaign/target.h"
#include "silt/cache/bodies_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  survives(data, size, [](std::string_view text) { decode_bodies("fuzz.json", text); });
  return survives(data, size, [](std::string_view text) {
    const std::vector<FiledBody> bodies = decode_bodies("fuzz.json", checked(text));
    decode_bodies("fuzz.json", encode_bodies({}, bodies));
  });
}
