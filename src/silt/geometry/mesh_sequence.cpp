#include "silt/geometry/mesh_sequence.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace fs = std::filesystem;
namespace {

struct Pattern {
  std::string before, after;
  std::size_t digits = 0;  ///< 0: it is none
};

Pattern split(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t from = name.find('#');
  if (from == std::string::npos) return {};
  const std::size_t to = name.find_first_not_of('#', from);
  Pattern out{name.substr(0, from), to == std::string::npos ? "" : name.substr(to), 0};
  out.digits = name.size() - out.before.size() - out.after.size();
  return out;
}

/// The number of a file that a pattern names; -1 for any other.
long long number_of(const std::string& name, const Pattern& pattern) {
  const std::size_t around = pattern.before.size() + pattern.after.size();
  if (name.size() < around + pattern.digits || name.size() > around + 9) return -1;
  if (name.compare(0, pattern.before.size(), pattern.before) != 0 ||
      name.compare(name.size() - pattern.after.size(), pattern.after.size(), pattern.after) != 0)
    return -1;
  const std::string digits = name.substr(pattern.before.size(), name.size() - around);
  if (digits.find_first_not_of("0123456789") != std::string::npos) return -1;
  if (digits.size() > pattern.digits && digits[0] == '0') return -1;
  return std::stoll(digits);
}

std::string file_name(const Pattern& pattern, long long number) {
  std::string digits = std::to_string(number);
  digits.insert(0, std::max(digits.size(), pattern.digits) - digits.size(), '0');
  return pattern.before + digits + pattern.after;
}

}  // namespace

bool is_sequence(const fs::path& path) {
  return split(path).digits > 0;
}

std::vector<fs::path> find_sequence(const fs::path& path) {
  const Pattern pattern = split(path);
  if (pattern.digits == 0 || pattern.after.find('#') != std::string::npos)
    throw InputError(path.string() + ": a sequence has one run of '#' in its file name, as in foot.####.obj");
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  std::map<long long, fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (const long long n = number_of(at->path().filename().string(), pattern); n >= 0)
      found[n] = path.parent_path() / at->path().filename();
  if (found.empty())
    throw InputError("there is no file " + path.string() + (error ? ": " + error.message() : "") +
                     ": a number stands where the '#' are, " + file_name(pattern, 1) + " for example");
  std::string missing;
  int lacking = 0;
  for (long long n = found.begin()->first; n <= found.rbegin()->first && lacking <= 3; ++n)
    if (!found.count(n)) missing += ++lacking > 3 ? ", ..." : (missing.empty() ? "" : ", ") + file_name(pattern, n);
  if (lacking > 0) throw InputError("of the sequence " + path.string() + " files are missing: " + missing);
  std::vector<fs::path> out;
  for (auto& [number, file] : found) out.push_back(std::move(file));
  return out;
}

MeshSequence::MeshSequence(std::vector<fs::path> files, const Timing& timing, double thickness, const Read& look)
    : files_(std::move(files)), timing_(timing) {
  TriangleMesh shown = look(files_.at(0));  // the instant that is repaired
  told_ = shown.triangles;
  vertices_in_file_ = shown.vertices.size();
  MeshSurplus surplus(shown);
  int flat = surplus.flat_now();
  const std::vector<Vec3d> start = shown.vertices;
  reach_ = {start[told_[0].x], start[told_[0].x]};
  const auto used = [&](std::size_t v) { return surplus.stands_with()[v] >= 0; };
  const auto widen_reach = [&](const std::vector<Vec3d>& now) {
    for (std::size_t v = 0; v < now.size(); ++v)
      if (used(v)) reach_ = {min(reach_.lowest, now[v]), max(reach_.highest, now[v])};
  };
  const auto raise_speed = [&](const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    for (std::size_t v = 0; v < a.size(); ++v)
      if (used(v)) top_speed_ = std::max(top_speed_, length(b[v] - a[v]) * timing_.fps);
  };
  widen_reach(start);
  std::vector<Vec3d> before = start;
  for (std::size_t f = 1; f < files_.size(); ++f) {
    std::vector<Vec3d> now = read(f, look, true);
    surplus.see(now);
    if (surplus.flat_now() < flat) shown.vertices = now, flat = surplus.flat_now();
    widen_reach(now);
    raise_speed(before, now);
    before = std::move(now);
  }
  if (timing_.loop) raise_speed(before, start);

  RepairedMesh repaired;
  try {
    repaired = repair_mesh(shown, surplus);
  } catch (const InputError& e) {
    throw InputError(files_[0].string() + ": " + e.what());
  }
  triangles_ = repaired.mesh.triangles;
  source_ = std::move(repaired.source);
  report_ = repaired.report;
  data_ = std::make_shared<const MeshData>(
      repaired.mesh, MeshSides{.closed = report_.closed, .simple = false, .thickness = thickness});
}

