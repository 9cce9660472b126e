#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "box_problem.h"

// What the peers share: small programs, one a library, that `silt bench` starts and whose answers it checks.
//   PROGRAM METHOD CELLS smooth|random TOLERANCE REPEATS ANSWER [OPTIONS]
// ANSWER is the file that gets x, doubles, x fastest. OPTIONS take the place of the library options the peer would
// choose itself. Standard output:
//   library NAME VERSION
//   options TEXT
//   assembly SECONDS
//   attempt SET_UP_SECONDS SOLVE_SECONDS CPU_SECONDS ITERATIONS     one line a repeat

namespace silt::bench {

struct PeerTask {
  std::string method;
  BoxProblem box;
  Load load;
  double tolerance;
  int repeats;
  std::string answer;
  std::string options;  ///< empty: the peer's choice

  PeerTask(int argc, char** argv) {
    if (argc < 7)
      throw std::runtime_error("usage: " + std::string(argv[0]) +
                               " METHOD CELLS smooth|random TOLERANCE REPEATS ANSWER [OPTIONS]");
    method = argv[1];
    box.n = std::atoi(argv[2]);
    load = argv[3] == std::string("smooth") ? Load::smooth : Load::random;
    tolerance = std::atof(argv[4]);
    repeats = std::atoi(argv[5]);
    answer = argv[6];
    if (argc > 7) options = argv[7];
  }
};

/// From the assembled matrix to the answer.
struct Attempt {
  double set_up = 0, solve = 0;  ///< wall [s]
  double cpu = 0;                ///< of all ranks [s]
  int iterations = 0;
};

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
/// Of this process so far.
inline double cpu_seconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return double(use.ru_utime.tv_sec + use.ru_stime.tv_sec) + 1e-6 * double(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

inline void print_attempt(const Attempt& one) {
  std::printf("attempt %.6f %.6f %.6f %d\n", one.set_up, one.solve, one.cpu, one.iterations);
  std::fflush(stdout);
}

/// A part of the box that one rank has: cells from lo up to, not including, hi.
struct Part {
  int lo[3] = {}, hi[3] = {};
  std::size_t count() const {
    return std::size_t(hi[0] - lo[0]) * std::size_t(hi[1] - lo[1]) * std::size_t(hi[2] - lo[2]);
  }
  /// Calls f(i, j, k) for each cell, x fastest.
  template <class F>
  void for_each(const F& f) const {
    for (int k = lo[2]; k < hi[2]; ++k)
      for (int j = lo[1]; j < hi[1]; ++j)
        for (int i = lo[0]; i < hi[0]; ++i) f(i, j, k);
  }
  /// values = f(i, j, k), x fastest.
  template <class F>
  void fill(double* values, const F& f) const {
    for_each([&](int i, int j, int k) { *values++ = f(i, j, k); });
  }
};

/// Layers of z, as even as can be.
inline Part layers(const BoxProblem& box, int rank, int ranks) {
  return {{0, 0, box.n * rank / ranks}, {box.n, box.n, box.n * (rank + 1) / ranks}};
}

/// Writes a rank's values, x fastest, to their places in the answer's file, which must exist.
inline void write_part(const std::string& path, const BoxProblem& box, const Part& part, const double* values) {
  std::FILE* file = std::fopen(path.c_str(), "r+b");
  if (!file) throw std::runtime_error("cannot write " + path);
  const std::size_t line = std::size_t(part.hi[0] - part.lo[0]);
  bool good = true;
  for (int k = part.lo[2]; k < part.hi[2]; ++k)
    for (int j = part.lo[1]; j < part.hi[1]; ++j, values += line) {
      good = good && std::fseek(file, long(sizeof(double)) * long(box.row(part.lo[0], j, k)), SEEK_SET) == 0;
      good = good && std::fwrite(values, sizeof(double), line, file) == line;
    }
  if (std::fclose(file) != 0 || !good) throw std::runtime_error("cannot write " + path);
}

}  // namespace silt::bench
