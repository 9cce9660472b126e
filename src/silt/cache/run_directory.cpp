#include "silt/cache/run_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr std::string_view scene_file = "scene.toml";

/// Of a file in a subfolder: what starts with a dot is silt's own, and letters that do not show would hide in messages.
bool is_listed_name(std::string_view name) {
  constexpr std::size_t longest = 255;
  const auto shows = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; };
  return is_entry_name(name) && name.front() != '.' && name.size() <= longest &&
         std::all_of(name.begin(), name.end(), shows);
}

/// The largest file that can be taken into memory at all.
std::uint64_t memory_of_machine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? std::uint64_t(pages) * std::uint64_t(bytes) : Folder::any_size;
}

}  // namespace

bool is_run_file(std::string_view name) {
  if (name == scene_file) return true;
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return false;
  const auto& known = RunDirectory::subfolders;
  return std::find(known.begin(), known.end(), name.substr(0, slash)) != known.end() &&
         is_listed_name(name.substr(slash + 1));
}

RunDirectory::RunDirectory(const std::filesystem::path& path)
    : root_(path), top_(root_), subs_(std::make_shared<std::array<std::optional<Folder>, subfolders.size()>>()) {
  for (std::size_t i = 0; i < subs_->size(); ++i) (*subs_)[i] = root_.find(subfolders[i]);
}

void RunDirectory::make_subfolders() {
  for (std::size_t i = 0; i < subs_->size(); ++i) (*subs_)[i] = root_.make(subfolders[i]);
}

const std::optional<Folder>& RunDirectory::sub(std::string_view name) const {
  const auto at = std::find(subfolders.begin(), subfolders.end(), name);
  if (at == subfolders.end()) throw Error(str("a run has no folder '", name, "'"));
  return (*subs_)[std::size_t(at - subfolders.begin())];
}

RunDirectory::Split RunDirectory::split(std::string_view name) const {
  if (!is_run_file(name))
    throw IoError(str('\'', name, "' cannot be the name of a file of the run in ", path().string()));
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {&top_, name};
  return {&sub(name.substr(0, slash)), name.substr(slash + 1)};
}

bool RunDirectory::has(std::string_view name) const {
  const auto [folder, entry] = split(name);
  return *folder && (*folder)->has(entry);
}

std::optional<std::uint64_t> RunDirectory::size_of(std::string_view name) const {
  const auto [folder, entry] = split(name);
  return *folder ? (*folder)->size_of(entry) : std::nullopt;
}

Bytes RunDirectory::read(std::string_view name) const {
  const auto [folder, entry] = split(name);
  if (!*folder || !(*folder)->has(entry)) throw IoError(str((path() / name).string(), " is missing"));
  return (*folder)->read(entry, memory_of_machine());
}

Bytes RunDirectory::read_head(std::string_view name, std::size_t bytes) const {
  const auto [folder, entry] = split(name);
  if (!*folder) throw IoError(str((path() / name).string(), " is missing"));
  const disk::Descriptor fd = (*folder)->open(entry, O_RDONLY, "read");
  Bytes head(bytes);
  head.resize(disk::read_all(fd, path() / name, head.data(), head.size()));
  return head;
}

std::pair<Folder, std::string> RunDirectory::place(std::string_view name) {
  const auto [folder, entry] = split(name);
  if (!*folder) make_subfolders();  // somebody took it away
  return {**folder, std::string(entry)};
}

void RunDirectory::remove(std::string_view name) const {
  const auto [folder, entry] = split(name);
  if (*folder) (*folder)->remove(entry);
}

}  // namespace silt
