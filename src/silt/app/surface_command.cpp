#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/frame_range.h"
#include "silt/app/past_run.h"
#include "silt/app/progress.h"
#include "silt/app/say.h"
#include "silt/app/surface_files.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/scene.h"
#include "silt/sim/machine.h"
#include "silt/surface/between.h"

namespace silt {
namespace {

double longest_side(const Domain& domain) {
  const Vec3d size = domain.upper() - domain.lower();
  return std::max({size.x, size.y, size.z});
}

/// What the option that was given takes, where voxels may have `finest` to `coarsest` of a cell's side.
std::string range_text(const MeshingOptions& options, const Domain& domain, double finest, double coarsest) {
  const double h = domain.lattice.h, across = longest_side(domain) / h;
  if (options.resolution > 0)
    return fmt::format("--resolution takes {} to {}", std::max(2, int(std::ceil(across / coarsest))),
                       int(across / finest));
  return fmt::format("--voxel takes {:.4g} to {:.4g}", finest * h, coarsest * h);
}

SurfaceParams chosen_params(const MeshingOptions& options, const Scene& scene) {
  SurfaceParams params = scene.surface;
  const Domain& domain = scene.setting.domain;
  if (options.voxel > 0) params.voxel = options.voxel / domain.lattice.h;
  if (options.resolution > 0) params.voxel = longest_side(domain) / options.resolution / domain.lattice.h;
  constexpr double finest = 0.02, coarsest = 8;  // [cells], as the scene's table has them
  if (!(params.voxel >= finest && params.voxel <= coarsest))
    throw InputError(fmt::format("voxels of {:.4g} m are out of reach of cells of {:.4g} m: {}",
                                 params.voxel * domain.lattice.h, domain.lattice.h,
                                 range_text(options, domain, finest, coarsest)));
  if (options.smooth >= 0) params.smooth = options.smooth;
  if (!options.attributes.empty()) params.attributes = options.attributes;
  if (options.kernel == "zhu") params.kernel = SurfaceParams::Kernel::zhu;
  if (options.kernel == "anisotropic") params.kernel = SurfaceParams::Kernel::anisotropic;
  return params;
}

/// How many frames fit into half of the free memory at once, by what their files take and how fine the surface is.
int jobs_that_fit(const RunFolder& folder, const std::vector<int>& frames, double voxel) {
  // Decoded, with images, bins, blocks and mesh: a rough figure for voxels of half a cell. Blocks go with their area.
  const double memory_over_disk = 12 * std::max(1.0, 0.25 / (voxel * voxel));
  std::map<int, double> bytes;
  for (const ManifestEntry& e : folder.manifest().entries())
    if (e.kind == "points" || e.kind == "volume") bytes[e.frame] += double(e.stamp.size);
  double largest = 1e6;
  for (const int frame : frames) largest = std::max(largest, memory_over_disk * bytes[frame]);
  const double memory = double(this_machine().available_bytes);
  return memory > 0 ? std::max(1, int(std::min(4096.0, 0.5 * memory / largest))) : 1;
}

/// Makes the surfaces of all frames, several at once. Frames that cannot be read are named and passed over.
class SurfaceSession {
 public:
  SurfaceSession(RunFolder& folder, const MeshingOptions& options, const SurfaceParams& params, std::vector<int> frames,
                 const Exec& exec)
      : folder_(folder),
        options_(options),
        params_(params),
        frames_(std::move(frames)),
        jobs_(std::clamp(
            options.jobs > 0 ? options.jobs : std::min(exec.threads(), jobs_that_fit(folder, frames_, params.voxel)), 1,
            int(frames_.size()))),
        share_(Device::cpu, std::max(1, exec.threads() / jobs_)),
        progress_(0, int(frames_.size()), Progress::style_for(false)) {}

  int run() {
    std::vector<std::thread> workers;
    try {
      for (int j = 1; j < jobs_; ++j) workers.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // a limit: those that could be started do all of it
    }
    work();
    for (std::thread& worker : workers) worker.join();
    progress_.clear();
    if (stopped_by_) std::rethrow_exception(stopped_by_);
    if (surfaces_ == 0 && failed_ == 0)
      throw InputError(str(folder_.path().string(),
                           " has neither particles nor a level set in its cache: run it again "
                           "with --overwrite --set output.points=true"));
    put(fmt::format("{} surface{} of {} frame{} in {}\n", surfaces_, surfaces_ == 1 ? "" : "s", done_ - failed_,
                    done_ - failed_ == 1 ? "" : "s", (folder_.path() / "cache").native()));
    return failed_ ? exit_code::failed : exit_code::done;
  }

