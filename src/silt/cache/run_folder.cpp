#include "silt/cache/run_folder.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "silt/cache/bodies_file.h"
#include "silt/cache/frame_name.h"
#include "silt/cache/json_line.h"
#include "silt/core/text.h"

namespace fs = std::filesystem;

namespace silt {
namespace {

constexpr const char* incomplete_mark = ".silt-incomplete";
constexpr const char* picture_lock = ".render.lock";
constexpr std::string_view film_note = "film";  // in it
constexpr const char* subfolders[] = {"cache", "checkpoints", "pictures"};
constexpr int kept_checkpoints = 2;

/// Four digits or more; nothing otherwise.
std::optional<int> parse_digits(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.size() < 4 || error != std::errc() || end != text.data() + text.size() || value < 0) return {};
  return value;
}

/// The frame of "smoke.volume.0012.vdb" or "frame.0012.png"; nothing when it is not named like that.
std::optional<int> frame_of(std::string_view name) {
  const auto last = name.rfind('.');
  if (last == std::string_view::npos || last == 0) return {};
  const auto before = name.rfind('.', last - 1);
  if (before == std::string_view::npos || before == 0) return {};
  return parse_digits(name.substr(before + 1, last - before - 1));
}

/// "0048.safetensors", "0048-2.safetensors".
bool is_checkpoint_name(std::string_view name) {
  constexpr std::string_view ending = ".safetensors";
  if (!name.ends_with(ending)) return false;
  name.remove_suffix(ending.size());
  return parse_digits(name.substr(0, name.find('-'))).has_value();
}

bool written_by_silt(std::string_view folder, std::string_view name) {
  if (is_temporary_name(name)) return true;
  if (folder == "checkpoints") return is_checkpoint_name(name);
  return frame_of(name).has_value() || (folder == "pictures" && (name == "film.mp4" || name == "sheet.png"));
}

/// Whether there is something under that name. What cannot be looked at counts as not there.
bool there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// Names of the plain files in a folder, sorted; none when it is not there.
std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->is_regular_file(error)) names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Empty, or what is left of creating a run before its mark was there.
bool nothing_but_a_lock(const fs::path& path) {
  const fs::path half_mark = temporary_name(incomplete_mark);
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    if (it->path().filename() != ".lock" && it->path().filename() != half_mark) return false;
  if (error) throw IoError(str("cannot look into ", path.string(), ": ", error.message()));
  return true;
}

/// Removes what a former run wrote, and nothing else.
void clear(const fs::path& path) {
  for (const char* sub : subfolders)
    for (const std::string& name : files_in(path / sub))
      if (written_by_silt(sub, name)) remove_file(path / sub / name);
  for (const char* name : {"stats.jsonl", "run.json", "scene.toml", "manifest.jsonl"})
    if (there(path / name)) remove_file(path / name);
  for (const std::string& name : files_in(path))
    if (is_temporary_name(name)) remove_file(path / name);
}

/// Runs go to out/NAME unless told otherwise: who names a scene may mean its run.
std::string hint_for(const fs::path& path) {
  const fs::path usual = fs::path("out") / path;
  return path.is_relative() && folder_state(usual) == FolderState::run ? str("; did you mean '", usual.string(), "'?")
                                                                       : "";
}

void must_be_run(const fs::path& path) {
  switch (folder_state(path)) {
    case FolderState::run:
      return;
    case FolderState::absent:
      throw InputError(str("there is no run in ", path.string(), hint_for(path)));
    case FolderState::foreign:
      throw InputError(str(path.string(), " is not a run folder of silt"));
  }
}

/// Whether a frame is made of it.
bool is_of_frame(const ManifestEntry& e) {
  return e.kind == "volume" || e.kind == "points" || e.kind == "mesh";
}

bool is_among(const ManifestEntry& e, const FrameParts& parts) {
  return e.kind == "points" ? parts.points : e.kind == "mesh" ? parts.meshes : parts.volumes;
}

Frame decode(const ManifestEntry& e, const fs::path& path, const Bytes& verified) {
  if (e.kind == "points") return decode_points(path, verified);
  return e.kind == "mesh" ? decode_mesh(path, verified) : decode_volumes(path, verified);
}

/// Something's name, as a part of a file's.
std::string file_word(std::string_view name) {
  std::string out;
  for (const unsigned char c : name)
    if (std::isalnum(c) || c == '_' || c == '-')
      out += char(c);
    else
      out += str('%', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]);
  return out;
}

FileLock lock_pictures_of(const fs::path& path, bool film = false) {
  return {path / picture_lock, path.string(), "is being rendered", film ? film_note : ""};
}

