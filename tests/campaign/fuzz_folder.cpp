// A run folder whose lists anybody may have written: the lines of manifest.jsonl, of stats.jsonl (its files behind
// tabs) and run.json, with form feeds between them. It is looked at, and cut back as on --resume. Checksums are made to
// hold, and a '#' before a manifest's line stands for the one file of the cache as it is. What lies beside the run
// stays.
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "campaign/checked.h"
#include "campaign/target.h"
#include "silt/cache/info.h"
#include "silt/cache/run_folder.h"
#include "silt/cache/stats_files.h"

namespace {

namespace fs = std::filesystem;
constexpr std::string_view content = "years of work";

void spill(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), std::streamsize(text.size()));
}

/// Gone at the end; in memory where the machine has such a place.
struct Place {
  fs::path home, run;

  Place() {
    std::string name = fs::is_directory("/dev/shm") ? "/dev/shm/silt_fuzz_XXXXXX" : "/tmp/silt_fuzz_XXXXXX";
    if (!::mkdtemp(name.data())) std::abort();
    home = name, run = home / "run";
    spill(home / "thesis.txt", content);
  }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(home, ignored);
  }
};

std::string_view next_part(std::string_view& text) {
  const std::size_t end = std::min(text.find('\f'), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::string manifest_of(std::string_view lines) {
  std::string text;
  silt::for_each_line(lines, [&](std::string_view line) {
    if (line.starts_with('#'))
      text += silt::manifest_line({std::string(line.substr(1)), silt::stamp_of(content), "volume", 1}) + '\n';
    else
      text += silt::checked(line) + '\n';
  });
  return text;
}

std::string stats_of(std::string_view lines) {
  std::string text;
  silt::for_each_line(lines, [&](std::string_view line) {
    std::vector<std::string> files;
    for (std::size_t tab; (tab = line.rfind('\t')) != line.npos; line = line.substr(0, tab))
      files.push_back(silt::checked(line.substr(tab + 1)));
    text += silt::with_files(line, files) + '\n';
  });
  return text;
}

void make_run(const fs::path& run, std::string_view text) {
  for (const char* folder : {"cache", "checkpoints", "pictures"}) fs::create_directories(run / folder);
  spill(run / "cache/smoke.volume.0001.vdb", content);
  spill(run / "checkpoints/0001.safetensors", content);
  spill(run / "manifest.jsonl", manifest_of(next_part(text)));
  spill(run / "stats.jsonl", stats_of(next_part(text)));
  spill(run / "run.json", silt::checked(text));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  static const Place place;
  make_run(place.run, {reinterpret_cast<const char*>(data), size});
  survives(data, size, [](std::string_view) { to_text(describe(place.run)); });
  survives(data, size, [](std::string_view) {
    const RunFolder run = RunFolder::view(place.run);
    run.unproven(2), run.harmed_files(2), run.latest_checkpoint();
    for (const int frame : run.frames()) survives(nullptr, 0, [&](std::string_view) { run.read_frame(frame); });
  });
  survives(data, size, [](std::string_view) {
    RunFolder run = RunFolder::open(place.run);
    const auto found = run.latest_checkpoint();
    run.cut_back(found ? &*found : nullptr);
  });
  if (fs::file_size(place.home / "thesis.txt") != content.size()) __builtin_trap();
  return 0;
}
