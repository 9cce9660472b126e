#include "silt/scene/utf8.h"

#include <algorithm>

namespace silt {

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + n > text.size()) return 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  // Forms longer than needed, surrogates, and what lies beyond U+10FFFF.
  const unsigned char second = byte(at + 1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
  if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
  return n;
}

int utf8_count(std::string_view text) {
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) i += std::max<std::size_t>(1, utf8_length(text, i));
  return count;
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t n = utf8_length(text, i);
    const bool control = (text[i] >= 0 && text[i] < 0x20 && text[i] != '\t') || text[i] == 0x7f;
    if (n == 0) {
      out += '?';
    } else if (control) {
      out += ' ';
    } else {
      out += text.substr(i, n);
    }
    i += std::max<std::size_t>(1, n);
  }
  return out;
}

}  // namespace silt
