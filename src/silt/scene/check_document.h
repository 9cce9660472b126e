#pragma once

#include <vector>

#include "silt/scene/diagnostics.h"
#include "silt/scene/document.h"
#include "silt/scene/table_info.h"

namespace silt {

/// What only all tables together can tell: blocks that no table declares, named kinds without a name, and parameters
/// that name a block (refers_to) which is not there.
void check_document(const Document& document, const std::vector<TableInfo>& tables, Diagnostics& diagnostics);

}  // namespace silt
