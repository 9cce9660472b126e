#include "silt/cache/vdb_claims.h"

#include <openvdb/Metadata.h>
#include <openvdb/io/DelayedLoadMetadata.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr std::size_t least_leaf = 64;  // bytes that a leaf node takes in a file: its mask

}  // namespace

VdbClaims::VdbClaims(std::string_view file, std::size_t from)
    : whole_(file.size()), left_(file.substr(std::min(from, file.size()))) {}

void VdbClaims::skip(std::size_t bytes) {
  if (bytes > left_.size())
    throw IoError(str("it is damaged: it claims ", bytes, " more bytes, and has ", left_.size()));
  left_.remove_prefix(bytes);
}

std::size_t VdbClaims::length() {
  std::uint32_t out = 0;
  const std::string_view at = left_;
  skip(sizeof out);
  std::memcpy(&out, at.data(), sizeof out);
  return out;
}

void VdbClaims::text() {
  skip(length());
}

void VdbClaims::count(std::size_t each) {
  const std::string_view at = left_;
  const std::size_t things = length();
  if (things > left_.size() / each)
    throw IoError(str("it is damaged: it claims ", things, " entries in ", left_.size(), " bytes"));
  left_ = at;
}

void VdbClaims::metadata() {
  count(3 * sizeof(std::uint32_t));  // two texts and a value, all empty
  for (std::size_t entries = length(); entries > 0; --entries) {
    text();
    value();
  }
}

/// Its type and its bytes. Of most types OpenVDB reads as many bytes as these have, whatever length is claimed.
void VdbClaims::value() {
  using openvdb::Metadata;
  const std::string_view before = left_;
  text();
  const std::string type(before.substr(sizeof(std::uint32_t), before.size() - left_.size() - sizeof(std::uint32_t)));
  const std::size_t bytes = length();
  if (type == openvdb::io::DelayedLoadMetadata::staticTypeName()) {
    const std::string_view at = left_;
    if (length() > whole_ / least_leaf) throw IoError("it is damaged: it claims more leaves than there is room for");
    left_ = at;
  } else if (type != openvdb::StringMetadata::staticTypeName() && Metadata::isRegisteredType(type) &&
             Metadata::createMetadata(type)->size() != bytes) {
    throw IoError(str("it is damaged: a value of its metadata has ", bytes, " bytes"));
  }
  skip(bytes);
}

}  // namespace silt
