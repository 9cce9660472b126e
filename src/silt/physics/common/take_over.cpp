#include "silt/physics/common/take_over.h"

#include "silt/core/loops.h"

namespace silt {
namespace {

struct TakeOver {
  View<const double> from;
  View<double> to;
  SILT_HD void operator()(Cell c) const {
    if (to(c) == 0 && from(c) != 0) to(c) = from(c);
  }
};

}  // namespace

void take_over(const Exec& exec, const Cells& cells, const Field<double>& from, Field<double>& to) {
  for_each_cell(exec, "take_over", cells, TakeOver{from.read(exec), to.update(exec)});
}

}  // namespace silt
