#include "silt/render/ffmpeg.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "silt/core/error.h"
#include "silt/core/text.h"

extern char** environ;

namespace fs = std::filesystem;

namespace silt {

namespace {

struct Outcome {
  int start_error = 0;  ///< errno when the program could not be started
  bool succeeded = false;
  std::string messages;  ///< what it wrote to stderr
};

std::string read_all(int file) {
  std::string text;
  char part[4096];
  for (ssize_t n; (n = read(file, part, sizeof part)) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0) text.append(part, std::size_t(n));
  }
  return text;
}

/// Starts a program of PATH without a shell and waits for it. It reads nothing and its standard output is dropped.
Outcome run_program(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {.start_error = errno, .messages = {}};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  Outcome outcome;
  outcome.start_error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (outcome.start_error == 0) {
    outcome.messages = read_all(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    outcome.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  close(ends[0]);
  return outcome;
}

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text.substr(text.find_last_of("\r\n") + 1);  // npos + 1 is 0
}

}  // namespace

std::string ffmpeg_input(const fs::path& path) {
  std::string out = "file:";
  for (const char c : path.string()) out += c == '%' ? "%%" : std::string(1, c);
  return out;
}

void run_ffmpeg(const std::vector<std::string>& words, const fs::path& out, const std::string& what,
                const std::string& kept) {
  std::vector<std::string> all{"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y"};
  all.insert(all.end(), words.begin(), words.end());
  all.push_back("file:" + out.string());
  const Outcome outcome = run_program(all);
  if (outcome.start_error == ENOENT)
    throw Error(str("ffmpeg was not found: ", kept, "; install it with 'apt-get install ffmpeg'"));
  if (outcome.start_error != 0)
    throw Error(str("ffmpeg could not be started (", std::strerror(outcome.start_error), "): ", kept));
  if (outcome.succeeded) return;
  std::error_code ignored;
  fs::remove(out, ignored);
  throw Error(str("ffmpeg could not ", what, ": ", kept, "; it says: ", last_line(outcome.messages)));
}

}  // namespace silt
