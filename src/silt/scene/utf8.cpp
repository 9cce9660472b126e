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

namespace {

/// Marks, embeddings, overrides and isolates of direction, by which "gpj.exe" is shown as "exe.jpg"; line separators.
bool is_disguise(std::string_view c) {
  constexpr std::string_view all[] = {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b", "\u202c",
                                      "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff"};
  return std::find(std::begin(all), std::end(all), c) != std::end(all);
}

/// U+0080 to U+009F are obeyed by some terminals, as those below U+0020 are by all.
bool is_control(std::string_view c) {
  if (c.size() == 2) return c[0] == '\xc2' && static_cast<unsigned char>(c[1]) < 0xa0;
  return c.size() == 1 && ((c[0] >= 0 && c[0] < 0x20 && c[0] != '\t') || c[0] == 0x7f);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t n = utf8_length(text, i);
    const std::string_view c = text.substr(i, std::max<std::size_t>(1, n));
    out += n == 0 || is_disguise(c) ? "?" : is_control(c) ? " " : c;
    i += c.size();
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace silt
