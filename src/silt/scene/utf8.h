#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace silt {

/// How many bytes the character at `text[at]` takes: 1 to 4, or 0 when what stands there is not UTF-8.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// Number of characters (code points); a byte that is not UTF-8 counts as one.
int utf8_count(std::string_view text);

/// The same text, fit for a terminal and for JSON: what is not UTF-8 becomes '?', and so does what would have the
/// letters round it read in another order; control characters but tab become a space.
std::string printable(std::string_view text);
/// The same of each line.
std::string printable_lines(std::string_view text);

}  // namespace silt
