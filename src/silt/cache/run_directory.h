#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "silt/cache/folder.h"

namespace silt {

/// Whether the manifest may list a file of that name: "scene.toml", or one entry of "cache", "checkpoints" or
/// "pictures".
bool is_run_file(std::string_view name);

/// A run folder and the three in it, each opened once. What the manifest lists goes by its name there, with '/'; no
/// other name leads anywhere.
class RunDirectory {
 public:
  static constexpr std::array<const char*, 3> subfolders = {"cache", "checkpoints", "pictures"};

  /// IoError when it is not there, or when something else has the name of one of the three: a symbolic link above all.
  explicit RunDirectory(const std::filesystem::path& path);
  /// Makes those of the three that are not there.
  void make_subfolders();

  const std::filesystem::path& path() const { return root_.path(); }
  /// What lies at the top: run.json, stats.jsonl, manifest.jsonl, locks.
  const Folder& root() const { return root_; }
  /// Nothing when there is none.
  const std::optional<Folder>& sub(std::string_view name) const;

  bool has(std::string_view name) const;
  std::optional<std::uint64_t> size_of(std::string_view name) const;
  /// IoError: "out/x/cache/a.vdb is missing".
  Bytes read(std::string_view name) const;
  /// Its first bytes; fewer when it is shorter.
  Bytes read_head(std::string_view name, std::size_t bytes) const;
  /// Where a file of that name is to be written: the folder, made when it is gone, and the name in it.
  std::pair<Folder, std::string> place(std::string_view name);
  void remove(std::string_view name) const;

 private:
  struct Split {
    const std::optional<Folder>* folder;
    std::string_view name;
  };
  Split split(std::string_view name) const;

  Folder root_;
  std::optional<Folder> top_;  // the same, in the form of the others
  /// Shared by copies: what one of them makes, the others know.
  std::shared_ptr<std::array<std::optional<Folder>, subfolders.size()>> subs_;
};

}  // namespace silt