FileStamp stats_stamp(const fs::path& path) {
  return there(path) ? stamp_of(read_file(path).text()) : FileStamp{};
}

}  // namespace

FolderState folder_state(const fs::path& path) {
  if (!there(path)) return FolderState::absent;
  if (std::error_code ignored; !fs::is_directory(path, ignored)) return FolderState::foreign;
  if (there(path / incomplete_mark) || nothing_but_a_lock(path)) return FolderState::absent;
  const bool run_json = there(path / "run.json");
  const bool manifest = there(path / "manifest.jsonl"), scene = there(path / "scene.toml");
  return (run_json && (manifest || scene)) || (manifest && scene) ? FolderState::run : FolderState::foreign;
}

RunFolder::RunFolder(fs::path path, std::optional<FileLock> lock)
    : path_(std::move(path)), lock_(std::move(lock)), manifest_(path_) {}

RunFolder RunFolder::create(const fs::path& path, std::string_view scene_text, const RunStatus& status,
                            bool overwrite) {
  const auto check = [&] {
    const FolderState state = folder_state(path);
    if (state == FolderState::foreign)
      throw InputError(str(path.string(), " exists and is not a run folder of silt: it is left alone"));
    if (state == FolderState::run && !overwrite) throw InputError(str(path.string(), " already holds a run"));
  };
  check();
  make_folder(path);
  FileLock lock(path / ".lock", path.string());
  check();  // again: another process may have been here first
  std::optional<FileLock> pictures;
  if (folder_state(path) == FolderState::run) pictures = lock_pictures_of(path);
  write_atomically(path / incomplete_mark, "a run is being made or removed here\n");
  clear(path);
  for (const char* sub : subfolders) make_folder(path / sub);
  RunFolder folder(path, std::move(lock));
  folder.write_file("scene.toml", "scene", 0, scene_text);
  folder.set_status(status);
  remove_file(path / incomplete_mark);
  sync_folder(path);
  return folder;
}

RunFolder RunFolder::open(const fs::path& path) {
  must_be_run(path);
  FileLock lock(path / ".lock", path.string());
  return {path, std::move(lock)};
}

RunFolder RunFolder::view(const fs::path& path) {
  must_be_run(path);
  return {path, std::nullopt};
}

std::string RunFolder::scene_text() const {
  return std::string(manifest_.read_verified("scene.toml").text());
}

RunStatus RunFolder::status() const {
  const fs::path file = path_ / "run.json";
  return parse_run_status(file.string(), read_file(file).text());
}

void RunFolder::set_status(const RunStatus& status) {
  write_atomically(path_ / "run.json", run_status_text(status));
}

bool RunFolder::finished() const {
  return there(path_ / "run.json") && status().phase == RunStatus::Phase::finished;
}

FileLock RunFolder::lock_pictures(bool film) const {
  return lock_pictures_of(path_, film);
}

bool RunFolder::film_is_being_made() const {
  return FileLock::holder_note(path_ / picture_lock) == film_note;
}

std::string RunFolder::volume_name(std::string_view material, int frame) {
  return str("cache/", material, ".volume.", frame_digits(frame), ".vdb");
}

std::string RunFolder::points_name(std::string_view material, int frame) {
  return str("cache/", material, ".points.", frame_digits(frame), ".vdb");
}

std::string RunFolder::mesh_name(std::string_view material, std::string_view mesh, int frame) {
  return str("cache/", material, '.', mesh, '.', frame_digits(frame), ".ply");
}

std::string RunFolder::bodies_name(int frame) {
  return str("cache/bodies.", frame_digits(frame), ".json");
}

std::string RunFolder::shape_name(std::string_view body, int frame) {
  return str("cache/", file_word(body), ".shape.", frame_digits(frame), ".ply");
}

std::string RunFolder::level_set_name(std::string_view material, std::string_view mesh, int frame) {
  return str("cache/", material, '.', mesh, '.', frame_digits(frame), ".vdb");
}

std::string RunFolder::exr_name(int frame) {
  return str("pictures/frame.", frame_digits(frame), ".exr");
}

std::string RunFolder::picture_name(int frame) {
  return str("pictures/frame.", frame_digits(frame), ".png");
}

void RunFolder::write_volumes(const Frame& frame, const VolumeFileOptions& options) {
  std::set<std::string> materials;
  for (const Volume& volume : frame.volumes) materials.insert(volume.material);
  for (const std::string& material : materials)
    write_file(volume_name(material, frame.number), "volume", frame.number,
               encode_volumes(frame, material, options).text());
}

