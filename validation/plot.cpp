#include "validation/plot.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "silt/cache/file_ops.h"
#include "silt/core/text.h"
#include "trials/text.h"

extern char** environ;

namespace silt::validation {

namespace {

constexpr int no_matplotlib = 3;  // as plot.py says it
constexpr int not_found = 127;    // as posix_spawnp's child says it

std::string json_list(const std::vector<double>& values) {
  std::string out;
  for (const double v : values) out += (out.empty() ? "" : ", ") + trials::json_number(v);
  return "[" + out + "]";
}

std::string quoted_for_csv(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// Its exit status; -1 when it could not be started.
int run(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return not_found;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void Plot::line(std::string label, std::vector<double> x, std::vector<double> y) {
  curves.push_back({std::move(label), std::move(x), std::move(y), Style::line});
}
void Plot::dashed(std::string label, std::vector<double> x, std::vector<double> y) {
  curves.push_back({std::move(label), std::move(x), std::move(y), Style::dashed});
}
void Plot::markers(std::string label, std::vector<double> x, std::vector<double> y) {
  curves.push_back({std::move(label), std::move(x), std::move(y), Style::markers});
}
void Plot::points(std::string label, std::vector<double> x, std::vector<double> y) {
  curves.push_back({std::move(label), std::move(x), std::move(y), Style::line_markers});
}

std::string Plot::csv() const {
  std::string out = "# " + title + "\n" + str("curve,", quoted_for_csv(x_label), ",", quoted_for_csv(y_label), "\n");
  for (const Curve& curve : curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      out += str(quoted_for_csv(curve.label), ",", trials::csv_number(curve.x[i]), ",", trials::csv_number(curve.y[i]),
                 "\n");
  return out;
}

std::string Plot::json() const {
  static constexpr const char* styles[] = {"line", "dashed", "markers", "points"};
  std::string all;
  for (const Curve& curve : curves)
    all += str(all.empty() ? "" : ",", "\n  {\"label\": ", trials::json_string(curve.label), ", \"style\": \"",
               styles[int(curve.style)], "\", \"x\": ", json_list(curve.x), ", \"y\": ", json_list(curve.y), "}");
  return str("{\"x\": ", trials::json_string(x_label), ", \"y\": ", trials::json_string(y_label),
             ", \"log_x\": ", log_x ? "true" : "false", ", \"log_y\": ", log_y ? "true" : "false", ", \"curves\": [",
             all, "]}\n");
}

std::string draw(const Plot& plot, const std::filesystem::path& png, const std::vector<std::string>& pythons) {
  const std::filesystem::path script = std::filesystem::path(SILT_SOURCE_DIR) / "validation/plot.py";
  const std::filesystem::path description = temporary_name(png.parent_path() / (png.stem().string() + ".json"));
  const std::filesystem::path unfinished = temporary_name(png);
  write_atomically(description, plot.json());
  std::string problem = "there is no Python 3";
  for (const std::string& python : pythons) {
    const int status = run({python, script.string(), description.string(), unfinished.string()});
    if (status == not_found) continue;
    problem = status == 0               ? ""
              : status == no_matplotlib ? "matplotlib is missing (Debian: python3-matplotlib)"
                                        : str(python, " failed with status ", status);
    if (status != no_matplotlib) break;
  }
  remove_file(description);
  if (problem.empty()) adopt_file(unfinished, png);
  remove_file(unfinished);
  return problem;
}

}  // namespace silt::validation
