#include "silt/surface/volume_sampler.h"

#include <cmath>

namespace silt {

VolumeSampler::VolumeSampler(const Frame& frame, std::string_view name, Volume::Kind kind, std::string_view material)
    : lattice_(frame.domain.lattice), cells_{frame.domain.cells.lo, frame.domain.cells.hi} {
  for (const Volume& v : frame.volumes)
    if (v.name == name && v.kind == kind && (material.empty() || v.material == material) && !v.cells.empty())
      parts_.push_back(&v);
}

float VolumeSampler::at_cell(Cell c, int component) const {
  c = max(cells_.lo, min(c, cells_.hi - Int3{1, 1, 1}));
  for (const Volume* part : parts_)
    if (part->cells.contains(c)) return part->values[part->index(c) + std::size_t(component)];
  return background();
}

double VolumeSampler::at(const Vec3d& x, int component) const {
  const Vec3d p = lattice_.to_cells(x) - Vec3d{0.5, 0.5, 0.5};
  const Cell c{int(std::floor(p.x)), int(std::floor(p.y)), int(std::floor(p.z))};
  const Vec3d t = p - c.as<double>();
  const auto mix = [](double from, double to, double part) { return from + part * (to - from); };
  const auto between = [&](const auto& value) {  // of the eight centres round x
    const auto row = [&](int y, int z) { return mix(value(0, y, z), value(1, y, z), t.x); };
    return mix(mix(row(0, 0), row(1, 0), t.y), mix(row(0, 1), row(1, 1), t.y), t.z);
  };
  for (const Volume* part : parts_) {
    if (!part->cells.contains(c) || !part->cells.contains(c + Int3{1, 1, 1})) continue;
    const float* low = part->values.data() + part->index(c) + component;
    const Int3 size = part->cells.size();
    const auto m = std::size_t(part->components());
    return between([&](int i, int j, int k) {
      return double(
          low[m * (std::size_t(i) + std::size_t(size.x) * (std::size_t(j) + std::size_t(size.y) * std::size_t(k)))]);
    });
  }
  return between([&](int i, int j, int k) { return double(at_cell(c + Int3{i, j, k}, component)); });
}

}  // namespace silt
