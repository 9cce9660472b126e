#include <algorithm>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "silt/cache/info.h"
#include "silt/cache/json_line.h"
#include "silt/core/text.h"

namespace silt {
namespace {

Json json_of(const Vec3d& v) {
  return {v.x, v.y, v.z};
}
Json json_of(const Int3& v) {
  return {v.x, v.y, v.z};
}
Json json_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();
  for (const auto& [key, value] : pairs) object[key] = value;
  return object;
}

Json json_of(const RunInfo& run) {
  Json object;
  object["status"] = run.status ? Json(name_of(run.status->phase)) : Json();
  object["silt_version"] = run.status ? Json(run.status->silt_version) : Json();
  object["frame"] = run.frames_done;
  object["frames"] = run.status ? Json(run.status->frames) : Json();
  object["last_error"] = run.status ? Json(run.status->last_error) : Json();
  object["view"] = run.status && run.status->view ? Json::parse(view_text(*run.status->view)) : Json();
  object["in_use_by"] = run.in_use_by;
  object["problems"] = run.problems;
  object["files"] = Json::array();
  for (const FileInfo& f : run.files)
    object["files"].push_back(
        {{"name", f.name}, {"kind", f.kind}, {"frame", f.frame}, {"bytes", f.bytes}, {"problem", f.problem}});
  return object;
}

Json json_of(const VolumeFileInfo& volumes) {
  Json object;
  object["metadata"] = json_of(volumes.metadata);
  object["grids"] = Json::array();
  for (const GridInfo& g : volumes.grids) {
    object["grids"].push_back({{"name", g.name},
                               {"type", g.type},
                               {"class", g.grid_class},
                               {"half", g.half},
                               {"active_voxels", g.active_voxels},
                               {"index_lo", json_of(g.index_bounds.lo)},
                               {"index_hi", json_of(g.index_bounds.hi)},
                               {"voxel_size", json_of(g.voxel_size)},
                               {"world_lo", json_of(g.world_lo)},
                               {"world_hi", json_of(g.world_hi)},
                               {"min", g.min},
                               {"max", g.max}});
    if (g.attributes.empty()) continue;
    object["grids"].back()["points"] = g.points;
    object["grids"].back()["attributes"] = g.attributes;
  }
  return object;
}

Json json_of(const MeshFileInfo& mesh) {
  return {{"metadata", json_of(mesh.metadata)}, {"vertices", mesh.vertices}, {"triangles", mesh.triangles},
          {"properties", mesh.properties},      {"lo", json_of(mesh.lo)},    {"hi", json_of(mesh.hi)}};
}

Json json_of(const CheckpointInfo& checkpoint) {
  Json object;
  object["metadata"] = json_of(checkpoint.metadata);
  object["arrays"] = Json::array();
  for (const ArrayInfo& a : checkpoint.arrays)
    object["arrays"].push_back({{"name", a.name}, {"dtype", a.dtype}, {"shape", a.shape}, {"bytes", a.bytes}});
  return object;
}

std::string size_text(std::uint64_t bytes) {
  const char* units[] = {"bytes", "kB", "MB", "GB", "TB"};
  double value = double(bytes);
  int unit = 0;
  for (; value >= 999.5 && unit < 4; ++unit) value /= 1000;
  std::ostringstream out;
  strict(out) << std::fixed << std::setprecision(unit > 0 && value < 99.95 ? 1 : 0) << value << ' ' << units[unit];
  return out.str();
}

/// Columns as wide as their widest cell; the first to the left, the others to the right.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == width.size()) width.push_back(0);
      width[c] = std::max(width[c], row[c].size());
    }
  std::string text;
  for (const auto& row : rows) {
    text += "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blank(width[c] - row[c].size(), ' ');
      text += c == 0 ? row[c] + blank : "  " + blank + row[c];
    }
    text += '\n';
  }
  return text;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t n : shape) text += str(text.empty() ? "" : " x ", n);
  return text.empty() ? "one value" : text;
}

