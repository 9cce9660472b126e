#include "silt/physics/common/occupied.h"

#include <algorithm>

#include "silt/core/loops.h"

namespace silt {

namespace {

struct Size {
  View<const float> v;
  SILT_HD double operator()(Cell c) const { return v(c) < 0 ? -v(c) : v(c); }
};

struct Clear {
  View<float> v;
  SILT_HD void operator()(Cell c) const { v(c) = 0; }
};

/// The first and the last of a row's values that are not zero, as `lo` and `hi` of x; none: lo >= hi.
struct RowEnds {
  View<const float> v;
  Box box;
  int *lo, *hi;
  SILT_HD void operator()(std::int64_t row) const {
    const int rows_y = box.hi.y - box.lo.y;
    const int y = box.lo.y + int(row % rows_y), z = box.lo.z + int(row / rows_y);
    int any = 0;  // the whole row without a way out: that is vectorised, and most rows are empty
    for (int x = box.lo.x; x < box.hi.x; ++x) any |= v(x, y, z) != 0;
    int first = box.lo.x, end = any ? box.hi.x : first;
    while (first < end && !(v(first, y, z) != 0)) ++first;
    while (end > first && !(v(end - 1, y, z) != 0)) --end;
    lo[row] = first, hi[row] = end;
  }
};

}  // namespace

Box occupied(const Exec& exec, const Field<float>& field, const Box& box) {
  const Int3 n = box.size();
  const std::int64_t rows = std::int64_t(n.y) * n.z;
  Buffer<int> lo(static_cast<std::size_t>(rows)), hi(static_cast<std::size_t>(rows));
  for_each_index(exec, "occupied", rows, RowEnds{field.read(exec), box, lo.write(exec), hi.write(exec)}, n.x);
  Box out;
  const int *first = std::as_const(lo).host(), *end = std::as_const(hi).host();
  for (std::int64_t row = 0; row < rows; ++row) {
    const int y = box.lo.y + int(row % n.y), z = box.lo.z + int(row / n.y);
    out = hull(out, Box{{first[row], y, z}, {end[row], y + 1, z + 1}});
  }
  return out;
}

double longest_path(const Exec& exec, const Domain& domain, double dt, const MacField<float>& velocity) {
  double most = 0;
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a])
      most = Max::combine(most, reduce<Max>(exec, "longest_path", grow(domain.faces(a), domain.lattice.active),
                                            Size{velocity[a].read(exec)}));
  return most * dt / domain.lattice.h;
}

void clear(const Exec& exec, const Box& box, Field<float>& field) {
  for_each_cell(exec, "clear", box, Clear{field.write(exec)});
}

}  // namespace silt
