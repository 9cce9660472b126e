#include "bench/benchmarks.h"

#include "bench/bench_run.h"

namespace silt::bench {

// One function a benchmark, in the file of its name.
void distance(BenchRun& bench);
void gas(BenchRun& bench);
void kernels(BenchRun& bench);
void lcp(BenchRun& bench);
void poisson(BenchRun& bench);
void render(BenchRun& bench);
void sand(BenchRun& bench);
void smoke(BenchRun& bench);
void surface(BenchRun& bench);
void threads(BenchRun& bench);
void transfers(BenchRun& bench);
void water(BenchRun& bench);

std::vector<trials::Trial> benchmarks() {
  std::vector<trials::Trial> all{
      benchmark("distance", "signed distance of 100 thousand triangles on 128^3 points", distance),
      benchmark("gas", "a substep of gas, explicit and implicit, at 64^3 cells", gas),
      benchmark("kernels", "the kernels every grid material runs, against a plain copy", kernels),
      benchmark("lcp", "64^3 pressures that may only push, against PETSc's TAO", lcp),
      benchmark("poisson", "128^3 pressures, against PETSc, hypre and Eigen", poisson),
      benchmark("threads", "a substep of smoke, all threads against one", threads),
      benchmark("transfers", "what a substep of a liquid does with its particles", transfers),
  };
#if defined(SILT_BENCH_SCENES)  // where whole scenes can be run
  all.push_back(benchmark(
      "render", "pictures of 500 thousand grains and of a 250^3 mesh of water, and quick ones as a run makes", render));
  all.push_back(benchmark("sand", "the scene sand_column, 433 thousand particles, by stage, and as it grows", sand));
  all.push_back(
      benchmark("smoke", "the scene smoke_plume at 128 x 128 x 256 cells, by stage, against Mantaflow", smoke));
  all.push_back(benchmark("surface", "the surface of 270 thousand particles on 250^3 voxels", surface));
  all.push_back(
      benchmark("water", "the scene water_column, 433 thousand particles, by stage, against Mantaflow", water));
#endif
  return all;
}

}  // namespace silt::bench