 private:
  void work() {
    std::optional<RunFolder> reader;
    try {
      reader = RunFolder::view(folder_.path());  // its own: the other one's list changes
    } catch (...) {
      return stop();
    }
    for (std::size_t i = next_++; i < frames_.size() && !stopped_; i = next_++) {
      try {
        make(*reader, i);
      } catch (const DiskFullError&) {
        return stop();
      } catch (const Error& e) {
        const std::lock_guard lock(mutex_);
        ++failed_;
        progress_.clear();
        say_error(str("frame ", frames_[i], ": ", e.what(), '\n', advice(i)));
      } catch (...) {
        return stop();
      }
      const std::lock_guard lock(mutex_);
      progress_.done(++done_);
    }
  }

  /// What to do when a frame could not be made.
  std::string advice(std::size_t i) const {
    // Those between it and its neighbours are missing as well.
    const int first = options_.between ? frames_[i == 0 ? 0 : i - 1] : frames_[i];
    const int last = options_.between ? frames_[std::min(i + 1, frames_.size() - 1)] : frames_[i];
    return str("  it has no new surface", options_.between ? ", nor are there any between it and its neighbours" : "",
               "; to make it, ", remedy(folder_, "surface", first, last),
               options_.between ? str(" --between ", options_.between) : "");
  }

  void make(const RunFolder& reader, std::size_t i) {
    const FrameParts parts{.meshes = false, .bodies = false};
    const Frame frame = reader.read_frame(frames_[i], parts);
    const std::vector<SurfaceFile> files = surface_files(frame, params_, !options_.no_level_set, "", share_);
    remove_stale(frame.number);
    write(files, frame.number);
    if (options_.between == 0 || i + 1 == frames_.size()) return;
    Frame next;
    try {
      next = reader.read_frame(frames_[i + 1], parts);
    } catch (const Error&) {
      return;  // it is named in its own turn
    }
    const int count = options_.between + 1;
    for (int n = 1; n < count; ++n) {
      const Frame between = frame_between(frame, next, double(n) / count);
      write(surface_files(between, params_, false, str(n, "of", count), share_), frame.number);
    }
  }

  /// What an earlier call made of a frame that this one does not make anew: it is of another resolution, or there are
  /// more or fewer between two frames now. Those after the last frame are as good as before if there are as many.
  void remove_stale(int frame) {
    const std::string as_many = str("of", options_.between + 1, '.');
    const std::lock_guard lock(mutex_);
    for (const ManifestEntry& e : folder_.manifest().of_frame(frame)) {
      const bool stale = e.kind == "between" ? !options_.between || e.name.find(as_many) == std::string::npos
                                             : e.kind == "level_set" && options_.no_level_set;
      if (stale) folder_.remove(e.name);
    }
  }

  void write(const std::vector<SurfaceFile>& files, int frame) {
    const std::lock_guard lock(mutex_);
    for (const SurfaceFile& file : files) {
      folder_.write_file(file.name, file.kind, frame, file.bytes.text());
      surfaces_ += file.kind != "level_set";
    }
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (!stopped_by_) stopped_by_ = std::current_exception();
  }

  RunFolder& folder_;
  const MeshingOptions& options_;
  const SurfaceParams& params_;
  const std::vector<int> frames_;
  const int jobs_;
  const Exec share_;  ///< of the threads, for one frame
  Progress progress_;
  std::mutex mutex_;  ///< of all that follows, and of the folder
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr stopped_by_;
  int done_ = 0, failed_ = 0, surfaces_ = 0;
};

}  // namespace

int surface_command(const MeshingOptions& options) {
  ignore_lost_readers();
  PastRun run = open_past_run(options.run, /*film=*/false);
  RunFolder& folder = run.folder;
  const Scene& scene = run.scene;
  if (!scene.has_particles())
    throw InputError(str(folder.path().string(), " has no particles in it: surfaces are made of water and sand"));
  if (scene.setting.domain.lattice.dims() < 3)
    throw InputError(str(folder.path().string(), " is a 2D run: surfaces are made of 3D ones"));
  const SurfaceParams params = chosen_params(options, scene);
  const Exec exec{Device::cpu, options.threads};
  limit_volume_threads(exec.threads());
  return SurfaceSession(folder, options, params,
                        chosen_frames(folder, options.frames, {.meshes = false, .bodies = false}), exec)
      .run();
}

}  // namespace silt
