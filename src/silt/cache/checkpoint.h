#pragma once

/// Checkpoints: the safetensors layout, which other tools read too.
///   8 bytes     little-endian length of the header
///   header      JSON: name -> {dtype, shape, data_offsets}, and "__metadata__" with text values; padded with spaces so
///               that the data begins 64-byte aligned
///   data        raw little-endian arrays, each 64-byte aligned
/// The first of the metadata is "xxh3", the XXH3 of the file with zeros in its place: a checkpoint proves itself whole,
/// also when no manifest knows of it.
/// Only the silt that wrote a format reads it: the state's meaning changes with the solver.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/cache/file_ops.h"

namespace silt {

inline constexpr int checkpoint_format = 1;

enum class Dtype { f32, f64, i32, u32, i64, u64, u8 };

std::size_t size_of(Dtype dtype);
std::string_view name_of(Dtype dtype);  ///< "F32"

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, float>) return Dtype::f32;
  if constexpr (std::is_same_v<T, double>) return Dtype::f64;
  if constexpr (std::is_same_v<T, std::int32_t>) return Dtype::i32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Dtype::u32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Dtype::i64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Dtype::u64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Dtype::u8;
}

/// Values as text. The writer adds "format", "checkpoint_version" and "silt_version".
using Metadata = std::map<std::string, std::string, std::less<>>;

/// Gathers arrays by pointer, and streams them to a file one after the other: nothing is copied, so the arrays must
/// live until write().
class CheckpointWriter {
 public:
  Metadata metadata;

  /// `bytes` must be what dtype and shape say. Names are unique.
  void add(std::string name, Dtype dtype, std::vector<std::int64_t> shape, const void* data, std::size_t bytes);
  template <class T>
  void add(std::string name, const T* data, std::size_t count) {
    add(std::move(name), dtype_of<T>(), {std::int64_t(count)}, data, count * sizeof(T));
  }
  void write(FileWriter& file) const;

 private:
  struct Array {
    std::string name;
    Dtype dtype;
    std::vector<std::int64_t> shape;
    const void* data;
    std::size_t bytes;
  };
  /// Hands the file's bytes to use(bytes, size), piece by piece.
  template <class Use>
  void pieces(const std::string& header, const Use& use) const;
  std::string header() const;
  std::vector<Array> arrays_;
};

/// A checkpoint in memory.
class Checkpoint {
 public:
  struct Array {
    std::string name;
    Dtype dtype;
    std::vector<std::int64_t> shape;
    const char* data;   ///< within the checkpoint's bytes
    std::size_t bytes;  ///< always what dtype and shape say
    std::int64_t count() const { return std::int64_t(bytes / size_of(dtype)); }
  };

  const Metadata& metadata() const { return metadata_; }
  /// IoError when it is not there.
  const std::string& text(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  double number(std::string_view key) const;

  /// In the order in which they lie in the file.
  const std::vector<Array>& arrays() const { return arrays_; }
  const Array* find(std::string_view name) const;
  /// Copies an array out. IoError when it is not there or is not `count` values of type T.
  template <class T>
  void copy(std::string_view name, T* to, std::size_t count) const {
    copy_bytes(name, dtype_of<T>(), to, count * sizeof(T));
  }

 private:
  friend Checkpoint read_checkpoint(const std::filesystem::path& path, Bytes verified, bool any_version);
  void copy_bytes(std::string_view name, Dtype dtype, void* to, std::size_t bytes) const;

  std::string path_;
  Bytes bytes_;
  Metadata metadata_;
  std::vector<Array> arrays_;
};

/// `verified` are the file's bytes, checked against the manifest; `path` is for messages. IoError when they are not a
/// checkpoint, InputError naming who wrote it when its version is another (unless any_version: to look, not to resume).
Checkpoint read_checkpoint(const std::filesystem::path& path, Bytes verified, bool any_version = false);

/// Whether the bytes are a whole checkpoint by the checksum that is in them.
bool proves_itself(std::string_view bytes);

/// The text with which number() gives the same bits back.
std::string exact_text(double value);

}  // namespace silt
