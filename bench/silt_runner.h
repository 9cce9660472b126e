#pragma once

#include <utility>

#include "bench/box_system.h"
#include "bench/peer_program.h"
#include "silt/core/text.h"

namespace silt::bench {

/// Silt in a race: solve(b, x, set_up_done) makes a solver anew, calls set_up_done() when it has been prepared, and
/// returns the number of iterations.
template <class Solve>
PeerAnswer run_silt(const Exec& exec, const BoxSystem& system, const Field<double>& load, int repeats,
                    const Solve& solve) {
  PeerAnswer answer{.library = str("silt ", SILT_VERSION), .options = str(exec.threads(), " threads")};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Field<double> b = load, x(system.layout);
    const double start = wall_seconds(), cpu = cpu_seconds();
    double middle = start;
    const int iterations = solve(b, x, [&] { middle = wall_seconds(); });
    std::as_const(x).values().host();  // waits for a GPU
    answer.attempts.push_back({middle - start, wall_seconds() - middle, cpu_seconds() - cpu, iterations});
    if (repeat + 1 == repeats) answer.x = system.values(x);
  }
  return answer;
}

}  // namespace silt::bench
