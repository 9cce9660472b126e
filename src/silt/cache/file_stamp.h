#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace silt {

/// What a file must be to be believed: its length and the 64-bit XXH3 of its bytes.
struct FileStamp {
  std::uint64_t size = 0;
  std::uint64_t xxh3 = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

FileStamp stamp_of(std::string_view bytes);

/// XXH3 of bytes that come in pieces.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  void add(const void* bytes, std::size_t size);
  FileStamp stamp() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace silt
