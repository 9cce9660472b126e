// A surface of the cache.
#include "campaign/target.h"
#include "silt/cache/mesh_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  survives(data, size, [](std::string_view bytes) { describe_mesh("fuzz.ply", Bytes(bytes)); });
  return survives(data, size, [](std::string_view bytes) { decode_mesh("fuzz.ply", Bytes(bytes)); });
}
