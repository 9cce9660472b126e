#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

namespace silt {

/// A file's bytes in memory: 64-byte aligned, not zeroed when made, moved and never copied by accident.
class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::size_t size) : data_(allocate(size)), size_(size), capacity_(size) {}
  explicit Bytes(std::string_view text) : Bytes(text.size()) {
    if (!text.empty()) std::memcpy(data(), text.data(), text.size());
  }

  char* data() { return data_.get(); }
  const char* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {data_.get(), size_}; }

  /// Keeps what is there; what is new holds anything. Grows by doubling.
  void resize(std::size_t size) {
    if (size > capacity_) {
      const std::size_t capacity = size > 2 * capacity_ ? size : 2 * capacity_;
      Pointer bigger = allocate(capacity);
      if (size_) std::memcpy(bigger.get(), data_.get(), size_);
      data_ = std::move(bigger);
      capacity_ = capacity;
    }
    size_ = size;
  }

 private:
  struct Free {
    void operator()(char* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  using Pointer = std::unique_ptr<char, Free>;
  static Pointer allocate(std::size_t size) {
    return Pointer(size ? static_cast<char*>(::operator new (size, std::align_val_t{64})) : nullptr);
  }

  Pointer data_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace silt
