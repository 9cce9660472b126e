#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/bench_run.h"
#include "bench/peer_program.h"

namespace silt::bench {

/// Silt against peers, on one problem, in one run. Each is first asked for an answer with the common tolerance; where
/// the harness finds a larger error in it than that, its own tolerance is made tighter in small steps, no tighter than
/// it takes. Then all take turns, so that what else the machine does hits all alike, and the quickest time of each
/// counts.
class Race {
 public:
  /// Answers and times of `repeats` solves to a tolerance.
  using Runner = std::function<PeerAnswer(double tolerance, int repeats)>;

  struct Row {
    std::string name, library, options;
    double tolerance = 0;                                    ///< that it was given
    double error = std::numeric_limits<double>::infinity();  ///< of the worst of its answers
    Attempt best;                                            ///< of least wall time
    std::string absent;                                      ///< why it did not run; "": it ran
    Runner run;
    double wall() const { return best.set_up + best.solve; }
  };

  /// `error` judges an answer; it has to be `allowed` or less.
  Race(std::string title, std::function<double(const std::vector<double>&)> error, double allowed);

  void enter(const std::string& name, Runner run);
  void enter(const Peer& peer, int threads, const BoxProblem& box, Load load);

  void run(bool quick);

  const Row& row(const std::string& name) const;
  /// Wall time of the quickest of these over that of `name`; NaN when one of them is missing or wrong.
  double times_as_fast(const std::string& name, const std::vector<std::string>& others) const;
  /// Which of these did not run, and why: "hypre_pfmg needs libhypre-dev"; "" when all ran.
  std::string absent(const std::vector<std::string>& names) const;

  /// The error of each, held to what is allowed.
  void hold_to_errors(trials::Measures& measures, const std::string& prefix) const;
  /// All of it, in columns. Ratios are to the wall time of `reference`.
  std::string table(const std::string& reference) const;
  /// Everybody's library and options, a line each.
  std::string options() const;

 private:
  void ask(Row& row, int repeats);

  std::string title_;
  std::function<double(const std::vector<double>&)> error_;
  double allowed_;
  std::vector<Row> rows_;
};

/// Tells how busy others keep the machine, which ranks and threads that wait for each other suffer from most: what was
/// measured beside them is no measure of anybody.
void tell_load(BenchRun& bench);

}  // namespace silt::bench
