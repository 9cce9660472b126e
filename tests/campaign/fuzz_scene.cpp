// A whole scene, its files left unread.
#include "campaign/target.h"
#include "silt/scene.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  return survives(data, size, [](std::string_view text) { parse_past_scene(std::string(text), "fuzz.toml"); });
}
