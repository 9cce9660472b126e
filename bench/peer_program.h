#pragma once

#include <string>
#include <vector>

#include "bench/peers/peer.h"

namespace silt::bench {

/// Another library's way to solve the problem: a program of bench/peers, which was built where the library was found.
struct Peer {
  std::string name;      ///< "petsc_mg"
  std::string program;   ///< "petsc_poisson"
  std::string method;    ///< what the program is asked for: "mg"
  bool ranks = true;     ///< processes of MPI; otherwise threads
  std::string packages;  ///< Debian's that it is built with
};

/// What it found, and how quickly.
struct PeerAnswer {
  std::string library{}, options{};
  std::vector<Attempt> attempts{};
  std::vector<double> x{};
};

bool is_built(const Peer& peer);

/// Has it solve the problem `repeats` times, on so many ranks or threads. Error when it breaks down.
PeerAnswer ask(const Peer& peer, int threads, const BoxProblem& box, Load load, double tolerance, int repeats);

}  // namespace silt::bench
