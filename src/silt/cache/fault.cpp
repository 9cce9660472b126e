#include "silt/cache/fault.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

enum class Mode { none, crash, enospc, count };

struct Plan {
  std::atomic<Mode> mode{Mode::none};
  std::atomic<std::int64_t> at{0};
  std::atomic<std::int64_t> done{0};
  std::string count_file;
};

/// Never destroyed: operations may happen while the process ends.
Plan& plan() {
  static Plan* const the_plan = new Plan;
  return *the_plan;
}

void write_count() {
  Plan& p = plan();
  if (p.mode != Mode::count) return;
  if (std::FILE* file = std::fopen(p.count_file.c_str(), "w")) {
    std::fprintf(file, "%lld\n", static_cast<long long>(p.done.load()));
    std::fclose(file);
  }
}

void parse(std::string_view spec) {
  Plan& p = plan();
  p.mode = Mode::none;
  p.done = 0;
  if (spec.empty()) return;
  const auto colon = spec.find(':');
  const std::string_view word = spec.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : spec.substr(colon + 1);
  if (word == "count" && !rest.empty()) {
    p.count_file = rest;
    p.mode = Mode::count;
    static std::once_flag once;
    std::call_once(once, [] { std::atexit(write_count); });
    return;
  }
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), n);
  const bool number = error == std::errc() && end == rest.data() + rest.size() && n > 0;
  if (!number || (word != "crash" && word != "enospc"))
    throw InputError(str("the fault '", spec, "' is none of crash:N, enospc:N, count:FILE"));
  p.at = n;
  p.mode = word == "crash" ? Mode::crash : Mode::enospc;
}

}  // namespace

void set_fault(std::string_view spec) {
  parse(spec);
}

std::int64_t fault_operations() {
  return plan().done;
}

namespace detail {

void die() {
  ::_exit(fault_exit_code);
}

int begin_operation(Operation operation, std::size_t* die_after, std::size_t size) {
  Plan& p = plan();
  const std::int64_t n = p.done.fetch_add(1, std::memory_order_relaxed) + 1;
  switch (p.mode.load(std::memory_order_relaxed)) {
    case Mode::none:
    case Mode::count:
      return 0;
    case Mode::crash:
      if (n != p.at) return 0;
      if (operation != Operation::write) die();
      *die_after = size / 2;
      return 0;
    case Mode::enospc:
      if (n == p.at) return ENOSPC;
      const bool needs_space =
          operation == Operation::create || operation == Operation::write || operation == Operation::mkdir;
      return n > p.at && needs_space ? ENOSPC : 0;
  }
  return 0;
}

}  // namespace detail
}  // namespace silt
