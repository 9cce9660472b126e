#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "silt/core/exec.h"
#include "trials/run_trials.h"

namespace silt::bench {

/// One thing that is timed. A fast wrong answer fails.
struct Case {
  std::string name{};  ///< "advect linear"
  std::function<void()> run{};
  std::function<double()> error{};  ///< of the answer, after a run
  double allowed = 0;               ///< bound on the error

  double items = 0;         ///< cells, triangles, ... that a run handles
  double bytes = 0;         ///< that a run must move: each input read once, each output written once
  std::string reference{};  ///< an earlier case of this benchmark: its wall time an item over this one's is the ratio
  bool is_copy = false;     ///< this is the plain copy that fractions of bandwidth are of

  // What it must reach on the cores of the machine silt is built on; 0: nothing is asked. A GPU is only told of, and so
  // is the quick form, whose arrays fit in a cache.
  double least_of_copy = 0;  ///< fraction of the copy's bytes a second
  double least_rate = 0;     ///< millions of items a second
  double most_wall = 0;      ///< [s]
  double least_ratio = 0;    ///< times as fast as the reference
};

/// What a benchmark works with.
///
///   void distance(BenchRun& bench) {
///     ...
///     bench.time({.name = "sphere", .run = [&] { ... }, .error = [&] { ... }, .allowed = 1e-6, .most_wall = 3});
///   }
class BenchRun {
 public:
  BenchRun(const trials::Options& options, trials::Measures& measures);

  const Exec exec;
  const bool quick;
  trials::Measures& measure;
  /// Cells a side: what --size says, or else one of these.
  int size(int usual, int when_quick) const { return options_.size.value_or(quick ? when_quick : usual); }

  /// Whether speed is held to bounds, and not only told: on the cores, in full size.
  bool judged() const { return exec.on_cpu() && !quick; }

  /// Bytes a second of a plain copy as large as the kernels' arrays; measured once a benchmark.
  double copy_bandwidth();
  /// Checks its answer, times it, and holds it to its bounds.
  void time(const Case& one);
  /// A number that has to reach a bound where speed is judged. `missing` says what kept it from being measured: then it
  /// is no pass.
  void expect_at_least(const std::string& name, double measured, double bound, const std::string& missing = {});
  /// A number that must not pass a bound where speed is judged.
  void expect_at_most(const std::string& name, double measured, double bound, const std::string& unit);
  /// What the page says before its table, in place of what it says of cases that are timed.
  void about(const std::string& text) { about_ = text; }
  /// Text for after the table, whole lines.
  void say(const std::string& text) { said_ += text; }
  /// All that was timed, in columns, and what was said.
  std::string table() const;
  /// Of a page: what was run where, the table, the measures, and the command that makes it again.
  std::string page(const std::string& name, const std::string& summary) const;

 private:
  struct Row {
    std::string name;
    double wall = 0, cpu = 0, rate = 0, bandwidth = 0, of_copy = 0, ratio = 0;  ///< 0: not known
    bool right = true;
  };
  Row timed(const Case& one);
  void hold_to_bounds(const Case& one, const Row& row);

  const trials::Options options_;
  double copy_bandwidth_ = 0;  ///< [bytes/s]; 0: not measured yet
  std::vector<Row> rows_;
  std::string about_ =
      "Wall and CPU time of the quickest of several runs, millions of items a second, the bytes that have to be moved\n"
      "against those of a plain copy, and how many times as fast as its reference, all in one run. Seconds vary with\n"
      "the machine and with what else it does: read the ratios.";
  std::string said_;
};

/// A benchmark as a trial.
trials::Trial benchmark(const std::string& name, const std::string& summary, std::function<void(BenchRun&)> run);

}  // namespace silt::bench
