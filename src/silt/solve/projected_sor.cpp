#include "silt/solve/projected_sor.h"

#include <algorithm>
#include <cmath>

#include "silt/core/error.h"

namespace silt {

namespace {

/// The value of the neighbour across one face of a cell: wrapped where periodic, 0 beyond what is open.
double neighbour(const Domain& domain, const Field<double>& x, Cell c, int axis, int end) {
  Cell n = end == 0 ? c - unit(axis) : c + unit(axis);
  if (domain.cells.contains(n)) return x(n);
  if (!domain.periodic(axis)) return 0;
  n[axis] += (end == 0 ? 1 : -1) * domain.cells.size()[axis];
  return x(n);
}

}  // namespace

int projected_sor(const PoissonOperator& op, const CellBounds& bounds, const Field<double>& b, Field<double>& x,
                  double tolerance, const Field<float>* screen) {
  constexpr double relaxation = 1.7;
  constexpr int most = 200000;
  const Domain& domain = op.domain();
  const Box& box = domain.cells;
  int sweep = 0;
  for (double moved = 1; moved > tolerance; ++sweep) {
    if (sweep == most) throw SolveError("projected SOR has not come to rest");
    moved = 0;
    for (int k = box.lo.z; k < box.hi.z; ++k)
      for (int j = box.lo.y; j < box.hi.y; ++j)
        for (int i = box.lo.x; i < box.hi.x; ++i) {
          const Cell c{i, j, k};
          const double d = op.diagonal()(c);
          if (!(d > 0)) continue;
          double r = b(c) - (screen ? double((*screen)(c)) * x(c) : 0);
          for (int a = 0; a < 3; ++a)
            if (op.layout().active[a])
              for (int end = 0; end < 2; ++end)
                r += op.weights()[a](end == 0 ? c : c + unit(a)) * (neighbour(domain, x, c, a, end) - x(c));
          const double low = bounds.lower_field ? (*bounds.lower_field)(c) : bounds.lower;
          const double high = bounds.upper_field ? (*bounds.upper_field)(c) : bounds.upper;
          const double next = std::clamp(x(c) + relaxation * r / d, low, high);
          moved = std::max(moved, std::abs(next - x(c)));
          x.at(c) = next;
        }
  }
  return sweep;
}

}  // namespace silt
