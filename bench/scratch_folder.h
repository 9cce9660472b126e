#pragma once

#include <filesystem>

namespace silt::bench {

/// An empty folder that goes away with its owner. In memory where that is possible: a disk is nobody's measure.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace silt::bench
