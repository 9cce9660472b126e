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

Mended mend(RunFolder& folder, const std::vector<HarmedFile>& harmed, const Exec& exec, const SimulationOptions& how,
            bool json) {
  const std::vector<HarmedFile> files = files_of_run(harmed, folder);
  if (files.empty()) return {};
  say_warning(str(harm_text(files), files.size() > 1 ? "\n  they are" : "\n  it is", " made again"));
  folder.begin_mending(files);
  const bool done = run_again(folder, past_scene(folder), frames_of(files), exec, how, json);
  const std::vector<std::string> left = folder.end_mending();
  if (!done) return {.stopped = true};
  if (left.empty()) return {};
  // The run goes on all the same: its checkpoint is whole, and frames that are lost do not come back by losing others.
  const std::string others = left.size() > 1 ? str(" and ", left.size() - 1, " more") : std::string();
  say_warning(
      str((folder.path() / left.front()).string(), others,
          " cannot be made again with the bits that it had: another silt, another kind of CPU or other settings "
          "made it. It stays missing (get it back from a copy)"));
  return {.whole = false};
}

}  // namespace silt
