#pragma once

#include <string>
#include <vector>

#include "silt/scene/table_info.h"

namespace silt {

/// The scene reference, from the same tables that read scenes: every block, every parameter with its type, unit, range,
/// default and flags, every choice.
std::string reference_markdown(const std::vector<TableInfo>& tables);

/// The same for a terminal, lines of at most `columns` characters.
std::string reference_text(const std::vector<TableInfo>& tables, int columns = 100);

}  // namespace silt
