#include "silt/solve/corner_stress.h"

#include "silt/core/loops.h"
#include "silt/fields/used_rows.h"

namespace silt {
namespace {

struct Scale {
  float factor;
  int numbers;
  CornerStress::View<float> s;
  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    float* own = s.at(c);
    for (int m = 0; m < numbers; ++m, own += lane_count) Numbers<F>::store(factor * Numbers<F>::load(own), own);
  }
};

}  // namespace

void scale(const Exec& exec, const Cells& cells, double factor, CornerStress& s) {
  for_each_strip(exec, "corner_stress.scale", cells, Scale{float(factor), s.numbers(), s.update(exec)});
}

void carry_over(const Cells& cells, const CornerStress& from, CornerStress& to) {
  const Exec host(Device::cpu, 1);
  const auto source = from.read(host);
  const auto target = to.update(host);
  const Cells both(intersect(intersect(from.cells(), to.cells()), cells), cells.rows);
  if (both.empty()) return;
  both.visit_used_rows(0, both.row_count(), [&](int y, int z) {
    both.visit_row(y, z, [&](int begin, int end) {
      for (int x = begin; x < end; ++x)
        for (int m = 0; m < to.numbers(); ++m)
          target.at({x, y, z})[m * lane_count] = source.at({x, y, z})[m * lane_count];
    });
  });
}

void rest_outside(const Cells& before, const Cells& now, CornerStress& s) {
  const auto to = s.update(Exec(Device::cpu, 1));
  UsedRows::visit_left(before, now, [&](Cell from, int count) {
    for (int x = 0; x < count; ++x)
      for (int m = 0; m < s.numbers(); ++m) to.at(from + Int3{x, 0, 0})[m * lane_count] = 0;
  });
}

}  // namespace silt
