#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "silt/core/exec.h"
#include "silt/surface/cloud.h"

namespace silt {

/// Particles sorted into cubes of a cell each, those of a cube one after the other, so that what lies near a place is
/// found at once. Cubes come in tiles of 8^3, and only tiles that hold something exist. The order is that of the
/// cubes, and within one that of the cloud: the same for any number of threads.
class ParticleBins {
 public:
  static constexpr int side = 8, volume = side * side * side;

  struct Tile {
    Int3 at;                                      ///< in tiles
    std::array<std::uint32_t, volume + 1> first;  ///< of each bin's particles, x fastest; then the last one's end
    std::array<bool, volume> deep;                ///< with enough of them on all sides: no surface comes near
  };

  /// `size`: of a bin, in voxels.
  ParticleBins(const Exec& exec, Cloud cloud, float size);

  float size() const { return size_; }
  const Cloud& cloud() const { return cloud_; }
  const std::vector<Tile>& tiles() const { return tiles_; }
  const Tile* tile(Int3 at) const;
  Int3 bin_of(const Vec3f& x) const { return {bin_of(x.x), bin_of(x.y), bin_of(x.z)}; }
  int bin_of(float x) const { return int(std::floor(x * inverse_)); }

  /// visit(first, last) for the particles of all bins that a box of voxels touches, in runs along x.
  template <class Visit>
  void for_runs(const Vec3f& lo, const Vec3f& hi, const Visit& visit) const {
    const Int3 a = bin_of(lo), b = bin_of(hi);
    for_tiles(a, b, [&](const Tile& t, Int3 from, Int3 to) {
      for (int z = from.z; z <= to.z; ++z)
        for (int y = from.y; y <= to.y; ++y) {
          const int row = (z * side + y) * side;
          const std::uint32_t first = t.first[std::size_t(row + from.x)], last = t.first[std::size_t(row + to.x + 1)];
          if (first < last) visit(first, last);
        }
    });
  }
  /// Whether all bins that a box of voxels touches are deep.
  bool deep(const Vec3f& lo, const Vec3f& hi) const;

 private:
  /// visit(tile, first bin, last bin) for the part of a box of bins in each tile there is.
  template <class Visit>
  void for_tiles(Int3 a, Int3 b, const Visit& visit) const {
    const auto down = [](int n) { return n >> 3; };
    for (int z = down(a.z); z <= down(b.z); ++z)
      for (int y = down(a.y); y <= down(b.y); ++y)
        for (int x = down(a.x); x <= down(b.x); ++x)
          if (const Tile* t = tile({x, y, z})) {
            const Int3 corner = Int3{x, y, z} * side;
            visit(*t, max(a - corner, Int3{}), min(b - corner, Int3{side - 1, side - 1, side - 1}));
          }
  }
  void find_deep(const Exec& exec);

  Cloud cloud_;
  float size_, inverse_;
  std::vector<Tile> tiles_;  ///< by z, y, x
};

}  // namespace silt
