#include "tile_kernel.h"

#include "silt/fields/region_loops.h"

namespace silt {

namespace {
struct Mark {
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = float(c.x + 10 * c.y + 100 * c.z); }
};
struct MarkIndex {
  std::uint32_t* out;
  SILT_HD void operator()(std::int64_t i) const { out[i] = std::uint32_t(3 * i + 1); }
};
}  // namespace

void mark_cells(const Exec& exec, const Region& region, Field<float>& out) {
  for_each_cell(exec, "mark", region, Mark{out.update(exec)});
}

void mark_indices(const Exec& exec, Buffer<std::uint32_t>& out) {
  for_each_index(exec, "mark.index", std::int64_t(out.size()), MarkIndex{out.write(exec)});
}

}  // namespace silt
