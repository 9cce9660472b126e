#include "silt/render/derived.h"

#include "silt/fields/joined_volume.h"

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

std::optional<Frame> with_joined_boxes(const Frame& frame) {
  Frame joined;
  joined.number = frame.number, joined.time = frame.time, joined.domain = frame.domain;
  std::vector<std::vector<const Volume*>> parts;  // of each volume of `joined`
  for (const Volume& v : frame.volumes) {
    std::size_t i = 0;
    while (i < parts.size() && (parts[i].front()->name != v.name || parts[i].front()->material != v.material)) ++i;
    if (i == parts.size())
      parts.emplace_back(), joined.volumes.push_back({v.material, v.name, v.kind, v.unit, v.cells, v.background, {}});
    parts[i].push_back(&v);
    joined.volumes[i].cells = hull(joined.volumes[i].cells, v.cells);
  }
  if (parts.size() == frame.volumes.size()) return {};
  joined.points = frame.points, joined.meshes = frame.meshes, joined.bodies = frame.bodies;
  const Box seen = grow(frame.domain.cells, frame.domain.cells.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Volume& whole = joined.volumes[i];
    whole = joined_volume(parts[i], intersect(whole.cells, seen));
  }
  return joined;
}

}  // namespace silt
