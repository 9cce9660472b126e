#include "bench/mantaflow.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "bench/program_output.h"
#include "bench/scratch_folder.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt::bench {

namespace {

MantaflowAnswer read_answer(const std::string& text) {
  MantaflowAnswer answer;
  double amount = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what >> std::ws;
    if (what == "library") std::getline(words, answer.library);
    if (what == "options") std::getline(words, answer.options);
    if (what == "amount") words >> amount;
    if (what == "items") words >> answer.items;
    if (double wall, cpu; what == "frame" && words >> wall >> cpu && !(answer.wall > 0 && answer.wall < wall))
      answer.wall = wall, answer.cpu = cpu;
  }
  if (!(answer.wall > 0 && answer.items > 0 && amount > 0))
    throw Error("Mantaflow made nothing: " + text.substr(0, 600));
  return answer;
}

}  // namespace

bool has_blender() {
  return std::system("command -v blender >/dev/null 2>&1") == 0;
}

MantaflowAnswer ask_mantaflow(const std::string& script, int cells, int threads, int warm_up, int substeps) {
  const ScratchFolder cache;
  return read_answer(output_of(str("blender --background --factory-startup --threads ", threads, " --python ",
                                   quoted(SILT_SOURCE_DIR "/bench/peers/" + script), " -- ", cells, " ", warm_up, " ",
                                   substeps, " ", quoted(cache.path().string())),
                               "Blender"));
}

void race_mantaflow(BenchRun& bench, const MantaflowScene& scene, int cells, int threads, double microseconds,
                    double least) {
  if (!has_blender()) return bench.say("  mantaflow: not run; needs Blender, Debian's package blender\n");
  MantaflowAnswer other;
  try {
    other = ask_mantaflow(scene.script, cells, threads, scene.warm_up, scene.substeps);
  } catch (const Error& e) {  // a peer that breaks down keeps nobody from being measured
    return bench.say(std::string("  mantaflow: ") + e.what() + "\n");
  }
  const double wall = 1e6 * other.wall / other.items, cpu = 1e6 * other.cpu / other.items;
  const std::string unit = "us a " + scene.item + "-" + scene.per;
  bench.measure.tell("mantaflow.wall", wall, unit);
  bench.measure.tell("mantaflow.cpu", cpu, unit);
  bench.expect_at_least("vs_mantaflow", wall / microseconds, least);
  char line[160];
  std::snprintf(line, sizeof line, "  mantaflow: %.3g us a %s, %.3g of CPU, %.0f of them; silt is %.3g times as fast\n",
                wall, scene.item.c_str(), cpu, other.items, wall / microseconds);
  bench.say(line + ("  " + other.library + "; " + other.options + "\n"));
}

}  // namespace silt::bench
