#include "silt/render/film.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
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

/// ffmpeg reads % in an input's name as a pattern; %% is a plain one.
std::string escaped(const std::string& path) {
  std::string out;
  for (char c : path) out += c == '%' ? "%%" : std::string(1, c);
  return out;
}

/// ffmpeg wants pictures numbered without a gap: a folder of links 1.png, 2.png, ... to them, gone with this object.
class NumberedLinks {
 public:
  explicit NumberedLinks(const std::vector<fs::path>& pictures) {
    try {
      std::string name = (fs::temp_directory_path() / "silt-film-XXXXXX").string();
      if (!mkdtemp(name.data())) throw Error(str("cannot make a folder ", name, ": ", std::strerror(errno)));
      folder_ = name;
      for (std::size_t i = 0; i < pictures.size(); ++i)
        fs::create_symlink(fs::absolute(pictures[i]), folder_ / str(i + 1, ".png"));
    } catch (const fs::filesystem_error& e) {
      remove();
      throw Error(str("cannot gather the pictures for the film: ", e.what()));
    }
  }
  ~NumberedLinks() { remove(); }
  NumberedLinks(const NumberedLinks&) = delete;
  NumberedLinks& operator=(const NumberedLinks&) = delete;
  std::string pattern() const { return escaped(folder_.string()) + "/%d.png"; }

 private:
  void remove() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  fs::path folder_;
};

}  // namespace

void make_film(const std::vector<fs::path>& pictures, double fps, const fs::path& out) {
  if (pictures.empty()) throw Error("there are no pictures to make a film of");
  const NumberedLinks links(pictures);
  // "file:" keeps a colon in a name from being read as a protocol.
  const std::string input = "file:" + links.pattern();
  // clang-format off
  const Outcome outcome = run_program({
      "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y",
      "-f", "image2", "-framerate", str(fps), "-start_number_range", "1", "-start_number", "1", "-i", input,
      "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2:out_color_matrix=bt709,format=yuv420p",  // even sizes, as H.264 needs
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
      "-c:v", "libx264", "-preset", "medium", "-crf", "16", "-movflags", "+faststart",
      "-map_metadata", "-1", "-fflags", "+bitexact", "-f", "mp4", "file:" + out.string(),
  });
  // clang-format on
  const std::string kept = str("pictures are in ", pictures.front().parent_path().string());
  if (outcome.start_error == ENOENT)
    throw Error(str("ffmpeg was not found: ", kept, "; install it with 'apt-get install ffmpeg'"));
  if (outcome.start_error != 0)
    throw Error(str("ffmpeg could not be started (", std::strerror(outcome.start_error), "): ", kept));
  if (!outcome.succeeded) {
    std::error_code ignored;
    fs::remove(out, ignored);
    throw Error(str("ffmpeg could not make the film: ", kept, "; it says: ", last_line(outcome.messages)));
  }
}

}  // namespace silt
