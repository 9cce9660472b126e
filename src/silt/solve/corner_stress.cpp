#include "silt/solve/corner_stress.h"

#include "silt/core/loops.h"
#include "silt/fields/used_rows.h"

namespace silt {
namespace {

struct Scale {
  float factor;
  float* values;
  SILT_HD void operator()(std::int64_t n) const { values[n] *= factor; }
};

}  // namespace

void scale(const Exec& exec, double factor, CornerStress& s) {
  for_each_index(exec, "corner_stress.scale", std::int64_t(s.values().size()),
                 Scale{float(factor), s.values().update(exec)});
}

void carry_over(const CornerStress& from, CornerStress& to) {
  const Exec host(Device::cpu, 1);
  const auto source = from.read(host);
  const auto target = to.update(host);
  const Box both = intersect(from.cells(), to.cells());
  for (int z = both.lo.z; z < both.hi.z; ++z)
    for (int y = both.lo.y; y < both.hi.y; ++y)
      for (int x = both.lo.x; x < both.hi.x; ++x)
        for (int m = 0; m < to.numbers(); ++m)
          target.at({x, y, z})[m * lane_count] = source.at({x, y, z})[m * lane_count];
}

void rest_outside(const Cells& before, const Cells& now, CornerStress& s) {
  const auto to = s.update(Exec(Device::cpu, 1));
  UsedRows::visit_left(before, now, [&](Cell from, int count) {
    for (int x = 0; x < count; ++x)
      for (int m = 0; m < s.numbers(); ++m) to.at(from + Int3{x, 0, 0})[m * lane_count] = 0;
  });
}

}  // namespace silt
