#include "silt/cache/manifest.h"

#include <algorithm>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "silt/cache/json_line.h"
#include "silt/cache/limits.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr const char* file_name = "manifest.jsonl";

std::string removal_line(std::string_view name) {
  return dump_checked({{"name", name}, {"removed", true}});
}

/// The name that a line takes off the list.
std::optional<std::string> removed_name(const Json& object) {
  const auto name = object.find("name"), removed = object.find("removed");
  if (name == object.end() || !name->is_string() || removed == object.end() || *removed != true) return {};
  return is_run_file(name->get_ref<const std::string&>()) ? std::optional(name->get<std::string>()) : std::nullopt;
}

std::optional<ManifestEntry> entry_of(const Json& object) {
  try {
    ManifestEntry entry;
    entry.name = object.at("name");
    entry.stamp.size = integer_of<std::uint64_t>(object.at("size"));
    entry.stamp.xxh3 = parse_hex64(object.at("xxh3").get<std::string>()).value();
    entry.kind = object.at("kind");
    entry.frame = integer_of<int>(object.at("frame"));
    return is_run_file(entry.name) && entry.frame >= 0 ? std::optional(entry) : std::nullopt;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

std::string manifest_line(const ManifestEntry& e) {
  return dump_checked(
      {{"name", e.name}, {"size", e.stamp.size}, {"xxh3", hex64(e.stamp.xxh3)}, {"kind", e.kind}, {"frame", e.frame}});
}

std::optional<ManifestEntry> parse_manifest_line(std::string_view line) {
  const auto object = parse_checked(line);
  return object ? entry_of(*object) : std::nullopt;
}

Manifest::Manifest(RunDirectory directory) : directory_(std::move(directory)) {
  if (!directory_.root().has(file_name)) return;
  const Bytes bytes = directory_.root().read(file_name, largest_manifest);
  std::string_view text = bytes.text();
  for (std::uint64_t number = 1;; ++number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) break;  // nothing, or the torn line of a crash
    read_line(text.substr(0, end), number);
    text.remove_prefix(end + 1);
  }
}

void Manifest::read_line(std::string_view line, std::uint64_t number) {
  const auto object = line.size() <= longest_manifest_line ? parse_checked(line) : std::nullopt;
  if (!object) return note_damage(number);
  if (const auto name = removed_name(*object)) {
    take_off(*name);
    removed_.insert(*name);
    return;
  }
  std::optional<ManifestEntry> entry = entry_of(*object);
  if (!entry)
    throw IoError(str(path(), " is damaged: line ", number,
                      " is not what silt writes (get it back from a copy, or begin anew with --overwrite)"));
  put(*std::move(entry));
}

void Manifest::note_damage(std::uint64_t number) {
  if (damaged_lines_++ == 0) first_damaged_line_ = number;
  if (damaged_lines_ > most_damaged_lines)
    throw IoError(str(path(), " is damaged: more than ", most_damaged_lines,
                      " of its lines cannot be read (get it back from a copy, or move it away: what other lists prove "
                      "is then put on a new one by --resume)"));
}

std::string Manifest::damage() const {
  if (damaged_lines_ == 0) return "";
  return str(path(), " is damaged: line ", first_damaged_line_,
             damaged_lines_ > 1 ? str(" and ", damaged_lines_ - 1, " more") : "", " cannot be read");
}

void Manifest::put(ManifestEntry entry) {
  take_off(entry.name);
  removed_.erase(entry.name);
  by_name_[entry.name] = next_;
  by_frame_.emplace(entry.frame, next_);
  entries_.emplace_hint(entries_.end(), next_++, std::move(entry));
}

void Manifest::take_off(std::string_view name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return;
  const auto entry = entries_.find(found->second);
  by_frame_.erase({entry->second.frame, entry->first});
  entries_.erase(entry);
  by_name_.erase(found);
}

std::vector<ManifestEntry> Manifest::entries() const {
  std::vector<ManifestEntry> result;
  for (const auto& [order, entry] : entries_) result.push_back(entry);
  return result;
}

std::vector<ManifestEntry> Manifest::of_frame(int frame) const {
  std::vector<ManifestEntry> result;
  for (auto at = by_frame_.lower_bound({frame, 0}); at != by_frame_.end() && at->first == frame; ++at)
    result.push_back(entries_.at(at->second));
  return result;
}

std::vector<ManifestEntry> Manifest::entries_named(std::string_view beginning) const {
  std::vector<ManifestEntry> result;
  for (auto at = by_name_.lower_bound(beginning); at != by_name_.end() && at->first.starts_with(beginning); ++at)
    result.push_back(entries_.at(at->second));
  return result;
}

const ManifestEntry* Manifest::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &entries_.at(found->second);
}

std::string Manifest::add(const ManifestEntry& entry) {
  std::string line = manifest_line(entry);
  directory_.root().append_line(file_name, line);
  put(entry);
  return line;
}

void Manifest::forget(std::string_view name) {
  if (!find(name)) return;
  const std::string kept(name);  // it may be the entry's own
  directory_.root().append_line(file_name, removal_line(kept));
  take_off(kept);
  removed_.insert(kept);
}

void Manifest::recall(const ManifestEntry& entry) {
  put(entry);
  recalled_ = true;
}

void Manifest::rewrite(const std::vector<ManifestEntry>& entries) {
  std::string text;
  for (const ManifestEntry& e : entries) text += manifest_line(e) + '\n';
  for (const std::string& name : removed_)  // old checkpoints are many, and nobody asks for them again
    if (!name.starts_with("checkpoints/")) text += removal_line(name) + '\n';
  directory_.root().write(file_name, text);
  entries_.clear(), by_name_.clear(), by_frame_.clear();
  for (const ManifestEntry& e : entries) put(e);
  recalled_ = false;
  damaged_lines_ = 0;
}

/// The length first: a file of the wrong size need not be read.
void Manifest::check_size(const ManifestEntry& e) const {
  const std::string path = (directory_.path() / e.name).string();
  if (!directory_.has(e.name)) throw IoError(str(path, " is missing"));
  const std::optional<std::uint64_t> size = directory_.size_of(e.name);
  if (!size) throw IoError(str(path, " is damaged: it is no plain file"));
  if (*size != e.stamp.size) throw IoError(str(path, " is damaged: ", *size, " bytes, ", e.stamp.size, " expected"));
}

Bytes Manifest::read_verified(const ManifestEntry& e) const {
  check_size(e);
  Bytes bytes = directory_.read(e.name);
  if (stamp_of(bytes.text()) != e.stamp)
    throw IoError(str((directory_.path() / e.name).string(), " is damaged: its checksum does not match the manifest"));
  return bytes;
}

Bytes Manifest::read_verified(std::string_view name) const {
  const ManifestEntry* entry = find(name);
  if (!entry) throw IoError(str((directory_.path() / name).string(), " is not in the manifest: it was never finished"));
  return read_verified(*entry);
}

std::string Manifest::problem(const ManifestEntry& entry, bool checksum) const {
  try {
    if (checksum)
      read_verified(entry);
    else
      check_size(entry);
  } catch (const IoError& e) {
    return e.what();
  }
  return "";
}

}  // namespace silt
