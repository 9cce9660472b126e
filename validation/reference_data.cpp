#include "validation/reference_data.h"

#include <charconv>
#include <filesystem>
#include <sstream>

#include "silt/cache/file_ops.h"
#include "silt/core/text.h"

namespace silt::validation {

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) out.push_back(cell);
  return out;
}

double number_of(const std::string& text, const std::string& where) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) throw IoError(where + ": '" + text + "' is no number");
  return value;
}

}  // namespace

ReferenceData::ReferenceData(const std::string& file) {
  const auto path = std::filesystem::path(SILT_SOURCE_DIR) / "validation/data" / file;
  const Bytes bytes = read_file(path);
  *this = from_text(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), file);
}

ReferenceData ReferenceData::from_text(const std::string& text, const std::string& name) {
  ReferenceData data;
  data.name_ = name;
  std::vector<std::string> names;
  std::istringstream in(text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = cells_of(line);
    const std::string where = str(name, ":", number);
    if (names.empty()) {
      names = cells;
      continue;
    }
    if (cells.size() != names.size())
      throw IoError(str(where, ": ", cells.size(), " values under ", names.size(), " names"));
    for (std::size_t i = 0; i < cells.size(); ++i) data.columns_[names[i]].push_back(number_of(cells[i], where));
  }
  return data;
}

const std::vector<double>& ReferenceData::column(const std::string& name) const {
  const auto at = columns_.find(name);
  if (at == columns_.end()) throw IoError(name_ + " has no column '" + name + "'");
  return at->second;
}

}  // namespace silt::validation
