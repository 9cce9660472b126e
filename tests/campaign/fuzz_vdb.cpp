// Volumes and points of the cache, as `silt info` and as a renderer read them.
#include "campaign/target.h"
#include "silt/cache/points_file.h"
#include "silt/cache/volume_file.h"

/// OpenVDB 10 leaves behind what it had made of a file that it then refuses.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:openvdb::";
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  survives(data, size, [](std::string_view bytes) { describe_volumes("fuzz.vdb", Bytes(bytes)); });
  survives(data, size, [](std::string_view bytes) { decode_points("fuzz.vdb", Bytes(bytes)); });
  return survives(data, size, [](std::string_view bytes) { decode_volumes("fuzz.vdb", Bytes(bytes)); });
}
