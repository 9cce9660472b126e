// The program with one more thing: SILT_FAULT says at which change of the disk it fails (silt/cache/fault.h). What
// users run does not look at that variable.

#include <cstdio>
#include <cstdlib>

#include "silt/cache/fault.h"
#include "silt/core/error.h"

namespace {

const bool planned = [] {
  const char* const spec = std::getenv("SILT_FAULT");
  if (!spec) return false;
  try {
    silt::set_fault(spec);
  } catch (const silt::InputError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::_Exit(2);
  }
  return true;
}();

}  // namespace
