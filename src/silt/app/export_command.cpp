#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/frame_range.h"
#include "silt/app/out_folder.h"
#include "silt/app/past_run.h"
#include "silt/app/say.h"
#include "silt/cache/file_ops.h"
#include "silt/cache/frame_export.h"
#include "silt/cache/run_folder.h"
#include "silt/core/error.h"
#include "silt/core/exec.h"
#include "silt/core/text.h"
#include "silt/scene/diagnostics.h"

namespace silt {
namespace {

struct NamedPart {
  const char* name;
  bool ExportParts::*part;
};
constexpr NamedPart named_parts[] = {{"volumes", &ExportParts::volumes},
                                     {"cells", &ExportParts::cells},
                                     {"points", &ExportParts::points},
                                     {"meshes", &ExportParts::meshes},
                                     {"bodies", &ExportParts::bodies}};

ExportFormat format_of(const std::string& name) {
  return name == "vtk" ? ExportFormat::vtk : name == "gltf" ? ExportFormat::gltf : ExportFormat::ply;
}

/// Everything a format can hold; the cells in use repeat what the volumes have, and are for who asks.
ExportParts default_parts(ExportFormat format) {
  return {.volumes = format == ExportFormat::vtk, .points = true, .meshes = true, .bodies = true};
}

ExportParts parse_parts(const ExportCommandOptions& options, ExportFormat format) {
  if (options.what.empty()) return default_parts(format);
  std::vector<std::string> names;
  for (const NamedPart& known : named_parts) names.push_back(known.name);
  ExportParts parts;
  for (const std::string& word : options.what) {
    const auto known = std::find(names.begin(), names.end(), word);
    if (known == names.end()) {
      const std::string hint = did_you_mean(word, names);
      throw InputError(str("--what: there is no '", word, "'; ",
                           hint.empty() ? "it takes volumes, cells, points, meshes and bodies" : hint));
    }
    if (format != ExportFormat::vtk && (word == "volumes" || word == "cells"))
      throw InputError(str("--what ", word, ": ", options.to, " has no volumes; '--to vtk' does"));
    parts.*named_parts[known - names.begin()].part = true;
  }
  return parts;
}

Orientation parse_orientation(const ExportCommandOptions& options, ExportFormat format) {
  if (format == ExportFormat::gltf && options.axes == "z_up")
    throw InputError("--axes z_up: glTF has y up by its standard; leave the option out");
  const bool y_up = options.axes == "y_up" || format == ExportFormat::gltf;
  return {y_up ? UpAxis::y : UpAxis::z, options.scale};
}

bool has_bodies(const RunFolder& folder) {
  const std::vector<ManifestEntry> entries = folder.manifest().entries();
  return std::any_of(entries.begin(), entries.end(), [](const ManifestEntry& e) { return e.kind == "bodies"; });
}

/// What must be read. Bodies know no instant: where there is nothing else of what is exported, they take it from what
/// else there is.
FrameParts files_for(const ExportParts& parts, const RunFolder& folder) {
  const FrameParts files{parts.volumes || parts.cells, parts.points, parts.meshes, parts.bodies};
  if (!folder.frames(files).empty()) return files;
  if (parts.bodies && has_bodies(folder)) return {};
  std::string names;
  for (const NamedPart& known : named_parts)
    if (parts.*known.part) names += (names.empty() ? "" : ", ") + std::string(known.name);
  const bool volumes = !files.volumes && !folder.frames({true, false, false, false}).empty();
  throw InputError(str(folder.path().string(), " has nothing of that kind in its cache: ", names,
                       volumes ? "; it has volumes, which '--to vtk' exports" : ""));
}

/// Of a format that holds one instant, the last is taken unless frames are named.
std::vector<int> frames_for(ExportFormat format, const RunFolder& folder, const std::string& range, FrameParts parts) {
  const std::vector<int> frames = chosen_frames(folder, range, parts);
  if (format != ExportFormat::gltf || !range.empty() || frames.empty()) return frames;
  return {frames.back()};
}

/// The folder that is exported to. The one in the run folder is made there and nowhere else: no link in it is followed.
Folder open_out(const ExportCommandOptions& options, const RunFolder& run) {
  if (!options.out.empty()) {
    prepare_folder(options.out);
    return Folder(options.out);
  }
  try {
    Folder out = run.directory().root().make("export").make(options.to);
    prepare_folder(out.path());
    return out;
  } catch (const DiskFullError&) {
    throw;
  } catch (const IoError& e) {
    throw InputError(str(e.what(), ": choose another folder with --out"));
  }
}

/// When the youngest file of a frame was written.
std::filesystem::file_time_type cached_at(const RunFolder& folder, int frame) {
  using Time = std::filesystem::file_time_type;
  Time latest = Time::min();
  for (const ManifestEntry& e : folder.manifest().of_frame(frame)) {
    if (!e.name.starts_with("cache/")) continue;
    std::error_code error;
    const Time written = std::filesystem::last_write_time(folder.path() / e.name, error);
    latest = std::max(latest, error ? Time::max() : written);
  }
  return latest == Time::min() ? Time::max() : latest;
}

}  // namespace

int export_command(const ExportCommandOptions& options) {
  ignore_lost_readers();
  const RunFolder folder = RunFolder::view(options.run);
  tell_of_damage(folder);
  const ExportFormat format = format_of(options.to);
  const ExportOptions how{format, parse_parts(options, format), parse_orientation(options, format)};
  const FrameParts parts = files_for(how.parts, folder);
  const std::vector<int> frames = frames_for(format, folder, options.frames, parts);
  const Folder out = open_out(options, folder);
  const FileLock lock(out, ".export.lock", out.path().string(), "is being exported to");
  out.remove_temporaries();
  limit_volume_threads(options.threads > 0 ? options.threads : Exec().threads());

  FrameExporter exporter(out, how, [&](int frame) { return cached_at(folder, frame); });
  int lost = 0;
  for (const int number : frames) {
    Frame frame;
    try {
      frame = folder.read_frame(number, parts);
    } catch (const IoError& e) {  // one file is damaged or gone: the others are as good as before
      say_error(str("frame ", number, " is left out: ", e.what(), "\n  to export it, ",
                    remedy(folder, "export", number, number), " --to ", options.to));
      ++lost;
      continue;
    }
    exporter.write(frame);
  }
  exporter.finish();
  put(fmt::format("{} file{} of {} frame{} in {}\n", exporter.files(), exporter.files() == 1 ? "" : "s",
                  frames.size() - std::size_t(lost), frames.size() - std::size_t(lost) == 1 ? "" : "s",
                  out.path().native()));
  return lost ? exit_code::failed : exit_code::done;
}

}  // namespace silt