void RunFolder::write_points(const Frame& frame, const PointsFileOptions& options) {
  std::set<std::string> materials;
  for (const Points& points : frame.points) materials.insert(points.material);
  for (const std::string& material : materials)
    write_file(points_name(material, frame.number), "points", frame.number,
               encode_points(frame, material, options).text());
}

void RunFolder::write_meshes(const Frame& frame) {
  for (const Mesh& mesh : frame.meshes)
    write_file(mesh_name(mesh.material, mesh.name, frame.number), "mesh", frame.number,
               encode_mesh(frame, mesh).text());
}

/// The name of the file that holds a body's shape in this frame, which is written unless it keeps its form and is
/// there.
std::string RunFolder::file_shape(const Frame& frame, const Body& body) {
  const std::string name = shape_name(body.name, frame.number);
  const std::string_view stem = std::string_view(name).substr(0, name.find(".shape.") + 7);
  if (body.shape->velocities.empty())
    for (const ManifestEntry& e : manifest_.entries())
      if (e.kind == "shape" && e.name.starts_with(stem)) return e.name;
  write_file(name, "shape", frame.number, encode_mesh(frame, *body.shape).text());
  return name;
}

void RunFolder::write_bodies(const Frame& frame) {
  if (frame.bodies.empty()) return;
  std::vector<FiledBody> filed;
  for (const Body& body : frame.bodies) filed.push_back({body.name, body.pose, file_shape(frame, body)});
  write_file(bodies_name(frame.number), "bodies", frame.number, encode_bodies(frame, filed));
}

// A name that is listed leaves the list before its file is replaced: a crash in between leaves a file that is not
// finished, never one that does not match its line.
void RunFolder::write_file(const std::string& name, std::string_view kind, int frame, std::string_view bytes) {
  FileWriter file(path_ / name);
  file.write(bytes.data(), bytes.size());
  file.finish();
  manifest_.forget(name);
  list(name, kind, frame, file.commit());
}

void RunFolder::remove(const std::string& name) {
  manifest_.forget(name);
  remove_file(path_ / name);
}

void RunFolder::adopt(const std::string& name, std::string_view kind, int frame) {
  manifest_.forget(name);
  list(name, kind, frame, adopt_file(temporary_name(path_ / name), path_ / name));
}

void RunFolder::list(const std::string& name, std::string_view kind, int frame, const FileStamp& stamp) {
  manifest_.add({name, stamp, std::string(kind), frame});
}

void RunFolder::add_stats(std::string_view line) {
  append_line(path_ / "stats.jsonl", line);
}

std::string RunFolder::free_checkpoint_name(int frame) const {
  // A second checkpoint within one frame never replaces the first: that may be the only good one.
  std::string name = str("checkpoints/", frame_digits(frame), ".safetensors");
  for (int n = 2; manifest_.find(name); ++n) name = str("checkpoints/", frame_digits(frame), '-', n, ".safetensors");
  return name;
}

std::string RunFolder::add_checkpoint(CheckpointWriter& writer, int frame) {
  const FileStamp stats = stats_stamp(path_ / "stats.jsonl");
  writer.metadata["frame"] = str(frame);
  writer.metadata["stats_bytes"] = str(stats.size);
  writer.metadata["stats_xxh3"] = hex64(stats.size ? stats.xxh3 : 0);
  const std::string name = free_checkpoint_name(frame);
  FileWriter file(path_ / name);
  writer.write(file);
  list(name, "checkpoint", frame, file.commit());
  drop_old_checkpoints();
  return name;
}

void RunFolder::drop_old_checkpoints() {
  std::vector<std::string> names;
  for (const ManifestEntry& e : manifest_.entries())
    if (e.kind == "checkpoint") names.push_back(e.name);
  for (std::size_t i = 0; i + kept_checkpoints < names.size(); ++i) {
    manifest_.forget(names[i]);
    remove_file(path_ / names[i]);
  }
}

std::optional<FoundCheckpoint> RunFolder::latest_checkpoint() const {
  std::vector<ManifestEntry> entries = manifest_.entries();
  std::erase_if(entries, [](const ManifestEntry& e) { return e.kind != "checkpoint"; });
  if (entries.empty()) return {};
  std::string problems;
  for (auto e = entries.rbegin(); e != entries.rend(); ++e) {
    std::optional<Bytes> bytes;
    try {
      bytes = manifest_.read_verified(e->name);
    } catch (const IoError& damage) {
      problems += str(problems.empty() ? "" : "; ", damage.what());
      continue;
    }
    FoundCheckpoint found{e->name, e->frame, read_checkpoint(path_ / e->name, std::move(*bytes)), problems};
    if (!problems.empty()) found.warning += str(": going back to the checkpoint of frame ", e->frame);
    return found;
  }
  throw IoError(str("no checkpoint of ", path_.string(), " can be used: ", problems));
}

