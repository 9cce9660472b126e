// run.json.
#include "campaign/target.h"
#include "silt/cache/run_status.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  return survives(data, size, [](std::string_view text) { parse_run_status("run.json", text); });
}
