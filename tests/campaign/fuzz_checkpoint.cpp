// A checkpoint.
#include "campaign/target.h"
#include "silt/cache/checkpoint.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  return survives(data, size, [](std::string_view bytes) { read_checkpoint("fuzz.safetensors", Bytes(bytes), true); });
}
