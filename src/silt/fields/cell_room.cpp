#include "silt/fields/cell_room.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/one_side.h"
#include "silt/fields/open_square.h"

namespace silt {

namespace {

constexpr float least_room = 1e-4f;

/// The part of an edge that lies outside, from distances at its ends.
SILT_HD inline double open_edge(double a, double b) {
  if ((a >= 0) == (b >= 0)) return a >= 0 ? 1 : 0;
  return a >= 0 ? a / (a - b) : b / (b - a);
}
/// The part of a square that lies outside, of distances that are bilinear in it: edges across it, summed along it from
/// a to c and from b to d. Between the places where one of its ends leaves the solid their open part is smooth, and of
/// a straight surface linear. A straight cut through a square with a corner of a solid in it would lose half of it, and
/// all at once when the corner moves on to the next.
SILT_HD inline double open_along(double a, double b, double c, double d) {
  double cuts[4] = {0, 1, 1, 1};
  int count = 1;
  if ((a >= 0) != (c >= 0)) cuts[count++] = a / (a - c);
  if ((b >= 0) != (d >= 0)) cuts[count++] = b / (b - d);
  if (count == 3 && cuts[1] > cuts[2]) {
    const double later = cuts[1];
    cuts[1] = cuts[2], cuts[2] = later;
  }
  constexpr double at[3] = {0.11270166537925831, 0.5, 0.88729833462074169}, weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double sum = 0;
  for (int n = 0; n < count; ++n) {
    const double from = cuts[n], length = (n + 1 < count ? cuts[n + 1] : 1) - from;
    for (int k = 0; k < 3; ++k) {
      const double part = from + at[k] * length;
      sum += weight[k] * length * open_edge(a + part * (c - a), b + part * (d - b));
    }
  }
  return sum;
}

struct FindRoom {
  View<const float> distance;
  MacView<const float> open;
  Int3 active;
  View<float> room;

  SILT_HD double corner(Cell c, int k) const { return distance(c + Int3{k & 1, k >> 1 & 1, k >> 2 & 1} * active); }
  /// All of a cell of a plane.
  SILT_HD double plane(const double (&d)[8], int flat) const {
    const int b = 1 << (flat + 1) % 3, c = 1 << (flat + 2) % 3;
    return 0.5 * (open_along(d[0], d[b], d[c], d[b | c]) + open_along(d[0], d[c], d[b], d[b | c]));
  }
  /// The section across an axis, `part` of the way from its low side.
  SILT_HD double section(const double (&d)[8], int axis, double part) const {
    const int along = 1 << axis, b = 1 << (axis + 1) % 3, c = 1 << (axis + 2) % 3;
    const auto at = [&](int k) { return d[k] + part * (d[k | along] - d[k]); };
    return open_square(at(0), at(b), at(c), at(b | c));
  }
  /// Sections across an axis, summed along it. Between the places where one of the four edges leaves the solid they are
  /// smooth, and Simpson's rule is good; through them it is not.
  SILT_HD double along(const double (&d)[8], int axis) const {
    const int to = 1 << axis;
    double cuts[6] = {0, 1, 1, 1, 1, 1};
    int count = 1;
    for (int k = 0; k < 8; ++k) {
      if (k & to || (d[k] >= 0) == (d[k | to] >= 0)) continue;
      const double cut = d[k] / (d[k] - d[k | to]);
      int n = count++;
      for (; n > 1 && cuts[n - 1] > cut; --n) cuts[n] = cuts[n - 1];
      cuts[n] = cut;
    }
    double sum = 0;
    for (int n = 0; n < count; ++n) {
      const double from = cuts[n], until = n + 1 < count ? cuts[n + 1] : 1, middle = 0.5 * (from + until);
      sum += (until - from) * (section(d, axis, from) + 4 * section(d, axis, middle) + section(d, axis, until)) / 6;
    }
    return sum;
  }
  SILT_HD void operator()(Cell c) const {
    double d[8];
    int outside = 0, flat = -1;
    for (int k = 0; k < 8; ++k) d[k] = corner(c, k), outside += d[k] >= 0;
    for (int a = 0; a < 3; ++a)
      if (!active[a]) flat = a;
    if (outside > 1 && outside < 7) {  // of two parts, one on either side of a plate, only one counts
      const unsigned larger = OneSide{distance, active}.corners(c);
      for (int k = 0; k < 8; ++k)
        if (d[k] >= 0 && !(larger >> k & 1)) d[k] = -d[k] - 1e-12, --outside;
    }
    float part = outside == 8 ? 1.0f : 0.0f;
    if (outside > 0 && outside < 8)
      part = float(flat >= 0 ? plane(d, flat) : (along(d, 0) + along(d, 1) + along(d, 2)) / 3);
    bool passes = false;
    for (int a = 0; a < 3; ++a) passes = passes || open[a](c) > 0 || open[a](c + unit(a) * active) > 0;
    room(c) = !passes ? 0 : part > least_room ? part : least_room;
  }
};

}  // namespace

void find_room(const Exec& exec, const Domain& domain, const Field<float>& distance, const MacField<float>& open,
               Field<float>& room) {
  for_each_cell(exec, "cell_room", domain.cells,
                FindRoom{distance.read(exec), open.read(exec), domain.lattice.active, room.update(exec)});
  fill_halo(exec, domain, domain.cells, {}, room);
}

}  // namespace silt
