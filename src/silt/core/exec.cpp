#include "silt/core/exec.h"

#include <omp.h>

#include <algorithm>

#include "silt/core/device_memory.h"
#include "silt/core/error.h"

namespace silt {

int available_threads() {
  return std::max(1, omp_get_num_procs());
}

int this_thread() {
  return omp_get_thread_num();
}
int threads_here() {
  return omp_get_num_threads();
}

Exec::Exec(Device device, int threads, std::int64_t share_from)
    : device_(device), threads_(threads > 0 ? threads : available_threads()), share_from_(share_from) {
  if (device == Device::cuda && !device_memory::available())
    throw InputError(
        "device 'cuda' is not available: this build has no CUDA, or the machine has no GPU; use --device cpu");
}

}  // namespace silt
