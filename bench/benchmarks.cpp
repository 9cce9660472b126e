#include "bench/benchmarks.h"

#include "bench/bench_run.h"

namespace silt::bench {

// One function a benchmark, in the file of its name.
void kernels(BenchRun& bench);
void smoke(BenchRun& bench);

std::vector<trials::Trial> benchmarks() {
  return {
      benchmark("kernels", "the kernels every grid material runs, against a plain copy", kernels),
      benchmark("smoke", "a substep of smoke, all threads against one", smoke),
  };
}

}  // namespace silt::bench
