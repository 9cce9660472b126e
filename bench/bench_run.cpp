#include "bench/bench_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>

#include "bench/copy_kernel.h"
#include "silt/core/device_memory.h"
#include "silt/core/error.h"
#include "trials/out_folder.h"
#include "trials/text.h"

namespace silt::bench {

namespace {

/// Wall and CPU time of the quickest of several runs [s].
struct Timing {
  double wall = std::numeric_limits<double>::infinity(), cpu = 0;
};

double cpu_seconds() {
  return double(std::clock()) / CLOCKS_PER_SEC;
}

Timing quickest(const std::function<void()>& run, const Exec& exec, bool quick) {
  Timing best;
  const int least = quick ? 2 : 5, most = quick ? 5 : 200;
  const double enough = quick ? 0.05 : 1.0;  // [s]
  double spent = 0;
  for (int repeat = 0; repeat < most && (spent < enough || (repeat < least && spent < 5 * enough)); ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    run();
    if (!exec.on_cpu()) device_memory::synchronize();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    spent += wall;
    if (wall < best.wall) best = {wall, cpu_seconds() - cpu};
  }
  return best;
}

std::string in_a_name(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

}  // namespace

BenchRun::BenchRun(const trials::Options& options, trials::Measures& measures)
    : exec(options.device, options.threads), quick(options.quick), measure(measures), options_(options) {}

double BenchRun::copy_bandwidth() {
  if (copy_bandwidth_ > 0) return copy_bandwidth_;
  const int n = size(256, 64);
  const Box cells{{0, 0, 0}, {n, n, n}};
  const Layout layout = make_layout(cells, {1, 1, 1});
  const Field<float> from(layout);
  Field<float> to(layout);
  copy_bandwidth_ = 2.0 * sizeof(float) * double(cells.count()) /
                    quickest([&] { copy_cells(exec, cells, from, to); }, exec, quick).wall;
  return copy_bandwidth_;
}

void BenchRun::time(const Case& one) {
  one.run();
  const double error = one.error ? one.error() : 0;
  const std::string name = in_a_name(one.name);
  if (one.error) measure.at_most(name + ".error", error, one.allowed);
  Row row = timed(one);
  row.right = error <= one.allowed;
  hold_to_bounds(one, row);
  rows_.push_back(row);
}

BenchRun::Row BenchRun::timed(const Case& one) {
  const Timing t = quickest(one.run, exec, quick);
  Row row{.name = one.name, .wall = t.wall, .cpu = t.cpu, .rate = one.items / 1e6 / t.wall};
  if (one.bytes > 0) {
    row.bandwidth = one.bytes / t.wall;
    if (one.is_copy && copy_bandwidth_ == 0) copy_bandwidth_ = row.bandwidth;
    row.of_copy = row.bandwidth / copy_bandwidth();
  }
  if (!one.reference.empty()) {
    const auto at =
        std::find_if(rows_.begin(), rows_.end(), [&](const Row& other) { return other.name == one.reference; });
    if (at == rows_.end())
      throw Error("case '" + one.name + "' is compared with '" + one.reference + "', not timed yet");
    row.ratio = row.rate > 0 && at->rate > 0 ? row.rate / at->rate : at->wall / t.wall;
  }
  return row;
}

void BenchRun::hold_to_bounds(const Case& one, const Row& row) {
  const std::string name = in_a_name(one.name);
  const auto at_least = [&](const char* what, double measured, double bound, const char* unit) {
    if (bound > 0 && judged())
      measure.at_least(name + what, measured, bound, unit);
    else if (measured > 0)
      measure.tell(name + what, measured, unit);
  };
  if (one.most_wall > 0 && judged())
    measure.at_most(name + ".wall", row.wall, one.most_wall, "s");
  else
    measure.tell(name + ".wall", row.wall, "s");
  measure.tell(name + ".cpu", row.cpu, "s");
  at_least(".rate", row.rate, one.least_rate, "M/s");
  at_least(".of_copy", row.of_copy, one.least_of_copy, "");
  at_least(".ratio", row.ratio, one.least_ratio, "");
}

void BenchRun::expect_at_least(const std::string& name, double measured, double bound, const std::string& missing) {
  if (!judged())
    measure.tell(name, measured);
  else if (missing.empty())
    measure.at_least(name, measured, bound);
  else
    measure.not_measured(name, bound, missing);
}

void BenchRun::expect_at_most(const std::string& name, double measured, double bound, const std::string& unit) {
  if (judged())
    measure.at_most(name, measured, bound, unit);
  else
    measure.tell(name, measured, unit);
}

std::string BenchRun::table() const {
  if (rows_.empty()) return said_;
  char line[256];
  std::snprintf(line, sizeof line, "  %s, %d %s\n", exec.on_cpu() ? "cpu" : "cuda", exec.threads(),
                exec.threads() == 1 ? "thread" : "threads");
  std::string out = line;
  std::snprintf(line, sizeof line, "  %-24s %10s %10s %10s %10s %9s %10s\n", "", "wall ms", "cpu ms", "M/s", "GB/s",
                "of copy", "vs ref");
  out += line;
  const auto cell = [](double value, int width) {  // three digits, however small
    char text[32];
    std::snprintf(text, sizeof text, value < 100 ? " %*.3g" : " %*.0f", width, value);
    return value > 0 ? std::string(text) : std::string(std::size_t(width) + 1, ' ');
  };
  for (const Row& row : rows_) {
    std::snprintf(line, sizeof line, "  %-24s", row.name.c_str());
    std::string text = line + cell(1e3 * row.wall, 10) + cell(1e3 * row.cpu, 10) + cell(row.rate, 10) +
                       cell(row.bandwidth / 1e9, 10) + cell(row.of_copy, 9) + cell(row.ratio, 10) +
                       (row.right ? "" : "  WRONG ANSWER");
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }
  return out + said_;
}

std::string BenchRun::page(const std::string& name, const std::string& summary) const {
  std::string command = "./silt bench " + name;
  if (quick) command += " --quick";
  if (options_.size) command += " --size " + std::to_string(*options_.size);
  if (options_.threads) command += " --threads " + std::to_string(options_.threads);
  if (!exec.on_cpu()) command += " --device cuda";
  return trials::page_text({.name = name,
                            .summary = summary,
                            .about = about_ + "\n\n```\n" + table() + "```",
                            .measures = measure.all(),
                            .after = {},
                            .command = command});
}

trials::Trial benchmark(const std::string& name, const std::string& summary, std::function<void(BenchRun&)> run) {
  return {name, summary, [=](const trials::Options& options, trials::Measures& measures) -> std::string {
            BenchRun bench(options, measures);
            run(bench);
            if (!options.pages) return bench.table();
            // An experiment may have the same name, and a page of its own in the same folder.
            const std::filesystem::path file = *options.pages / ("bench_" + name + ".md");
            trials::write_file(file, bench.page(name, summary));
            return bench.table() + "  " + std::filesystem::proximate(file).string() + "\n";
          }};
}

}  // namespace silt::bench
