// A list of exported files, read and written.
#include "campaign/target.h"
#include "silt/cache/pvd_list.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  return survives(data, size, [](std::string_view text) { read_pvd(pvd_text(read_pvd(text))); });
}
