#pragma once

/// The system calls with which silt changes a disk, for the rest of the I/O layer (folder.h, file_ops.h) and nobody
/// else: each is counted and can be made to fail (fault.h), goes on when a signal interrupts it, and throws on an
/// error.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "silt/cache/fault.h"

namespace silt::disk {

/// DiskFullError or IoError. `doing` reads on from "cannot": "write", "rename to".
[[noreturn]] void fail(const char* doing, const std::filesystem::path& path, int error);

/// Calls until it is not interrupted by a signal.
template <class Call>
auto retry(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// A mutating call: counted, possibly made to fail, and an error if it does fail.
template <class Call>
auto mutate(detail::Operation operation, const char* doing, const std::filesystem::path& path, const Call& call) {
  if (const int error = detail::begin_operation(operation)) fail(doing, path, error);
  const auto result = retry(call);
  if (result < 0) fail(doing, path, errno);
  return result;
}

/// An open file that is closed in the end.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  operator int() const { return fd_; }
  void close();

 private:
  int fd_;
};

void write_all(int fd, const std::filesystem::path& path, const void* bytes, std::size_t size);
/// Reads up to `size` bytes from the beginning; returns how many there were.
std::size_t read_all(int fd, const std::filesystem::path& path, char* bytes, std::size_t size);
void sync_file(int fd, const std::filesystem::path& path);
void sync_folder(int fd, const std::filesystem::path& folder);
void cut(int fd, const std::filesystem::path& path, std::uint64_t size);
std::uint64_t size_of(int fd, const std::filesystem::path& path);

}  // namespace silt::disk
