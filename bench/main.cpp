// The benchmarks: wall and CPU time, items a second, the fraction of this machine's copy bandwidth and the ratio to a
// reference, both measured in the same run. A wrong answer fails, however fast.
//   silt_bench [NAME...] [--list] [--json] [--quick] [--size N] [--out DIR] [--threads N] [--device cpu|cuda]

#include <iostream>

#include "bench/benchmarks.h"

int main(int argc, char** argv) {
  using namespace silt;
  const trials::Program program{
      .command = "silt bench",
      .each = "benchmark",
      .many = "benchmarks",
      .help =
          "--size N          cells a side, 16 to 1024\n"
          "--out DIR         where pages go, bench_NAME.md; otherwise docs/validation of the source, and "
          "nowhere with --json;\n"
          "                  with --quick or --size the build folder\n",
      .extras = {trials::Extra::size, trials::Extra::out},
      .trials = bench::benchmarks(),
      .places = {.whole = SILT_PAGES_DIR, .small = SILT_QUICK_DIR},
      .tells_all = false};
  return trials::run_trials(program, {argv + 1, argv + argc}, std::cout, std::cerr);
}
