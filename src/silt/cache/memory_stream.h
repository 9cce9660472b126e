#pragma once

#include <cstring>
#include <streambuf>
#include <string_view>
#include <utility>

#include "silt/cache/bytes.h"

namespace silt {

/// A seekable stream into memory, so that a library's bytes can go through our own I/O layer.
class MemoryOut : public std::streambuf {
 public:
  Bytes take() { return std::move(bytes_); }

 protected:
  std::streamsize xsputn(const char* from, std::streamsize n) override {
    const std::size_t end = at_ + std::size_t(n);
    if (end > bytes_.size()) bytes_.resize(end);
    if (n > 0) std::memcpy(bytes_.data() + at_, from, std::size_t(n));
    at_ = end;
    return n;
  }
  int_type overflow(int_type c) override {
    const char value = traits_type::to_char_type(c);
    xsputn(&value, 1);
    return c;
  }
  pos_type seekoff(off_type off, std::ios_base::seekdir from, std::ios_base::openmode) override {
    const off_type base = from == std::ios_base::beg   ? 0
                          : from == std::ios_base::cur ? off_type(at_)
                                                       : off_type(bytes_.size());
    return seekpos(pos_type(base + off), std::ios_base::out);
  }
  pos_type seekpos(pos_type pos, std::ios_base::openmode) override {
    const off_type to = pos;
    if (to < 0 || to > off_type(bytes_.size())) return pos_type(off_type(-1));
    at_ = std::size_t(to);
    return pos;
  }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

/// A seekable stream over bytes in memory.
class MemoryIn : public std::streambuf {
 public:
  explicit MemoryIn(std::string_view bytes) {
    char* begin = const_cast<char*>(bytes.data());
    setg(begin, begin, begin + bytes.size());
  }

 protected:
  pos_type seekoff(off_type off, std::ios_base::seekdir from, std::ios_base::openmode) override {
    const off_type base = from == std::ios_base::beg   ? 0
                          : from == std::ios_base::cur ? off_type(gptr() - eback())
                                                       : off_type(egptr() - eback());
    return seekpos(pos_type(base + off), std::ios_base::in);
  }
  pos_type seekpos(pos_type pos, std::ios_base::openmode) override {
    const off_type to = pos;
    if (to < 0 || to > egptr() - eback()) return pos_type(off_type(-1));
    setg(eback(), eback() + to, egptr());
    return pos;
  }
};

}  // namespace silt
