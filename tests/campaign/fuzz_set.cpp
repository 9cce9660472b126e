// What stands behind --set.
#include "campaign/target.h"
#include "silt/scene/toml_reader.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  return survives(data, size, [](std::string_view text) {
    Document document = parse_document("a = 1\n[b.c]\nd = [1, 2]\n", "fuzz.toml");
    apply_override(document, text);
  });
}
