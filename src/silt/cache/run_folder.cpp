#include "silt/cache/run_folder.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "silt/cache/bodies_file.h"
#include "silt/cache/frame_name.h"
#include "silt/cache/limits.h"
#include "silt/cache/stats_files.h"
#include "silt/core/text.h"

namespace fs = std::filesystem;

namespace silt {
namespace {

constexpr const char* incomplete_mark = ".silt-incomplete";
constexpr const char* picture_lock = ".render.lock";
constexpr std::string_view film_note = "film";  // in it
constexpr const char *status_file = "run.json", *stats_file = "stats.jsonl";

bool written_by_silt(std::string_view folder, std::string_view name) {
  if (is_temporary_name(name)) return true;
  if (folder == "checkpoints") return checkpoint_place(str("checkpoints/", name)).has_value();
  return frame_of_name(name).has_value() || (folder == "pictures" && (name == "film.mp4" || name == "sheet.png"));
}

/// Empty, or what is left of creating a run before its mark was there.
bool nothing_but_a_lock(const Folder& folder) {
  const auto harmless = [](const std::string& name) {
    return name == ".lock" || (is_temporary_name(name) && name.starts_with(str('.', incomplete_mark)));
  };
  const std::vector<std::string> names = folder.names();
  return std::all_of(names.begin(), names.end(), harmless);
}

/// Removes what a former run wrote, and nothing else.
void clear(const RunDirectory& run) {
  for (const char* sub : RunDirectory::subfolders)
    for (const std::string& name : run.sub(sub)->files())
      if (written_by_silt(sub, name)) run.sub(sub)->remove(name);
  for (const char* name : {"stats.jsonl", "run.json", "scene.toml", "manifest.jsonl"})
    if (run.root().has(name)) run.root().remove(name);
  run.root().remove_temporaries();
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

/// What nobody but a run makes.
bool is_only_of_run(std::string_view kind) {
  return kind == "volume" || kind == "points" || kind == "bodies" || kind == "shape";
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

FileLock lock_pictures_of(const Folder& root, bool film = false) {
  return {root, picture_lock, root.path().string(), "is being rendered", film ? film_note : ""};
}

}  // namespace

FolderState folder_state(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return FolderState::absent;
  if (!fs::is_directory(path, ignored)) return FolderState::foreign;
  const Folder root(path);
  if (root.has(incomplete_mark) || nothing_but_a_lock(root)) return FolderState::absent;
  const bool run_json = root.has("run.json"), manifest = root.has("manifest.jsonl"), scene = root.has("scene.toml");
  return (run_json && (manifest || scene)) || (manifest && scene) ? FolderState::run : FolderState::foreign;
}

RunFolder::RunFolder(RunDirectory directory, std::optional<FileLock> lock)
    : directory_(std::move(directory)), lock_(std::move(lock)), manifest_(directory_) {
  refresh();
}

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
  RunDirectory run(path);
  FileLock lock(run.root(), ".lock", path.string());
  check();  // again: another process may have been here first
  std::optional<FileLock> pictures;
  if (folder_state(path) == FolderState::run) pictures = lock_pictures_of(run.root());
  run.root().write(incomplete_mark, "a run is being made or removed here\n");
  run.make_subfolders();
  clear(run);
  RunFolder folder(std::move(run), std::move(lock));
  folder.write_file("scene.toml", "scene", 0, scene_text);
  folder.set_status(status);
  folder.directory_.root().remove(incomplete_mark);
  folder.directory_.root().sync();
  return folder;
}

RunFolder RunFolder::open(const fs::path& path) {
  must_be_run(path);
  RunDirectory run(path);
  FileLock lock(run.root(), ".lock", path.string());
  return {std::move(run), std::move(lock)};
}

RunFolder RunFolder::view(const fs::path& path) {
  must_be_run(path);
  return {RunDirectory(path), std::nullopt};
}

std::pair<RunFolder, FileLock> RunFolder::view_to_render(const fs::path& path, bool film) {
  must_be_run(path);
  RunDirectory run(path);
  FileLock lock = lock_pictures_of(run.root(), film);
  return {RunFolder(std::move(run), std::nullopt), std::move(lock)};
}

void RunFolder::refresh() {
  // stats.jsonl first: a run that goes on adds to the manifest before it adds there.
  std::vector<ManifestEntry> told;
  if (directory_.root().has(stats_file))
    told = files_in_stats(directory_.root().read(stats_file, largest_stats).text());
  manifest_ = Manifest(directory_);
  told_by_stats_.clear();
  for (ManifestEntry& e : told) {
    told_by_stats_[e.name] = e.stamp;
    if (is_recallable(e)) manifest_.recall(e);
  }
}

/// Whether the manifest lacks a file that stats.jsonl tells of. Pictures and meshes may have been taken off the list by
/// who makes them anew; what has been put in their place is none of the run's.
bool RunFolder::is_recallable(const ManifestEntry& told) const {
  if (manifest_.find(told.name)) return false;
  if (is_only_of_run(told.kind)) return true;
  if (manifest_.has_removed(told.name)) return false;
  return !directory_.has(told.name) || manifest_.problem(told).empty();
}

std::string RunFolder::scene_text() const {
  return std::string(manifest_.read_verified("scene.toml").text());
}

RunStatus RunFolder::status() const {
  return parse_run_status((path() / status_file).string(),
                          directory_.root().read(status_file, largest_run_json).text());
}

void RunFolder::set_status(const RunStatus& status) {
  RunStatus told = status;
  const std::vector<ManifestEntry> checkpoints = manifest_.entries_named("checkpoints/");
  told.checkpoint = -1;
  for (const ManifestEntry& e : checkpoints) told.checkpoint = std::max(told.checkpoint, e.frame);
  directory_.root().write(status_file, run_status_text(told));
}

bool RunFolder::finished() const {
  return directory_.root().has(status_file) && status().phase == RunStatus::Phase::finished;
}

FileLock RunFolder::lock_pictures(bool film) const {
  return lock_pictures_of(directory_.root(), film);
}

bool RunFolder::film_is_being_made() const {
  return FileLock::holder_note(directory_.root(), picture_lock) == film_note;
}

void RunFolder::remove_leftovers() const {
  std::vector<Folder> folders{directory_.root()};
  for (const char* sub : RunDirectory::subfolders)
    if (directory_.sub(sub)) folders.push_back(*directory_.sub(sub));
  const auto has_some = [](const Folder& folder) {
    const std::vector<std::string> names = folder.names();
    return std::any_of(names.begin(), names.end(), is_temporary_name);
  };
  if (std::none_of(folders.begin(), folders.end(), has_some)) return;
  try {
    const FileLock lock(directory_.root(), ".lock", path().string());
    for (const Folder& folder : folders) folder.remove_temporaries();
  } catch (const InputError&) {  // a run goes on: some may be its own
  }
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
    for (const ManifestEntry& e : manifest_.entries_named(stem))
      if (e.kind == "shape" && !(to_mend_ && to_mend_->contains(e.name))) return e.name;
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
  if (to_mend_) return mend_file(name, bytes);
  const auto [folder, entry] = directory_.place(name);
  FileWriter file(folder, entry);
  file.write(bytes.data(), bytes.size());
  file.finish();
  manifest_.forget(name);
  list(name, kind, frame, file.commit());
}

void RunFolder::remove(const std::string& name) {
  manifest_.forget(name);
  directory_.remove(name);
}

void RunFolder::list(const std::string& name, std::string_view kind, int frame, const FileStamp& stamp) {
  std::string line = manifest_.add({name, stamp, std::string(kind), frame});
  if (frame > 0 && kind != "checkpoint") unsaid_.push_back(std::move(line));
}

void RunFolder::add_stats(std::string_view line) {
  std::unique_ptr<Hasher> before = std::move(stats_);  // not known until the line is there
  const std::string text = with_files(line, unsaid_);
  directory_.root().append_line(stats_file, text);
  unsaid_.clear();
  if (!before) return;
  before->add(text.data(), text.size());
  before->add("\n", 1);
  stats_ = std::move(before);
}

std::vector<int> RunFolder::frames(FrameParts parts) const {
  std::set<int> numbers;
  for (const ManifestEntry& e : manifest_.entries())
    if (is_of_frame(e) && is_among(e, parts)) numbers.insert(e.frame);
  return {numbers.begin(), numbers.end()};
}

Frame RunFolder::read_frame(int number, FrameParts parts) const {
  std::optional<Frame> frame;
  for (const ManifestEntry& e : manifest_.of_frame(number)) {
    if (!is_of_frame(e) || !is_among(e, parts)) continue;
    Frame part = decode(e, path() / e.name, manifest_.read_verified(e.name));
    if (!frame) {
      frame = std::move(part);
      continue;
    }
    std::move(part.volumes.begin(), part.volumes.end(), std::back_inserter(frame->volumes));
    std::move(part.points.begin(), part.points.end(), std::back_inserter(frame->points));
    std::move(part.meshes.begin(), part.meshes.end(), std::back_inserter(frame->meshes));
  }
  if (!frame) throw InputError(str(path().string(), " has nothing of frame ", number));
  if (parts.bodies) frame->bodies = read_bodies(number);
  return std::move(*frame);
}

std::vector<Body> RunFolder::read_bodies(int number) const {
  std::vector<Body> bodies;
  const std::string name = bodies_name(number);
  if (!manifest_.find(name)) return bodies;
  for (FiledBody& filed : decode_bodies(path() / name, manifest_.read_verified(name).text())) {
    Frame shape = decode_mesh(path() / filed.shape, manifest_.read_verified(filed.shape));
    bodies.push_back(
        {std::move(filed.name), filed.pose, std::make_shared<const Mesh>(std::move(shape.meshes.front()))});
  }
  return bodies;
}

}  // namespace silt
