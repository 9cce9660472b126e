#include "silt/cache/frame_export.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "silt/cache/body_mesh.h"
#include "silt/cache/checkpoint.h"
#include "silt/cache/frame_name.h"
#include "silt/cache/gltf_file.h"
#include "silt/cache/mesh_file.h"
#include "silt/cache/points_ply.h"
#include "silt/cache/vtk_file.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr std::uint64_t largest_list = 1 << 30;  ///< [bytes] of a .pvd: some million files

/// Takes out of the frame what is not asked for, so that nobody turns it or writes it.
Frame only(const ExportParts& parts, Frame frame) {
  if (!parts.volumes && !parts.cells) frame.volumes.clear();
  if (!parts.points) frame.points.clear();
  if (!parts.meshes) frame.meshes.clear();
  if (!parts.bodies) frame.bodies.clear();
  return frame;
}

std::set<std::string> materials_with_volumes(const Frame& frame) {
  std::set<std::string> materials;
  for (const Volume& volume : frame.volumes) materials.insert(volume.material);
  return materials;
}

/// Files that were turned otherwise do not go into one list with these.
std::string note_of(const Orientation& orientation) {
  return str("silt, ", orientation.up == UpAxis::y ? "y_up" : "z_up", ", scale ", exact_text(orientation.scale));
}

/// The 12 of "water.points.0012.vtp".
std::optional<int> frame_of(const PvdEntry& e) {
  if (!e.file.starts_with(e.name + '.')) return {};
  int frame = 0;
  const char* const from = e.file.data() + e.name.size() + 1;
  const auto [end, error] = std::from_chars(from, e.file.data() + e.file.size(), frame);
  return error == std::errc() && end != e.file.data() + e.file.size() && *end == '.' ? std::optional(frame)
                                                                                     : std::nullopt;
}

}  // namespace

FrameExporter::FrameExporter(Folder folder, const ExportOptions& options, const CachedAt& cached_at)
    : folder_(std::move(folder)), options_(options) {
  if (options_.format == ExportFormat::vtk) read_lists(cached_at);
}

void FrameExporter::write(const Frame& whole) {
  const Frame frame = oriented(only(options_.parts, whole), options_.orientation);
  switch (options_.format) {
    case ExportFormat::vtk:
      write_vtk(frame);
      if (lists_are_due()) write_lists();
      break;
    case ExportFormat::ply:
      write_ply(frame);
      break;
    case ExportFormat::gltf:
      if (!frame.points.empty() || !frame.meshes.empty() || !frame.bodies.empty())
        put("frame", frame, ".glb", encode_gltf(frame).text());
      break;
  }
}

void FrameExporter::write_vtk(const Frame& frame) {
  for (const std::string& material : materials_with_volumes(frame)) {
    if (options_.parts.volumes) put(material + ".volume", frame, ".vti", encode_vti(frame, material).text());
    if (options_.parts.cells) put(material + ".cells", frame, ".vtu", encode_vtu(frame, material).text());
  }
  for (const Points& points : frame.points)
    put(points.material + ".points", frame, ".vtp", encode_vtp(frame, points).text());
  for (const Mesh& mesh : frame.meshes)
    put(str(mesh.material, '.', mesh.name), frame, ".vtp", encode_vtp(frame, mesh).text());
  if (!frame.bodies.empty()) put("bodies", frame, ".vtp", encode_vtp(frame, placed_bodies(frame.bodies)).text());
}

void FrameExporter::write_ply(const Frame& frame) {
  for (const Points& points : frame.points)
    put(points.material + ".points", frame, ".ply", encode_points_ply(frame, points).text());
  for (const Mesh& mesh : frame.meshes)
    put(str(mesh.material, '.', mesh.name), frame, ".ply", encode_mesh(frame, mesh).text());
  if (!frame.bodies.empty()) put("bodies", frame, ".ply", encode_mesh(frame, placed_bodies(frame.bodies)).text());
}

void FrameExporter::put(const std::string& series, const Frame& frame, std::string_view ending,
                        std::string_view bytes) {
  const std::string name = str(series, '.', frame_digits(frame.number), ending);
  folder_.write(name, bytes);
  ++files_;
  if (options_.format != ExportFormat::vtk) return;
  const int part = part_of_.try_emplace(series, next_part_).first->second;  // the same in every frame
  next_part_ = std::max(next_part_, part + 1);
  ++unlisted_;
  lists_[series].put({frame.time, 0, series, name});
  lists_["all"].put({frame.time, part, series, name});
}

void FrameExporter::read_lists(const CachedAt& cached_at) {
  if (!folder_.has("all.pvd")) return;
  const PvdList all = read_pvd(folder_.read("all.pvd", largest_list).text());
  if (all.note != note_of(options_.orientation)) return;
  for (const PvdEntry& e : all.entries) {
    const std::optional<int> frame = frame_of(e);
    if (!frame || !is_entry_name(e.file) || folder_.entry(e.file) != Folder::Entry::file) continue;
    std::error_code error;
    const auto written = std::filesystem::last_write_time(folder_.path() / e.file, error);
    if (error || written < cached_at(*frame)) continue;
    part_of_.try_emplace(e.name, e.part);
    next_part_ = std::max(next_part_, e.part + 1);
    lists_["all"].put(e);
    lists_[e.name].put({e.time, 0, e.name, e.file});
  }
}

void FrameExporter::finish() {
  if (unlisted_ > 0) write_lists();
}

bool FrameExporter::lists_are_due() const {
  const auto all = lists_.find("all");
  return all != lists_.end() && unlisted_ >= all->second.entries.size() / 64;
}

void FrameExporter::write_lists() {
  unlisted_ = 0;
  for (auto& [series, list] : lists_) {
    list.note = note_of(options_.orientation);
    folder_.write(series + ".pvd", pvd_text(list));
  }
}

}  // namespace silt
