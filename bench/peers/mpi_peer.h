#pragma once

#include <mpi.h>

#include "peer.h"

// What peers of several ranks share.

namespace silt::bench {

inline int mpi_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int mpi_ranks() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

/// Times set-up and solve of all ranks together.
class Stopwatch {
 public:
  void set_up_done() { middle_ = together(); }
  void stop() {
    end_ = together();
    cpu_ = cpu_seconds() - cpu_;
  }
  /// Prints what was measured, on the first rank.
  void print(int iterations) const {
    double all = 0;
    MPI_Reduce(&cpu_, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (mpi_rank() == 0) print_attempt({middle_ - start_, end_ - middle_, all, iterations});
  }

 private:
  static double together() {
    MPI_Barrier(MPI_COMM_WORLD);
    return wall_seconds();
  }
  double start_ = together(), middle_ = start_, end_ = start_, cpu_ = cpu_seconds();
};

}  // namespace silt::bench
