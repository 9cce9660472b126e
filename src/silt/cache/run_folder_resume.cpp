// What a resumed run does with the folder: finding the checkpoint, cutting back to it, mending what is before it.

#include <algorithm>

#include "silt/cache/frame_name.h"
#include "silt/cache/json_line.h"
#include "silt/cache/limits.h"
#include "silt/cache/run_folder.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr const char* stats_file = "stats.jsonl";
constexpr int kept_checkpoints = 2;

/// Of the names in "cache" those that nobody but a run gives.
bool is_named_by_run(std::string_view name) {
  return name.starts_with("bodies.") || name.find(".volume.") != name.npos || name.find(".points.") != name.npos ||
         name.find(".shape.") != name.npos;
}

}  // namespace

std::string RunFolder::free_checkpoint_name(int frame) const {
  // A second checkpoint within one frame never replaces the first: that may be the only good one.
  CheckpointPlace place{frame, 1};
  while (manifest_.find(checkpoint_name(place))) ++place.turn;
  return checkpoint_name(place);
}

/// Of the whole file, which is read once and then followed line by line.
FileStamp RunFolder::stats_stamp() {
  const std::uint64_t size = directory_.root().size_of(stats_file).value_or(0);
  if (!stats_ || stats_->stamp().size != size) {
    stats_ = std::make_unique<Hasher>();
    if (size > 0) {
      const Bytes bytes = directory_.root().read(stats_file, largest_stats);
      stats_->add(bytes.data(), bytes.size());
    }
  }
  return stats_->stamp();
}

std::string RunFolder::add_checkpoint(CheckpointWriter& writer, int frame) {
  const FileStamp stats = stats_stamp();
  writer.metadata["frame"] = str(frame);
  writer.metadata["stats_bytes"] = str(stats.size);
  writer.metadata["stats_xxh3"] = hex64(stats.size ? stats.xxh3 : 0);
  const std::string name = free_checkpoint_name(frame);
  const auto [folder, entry] = directory_.place(name);
  FileWriter file(folder, entry);
  writer.write(file);
  list(name, "checkpoint", frame, file.commit());
  drop_old_checkpoints();
  return name;
}

void RunFolder::drop_old_checkpoints() {
  std::vector<CheckpointFile> files = checkpoint_files(manifest_);
  std::erase_if(files, [](const CheckpointFile& f) { return !f.listed; });
  for (std::size_t i = 0; i + kept_checkpoints < files.size(); ++i) remove(files[i].name);
}

/// Whole by the manifest, or by the checksum that is in it. IoError when it is neither.
FoundCheckpoint RunFolder::read_found(const CheckpointFile& file) const {
  Bytes bytes = file.listed ? manifest_.read_verified(file.name) : directory_.read(file.name);
  if (!file.listed && !proves_itself(bytes.text()))
    throw IoError(str((path() / file.name).string(),
                      " is damaged: it is not in the manifest, and does not match its own checksum"));
  return {file.name, file.place, file.place.frame, read_checkpoint(path() / file.name, std::move(bytes)), ""};
}

std::optional<FoundCheckpoint> RunFolder::newest_of(const std::vector<CheckpointFile>& files) const {
  std::string problems;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    try {
      FoundCheckpoint found = read_found(*file);
      if (!problems.empty()) found.warning = str(problems, ": going back to the checkpoint of frame ", found.frame);
      return found;
    } catch (const IoError& damage) {
      problems += str(problems.empty() ? "" : "; ", damage.what());
    }
  }
  if (problems.empty()) return {};
  throw IoError(str("no checkpoint of ", path().string(), " can be used: ", problems,
                    ". Get one back from a copy, or begin anew with --overwrite"));
}

std::optional<FoundCheckpoint> RunFolder::latest_checkpoint() const {
  const std::vector<CheckpointFile> files = checkpoint_files(manifest_);
  if (files.empty()) refuse_if_one_was_lost();
  return newest_of(files);
}

