#pragma once

#include <cstddef>
#include <string_view>

namespace silt {

/// The lengths that a .vdb file claims, looked at before OpenVDB makes room for them: it believes a text of 4 GB in a
/// file of 500 bytes. Goes through the bytes as OpenVDB does, and throws an IoError where a length is longer than what
/// is left. What a tree takes needs no such look: each of its nodes has bit masks in the file, one byte for at most a
/// hundred in memory.
class VdbClaims {
 public:
  /// `from`: where OpenVDB reads on.
  VdbClaims(std::string_view file, std::size_t from);

  void text();
  void metadata();
  /// A number of things, each of at least `each` bytes.
  void count(std::size_t each);
  void skip(std::size_t bytes);

 private:
  std::size_t length();
  void value();

  std::size_t whole_;
  std::string_view left_;
};

}  // namespace silt
