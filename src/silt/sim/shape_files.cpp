#include "silt/sim/shape_files.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "silt/core/error.h"
#include "silt/core/input_file.h"
#include "silt/core/random.h"
#include "silt/core/text.h"
#include "silt/geometry/height_field.h"
#include "silt/geometry/mesh_file.h"
#include "silt/geometry/mesh_repair.h"
#include "silt/geometry/mesh_sequence.h"
#include "silt/render/grey_png.h"
#include "silt/scene/diagnostics.h"
#include "silt/scene/utf8.h"
#include "silt/sim/people.h"

namespace silt {
namespace fs = std::filesystem;
namespace {

constexpr int widest_field = 512;  // points of a height field along a side
constexpr std::int64_t most_pixels = 1 << 26;
constexpr std::uint64_t largest_picture = 1 << 30;  // [bytes]
constexpr std::size_t most_names = 2000;            // of a folder that are compared with a misspelt one
constexpr const char* digits = "0123456789";

/// 64 bits of everything, as 16 digits.
class Digest {
 public:
  void add(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      word = word << 8 | static_cast<unsigned char>(bytes[i]);
      if (i % 8 == 7 || i + 1 == bytes.size()) state_ = mix_bits(state_ * 0x9e3779b97f4a7c15ull + word), word = 0;
    }
    state_ = mix_bits(state_ + bytes.size());
  }
  std::string text() const {
    std::string out(16, '0');
    for (int i = 0; i < 16; ++i) out[i] = "0123456789abcdef"[state_ >> (60 - 4 * i) & 15];
    return out;
  }

 private:
  std::uint64_t state_ = 1;
};

/// The mesh in a file, whose bytes go into a digest.
TriangleMesh read_digested(const fs::path& file, Digest& digest) {
  const std::string bytes = read_named_file(file, largest_mesh_file);
  digest.add(bytes);
  return parse_mesh(bytes, file.extension().string(), file.string());
}

[[noreturn]] void refuse_sheet(const MeshReport& report) {
  throw OpenSheetError(str("is an open sheet, not a solid: ", report.holes == 1 ? "a hole" : "holes", " as large as ",
                           short_text(100 * report.open_fraction), " % of its surface (", report.open_edges,
                           " open edges)"));
}

/// Its winding number would have to look at all of them, for every cell and every step.
[[noreturn]] void refuse_heap(const fs::path& path) {
  throw InputError(
      path.string() +
      ": too many of its triangles lie on one another to tell inside from outside; it can be a sheet, with "
      "a thickness");
}

/// "mesh 'foot.obj': 2 holes (14 edges), 31 flipped faces: sides are told by the winding number".
std::string warning_of(const MeshReport& report, const std::string& name, bool sheet) {
  const std::string found = report.text();
  if (found.empty() || (sheet && report.self_intersections + report.duplicate_vertices + report.duplicate_triangles +
                                         report.degenerate_triangles ==
                                     0))
    return {};
  return "mesh '" + name + "': " + found + (report.simple || sheet ? "" : ": sides are told by the winding number");
}

/// "foot.####.obj" for "foot.0012.obj"; the name itself when it has no number.
std::string as_pattern(std::string name) {
  const std::size_t last = name.find_last_of(digits);
  if (last == std::string::npos) return name;
  const std::size_t before = name.find_last_not_of(digits, last);  // npos + 1 is 0
  std::fill(name.begin() + std::ptrdiff_t(before + 1), name.begin() + std::ptrdiff_t(last + 1), '#');
  return name;
}

/// The names in a folder: of other folders, or of files (of sequences of them for a pattern).
std::vector<std::string> names_in(const fs::path& folder, bool folders, bool patterns) {
  std::set<std::string> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && out.size() < most_names;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    if (at->is_directory(unknown) == folders) out.insert(patterns ? as_pattern(name) : name);
  }
  return {out.begin(), out.end()};
}

}  // namespace

