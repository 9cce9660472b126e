#include "silt/surface/solid.h"

#include <algorithm>
#include <cmath>

namespace silt {

Solid::Solid(const Frame& frame) : lattice_(frame.domain.lattice), far_(float(3 * frame.domain.lattice.h)) {
  for (const Volume& volume : frame.volumes)
    if (volume.name == "solid" && volume.kind == Volume::Kind::level_set) parts_.push_back(&volume);
  const auto reached = [](const Volume* v) {
    return std::any_of(v->values.begin(), v->values.end(), [&](float d) { return d < v->background; });
  };
  if (!parts_.empty()) far_ = parts_.front()->background;
  std::erase_if(parts_, [&](const Volume* v) { return !reached(v); });
}

float Solid::at(Cell c) const {
  for (const Volume* part : parts_)
    if (part->cells.contains(c)) return part->values[part->index(c)];
  // Beyond the domain as at its nearest cell: an obstacle that touches a side goes on there.
  const Box& cells = parts_.front()->cells;
  const Cell near = max(cells.lo, min(c, cells.hi - Int3{1, 1, 1}));
  return parts_.size() == 1 ? parts_.front()->values[parts_.front()->index(near)] : far_;
}

double Solid::distance(const Vec3d& x) const {
  if (none()) return far_;
  const Vec3d p = lattice_.to_cells(x) - Vec3d{0.5, 0.5, 0.5};
  const Cell c{int(std::floor(p.x)), int(std::floor(p.y)), int(std::floor(p.z))};
  const Vec3d t = p - c.as<double>();
  double sum = 0;
  for (int n = 0; n < 8; ++n) {
    const Int3 step{n & 1, n >> 1 & 1, n >> 2 & 1};
    double weight = 1;
    for (int a = 0; a < 3; ++a) weight *= step[a] ? t[a] : 1 - t[a];
    sum += weight * at(c + step);
  }
  return sum;
}

Vec3d Solid::normal(const Vec3d& x) const {
  Vec3d slope;
  for (int a = 0; a < 3; ++a) {
    const Vec3d step = unit(a).as<double>() * (0.5 * lattice_.h);
    slope[a] = distance(x + step) - distance(x - step);
  }
  return normalized(slope);
}

}  // namespace silt
