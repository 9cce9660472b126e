// The kernels every grid material runs, against a plain copy in the same run: wall and CPU time, millions of cells a
// second, and the fraction of the copy's bandwidth. A wrong answer fails, however fast.
//   silt_bench [--device cpu|cuda] [--size N] [--threads N] [--json]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "kernel_cases.h"
#include "silt/core/device_memory.h"
#include "silt/core/error.h"

namespace {

using namespace silt;

struct Options {
  Device device = Device::cpu;
  int size = 256, threads = 0;
  bool json = false;
};

struct Timing {
  double wall = 1e30, cpu = 0;  ///< of the quickest repeat [s]
};

double cpu_seconds() {
  return double(std::clock()) / CLOCKS_PER_SEC;
}

Timing time_of(const KernelCase& one, const Exec& exec) {
  Timing best;
  double spent = 0;
  for (int repeat = 0; repeat < 5 || (spent < 1.0 && repeat < 200); ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    one.run();
    if (!exec.on_cpu()) device_memory::synchronize();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    spent += wall;
    if (wall < best.wall) best = {wall, cpu_seconds() - cpu};
  }
  return best;
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const auto value = [&]() -> const char* {
      if (i + 1 >= argc) throw InputError(flag + " needs a value");
      return argv[++i];
    };
    if (flag == "--json")
      o.json = true;
    else if (flag == "--size")
      o.size = std::atoi(value());
    else if (flag == "--threads")
      o.threads = std::atoi(value());
    else if (flag == "--device")
      o.device = std::strcmp(value(), "cuda") == 0 ? Device::cuda : Device::cpu;
    else
      throw InputError("unknown option '" + flag + "': --device cpu|cuda, --size N, --threads N, --json");
  }
  if (o.size < 16 || o.size > 1024) throw InputError("--size takes 16 to 1024");
  return o;
}

int run(const Options& options) {
  const Exec exec(options.device, options.threads);
  KernelBench bench(exec, options.size);
  const double mcells = double(bench.cells()) / 1e6;
  double copy_rate = 0;
  bool all_met = true;
  std::string json;
  if (!options.json)
    std::printf("%s, %d^3 cells, %d threads\n%-20s %10s %10s %10s %10s %9s  %s\n", exec.on_cpu() ? "cpu" : "cuda",
                options.size, exec.threads(), "kernel", "wall ms", "cpu ms", "Mcell/s", "GB/s", "of copy", "");
  for (const KernelCase& one : bench.cases()) {
    one.run();
    const double error = one.error();
    const Timing t = time_of(one, exec);
    const double rate = one.bytes_per_cell * mcells / 1e3 / t.wall;  // [GB/s]
    if (copy_rate == 0) copy_rate = rate;                            // the first case is the measure
    const double of_copy = rate / copy_rate, speed = mcells / t.wall;
    const bool right = error <= one.allowed;
    // The bounds are for two threads of the machine the project is built on; a GPU is only reported.
    const bool met = right && (!exec.on_cpu() || (of_copy >= one.least_of_copy && speed >= one.least_mcells));
    all_met &= met;
    const double bound = one.least_mcells > 0 ? one.least_mcells : one.least_of_copy;
    const double measured = one.least_mcells > 0 ? speed : of_copy;
    char line[256];
    std::snprintf(line, sizeof line, "%s{\"name\": \"%s\", \"measured\": %.4g, \"bound\": %.4g, \"pass\": %s}",
                  json.empty() ? "" : ", ", one.name.c_str(), measured, bound, met ? "true" : "false");
    json += line;
    if (!options.json)
      std::printf("%-20s %10.3f %10.3f %10.1f %10.1f %9.2f  %s\n", one.name.c_str(), 1e3 * t.wall, 1e3 * t.cpu, speed,
                  rate, of_copy,
                  !right      ? "WRONG ANSWER"
                  : !met      ? "below its bound"
                  : bound > 0 ? "ok"
                              : "");
  }
  if (options.json) std::printf("[%s]\n", json.c_str());
  return all_met ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const InputError& e) {
    std::fprintf(stderr, "silt_bench: %s\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "silt_bench: %s\n", e.what());
    return 1;
  }
}
