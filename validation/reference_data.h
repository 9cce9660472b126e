#pragma once

#include <map>
#include <string>
#include <vector>

namespace silt::validation {

/// The columns of a CSV file of numbers, by the names in its first line. Lines that begin with # are remarks.
class ReferenceData {
 public:
  /// `file` lies in validation/data. IoError when it cannot be read or is not such a file.
  explicit ReferenceData(const std::string& file);
  static ReferenceData from_text(const std::string& text, const std::string& name);

  const std::vector<double>& column(const std::string& name) const;

 private:
  ReferenceData() = default;
  std::string name_;
  std::map<std::string, std::vector<double>> columns_;
};

}  // namespace silt::validation