std::vector<Vec3d> MeshSequence::read(std::size_t file, const Read& how, bool check_triangles) const {
  const std::string first = files_[0].filename().string();
  TriangleMesh mesh = how(files_[file]);
  if (mesh.vertices.size() != vertices_in_file_)
    throw InputError(str(files_[file].string(), ": it has ", mesh.vertices.size(), " vertices and ", first, " has ",
                         vertices_in_file_, ": the files of a sequence need the same ones"));
  if (check_triangles && mesh.triangles != told_)
    throw InputError(str(files_[file].string(), ": its faces are not those of ", first,
                         ": the files of a sequence need the same ones"));
  return std::move(mesh.vertices);
}

MeshSequence::Vertices MeshSequence::vertices(std::size_t file) const {
  for (const auto& [number, vertices] : kept_)
    if (number == file) return vertices;
  if (kept_.size() >= 2) kept_.erase(kept_.begin());
  const std::vector<Vec3d> all = read(file, read_mesh_file, false);
  auto out = std::make_shared<std::vector<Vec3d>>();
  out->reserve(source_.size());
  for (const int v : source_) out->push_back(all[v]);
  kept_.emplace_back(file, std::move(out));
  return kept_.back().second;
}

std::size_t MeshSequence::bytes() const {
  // The tree that others are refitted from, the last one that was asked for, and two files' vertices.
  return 2 * data_->bytes() + (told_.size() + triangles_.size()) * sizeof(Int3) +
         source_.size() * (sizeof(int) + 2 * sizeof(Vec3d));
}

std::shared_ptr<const MeshData> MeshSequence::at(double time) const {
  const std::lock_guard lock(mutex_);
  if (last_ && last_time_ == time) return last_;
  const double n = double(files_.size());
  double s = (time - timing_.start) * timing_.fps;  // counted in files
  if (timing_.loop) s -= std::floor(s / n) * n;
  const bool moves = files_.size() > 1 && (timing_.loop || (s >= 0 && s < n - 1));
  s = std::clamp(s, 0.0, timing_.loop ? n : n - 1);
  const std::size_t from = std::min(std::size_t(s), files_.size() - 1);
  const std::size_t to = timing_.loop ? (from + 1) % files_.size() : std::min(from + 1, files_.size() - 1);
  const double part = s - double(from);
  // Both are held on to while the second is read.
  const Vertices a = vertices(from), b = vertices(to);
  TriangleMesh now{*a, triangles_};
  std::vector<Vec3d> velocities(a->size());
  for (std::size_t v = 0; v < a->size(); ++v) {
    const Vec3d way = (*b)[v] - (*a)[v];
    now.vertices[v] += way * part;
    if (moves) velocities[v] = way * timing_.fps;
  }
  last_ = std::make_shared<const MeshData>(data_->moved(now, velocities));
  last_time_ = time;
  return last_;
}

}  // namespace silt
