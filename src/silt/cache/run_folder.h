#pragma once

/// The folder of a run and the order of what happens in it. Whatever the instant of a crash, the folder can be resumed:
///
///   a file      temporary name, sync, rename, then a manifest line. Unlisted files are as good as not there.
///   a frame     its files, its line in stats.jsonl, then run.json; a checkpoint comes after all of a frame.
///   checkpoint  the new one is in the manifest before the third last leaves it, and that before it is deleted.
///   resuming    cut_back(): stats.jsonl is cut, then later names leave the manifest in one step, then files are
///               deleted. Done again after a crash in the middle, it ends the same.
///   rendering   pictures and film are made again under ".render.lock", also while the run goes on; cut_back() and
///               overwriting hold it too, for they remove files. A run waits for it before it makes its film.
///   mending     what is missing or damaged of earlier frames is made again, and takes its place only with the size and
///               checksum on the list; nothing else changes.
///   creating    ".silt-incomplete" is there from before the first change until run.json is; a folder with it counts as
///               absent.
///
/// Two lists say what there is: the manifest, and the lines of stats.jsonl (stats_files.h). A file that only the second
/// knows is on the list too, and a checkpoint that neither knows proves itself. So nothing is deleted only because the
/// manifest has lost its line, or has one that cannot be read.
///
/// What is in the folder may be somebody's who means harm: all of it is reached through a RunDirectory.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "silt/cache/checkpoint.h"
#include "silt/cache/checkpoint_list.h"
#include "silt/cache/file_ops.h"
#include "silt/cache/manifest.h"
#include "silt/cache/mesh_file.h"
#include "silt/cache/points_file.h"
#include "silt/cache/run_directory.h"
#include "silt/cache/run_status.h"
#include "silt/cache/volume_file.h"
#include "silt/fields/frame.h"

namespace silt {

enum class FolderState {
  absent,   ///< nothing there, or what a crash while creating or overwriting left
  run,      ///< a run of silt
  foreign,  ///< somebody else's
};
FolderState folder_state(const std::filesystem::path& path);

/// A checkpoint that was found good.
struct FoundCheckpoint {
  std::string name;  ///< "checkpoints/0048.safetensors"
  CheckpointPlace place;
  int frame = 0;  ///< frames up to this one are complete
  Checkpoint checkpoint;
  std::string warning;  ///< not empty: a newer one is damaged, and this one is used instead
};

/// A file in the cache that is missing or damaged.
struct HarmedFile {
  ManifestEntry entry;
  std::string problem;  ///< a sentence that names it
  bool of_run = true;   ///< the run makes it, and can again; else `silt surface` did
};

/// Which files of a frame are read.
struct FrameParts {
  bool volumes = true, points = true, meshes = true, bodies = true;
};

class RunFolder {
 public:
  /// A new run, locked. With `overwrite` what a former run wrote there is removed first, and nothing else. InputError
  /// when the folder is in use, is a run and not to be overwritten, or is not silt's.
  static RunFolder create(const std::filesystem::path& path, std::string_view scene_text, const RunStatus& status,
                          bool overwrite = false);
  /// An existing run, locked, to resume it.
  static RunFolder open(const std::filesystem::path& path);
  /// An existing run, not locked, to look at it, also while it runs.
  static RunFolder view(const std::filesystem::path& path);
  /// The same to make pictures or surfaces in it, with lock_pictures(): what another has made before is on the list.
  static std::pair<RunFolder, FileLock> view_to_render(const std::filesystem::path& path, bool film);

  const std::filesystem::path& path() const { return directory_.path(); }
  const RunDirectory& directory() const { return directory_; }
  /// What there is, as both lists say.
  const Manifest& manifest() const { return manifest_; }
  /// Reads the lists again: what a running process has finished since.
  void refresh();

  std::string scene_text() const;
  RunStatus status() const;
  void set_status(const RunStatus& status);
  /// Whether run.json says so. Not so when there is no run.json.
  bool finished() const;
  /// The process that holds the lock; 0 when none does, -1 when it is not known which.
  long in_use_by() const { return FileLock::holder(directory_.root(), ".lock"); }

  /// For who makes pictures or surfaces of finished frames, or the film. InputError: "out/x is being rendered by
  /// process 1234". `film`: whether a film of all pictures comes at the end.
  FileLock lock_pictures(bool film = false) const;
  /// Whether somebody holds that lock who makes the film.
  bool film_is_being_made() const;

  /// Removes what died while it wrote, unless a run goes on here. For who holds lock_pictures().
  void remove_leftovers() const;

