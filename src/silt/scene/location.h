#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace silt {

/// A text that values came from: a scene file, or one --set on the command line.
struct SourceText {
  std::string name;                 ///< "dam.toml", or "--set source.jet.rate=2"
  std::vector<std::string> lines;   ///< as written, without line ends
  std::filesystem::path directory;  ///< what relative paths in the text start from: the folder of the scene file
  bool command_line = false;        ///< the name is the whole text, so messages give no line and column
};

/// Where something stands, so that a message can point at it. Lines and columns count from 1, columns in characters
/// (Unicode code points). Line 0 is the source as a whole: something is missing from it.
struct Location {
  std::shared_ptr<const SourceText> source;
  int line = 0, column = 0, length = 0;
};

/// "dam.toml:14:1", "dam.toml" or "--set source.jet.rate=2".
std::string to_text(const Location& where);

}  // namespace silt
