#include "silt/surface/cut.h"

#include <algorithm>

namespace silt {

Cut::Cut(const Domain& domain, const Lattice& voxels, const Solid& solid)
    : voxels_(voxels), lo_(voxels.to_cells(domain.lower())), hi_(voxels.to_cells(domain.upper())), solid_(solid) {}

bool Cut::near(Int3 block) const {
  const Vec3d lo = (block * 8).as<double>() - Vec3d{1, 1, 1}, hi = lo + Vec3d{10, 10, 10};
  for (int a = 0; a < 3; ++a)
    if (lo[a] < lo_[a] || hi[a] > hi_[a]) return true;
  constexpr double half_diagonal = 5 * 1.7320508;
  return !solid_.none() &&
         solid_.distance(voxels_.origin + (lo + Vec3d{5, 5, 5}) * voxels_.h) < half_diagonal * voxels_.h;
}

void Cut::apply(const Exec& exec, BlockField& field) const {
#pragma omp parallel for schedule(dynamic, 16) num_threads(exec.threads())
  for (int slot = 0; slot < field.slots(); ++slot) {
    const Int3 corner = field.at[std::size_t(slot)] * 8;
    if (!near(field.at[std::size_t(slot)])) continue;
    float* phi = field.block(slot);
    const Vec3d middle = voxels_.origin + (corner.as<double>() + Vec3d{4, 4, 4}) * voxels_.h;
    const bool solid_near = !solid_.none() && solid_.distance(middle) < 9 * voxels_.h;
    for (int z = 0; z < 8; ++z)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x, ++phi) {
          const Vec3d at = (corner + Int3{x, y, z}).as<double>() + Vec3d{0.5, 0.5, 0.5};
          double beyond = -1e9;
          for (int a = 0; a < 3; ++a) beyond = std::max({beyond, lo_[a] - at[a], at[a] - hi_[a]});
          if (solid_near) beyond = std::max(beyond, -solid_.distance(voxels_.origin + at * voxels_.h) / voxels_.h);
          *phi = std::max(*phi, float(beyond));
        }
  }
}

}  // namespace silt
