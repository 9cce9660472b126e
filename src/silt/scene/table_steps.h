#pragma once

#include <string>
#include <vector>

#include "silt/scene/diagnostics.h"
#include "silt/scene/document.h"
#include "silt/scene/table_info.h"

namespace silt {

/// The parts of Table that need not know the struct.

/// A parameter that two runs of a scene disagree on.
struct ParameterChange {
  std::string name, before, after;  ///< values as TOML; empty when absent
  bool resumable = false;
};

TableInfo make_head(const std::string& heading, std::string help, std::vector<ExclusiveRule> rules);

/// Whether the block is a table; reports names it should not have, those it lacks, and those that exclude each other.
bool check_block(const Block& block, const TableInfo& info, Diagnostics& diagnostics);

/// Whether the parameter has a meaning in a block of this material ("": of none).
bool belongs(const ParameterInfo& info, const std::string& material);
/// Reports what stands in a block of this material and is for another.
void check_belonging(const Block& block, const TableInfo& info, const std::string& material, Diagnostics& diagnostics);

/// `name = text  # unit`; nothing when the text is empty.
std::string write_line(const ParameterInfo& info, const std::string& text);

/// The table inside `block` that parameter `name` is.
Block inner_block(const Block& block, const std::string& name, const Value& value);

}  // namespace silt