std::optional<FoundCheckpoint> RunFolder::checkpoint_before(int frame) const {
  std::vector<CheckpointFile> files = checkpoint_files(manifest_);
  std::erase_if(files, [&](const CheckpointFile& f) { return f.place.frame >= frame; });
  try {
    return newest_of(files);
  } catch (const IoError&) {
    return {};
  }
}

/// A run that is killed early has no checkpoint yet, and begins again. One that had some does not: its frames would go.
void RunFolder::refuse_if_one_was_lost() const {
  RunStatus told;
  try {
    told = status();
  } catch (const IoError&) {  // it says nothing; but frames on the list say that there was one, or soon would be
    told.checkpoint = -1;
    for (const ManifestEntry& e : manifest_.entries()) told.checkpoint = std::max(told.checkpoint, e.frame - 1);
  }
  const bool ended = told.phase == RunStatus::Phase::finished || told.phase == RunStatus::Phase::stopped;
  if (!ended && told.checkpoint < 0) return;
  throw InputError(str(
      path().string(),
      " has lost its checkpoints: by run.json, or by the frames on its list, there was one about frame ",
      std::max(told.checkpoint, ended ? told.frame : 0), ". Get it back from a copy, or begin anew with --overwrite"));
}

std::uint64_t RunFolder::check_stats(const FoundCheckpoint* checkpoint) const {
  if (!checkpoint) return 0;
  const std::uint64_t size = std::uint64_t(checkpoint->checkpoint.integer("stats_bytes"));
  if (size == 0 || !directory_.root().has(stats_file)) return 0;  // somebody took it away: there is nothing to cut
  const std::string file = (path() / stats_file).string();
  const Bytes bytes = directory_.root().read(stats_file, largest_stats);
  constexpr const char* advice = " (move it away to resume without it)";
  if (bytes.size() < size)
    throw IoError(str(file, " is damaged: ", bytes.size(), " bytes, ", size, " expected", advice));
  if (hex64(stamp_of(bytes.text().substr(0, size)).xxh3) != checkpoint->checkpoint.text("stats_xxh3"))
    throw IoError(str(file, " is damaged: its checksum does not match the checkpoint", advice));
  return size;
}

std::string RunFolder::damage() const {
  const std::string damage = manifest_.damage();
  if (damage.empty()) return "";
  const std::string text =
      str(damage, ": what it said is taken from stats.jsonl and from checkpoints, as far as these prove it");
  if (!lock_ && in_use_by() != 0) return text;  // files may be ahead of their list
  const std::vector<std::string> names = off_the_list();
  if (names.empty()) return text;
  return str(text, "; ", names.front(), names.size() > 1 ? str(" and ", names.size() - 1, " more are") : " is",
             " on no list any more (`silt render` and `silt surface` make such files again)");
}

/// Files that render and surface make.
std::vector<std::string> RunFolder::off_the_list() const {
  std::vector<std::string> found;
  for (const char* sub : {"cache", "pictures"}) {
    const std::optional<Folder>& folder = directory_.sub(sub);
    if (!folder) continue;
    for (const std::string& entry : folder->files()) {
      const std::string name = str(sub, '/', entry);
      const bool made = frame_of_name(entry) || name == film_name() || name == sheet_name();
      const bool of_run = sub == std::string_view("cache") && is_named_by_run(entry);  // see unproven()
      if (made && !of_run && is_run_file(name) && !manifest_.find(name)) found.push_back(name);
    }
  }
  return found;
}

std::string RunFolder::unproven(int last_frame) const {
  const std::optional<Folder>& cache = directory_.sub("cache");
  if (!cache) return "";
  std::string first;
  int others = 0;
  for (const std::string& entry : cache->files()) {
    const std::string name = str("cache/", entry);
    if (frame_of_name(entry).value_or(last_frame + 1) > last_frame || !is_named_by_run(entry)) continue;
    if (!is_run_file(name) || manifest_.find(name)) continue;
    if (first.empty())
      first = name;
    else
      ++others;
  }
  if (first.empty()) return "";
  return str((path() / "manifest.jsonl").string(), " is damaged: it does not have ", first,
             others ? str(", nor ", others, " more of the cache") : "",
             ", and nothing else proves that it is whole. If silt did not make it, move it out of the cache; else get "
             "manifest.jsonl or stats.jsonl back from a copy, or throw the whole run away with `silt run ",
             path().string(), " --overwrite`");
}

