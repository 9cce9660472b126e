#include "silt/physics/gas/cell_room.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/open_square.h"

namespace silt::gas {

namespace {

constexpr float least_room = 1e-4f;

struct FindRoom {
  View<const float> distance;
  MacView<const float> open;
  Int3 active;
  View<float> room;

  SILT_HD double corner(Cell c, int k) const { return distance(c + Int3{k & 1, k >> 1 & 1, k >> 2 & 1} * active); }
  /// The section across an axis, `part` of the way from its low side.
  SILT_HD double section(const double (&d)[8], int axis, double part) const {
    const int along = 1 << axis, b = 1 << (axis + 1) % 3, c = 1 << (axis + 2) % 3;
    const auto at = [&](int k) { return d[k] + part * (d[k | along] - d[k]); };
    return open_square(at(0), at(b), at(c), at(b | c));
  }
  SILT_HD void operator()(Cell c) const {
    double d[8];
    int outside = 0;
    for (int k = 0; k < 8; ++k) d[k] = corner(c, k), outside += d[k] >= 0;
    float part = outside == 8 ? 1.0f : 0.0f;
    if (outside > 0 && outside < 8) {
      double sum = 0;
      int axes = 0;
      for (int a = 0; a < 3; ++a) {
        if (!active[a]) continue;
        sum += (section(d, a, 0) + 4 * section(d, a, 0.5) + section(d, a, 1)) / 6;
        ++axes;
      }
      part = float(sum / axes);
    }
    bool passes = false;
    for (int a = 0; a < 3; ++a) passes = passes || open[a](c) > 0 || open[a](c + unit(a) * active) > 0;
    room(c) = !passes ? 0 : part > least_room ? part : least_room;
  }
};

}  // namespace

void find_room(const Exec& exec, const Domain& domain, const Field<float>& distance, const MacField<float>& open,
               Field<float>& room) {
  for_each_cell(exec, "gas.room", domain.cells,
                FindRoom{distance.read(exec), open.read(exec), domain.lattice.active, room.update(exec)});
  fill_halo(exec, domain, domain.cells, {}, room);
}

}  // namespace silt::gas
