#include "silt/fields/halo.h"

#include "silt/core/loops.h"

namespace silt {

namespace {

/// Cells of one slab outside the domain take the value of the cell they stand for.
template <class T>
struct CopyAcross {
  View<T> field;
  int axis, lo, hi, period;  ///< period 0: the nearest of lo .. hi-1
  SILT_HD void operator()(Cell c) const {
    Cell from = c;
    int i = c[axis];
    i = period ? (i < lo ? i + period : i - period) : (i < lo ? lo : hi - 1);
    (axis == 0 ? from.x : axis == 1 ? from.y : from.z) = i;
    field(c) = field(from);
  }
};

/// Cells of one slab beyond a wall: as far from the wall's value as their mirror images, on the other side.
template <class T>
struct Mirror {
  View<T> field;
  int axis, twice_wall;  ///< index + mirrored index
  T on_wall;
  SILT_HD void operator()(Cell c) const {
    Cell from = c;
    (axis == 0 ? from.x : axis == 1 ? from.y : from.z) = twice_wall - c[axis];
    field(c) = 2 * on_wall - field(from);
  }
};

template <class T>
struct Fill {
  View<T> field;
  T value;
  SILT_HD void operator()(Cell c) const { field(c) = value; }
};

/// The part of `slab` beyond one side of `box`.
template <class T>
void fill_beyond(const Exec& exec, const Domain& domain, const Cells& box, const HaloRule& rule, int axis, int end,
                 Box slab, Field<T>& field) {
  const Layout& layout = field.layout();
  const View<T> view = field.update(exec);
  slab.lo[axis] = end == 0 ? box.lo[axis] - layout.halo : box.hi[axis];
  slab.hi[axis] = end == 0 ? box.lo[axis] : box.hi[axis] + layout.halo;
  slab = intersect(slab, layout.storage());
  const Cells cells(slab, box.rows);
  const Side side = domain.side(axis, end);
  if (side == Side::open && !rule.open_repeats) {
    for_each_cell(exec, "halo.open", cells, Fill<T>{view, T(rule.open_value)});
  } else if (side == Side::wall && rule.on_wall[axis][end]) {
    const int twice_wall = end == 0 ? 2 * box.lo[axis] - 1 : 2 * box.hi[axis] - 1;
    for_each_cell(exec, "halo.mirror", cells, Mirror<T>{view, axis, twice_wall, T(*rule.on_wall[axis][end])});
  } else {
    const int period = side == Side::periodic ? domain.cells.size()[axis] : 0;
    for_each_cell(exec, "halo.copy", cells, CopyAcross<T>{view, axis, box.lo[axis], box.hi[axis], period});
  }
}

}  // namespace

void fill_halo_along(const Exec& exec, const Domain& domain, int axis, const Box& box, const Box& section,
                     const HaloRule& rule, Field<float>& field) {
  if (section.empty() || !field.layout().active[axis]) return;
  const int halo = field.layout().halo;
  const bool wraps = domain.periodic(axis);
  if (wraps || section.lo[axis] < box.lo[axis] + halo) fill_beyond(exec, domain, box, rule, axis, 0, section, field);
  if (wraps || section.hi[axis] > box.hi[axis] - halo) fill_beyond(exec, domain, box, rule, axis, 1, section, field);
}

template <class T>
void fill_halo(const Exec& exec, const Domain& domain, const Cells& box, const HaloRule& rule, Field<T>& field) {
  if (box.empty()) return;
  const Layout& layout = field.layout();
  Box filled = box;  // grows axis by axis, so that edges and corners are right too
  for (int axis = 0; axis < 3; ++axis) {
    if (!layout.active[axis]) continue;
    for (int end = 0; end < 2; ++end) fill_beyond(exec, domain, box, rule, axis, end, filled, field);
    filled.lo[axis] = box.lo[axis] - layout.halo;
    filled.hi[axis] = box.hi[axis] + layout.halo;
    filled = intersect(filled, layout.storage());
  }
}

template void fill_halo(const Exec&, const Domain&, const Cells&, const HaloRule&, Field<float>&);
template void fill_halo(const Exec&, const Domain&, const Cells&, const HaloRule&, Field<double>&);
template void fill_halo(const Exec&, const Domain&, const Cells&, const HaloRule&, Field<unsigned char>&);

}  // namespace silt
