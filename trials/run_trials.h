#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "trials/measure.h"
#include "trials/options.h"
#include "trials/out_folder.h"

namespace silt::trials {

/// One experiment or benchmark.
struct Trial {
  std::string name;     ///< "taylor_green"
  std::string summary;  ///< a line for --list
  /// Measures; returns what to print after the table, such as where its page is. May throw.
  std::function<std::string(const Options&, Measures&)> run;
};

/// A program of trials.
struct Program {
  std::string command;     ///< "silt validate"
  std::string each, many;  ///< "experiment", "experiments"
  std::string help;        ///< of its own options
  std::vector<Extra> extras;
  std::vector<Trial> trials;
  PagePlaces places{};
  bool tells_all = true;  ///< the table has what no bound is set for too; --json always has
};

/// Runs what `words` ask for and prints it to `out`, messages to `err`. Returns the exit code: 0 every bound is met,
/// 1 one is missed or a trial broke down, 2 the words make no sense and nothing was run.
int run_trials(const Program& program, const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace silt::trials
