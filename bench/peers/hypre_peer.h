#pragma once

#include <HYPRE.h>

#include <map>
#include <sstream>

#include "mpi_peer.h"

// What hypre's two interfaces share.

namespace silt::bench {

/// Throws what hypre says of an error.
inline void check(int error) {
  if (error == 0) return;
  char text[256];
  HYPRE_DescribeError(error, text);
  throw std::runtime_error(text);
}

class Choices {
 public:
  explicit Choices(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;)
      values_[word.substr(0, word.find('='))] = std::stod(word.substr(word.find('=') + 1));
  }
  /// Sets a number of the solver where one was chosen.
  template <class Solver, class Number>
  void set(Solver solver, const char* name, int (*setter)(Solver, Number)) const {
    if (const auto at = values_.find(name); at != values_.end()) check(setter(solver, Number(at->second)));
  }

 private:
  std::map<std::string, double> values_;
};

/// What one rank has of the box, and its values, x fastest.
struct Share {
  const PeerTask& task;
  Part part = layers(task.box, mpi_rank(), mpi_ranks());
  std::vector<double> values = std::vector<double>(part.count());
};

}  // namespace silt::bench
