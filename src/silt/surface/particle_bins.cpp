#include "silt/surface/particle_bins.h"

#include <bit>

#include "silt/core/scan_sort.h"
#include "silt/surface/block_field.h"

namespace silt {
namespace {

/// Particles of a bin and the 26 round it, of 216, with which its middle cannot be hollow.
constexpr int enough = int(0.7 * 27 * 8);

struct Keys {
  Int3 lo, size;  ///< tiles
  std::int64_t of(Int3 bin) const {
    const Int3 tile = Int3{bin.x >> 3, bin.y >> 3, bin.z >> 3} - lo;
    const int local = ((bin.z & 7) * 8 + (bin.y & 7)) * 8 + (bin.x & 7);
    return ((std::int64_t(tile.z) * size.y + tile.y) * size.x + tile.x) * ParticleBins::volume + local;
  }
  Int3 tile(std::int64_t key) const {
    const std::int64_t n = key / ParticleBins::volume;
    return lo + Int3{int(n % size.x), int(n / size.x % size.y), int(n / size.x / size.y)};
  }
  int bits() const { return std::bit_width(std::uint64_t(size.x) * size.y * size.z * ParticleBins::volume); }
};

}  // namespace

ParticleBins::ParticleBins(const Exec& exec, Cloud cloud, float size)
    : cloud_(std::move(cloud)), size_(size), inverse_(1 / size) {
  const std::size_t n = cloud_.count();
  if (n == 0) return;
  const auto range = [](const std::vector<float>& v) { return std::minmax_element(v.begin(), v.end()); };
  const auto x = range(cloud_.x), y = range(cloud_.y), z = range(cloud_.z);
  const Int3 lo = bin_of(Vec3f{*x.first, *y.first, *z.first}), hi = bin_of(Vec3f{*x.second, *y.second, *z.second});
  const Int3 first{lo.x >> 3, lo.y >> 3, lo.z >> 3}, last{hi.x >> 3, hi.y >> 3, hi.z >> 3};
  const Keys keys{first, last - first + Int3{1, 1, 1}};

  Buffer<std::uint64_t> key(n);
  Buffer<std::uint32_t> order(n);
  std::uint64_t* const key_of = key.host();
  std::uint32_t* const order_of = order.host();
#pragma omp parallel for schedule(static) num_threads(exec.threads())
  for (std::int64_t i = 0; i < std::int64_t(n); ++i) {
    const auto p = std::size_t(i);
    key_of[p] = std::uint64_t(keys.of(bin_of(Vec3f{cloud_.x[p], cloud_.y[p], cloud_.z[p]})));
    order_of[p] = std::uint32_t(p);
  }
  sort_by_key(exec, key, order, keys.bits());
  const std::uint32_t* const from = order.host();
  const auto sort = [&]<class T>(std::vector<T>& column) {
    std::vector<T> sorted(n);
#pragma omp parallel for schedule(static) num_threads(exec.threads())
    for (std::int64_t i = 0; i < std::int64_t(n); ++i) sorted[std::size_t(i)] = column[from[i]];
    column = std::move(sorted);
  };
  for (std::vector<float>* column : {&cloud_.x, &cloud_.y, &cloud_.z, &cloud_.u, &cloud_.v, &cloud_.w}) sort(*column);
  sort(cloud_.from), sort(cloud_.image);

  const std::uint64_t* const sorted_key = key.host();
  for (std::size_t i = 0; i < n;) {
    const std::int64_t tile_number = std::int64_t(sorted_key[i]) / volume;
    Tile& t = tiles_.emplace_back();
    t.at = keys.tile(std::int64_t(sorted_key[i]));
    for (int bin = 0; bin < volume; ++bin) {
      t.first[std::size_t(bin)] = std::uint32_t(i);
      while (i < n && std::int64_t(sorted_key[i]) == tile_number * volume + bin) ++i;
    }
    t.first[volume] = std::uint32_t(i);
  }
  find_deep(exec);
}

const ParticleBins::Tile* ParticleBins::tile(Int3 at) const {
  const auto found = std::lower_bound(tiles_.begin(), tiles_.end(), at,
                                      [](const Tile& t, const Int3& b) { return block_before(t.at, b); });
  return found != tiles_.end() && found->at == at ? &*found : nullptr;
}

void ParticleBins::find_deep(const Exec& exec) {
  constexpr int wide = side + 2;
#pragma omp parallel for schedule(dynamic) num_threads(exec.threads())
  for (int n = 0; n < int(tiles_.size()); ++n) {
    Tile& t = tiles_[std::size_t(n)];
    std::array<std::int32_t, wide * wide * wide> count{};
    const Int3 corner = t.at * side, one{1, 1, 1};
    for_tiles(corner - one, corner + Int3{side, side, side}, [&](const Tile& other, Int3 from, Int3 to) {
      const Int3 shift = (other.at - t.at) * side + one;
      for (int z = from.z; z <= to.z; ++z)
        for (int y = from.y; y <= to.y; ++y)
          for (int x = from.x; x <= to.x; ++x) {
            const auto bin = std::size_t((z * side + y) * side + x);
            count[std::size_t(((z + shift.z) * wide + y + shift.y) * wide + x + shift.x)] =
                std::int32_t(other.first[bin + 1] - other.first[bin]);
          }
    });
    for (int z = 0; z < side; ++z)
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
          int sum = 0;
          bool all = true;
          for (int k = 0; k < 27; ++k) {
            const int c = count[std::size_t(((z + k / 9) * wide + y + k / 3 % 3) * wide + x + k % 3)];
            sum += c, all = all && c > 0;
          }
          t.deep[std::size_t((z * side + y) * side + x)] = all && sum >= enough;
        }
  }
}

bool ParticleBins::deep(const Vec3f& lo, const Vec3f& hi) const {
  const Int3 a = bin_of(lo), b = bin_of(hi), size = b - a + Int3{1, 1, 1};
  std::int64_t found = 0;
  for_tiles(a, b, [&](const Tile& t, Int3 from, Int3 to) {
    for (int z = from.z; z <= to.z; ++z)
      for (int y = from.y; y <= to.y; ++y)
        for (int x = from.x; x <= to.x; ++x) found += t.deep[std::size_t((z * side + y) * side + x)];
  });
  return found == std::int64_t(size.x) * size.y * size.z;
}

}  // namespace silt
