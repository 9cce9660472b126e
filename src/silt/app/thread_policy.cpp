#include "silt/app/thread_policy.h"

#include <unistd.h>

#include <cstdlib>

namespace silt {

void wait_politely(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
  if (::setenv("GOMP_SPINCOUNT", "1500", 1) == 0) ::execv("/proc/self/exe", argv);
  // Still here: it could not be started again, and goes on as it is.
}

}  // namespace silt
