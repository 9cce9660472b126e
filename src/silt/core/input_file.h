#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>

#include "silt/core/error.h"

namespace silt {

/// A file is too large for what memory there is.
class NoMemoryForFile : public IoError {
  using IoError::IoError;
};

/// A file that somebody else made, open for reading. Whatever stands under the name, opening it takes no time and no
/// memory: a folder, a pipe or a device is refused, and so is a file of more than `most` bytes.
class InputFile {
 public:
  /// Throws an IoError: "cannot read hills.png: it is a pipe, not a file".
  InputFile(std::filesystem::path path, std::uint64_t most);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::uint64_t size() const { return size_; }
  /// Reads on; fewer than asked for only where the file ends. Throws an IoError.
  std::size_t read(char* to, std::size_t count);
  /// All of it, into what can be resized. An IoError when there is no memory for it.
  template <class Bytes>
  Bytes read_all() {
    try {
      Bytes out;
      out.resize(std::size_t(size_));
      out.resize(read(out.data(), out.size()));
      return out;
    } catch (const std::bad_alloc&) {
      refuse_for_memory();
    }
  }

 private:
  void check(std::uint64_t most);
  [[noreturn]] void refuse_for_memory() const;

  std::filesystem::path path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

/// All of a file that the user named. Throws an InputError.
std::string read_named_file(const std::filesystem::path& path, std::uint64_t most);

/// "64 MB", in the units that limits are stated in: 1 kB is 1024 bytes.
std::string limit_text(std::uint64_t bytes);

}  // namespace silt