std::string metadata_text(const std::vector<std::pair<std::string, std::string>>& metadata) {
  std::vector<std::vector<std::string>> rows;
  std::string text;
  std::size_t width = 0;
  for (const auto& [key, value] : metadata) width = std::max(width, key.size());
  for (const auto& [key, value] : metadata)
    text += str("  ", key, std::string(width - key.size(), ' '), "  ", value, '\n');
  return text;
}

std::string text_of(const RunInfo& run) {
  std::string text;
  if (run.status) {
    const RunStatus& s = *run.status;
    const bool died = s.phase == RunStatus::Phase::running && run.in_use_by == 0;
    text +=
        str("  ", died ? "ended without a word" : std::string(name_of(s.phase)), ": frame ", s.frame, " of ", s.frames);
    if (run.in_use_by > 0) text += str(", process ", run.in_use_by);
    text += str("\n  silt ", s.silt_version, " on ", s.host, ", ", s.device, ", ", s.threads,
                s.threads == 1 ? " thread\n" : " threads\n");
    if (!s.last_error.empty()) text += str("  last error: ", s.last_error, '\n');
  }
  std::map<std::string, std::pair<int, std::uint64_t>> kinds;
  for (const FileInfo& f : run.files) kinds[f.kind].first += 1, kinds[f.kind].second += f.bytes;
  std::vector<std::vector<std::string>> rows{{"kind", "files", "size"}};
  for (const auto& [kind, sum] : kinds) rows.push_back({kind, str(sum.first), size_text(sum.second)});
  text += table(rows);
  return text;
}

std::string text_of(const VolumeFileInfo& volumes) {
  std::vector<std::vector<std::string>> rows{{"grid", "type", "class", "voxels", "min", "max", "cells"}};
  for (const GridInfo& g : volumes.grids)
    rows.push_back({g.name, g.type + (g.half ? " (half)" : ""), g.grid_class, str(g.active_voxels), str(g.min),
                    str(g.max), g.active_voxels ? str(g.index_bounds) : "none"});
  std::string points;
  for (const GridInfo& g : volumes.grids) {
    if (g.attributes.empty()) continue;
    points += str("  ", g.points, g.points == 1 ? " point in '" : " points in '", g.name, "', with");
    for (const std::string& name : g.attributes) points += ' ' + name;
    points += '\n';
  }
  return table(rows) + points + metadata_text(volumes.metadata);
}

std::string text_of(const MeshFileInfo& mesh) {
  std::string properties;
  for (const std::string& name : mesh.properties) properties += ' ' + name;
  return str("  ", mesh.vertices, " corners with", properties, "; ", mesh.triangles, " triangles; from ", mesh.lo,
             " to ", mesh.hi, '\n', metadata_text(mesh.metadata));
}

std::string text_of(const CheckpointInfo& checkpoint) {
  std::vector<std::vector<std::string>> rows{{"array", "type", "shape", "size"}};
  for (const ArrayInfo& a : checkpoint.arrays)
    rows.push_back({a.name, a.dtype, shape_text(a.shape), size_text(a.bytes)});
  return table(rows) + metadata_text(checkpoint.metadata);
}

}  // namespace

std::string to_json(const Info& info) {
  Json object;
  object["path"] = info.path;
  object["bytes"] = info.bytes;
  if (info.run) object["run"] = json_of(*info.run);
  if (info.volumes) object["volumes"] = json_of(*info.volumes);
  if (info.mesh) object["mesh"] = json_of(*info.mesh);
  if (info.checkpoint) object["checkpoint"] = json_of(*info.checkpoint);
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_text(const Info& info) {
  std::string text = str(info.path, ", ", size_text(info.bytes), '\n');
  if (info.run) text += text_of(*info.run);
  if (info.volumes) text += text_of(*info.volumes);
  if (info.mesh) text += text_of(*info.mesh);
  if (info.checkpoint) text += text_of(*info.checkpoint);
  return text;
}

}  // namespace silt
