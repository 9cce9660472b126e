#pragma once

/// Frames to files for other programs, in a folder of their own. A file appears whole under its name or not at all; the
/// .pvd lists are made anew while it goes on, so that ParaView can open them at any time: after every frame, and when
/// they are long after every sixty-fourth part of what is in them, or they would take longer than the frames. They keep
/// what an earlier export with the same axes and scale has left there of the same run.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "silt/cache/folder.h"
#include "silt/cache/oriented.h"
#include "silt/cache/pvd_list.h"

namespace silt {

enum class ExportFormat { vtk, gltf, ply };

/// What of a frame is written.
struct ExportParts {
  bool volumes = false;  ///< .vti: whole boxes
  bool cells = false;    ///< .vtu: the cells in use alone
  bool points = false, meshes = false, bodies = false;
};

struct ExportOptions {
  ExportFormat format = ExportFormat::vtk;
  ExportParts parts;
  Orientation orientation;
};

class FrameExporter {
 public:
  /// When the run wrote a frame; the end of time when it has none of that number.
  using CachedAt = std::function<std::filesystem::file_time_type(int frame)>;
  /// Lists that are there keep files that are younger than the frames they are of.
  FrameExporter(Folder folder, const ExportOptions& options, const CachedAt& cached_at);
  void write(const Frame& frame);
  /// After the last frame: what the lists still lack.
  void finish();
  /// How many files have been written, lists not counted.
  int files() const { return files_; }

 private:
  void write_vtk(const Frame& frame);
  void write_ply(const Frame& frame);
  void put(const std::string& series, const Frame& frame, std::string_view ending, std::string_view bytes);
  void read_lists(const CachedAt& cached_at);
  void write_lists();
  bool lists_are_due() const;

  Folder folder_;
  ExportOptions options_;
  int files_ = 0;
  std::map<std::string, int> part_of_;  // the number of each series in the list of all
  int next_part_ = 0;
  std::map<std::string, PvdList> lists_;  // by series, and "all"
  std::size_t unlisted_ = 0;              // files that they have and their own files do not
};

}  // namespace silt
