#include "silt/physics/common/shown_parts.h"

#include "silt/fields/row_spans.h"
#include "silt/fields/tile_boxes.h"

namespace silt {

std::vector<Domain> shown_parts(const Domain& domain, const CellRanges& ranges, int reach) {
  if (!domain.cells.rows) return {domain};
  const Int3 active = domain.lattice.active;
  std::vector<Domain> out;
  for (const Box& box : tile_boxes(cells_near(ranges, domain.cells, active, reach), active)) {
    out.push_back(domain);
    out.back().cells = Cells(box, domain.cells.rows);
  }
  return out;
}

}  // namespace silt