  static std::string volume_name(std::string_view material, int frame);  ///< "cache/smoke.volume.0001.vdb"
  static std::string points_name(std::string_view material, int frame);  ///< "cache/water.points.0001.vdb"
  /// "cache/water.surface.0001.ply"
  static std::string mesh_name(std::string_view material, std::string_view mesh, int frame);
  static std::string bodies_name(int frame);  ///< "cache/bodies.0001.json"
  /// "cache/post.shape.0001.ply"; letters that a file's name should not have are written as %2F.
  static std::string shape_name(std::string_view body, int frame);
  /// "cache/water.surface.0001.vdb"
  static std::string level_set_name(std::string_view material, std::string_view mesh, int frame);
  static std::string picture_name(int frame);  ///< "pictures/frame.0001.png"
  static std::string exr_name(int frame);      ///< "pictures/frame.0001.exr"
  static std::string film_name() { return "pictures/film.mp4"; }
  static std::string sheet_name() { return "pictures/sheet.png"; }

  /// A file for each material of the frame.
  void write_volumes(const Frame& frame, const VolumeFileOptions& options = {});
  void write_points(const Frame& frame, const PointsFileOptions& options = {});
  /// A file for each mesh.
  void write_meshes(const Frame& frame);
  /// A file with where they are, and one for each shape that is not there yet.
  void write_bodies(const Frame& frame);
  void write_file(const std::string& name, std::string_view kind, int frame, std::string_view bytes);
  /// A file that what comes in its place makes stale. Nothing when there is none.
  void remove(const std::string& name);
  /// One JSON object, no line break; it gains the files that were written since the last.
  void add_stats(std::string_view line);

  /// Writes a checkpoint after frame `frame` and all that belongs to it, and keeps the one before; its metadata gain
  /// "frame", "stats_bytes" and "stats_xxh3". Returns its name.
  std::string add_checkpoint(CheckpointWriter& writer, int frame);
  /// The newest checkpoint that is whole; nothing when none was ever finished. IoError when there are some and all are
  /// damaged; InputError when another version of silt wrote it, or when there was one and none is left.
  std::optional<FoundCheckpoint> latest_checkpoint() const;
  /// The same of those from before this frame; nothing when none of them is whole.
  std::optional<FoundCheckpoint> checkpoint_before(int frame) const;
  /// Back to the moment of the checkpoint; without one, to before the first frame. IoError when stats.jsonl is not what
  /// it was at the checkpoint, InputError when somebody makes pictures in the folder or files cannot be told from
  /// leftovers (see unproven()).
  void cut_back(const FoundCheckpoint* checkpoint);

  /// What is missing or damaged in the cache, of frames up to this one. Reads all of it.
  std::vector<HarmedFile> harmed_files(int last_frame) const;
  /// Not empty when lines of the manifest cannot be read: which, what becomes of what they said, and which files are on
  /// no list for it that can be made again. cut_back() writes the manifest anew.
  std::string damage() const;
  /// Not empty when files of frames up to this one are on neither list: a sentence with what to do.
  std::string unproven(int last_frame) const;
  /// From now on only these files are written, and only with the bits they had; end_mending() gives back the names of
  /// those that were not made. InputError when one comes out otherwise.
  void begin_mending(const std::vector<HarmedFile>& files);
  std::vector<std::string> end_mending();

  /// Frames with volumes, points or meshes, or with some of those parts, ascending.
  std::vector<int> frames(FrameParts parts = {}) const;
  /// All volumes, points, meshes and bodies of a frame, or those parts, from verified files. InputError when it has
  /// none.
  Frame read_frame(int number, FrameParts parts = {}) const;

 private:
  RunFolder(RunDirectory directory, std::optional<FileLock> lock);
  std::string file_shape(const Frame& frame, const Body& body);
  std::vector<Body> read_bodies(int number) const;
  void mend_file(const std::string& name, std::string_view bytes);
  void list(const std::string& name, std::string_view kind, int frame, const FileStamp& stamp);
  bool is_recallable(const ManifestEntry& told) const;
  std::string free_checkpoint_name(int frame) const;
  std::optional<FoundCheckpoint> newest_of(const std::vector<CheckpointFile>& files) const;
  FoundCheckpoint read_found(const CheckpointFile& file) const;
  void refuse_if_one_was_lost() const;
  void recall_checkpoints(const FoundCheckpoint& up_to);
  void drop_old_checkpoints();
  std::vector<std::string> off_the_list() const;
  std::uint64_t check_stats(const FoundCheckpoint* checkpoint) const;
  void remove_strays(int last_frame);
  FileStamp stats_stamp();

  RunDirectory directory_;
  std::optional<FileLock> lock_;
  Manifest manifest_;
  std::map<std::string, FileStamp> told_by_stats_;  ///< what the run itself wrote
  std::vector<std::string> unsaid_;                 ///< lines of files that stats.jsonl does not have yet
  std::unique_ptr<Hasher> stats_;                   ///< of stats.jsonl; nothing when not known
  std::optional<std::set<std::string>> to_mend_;
};

}  // namespace silt