void RunFolder::cut_back(const FoundCheckpoint* checkpoint) {
  const int last_frame = checkpoint ? checkpoint->frame : 0;
  const std::uint64_t stats_size = check_stats(checkpoint);
  const FileLock pictures = lock_pictures();
  refresh();  // pictures made since it was opened
  if (const std::string problem = unproven(last_frame); !problem.empty()) throw InputError(problem);
  if (checkpoint) recall_checkpoints(*checkpoint);
  stats_.reset();
  // What stats.jsonl tells of is on the list: so it is cut before names leave that.
  if (directory_.root().size_of(stats_file).value_or(stats_size) != stats_size)
    directory_.root().truncate(stats_file, stats_size);
  manifest_.keep_only([&](const ManifestEntry& e) {
    const std::optional<CheckpointPlace> place = checkpoint_place(e.name);
    return e.frame <= last_frame && !(place && (!checkpoint || *place > checkpoint->place));
  });
  drop_old_checkpoints();
  remove_strays(last_frame);
}

/// Those that the manifest does not have and that prove themselves.
void RunFolder::recall_checkpoints(const FoundCheckpoint& up_to) {
  for (const CheckpointFile& file : checkpoint_files(manifest_)) {
    if (file.listed || file.place > up_to.place) continue;
    const Bytes bytes = directory_.read(file.name);
    if (proves_itself(bytes.text()))
      manifest_.recall({file.name, stamp_of(bytes.text()), "checkpoint", file.place.frame});
  }
}

/// Frames after the last are made again. A checkpoint that is on no list by now is damaged.
void RunFolder::remove_strays(int last_frame) {
  for (const char* sub : RunDirectory::subfolders) {
    const std::optional<Folder>& folder = directory_.sub(sub);
    if (!folder) continue;
    for (const std::string& entry : folder->files()) {
      const std::string name = str(sub, '/', entry);
      const bool ours = checkpoint_place(name) || frame_of_name(entry).value_or(0) > last_frame;
      if (is_temporary_name(entry) || (ours && !manifest_.find(name))) folder->remove(entry);
    }
  }
  directory_.root().remove_temporaries();
}

std::vector<HarmedFile> RunFolder::harmed_files(int last_frame) const {
  std::vector<HarmedFile> harmed;
  for (const ManifestEntry& e : manifest_.entries_named("cache/")) {
    if (e.frame > last_frame) continue;
    std::string problem = manifest_.problem(e);
    if (problem.empty()) continue;
    const auto told = told_by_stats_.find(e.name);
    const bool of_run =
        told == told_by_stats_.end() ? is_named_by_run(std::string_view(e.name).substr(6)) : told->second == e.stamp;
    harmed.push_back({e, std::move(problem), of_run});
  }
  return harmed;
}

void RunFolder::begin_mending(const std::vector<HarmedFile>& files) {
  to_mend_.emplace();
  for (const HarmedFile& file : files) to_mend_->insert(file.entry.name);
}

std::vector<std::string> RunFolder::end_mending() {
  std::vector<std::string> left(to_mend_->begin(), to_mend_->end());
  to_mend_.reset();
  return left;
}

// The list stays as it is: what stands under the name is the harmed file or the whole one.
void RunFolder::mend_file(const std::string& name, std::string_view bytes) {
  const ManifestEntry* const entry = manifest_.find(name);
  if (!entry || !to_mend_->contains(name)) return;
  if (stamp_of(bytes) != entry->stamp) return;  // end_mending() gives it back
  const auto [folder, file] = directory_.place(name);
  folder.write(file, bytes);
  to_mend_->erase(name);
}

}  // namespace silt
