#pragma once

/// Frames to files for other programs, in a folder of their own. A file appears whole under its name or not at all; the
/// .pvd lists are made anew after every frame, so that ParaView can open them at any time.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/oriented.h"
#include "silt/cache/vtk_file.h"

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
  FrameExporter(std::filesystem::path folder, const ExportOptions& options);
  void write(const Frame& frame);
  /// How many files have been written, lists not counted.
  int files() const { return files_; }

 private:
  void write_vtk(const Frame& frame);
  void write_ply(const Frame& frame);
  void put(const std::string& series, const Frame& frame, std::string_view ending, std::string_view bytes);
  void write_lists();

  std::filesystem::path folder_;
  ExportOptions options_;
  int files_ = 0;
  std::map<std::string, int> part_of_;                  // the number of each series in the list of all
  std::map<std::string, std::vector<PvdEntry>> lists_;  // by series, and "all"
};

}  // namespace silt
