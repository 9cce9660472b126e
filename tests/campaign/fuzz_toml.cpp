// TOML text to a table with a parameter of every kind.
#include "campaign/target.h"
#include "silt/scene/check_document.h"
#include "silt/scene/everything_for_test.h"
#include "silt/scene/toml_reader.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  return survives(data, size, [](std::string_view text) {
    const Document document = parse_document(text, "fuzz.toml");
    Diagnostics diagnostics;
    check_document(document, {test::everything_table().info()}, diagnostics);
    for (const Block& block : document.named_blocks("thing")) test::everything_table().read(block, diagnostics);
    diagnostics.text();
  });
}
