#include "bench/benchmarks.h"

#include "bench/bench_run.h"

namespace silt::bench {

// One function a benchmark, in the file of its name.
void distance(BenchRun& bench);
void kernels(BenchRun& bench);
void lcp(BenchRun& bench);
void poisson(BenchRun& bench);
void smoke(BenchRun& bench);
void transfers(BenchRun& bench);

std::vector<trials::Trial> benchmarks() {
  return {
      benchmark("distance", "signed distance of 100 thousand triangles on 128^3 points", distance),
      benchmark("kernels", "the kernels every grid material runs, against a plain copy", kernels),
      benchmark("lcp", "64^3 pressures that may only push, against PETSc's TAO", lcp),
      benchmark("poisson", "128^3 pressures, against PETSc, hypre and Eigen", poisson),
      benchmark("smoke", "a substep of smoke, all threads against one", smoke),
      benchmark("transfers", "what a substep of a liquid does with its particles", transfers),
  };
}

}  // namespace silt::bench
