#include "copy_kernel.h"

#include "silt/core/loops.h"

namespace silt {

namespace {
struct CopyCells {
  View<const float> from;
  View<float> to;
  SILT_HD void operator()(Cell c) const { to(c) = from(c); }
};
}  // namespace

void copy_cells(const Exec& exec, const Box& cells, const Field<float>& from, Field<float>& to) {
  for_each_cell(exec, "copy", cells, CopyCells{from.read(exec), to.write(exec)});
}

}  // namespace silt
