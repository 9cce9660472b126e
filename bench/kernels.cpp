#include "bench/bench_run.h"
#include "bench/kernel_cases.h"

namespace silt::bench {

void kernels(BenchRun& bench) {
  KernelBench kernels(bench.exec, bench.size(256, 48));
  const double cells = double(kernels.cells());
  bool first = true;  // the measure: a copy
  for (const KernelCase& one : kernels.cases()) {
    bench.time({.name = one.name,
                .run = one.run,
                .error = one.error,
                .allowed = one.allowed,
                .items = cells,
                .bytes = one.bytes_per_cell * cells,
                .reference = one.reference,
                .is_copy = first,
                .least_of_copy = one.least_of_copy,
                .least_rate = one.least_mcells});
    first = false;
  }
}

}  // namespace silt::bench
