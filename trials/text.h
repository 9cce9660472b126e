#pragma once

#include <string>
#include <vector>

#include "trials/measure.h"

namespace silt::trials {

/// Four digits: "0.001234", "1.2e-07".
std::string short_number(double value);

/// Lines of | measure | measured | bound | verdict, in columns for a terminal.
std::string plain_table(const std::vector<Measure>& measures);
/// The same as Markdown.
std::string markdown_table(const std::vector<Measure>& measures);

/// A page about one trial. Markdown.
struct PageParts {
  std::string name, summary;
  std::string about;  ///< above the table of what was measured
  std::vector<Measure> measures{};
  std::string after{};  ///< below it
  std::string command;  ///< that makes the page again
};
std::string page_text(const PageParts& parts);

/// An array of {name, measured, bound, pass}; what is not finite, and the bound of what has none, is null.
std::string json_array(const std::vector<Measure>& measures);

/// As JSON writes it: digits enough to read the same number back; null when it is not finite.
std::string json_number(double value);
std::string json_string(const std::string& text);
/// The same digits; "nan" when it is not finite.
std::string csv_number(double value);

}  // namespace silt::trials
