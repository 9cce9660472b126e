#include "silt/cache/manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "silt/cache/json_line.h"
#include "silt/core/text.h"

namespace fs = std::filesystem;

namespace silt {
namespace {

std::string line_of(const ManifestEntry& e) {
  return dump_checked(
      {{"name", e.name}, {"size", e.stamp.size}, {"xxh3", hex64(e.stamp.xxh3)}, {"kind", e.kind}, {"frame", e.frame}});
}

}  // namespace

Manifest::Manifest(fs::path folder) : folder_(std::move(folder)), path_(folder_ / "manifest.jsonl") {
  if (std::error_code ignored; !fs::exists(path_, ignored)) return;
  const Bytes bytes = read_file(path_);
  std::string_view text = bytes.text();
  for (int number = 1;; ++number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) break;  // nothing, or the torn line of a crash
    read_line(text.substr(0, end), number);
    text.remove_prefix(end + 1);
  }
}

void Manifest::read_line(std::string_view line, int number) {
  const auto object = parse_checked(line);
  if (!object) throw IoError(str(path_.string(), " is damaged: line ", number));
  try {
    ManifestEntry entry;
    entry.name = object->at("name");
    if (object->value("removed", false)) {
      slots_.erase(entry.name);
      return;
    }
    entry.stamp.size = object->at("size");
    entry.stamp.xxh3 = parse_hex64(object->at("xxh3").get<std::string>()).value();
    entry.kind = object->at("kind");
    entry.frame = object->at("frame");
    put(std::move(entry));
  } catch (const std::exception&) {
    throw IoError(str(path_.string(), " is damaged: line ", number, " lacks what a manifest line has"));
  }
}

void Manifest::put(ManifestEntry entry) {
  std::string name = entry.name;
  slots_[std::move(name)] = {next_order_++, std::move(entry)};
}

std::vector<ManifestEntry> Manifest::entries() const {
  std::vector<const Slot*> slots;
  for (const auto& [name, slot] : slots_) slots.push_back(&slot);
  std::sort(slots.begin(), slots.end(), [](const Slot* a, const Slot* b) { return a->order < b->order; });
  std::vector<ManifestEntry> result;
  for (const Slot* slot : slots) result.push_back(slot->entry);
  return result;
}

const ManifestEntry* Manifest::find(std::string_view name) const {
  const auto found = slots_.find(name);
  return found == slots_.end() ? nullptr : &found->second.entry;
}

void Manifest::add(const ManifestEntry& entry) {
  append_line(path_, line_of(entry));
  put(entry);
}

void Manifest::forget(std::string_view name) {
  const auto found = slots_.find(name);
  if (found == slots_.end()) return;
  append_line(path_, dump_checked({{"name", name}, {"removed", true}}));
  slots_.erase(found);
}

void Manifest::rewrite(const std::vector<ManifestEntry>& entries) {
  std::string text;
  for (const ManifestEntry& e : entries) text += line_of(e) + '\n';
  write_atomically(path_, text);
  slots_.clear();
  for (const ManifestEntry& e : entries) put(e);
}

Bytes Manifest::read_verified(std::string_view name) const {
  const ManifestEntry* entry = find(name);
  if (!entry) throw IoError(str((folder_ / name).string(), " is not in the manifest: it was never finished"));
  return silt::read_verified(folder_ / name, entry->stamp);
}

std::string Manifest::problem(const ManifestEntry& entry, bool checksum) const {
  const fs::path path = folder_ / entry.name;
  std::error_code error;
  if (!fs::exists(path, error)) return str(path.string(), " is missing");
  if (!checksum) {
    const auto size = fs::file_size(path, error);
    if (error || size == entry.stamp.size) return error ? str("cannot read ", path.string()) : "";
    return str(path.string(), " is damaged: ", size, " bytes, ", entry.stamp.size, " expected");
  }
  try {
    silt::read_verified(path, entry.stamp);
  } catch (const IoError& e) {
    return e.what();
  }
  return "";
}

Bytes read_verified(const fs::path& path, const FileStamp& stamp) {
  std::error_code error;
  if (!fs::exists(path, error)) throw IoError(str(path.string(), " is missing"));
  const auto damaged = [&](auto size) {
    return IoError(str(path.string(), " is damaged: ", size, " bytes, ", stamp.size, " expected"));
  };
  // The length first: a file of the wrong size need not be read.
  const auto size = fs::file_size(path, error);
  if (!error && size != stamp.size) throw damaged(size);
  Bytes bytes = read_file(path);
  if (bytes.size() != stamp.size) throw damaged(bytes.size());
  if (stamp_of(bytes.text()) != stamp)
    throw IoError(str(path.string(), " is damaged: its checksum does not match the manifest"));
  return bytes;
}

}  // namespace silt
