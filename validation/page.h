#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trials/measure.h"
#include "validation/plot.h"

namespace silt::validation {

/// What is told about an experiment besides its numbers. Markdown.
struct Page {
  std::string name, summary;
  std::string command;  ///< that makes it again
  std::string about;    ///< what is measured, and against which data
  std::string notes;    ///< what the numbers mean
  std::vector<Plot> plots;
};

/// Writes NAME.md, plots/NAME_*.png and data/NAME_*.csv, each whole or not at all. Nothing in them depends on the
/// machine, the day or the folder. Returns what could not be drawn, a line each.
std::string write_page(const Page& page, const trials::Measures& measures, const std::filesystem::path& folder,
                       const std::vector<std::string>& pythons = usual_pythons);

}  // namespace silt::validation
