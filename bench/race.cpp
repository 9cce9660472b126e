#include "bench/race.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt::bench {

namespace {
constexpr double tighter = 0.8;  // by so much at a time
constexpr int most_tightenings = 12;
}  // namespace

Race::Race(std::string title, std::function<double(const std::vector<double>&)> error, double allowed)
    : title_(std::move(title)), error_(std::move(error)), allowed_(allowed) {}

void Race::enter(const std::string& name, Runner run) {
  Row row;
  row.name = name;
  row.run = std::move(run);
  rows_.push_back(std::move(row));
}

void Race::enter(const Peer& peer, int threads, const BoxProblem& box, Load load) {
  enter(peer.name,
        [=](double tolerance, int repeats) { return bench::ask(peer, threads, box, load, tolerance, repeats); });
  if (!is_built(peer)) rows_.back().absent = "needs " + peer.packages;
}

void Race::ask(Row& row, int repeats) {
  if (!row.absent.empty()) return;
  PeerAnswer answer;
  try {
    answer = row.run(row.tolerance, repeats);
  } catch (const Error& e) {  // a peer that breaks down keeps no other from running
    row.absent = e.what();
    return;
  }
  row.library = answer.library;
  row.options = answer.options;
  const double error = error_(answer.x);
  const bool first = !std::isfinite(row.error) || row.error > allowed_;
  row.error = first ? error : std::max(row.error, error);
  if (first) row.best = answer.attempts.front();
  for (const Attempt& one : answer.attempts)
    if (one.set_up + one.solve < row.wall()) row.best = one;
}

void Race::run(bool quick) {
  const int rounds = quick ? 1 : 3;
  for (Row& row : rows_) {
    row.tolerance = allowed_;
    ask(row, 1);
    for (int i = 0; i < most_tightenings && row.absent.empty() && !(row.error <= allowed_); ++i) {
      row.tolerance *= tighter;
      ask(row, 1);
    }
  }
  for (int round = 1; round < rounds; ++round)
    for (Row& row : rows_)
      if (row.error <= allowed_) ask(row, row.wall() < 1 ? 4 : 1);  // [s]; who is slow is not waited for so often
}

const Race::Row& Race::row(const std::string& name) const {
  const auto at = std::find_if(rows_.begin(), rows_.end(), [&](const Row& one) { return one.name == name; });
  if (at == rows_.end()) throw Error("nobody of the name " + name + " runs");
  return *at;
}

double Race::times_as_fast(const std::string& name, const std::vector<std::string>& others) const {
  double quickest = std::numeric_limits<double>::infinity();
  for (const std::string& other : others) {
    const Row& one = row(other);
    if (!one.absent.empty() || !(one.error <= allowed_)) return std::numeric_limits<double>::quiet_NaN();
    quickest = std::min(quickest, one.wall());
  }
  const Row& ours = row(name);
  return ours.error <= allowed_ ? quickest / ours.wall() : std::numeric_limits<double>::quiet_NaN();
}

std::string Race::absent(const std::vector<std::string>& names) const {
  std::string out;
  for (const std::string& name : names)
    if (const Row& one = row(name); !one.absent.empty()) out += str(out.empty() ? "" : ", ", one.name, " ", one.absent);
  return out;
}

void Race::hold_to_errors(trials::Measures& measures, const std::string& prefix) const {
  for (const Row& one : rows_)
    if (one.absent.empty()) measures.at_most(str(prefix, ".", one.name, ".error"), one.error, allowed_);
}

std::string Race::table(const std::string& reference) const {
  char line[256];
  std::snprintf(line, sizeof line, "  %-16s %10s %10s %10s %10s %6s %10s %10s %10s\n", title_.c_str(), "set-up ms",
                "solve ms", "wall ms", "cpu ms", "its", "tolerance", "error", "ratio");
  std::string out = line;
  for (const Row& one : rows_) {
    if (!one.absent.empty()) {
      out += str("  ", one.name, ": ", one.absent, "\n");
      continue;
    }
    std::snprintf(line, sizeof line, "  %-16s %10.1f %10.1f %10.1f %10.1f %6d %10.2e %10.2e %10.2f%s\n",
                  one.name.c_str(), 1e3 * one.best.set_up, 1e3 * one.best.solve, 1e3 * one.wall(), 1e3 * one.best.cpu,
                  one.best.iterations, one.tolerance, one.error, one.wall() / row(reference).wall(),
                  one.error <= allowed_ ? "" : "  WRONG ANSWER");
    out += line;
  }
  return out;
}

std::string Race::options() const {
  std::string out;
  for (const Row& one : rows_)
    if (one.absent.empty()) out += str("  ", one.name, ": ", one.library, ", ", one.options, "\n");
  return out;
}

void tell_load(BenchRun& bench) {
  double running = 0;  // on average, in the last minute
  if (::getloadavg(&running, 1) != 1) return;
  bench.measure.tell("load_before", running);
  if (running > 0.5)
    bench.say(
        str("  others keep this machine busy (a load of ", running, " before the start): do not trust the ratios\n"));
}

}  // namespace silt::bench
