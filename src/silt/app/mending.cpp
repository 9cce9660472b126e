#include "silt/app/mending.h"

#include <algorithm>
#include <set>

#include "silt/app/frame_files.h"
#include "silt/app/past_run.h"
#include "silt/app/progress.h"
#include "silt/app/say.h"
#include "silt/app/stop_signal.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

/// Those of the run; the others are named.
std::vector<HarmedFile> files_of_run(std::vector<HarmedFile> files, const RunFolder& folder) {
  std::vector<HarmedFile> others;
  for (const HarmedFile& file : files)
    if (!file.of_run) others.push_back(file);
  if (!others.empty())
    say_warning(str(harm_text(others), "\n  to make it again: ", shell_word(program_name()), " surface ",
                    shell_word(folder.path().string())));
  std::erase_if(files, [](const HarmedFile& file) { return !file.of_run; });
  return files;
}

std::set<int> frames_of(const std::vector<HarmedFile>& files) {
  std::set<int> frames;
  for (const HarmedFile& file : files) frames.insert(file.entry.frame);
  return frames;
}

/// Runs to the last of the frames and writes them; false when the user stops it.
bool run_again(RunFolder& folder, const Scene& scene, const std::set<int>& frames, const Exec& exec,
               const SimulationOptions& how, bool json) {
  Simulation sim(scene, how);
  if (const auto found = folder.checkpoint_before(*frames.begin())) sim.restore(found->checkpoint);
  Progress progress(sim.frame_number(), *frames.rbegin(), Progress::style_for(json));
  sim.on_substep([&](double fraction) {
    if (stop_requested()) sim.cancel();
    progress.substep(sim.frame_number(), fraction);
  });
  while (sim.frame_number() < *frames.rbegin() && sim.advance_frame()) {
    if (!frames.contains(sim.frame_number())) continue;
    const Frame frame = sim.frame();
    write_parts(folder, frame, scene);
    write_surface(folder, frame, scene, exec);
  }
  progress.clear();
  return !sim.cancelled();
}

}  // namespace

std::string harm_text(const std::vector<HarmedFile>& files) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, files.size()); ++i) text += str(i ? "\n  " : "", files[i].problem);
  if (files.size() > most) text += str("\n  and ", files.size() - most, " more");
  return text;
}

bool mend(RunFolder& folder, const std::vector<HarmedFile>& harmed, const Exec& exec, const SimulationOptions& how,
          bool json) {
  const std::vector<HarmedFile> files = files_of_run(harmed, folder);
  if (files.empty()) return true;
  say_warning(str(harm_text(files), files.size() > 1 ? "\n  they are" : "\n  it is", " made again"));
  folder.begin_mending(files);
  const bool done = run_again(folder, past_scene(folder), frames_of(files), exec, how, json);
  const std::vector<std::string> left = folder.end_mending();
  if (done && !left.empty())
    throw InputError(str((folder.path() / left.front()).string(),
                         " cannot be made again: the scene as it ran last does not make it. Get it back from a copy, "
                         "or begin anew with --overwrite"));
  return done;
}

}  // namespace silt