std::string file_hint(const ScenePath& missing) {
  std::error_code error;
  if (fs::exists(missing.resolved, error)) return {};
  const auto did_you_mean_path = [](const fs::path& path) {
    return "did you mean '" + printable(path.string()) + "'?";
  };
  const fs::path folder = missing.resolved.parent_path(), written(missing.written);
  if (!folder.empty() && !fs::exists(folder, error)) {
    const std::string name = closest_name(folder.filename().string(), names_in(folder.parent_path(), true, false));
    return name.empty() ? "there is no folder " + printable(folder.string())
                        : did_you_mean_path(written.parent_path().parent_path() / name / written.filename());
  }
  const std::string wanted = written.filename().string();
  const std::string name =
      closest_name(wanted, names_in(folder.empty() ? "." : folder, false, is_sequence(missing.resolved)));
  return name.empty() || name == wanted ? "" : did_you_mean_path(written.parent_path() / name);
}

FileShape load_mesh(const ShapeParams& params, double run_fps) {
  const fs::path& path = params.mesh.resolved;
  const std::string name = fs::path(params.mesh.written).filename().string();
  const double thickness = params.thickness.value_or(0);
  Digest digest;
  if (is_sequence(path)) {
    const SequenceParams s = params.sequence.value_or(SequenceParams{});
    const auto sequence = std::make_shared<const MeshSequence>(
        find_sequence(path), MeshSequence::Timing{s.fps.value_or(run_fps), s.start, s.loop}, thickness,
        [&](const fs::path& file) { return read_digested(file, digest); });
    if (sequence->report().sheet() && thickness == 0) refuse_sheet(sequence->report());
    if (!sequence->report().all_looked_at && thickness == 0) refuse_heap(path);
    return {Shape::mesh(sequence), digest.text(), warning_of(sequence->report(), name, thickness > 0)};
  }
  const TriangleMesh mesh = read_digested(path, digest);
  RepairedMesh repaired;
  try {
    repaired = repair_mesh(mesh);
  } catch (const InputError& e) {
    throw InputError(path.string() + ": " + e.what());
  }
  const MeshReport& report = repaired.report;
  if (report.sheet() && thickness == 0) refuse_sheet(report);
  if (!report.all_looked_at && thickness == 0) refuse_heap(path);
  const MeshSides sides{.closed = report.closed, .simple = report.simple, .thickness = thickness};
  return {Shape::mesh(std::make_shared<const MeshData>(repaired.mesh, sides)), digest.text(),
          warning_of(report, name, thickness > 0)};
}

FileShape load_height_field(const HeightFieldParams& params, int dims) {
  const fs::path& path = params.file.resolved;
  const std::string bytes = read_named_file(path, largest_picture);
  Digest digest;
  digest.add(bytes);
  GreyImage image;
  try {
    image = decode_grey_png({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, most_pixels);
  } catch (const Error& e) {
    throw InputError(path.string() + ": " + e.what());
  }
  if (image.width < 2 || (image.height < 2 && dims == 3))
    throw InputError(
        str(path.string(), ": a height field needs two pixels a side, and this is ", image.width, " x ", image.height));
  HeightField field{image.width, image.height, std::move(image.values)};
  std::string warning;
  if (dims == 2) field = middle_row(field);
  if (const int widest = std::max(field.columns, field.rows); widest > widest_field) {
    const int by = (widest + widest_field - 1) / widest_field;
    warning = str("height field '", path.filename().string(), "': ", field.columns, " x ", field.rows,
                  " pixels are averaged down by ", by);
    field = averaged(field, by);
    if (field.columns < 2 || (field.rows < 2 && dims == 3))
      throw InputError(path.string() + ": the picture is too narrow for its length");
  }
  Vec3d low = params.min, high = params.max;
  if (dims == 2) {
    // A long ridge along z, so that what lies in the plane z = 0 sees nothing of its ends.
    field.rows = 2;
    field.heights.insert(field.heights.end(), field.heights.begin(), field.heights.begin() + field.columns);
    const double far = 4 * (high.x - low.x + high.y - low.y);
    low = {low.x, -far, low.y}, high = {high.x, far, high.y};
  }
  const double depth = params.depth.value_or(0.1 * std::max(high.x - low.x, dims == 2 ? 0 : high.y - low.y));
  TriangleMesh mesh = height_field_mesh(field, low, high, depth);
  if (dims == 2)
    for (Vec3d& v : mesh.vertices) v = {v.x, v.z, -v.y};
  return {Shape::mesh(std::make_shared<const MeshData>(mesh, MeshSides{.closed = true, .simple = true})), digest.text(),
          warning};
}

}  // namespace silt
