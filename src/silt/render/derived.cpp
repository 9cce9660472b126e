#include "silt/render/derived.h"

namespace silt {

namespace {

/// d(component)/d(axis) at a cell.
double slope(const Frame& frame, const Volume& velocity, Cell c, int axis, int component) {
  const Box& box = velocity.cells;
  const int n = box.hi[axis] - box.lo[axis];
  if (n < 2) return 0;
  const bool wraps = frame.domain.side(axis, 0) == Side::periodic;
  Cell low = c - unit(axis), high = c + unit(axis);
  int steps = 2;
  if (low[axis] < box.lo[axis]) wraps ? low[axis] += n : (low = c, --steps, 0);
  if (high[axis] >= box.hi[axis]) wraps ? high[axis] -= n : (high = c, --steps, 0);
  return (double(velocity.at(high, component)) - velocity.at(low, component)) / (steps * frame.domain.lattice.h);
}

}  // namespace

Volume vorticity_of(const Frame& frame, const Volume& velocity) {
  Volume out{velocity.material, "vorticity", Volume::Kind::fog, "1/s", velocity.cells, 0, {}};
  const Box& b = out.cells;
  out.values.reserve(std::size_t(b.count()));
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) {
        const Cell c{x, y, z};
        out.values.push_back(float(slope(frame, velocity, c, 0, 1) - slope(frame, velocity, c, 1, 0)));
      }
  return out;
}

}  // namespace silt
