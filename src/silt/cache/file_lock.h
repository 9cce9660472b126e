#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "silt/cache/folder.h"

namespace silt {

/// Only one process at a time holds the lock on a file; the kernel lets go of it when the process ends, however it
/// ends. The file holds "silt process 1234".
class FileLock {
 public:
  /// InputError naming the process when another one holds it: "WHAT is in use by process 1234", with `how` for
  /// "is in use". `note`: a word for those who find it locked. InputError, too, when the file is not one that silt
  /// makes.
  FileLock(const Folder& folder, std::string_view name, std::string_view what, std::string_view how = "is in use",
           std::string_view note = {});

  static constexpr std::string_view mark = "silt process ";
  /// The process that holds the lock; 0 when none does, -1 when one does and its number is not known.
  static long holder(const Folder& folder, std::string_view name);
  /// The holder's note; empty when it left none, or nobody holds it.
  static std::string holder_note(const Folder& folder, std::string_view name);

 private:
  disk::Descriptor fd_;
};

}  // namespace silt
