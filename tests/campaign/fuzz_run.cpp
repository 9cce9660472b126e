// run.json, as it is and with a checksum that holds.
#include "campaign/checked.h"
#include "campaign/target.h"
#include "silt/cache/run_status.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  survives(data, size, [](std::string_view text) { parse_run_status("run.json", text); });
  return survives(data, size, [](std::string_view text) {
    const RunStatus status = parse_run_status("run.json", checked(text));
    parse_run_status("run.json", run_status_text(status));
  });
}
