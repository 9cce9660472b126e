#include "silt/app/say.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace silt {
namespace {

std::string& name_storage() {
  static std::string name = "silt";
  return name;
}

/// In one call, so that messages of two processes are not woven together.
void say(std::string_view kind, std::string_view message) {
  const std::string line = fmt::format("silt: {}: {}\n", kind, message);
  std::fflush(stdout);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

const std::string& program_name() {
  return name_storage();
}
void set_program_name(const char* argv0) {
  if (argv0 && *argv0) name_storage() = argv0;
}

void put(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
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
