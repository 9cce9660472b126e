#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "silt/core/device_memory.h"
#include "silt/core/exec.h"
#include "silt/core/host_memory.h"

namespace silt {

/// An array that knows where its current bytes are: on the host, on the device, or both.
///   read(exec)    where `exec` runs, for reading; copies if the other side is newer
///   write(exec)   for overwriting every element that will be read later: nothing is copied
///   update(exec)  for reading and writing
/// A new buffer is zero. Copying a Buffer copies its bytes.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= host_memory::alignment);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size) host_ = allocate_host(size);
  }
  Buffer(const Buffer& other) : size_(other.size_) { *this = other; }
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    host_ = std::move(other.host_);
    device_ = std::move(other.device_);
    newest_ = std::exchange(other.newest_, Newest::host);
    return *this;
  }
  Buffer& operator=(const Buffer& other) {
    if (this == &other) return *this;
    if (size_ != other.size_ || !host_) host_ = other.size_ ? allocate_host(other.size_) : nullptr;
    size_ = other.size_;
    device_ = nullptr;
    if (size_) std::copy_n(other.host(), size_, host_.get());
    newest_ = Newest::host;
    return *this;
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  const T* read(const Exec& exec) const {
    if (exec.on_cpu()) return host();
    to_device();
    return device_.get();
  }
  T* write(const Exec& exec) {
    if (exec.on_cpu()) return newest_ = Newest::host, host_.get();
    allocate_device();
    newest_ = Newest::device;
    return device_.get();
  }
  T* update(const Exec& exec) {
    read(exec);
    return write(exec);
  }

  /// The host's copy, brought up to date.
  const T* host() const {
    if (newest_ == Newest::device) device_memory::to_host(host_.get(), device_.get(), bytes()), newest_ = Newest::both;
    return host_.get();
  }
  T* host() {
    std::as_const(*this).host();
    newest_ = Newest::host;
    return host_.get();
  }

 private:
  enum class Newest { host, device, both };
  struct FreeHost {
    std::size_t bytes = 0;
    void operator()(T* p) const { host_memory::release(p, bytes); }
  };
  struct FreeDevice {
    void operator()(T* p) const { device_memory::release(p); }
  };

  static std::unique_ptr<T, FreeHost> allocate_host(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    return {static_cast<T*>(host_memory::allocate_zero(bytes)), FreeHost{bytes}};
  }
  void allocate_device() const {
    if (!device_ && size_) device_.reset(static_cast<T*>(device_memory::allocate(bytes())));
  }
  void to_device() const {
    if (newest_ != Newest::host && device_) return;
    allocate_device();
    if (size_) device_memory::to_device(device_.get(), host_.get(), bytes());
    newest_ = Newest::both;
  }

  std::size_t size_ = 0;
  std::unique_ptr<T, FreeHost> host_;
  mutable std::unique_ptr<T, FreeDevice> device_;
  mutable Newest newest_ = Newest::host;
};

}  // namespace silt
