#pragma once

#include <sstream>
#include <string>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/fields/domain.h"

namespace silt {

/// The six sides of a domain as words, as files of the cache have them: "wall wall open open periodic periodic".
inline std::string sides_text(const Domain& domain) {
  std::string text;
  for (const auto& pair : domain.sides)
    for (const Side side : pair)
      text += str(text.empty() ? "" : " ", side == Side::wall ? "wall" : side == Side::open ? "open" : "periodic");
  return text;
}

inline void read_sides(const std::string& text, Domain& domain) {
  std::istringstream words(text);
  for (auto& pair : domain.sides)
    for (Side& side : pair) {
      std::string word;
      words >> word;
      if (word != "wall" && word != "open" && word != "periodic") throw IoError(str("unknown side '", word, "'"));
      side = word == "wall" ? Side::wall : word == "open" ? Side::open : Side::periodic;
    }
}

}  // namespace silt