std::uint64_t RunFolder::check_stats(const FoundCheckpoint* checkpoint) const {
  if (!checkpoint) return 0;
  const fs::path path = path_ / "stats.jsonl";
  const std::uint64_t size = std::uint64_t(checkpoint->checkpoint.integer("stats_bytes"));
  if (size == 0 || !there(path)) return 0;  // somebody took it away: there is nothing to cut
  const Bytes bytes = read_file(path);
  constexpr const char* advice = " (move it away to resume without it)";
  if (bytes.size() < size)
    throw IoError(str(path.string(), " is damaged: ", bytes.size(), " bytes, ", size, " expected", advice));
  if (hex64(stamp_of(bytes.text().substr(0, size)).xxh3) != checkpoint->checkpoint.text("stats_xxh3"))
    throw IoError(str(path.string(), " is damaged: its checksum does not match the checkpoint", advice));
  return size;
}

void RunFolder::cut_back(const FoundCheckpoint* checkpoint) {
  const int last_frame = checkpoint ? checkpoint->frame : 0;
  const std::uint64_t stats_size = check_stats(checkpoint);
  const FileLock pictures = lock_pictures();
  refresh();                // pictures made since it was opened
  bool past = !checkpoint;  // checkpoints after the one we go back to
  manifest_.keep_only([&](const ManifestEntry& e) {
    const bool keep = e.frame <= last_frame && !(past && e.kind == "checkpoint");
    past = past || e.name == checkpoint->name;
    return keep;
  });
  const fs::path stats = path_ / "stats.jsonl";
  if (std::error_code ignored; there(stats) && fs::file_size(stats, ignored) != stats_size)
    truncate_file(stats, stats_size);
  drop_old_checkpoints();
  remove_strays(last_frame);
}

void RunFolder::remove_strays(int last_frame) {
  for (const char* sub : subfolders)
    for (const std::string& name : files_in(path_ / sub)) {
      const bool checkpoint = std::string_view(sub) == "checkpoints" && is_checkpoint_name(name);
      const bool later = frame_of(name).value_or(0) > last_frame;
      const bool listed = manifest_.find(str(sub, '/', name));
      if (is_temporary_name(name) || (!listed && (checkpoint || later))) remove_file(path_ / sub / name);
    }
  for (const std::string& name : files_in(path_))
    if (is_temporary_name(name)) remove_file(path_ / name);
}

std::vector<int> RunFolder::frames(FrameParts parts) const {
  std::set<int> numbers;
  for (const ManifestEntry& e : manifest_.entries())
    if (is_of_frame(e) && is_among(e, parts)) numbers.insert(e.frame);
  return {numbers.begin(), numbers.end()};
}

Frame RunFolder::read_frame(int number, FrameParts parts) const {
  std::optional<Frame> frame;
  for (const ManifestEntry& e : manifest_.entries()) {
    if (!is_of_frame(e) || e.frame != number || !is_among(e, parts)) continue;
    Frame part = decode(e, path_ / e.name, manifest_.read_verified(e.name));
    if (!frame) {
      frame = std::move(part);
      continue;
    }
    std::move(part.volumes.begin(), part.volumes.end(), std::back_inserter(frame->volumes));
    std::move(part.points.begin(), part.points.end(), std::back_inserter(frame->points));
    std::move(part.meshes.begin(), part.meshes.end(), std::back_inserter(frame->meshes));
  }
  if (!frame) throw InputError(str(path_.string(), " has nothing of frame ", number));
  if (parts.bodies) frame->bodies = read_bodies(number);
  return std::move(*frame);
}

std::vector<Body> RunFolder::read_bodies(int number) const {
  std::vector<Body> bodies;
  const std::string name = bodies_name(number);
  if (!manifest_.find(name)) return bodies;
  for (FiledBody& filed : decode_bodies(path_ / name, manifest_.read_verified(name).text())) {
    Frame shape = decode_mesh(path_ / filed.shape, manifest_.read_verified(filed.shape));
    bodies.push_back(
        {std::move(filed.name), filed.pose, std::make_shared<const Mesh>(std::move(shape.meshes.front()))});
  }
  return bodies;
}

}  // namespace silt
