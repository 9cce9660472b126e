#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "silt/geometry/mesh_data.h"
#include "silt/geometry/mesh_file.h"
#include "silt/geometry/mesh_repair.h"

namespace silt {

/// The files that "foot.####.obj" names: one for each number, written with at least as many digits as there are
/// '#'. In rising order; throws an InputError when there is none, or when numbers in between are missing.
std::vector<std::filesystem::path> find_sequence(const std::filesystem::path& pattern);

/// Whether a path is such a pattern.
bool is_sequence(const std::filesystem::path& path);

/// A mesh whose vertices move: one file an instant, the same vertices and triangles in each. In between, vertices go
/// straight from where one file has them to where the next has them.
class MeshSequence {
 public:
  struct Timing {
    double fps = 24;    ///< files a second [1/s]
    double start = 0;   ///< when the first one is [s]
    bool loop = false;  ///< after the last comes the first again; else the first and the last hold
  };

  using Read = std::function<TriangleMesh(const std::filesystem::path&)>;

  /// Looks through all the files once, in order, by `look`. Throws an InputError that names the file whose vertices or
  /// triangles differ from the first one's.
  MeshSequence(std::vector<std::filesystem::path> files, const Timing& timing, double thickness,
               const Read& look = read_mesh_file);

  /// What was found wrong at all times; and what else the file that shows it best (the first, unless triangles without
  /// an area in it gain one later) was found to be.
  const MeshReport& report() const { return report_; }
  /// A box that holds it at all times.
  const MeshBox& reach() const { return reach_; }
  /// Of memory while it is in use, but for what at() hands out.
  std::size_t bytes() const;
  /// The fastest that a vertex moves [m/s].
  double top_speed() const { return top_speed_; }

  /// The mesh at an instant, its vertices' velocities with it. Keeps the last answer and the files it came from.
  std::shared_ptr<const MeshData> at(double time) const;

 private:
  using Vertices = std::shared_ptr<const std::vector<Vec3d>>;

  /// A file's vertices, all of them.
  std::vector<Vec3d> read(std::size_t file, const Read& how, bool check_triangles) const;
  Vertices vertices(std::size_t file) const;

  std::vector<std::filesystem::path> files_;
  Timing timing_;
  std::vector<Int3> told_;       // triangles as the files have them
  std::vector<Int3> triangles_;  // repaired
  std::vector<int> source_;      // which of a file's vertices each one is
  std::size_t vertices_in_file_ = 0;
  MeshReport report_;
  MeshBox reach_;
  double top_speed_ = 0;
  std::shared_ptr<const MeshData> data_;  // of the file that was repaired

  mutable std::mutex mutex_;
  mutable std::vector<std::pair<std::size_t, Vertices>> kept_;  // two files at most
  mutable std::shared_ptr<const MeshData> last_;
  mutable double last_time_ = 0;
};

}  // namespace silt
