#include "silt/app/say.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "silt/scene/utf8.h"

namespace silt {
namespace {

std::string& name_storage() {
  static std::string name = "silt";
  return name;
}

int& output_error() {
  static int error = 0;
  return error;
}

void say(std::string_view kind, std::string_view message) {
  say_lines(fmt::format("silt: {}: {}", kind, message));
}

}  // namespace

const std::string& program_name() {
  return name_storage();
}
void set_program_name(const char* argv0) {
  if (argv0 && *argv0) name_storage() = argv0;
}

void put(std::string_view text) {
  put_raw(printable_lines(text));
}
void put_raw(std::string_view text) {
  errno = 0;
  const bool all = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!all && errno != EPIPE && output_error() == 0) output_error() = errno ? errno : EIO;
}
std::string lost_output() {
  return output_error() ? std::strerror(output_error()) : "";
}
void ignore_lost_readers() {
  ::signal(SIGPIPE, SIG_IGN);
}

void say_error(std::string_view message) {
  say("error", message);
}
void say_warning(std::string_view message) {
  say("warning", message);
}
/// In one call, so that messages of two processes are not woven together.
void say_lines(std::string_view message) {
  const std::string text = printable_lines(message) + '\n';
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}
void say_out_of_memory() noexcept {
  static std::atomic_flag said = ATOMIC_FLAG_INIT;
  if (said.test_and_set()) return;  // threads, and what comes after, may find it too
  constexpr std::string_view text =
      "silt: error: out of memory: a coarser grid takes less (--scale 0.5, or a larger domain.cell_size), and so do "
      "meshes with fewer triangles; a run that had begun goes on with --resume\n";
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string shell_word(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_-./=:,+@%").find(char(c)) < 99;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string clock_text(double seconds) {
  const long long s = std::llround(std::max(0.0, seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace silt
