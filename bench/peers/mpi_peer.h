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
  void set_up_done() {
    MPI_Barrier(MPI_COMM_WORLD);
    middle_ = wall_seconds();
  }
  /// Stops, and prints on the first rank.
  void solve_done(int iterations) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double end = wall_seconds();
    const double mine = cpu_seconds() - cpu_;
    double all = 0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (mpi_rank() == 0) print_attempt({middle_ - start_, end - middle_, all, iterations});
  }

 private:
  double start_ = (MPI_Barrier(MPI_COMM_WORLD), wall_seconds()), middle_ = start_, cpu_ = cpu_seconds();
};

}  // namespace silt::bench
