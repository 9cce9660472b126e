#include "silt/physics/sand/packing.h"

#include <bit>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/wrap.h"
#include "silt/physics/common/crowd_kernel.h"
#include "silt/physics/sand/wall_sides.h"

namespace silt {
namespace {

/// A bit for each half-cell, that of the lower ones first, x fastest.
struct MarkHalves {
  CellRanges::View ranges;
  ParticleView particles;
  View<unsigned char> out;
  SILT_HD void operator()(Cell c) const {
    unsigned bits = 0;
    const std::uint32_t end = ranges.last(c);
    for (std::uint32_t i = ranges.first(c); i < end; ++i) {
      const Vec3f at = particles.offset_at(i);
      const int x = at.x >= 0.5f, y = particles.offset[1] && at.y >= 0.5f, z = particles.offset[2] && at.z >= 0.5f;
      bits |= 1u << (x + 2 * y + 4 * z);
    }
    out(c) = (unsigned char)bits;
  }
};

struct CloseHalves {
  int dims;
  Int3 active;
  float h;
  WallSides walls;
  View<const unsigned char> halves;
  View<const float> distance;
  View<float> part;

  /// From solids, in the middle of half-cell n.
  SILT_HD float distance_of(Cell c, int n) const {
    float middle = 0;
    for (int k = 0; k < (1 << dims); ++k) {
      float weight = 1;
      for (int a = 0; a < dims; ++a) weight *= (k >> a & 1) == (n >> a & 1) ? 0.75f : 0.25f;
      middle += weight * distance(c + Int3{k & 1, k >> 1 & 1, k >> 2 & 1} * active);
    }
    return middle;
  }
  /// The part of half-cell n that lies outside of solids, as if their surface were flat there.
  SILT_HD float outside(Cell c, int n) const {
    const float open = 0.5f + distance_of(c, n) / (0.5f * h);
    return open < 0 ? 0 : open > 1 ? 1 : open;
  }
  /// Whether half-cell n of c, one of a wall or of a cell beyond it too, is solid.
  SILT_HD bool solid(Cell c, int n, bool near_solid) const {
    bool beyond = false;
    for (int a = 0; a < dims; ++a) beyond |= walls.beyond(a, c);
    return beyond || (near_solid && distance_of(c, n) < 0);
  }
  SILT_HD void operator()(Cell c) const {
    const unsigned here = halves(c);
    unsigned closed = here;
    const int count = 1 << dims;
    const bool near_solid = distance(c) < 2 * h;
    for (int n = 0; n < count; ++n) {
      if (here >> n & 1) continue;
      int beside = 0;
      bool between = false;
      for (int a = 0; a < dims; ++a) {
        const int bit = 1 << a, other = n ^ bit;  // the half beside it in this cell, and in the cell next to it
        const Cell next = n & bit ? c + unit(a) : c - unit(a);
        const bool in_this = here >> other & 1, in_next = halves(next) >> other & 1;
        beside += in_this + in_next;
        between |= (in_this && solid(next, other, near_solid)) || (in_next && solid(c, other, near_solid));
      }
      if (beside >= dims || between) closed |= 1u << n;
    }
    float taken = 0;
    for (int n = 0; n < count; ++n)
      if (closed >> n & 1) taken += near_solid ? outside(c, n) : 1.0f;
    part(c) = taken / float(count);
  }
};

struct FindFraction {
  CrowdKernel kernel;
  MacView<const float> weight;
  int dims;
  View<const float> part, capacity;
  View<float> fraction, fullness;
  SILT_HD void operator()(Cell c) const {
    constexpr float least = 0.05f;  // of room: too little to judge
    float sum = 0;
    for (int a = 0; a < dims; ++a) sum += weight[a](c) + weight[a](c + unit(a));
    const float crowd = sum / float(2 * dims * (1 << dims));
    const float taken = kernel.sum([&](Int3 d) { return part(c + d); });
    fraction(c) = taken > least ? crowd / taken : 0.0f;
    fullness(c) = capacity(c) > least ? crowd / capacity(c) : 0.0f;
  }
};

}  // namespace

void find_packing(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                  const MacField<float>& weight, const Field<float>& distance, const Field<float>& capacity,
                  Packing& out) {
  const int dims = domain.lattice.dims();
  const Domain bare = bare_sides(domain);  // there is nothing beyond walls
  const HaloRule nothing{.open_repeats = false, .open_value = 0};
  for_each_cell(exec, "sand.halves", domain.cells,
                MarkHalves{ranges.read(exec), read(exec, particles), out.halves.update(exec)});
  fill_halo(exec, bare, domain.cells, nothing, out.halves);
  const CloseHalves kernel{dims,
                           domain.lattice.active,
                           float(domain.lattice.h),
                           WallSides(domain),
                           std::as_const(out.halves).read(exec),
                           distance.read(exec),
                           out.part.update(exec)};
  for_each_cell(exec, "sand.close", domain.cells, kernel);
  fill_halo(exec, bare, domain.cells, nothing, out.part);
  for_each_cell(
      exec, "sand.fraction", domain.cells,
      FindFraction{CrowdKernel(domain.lattice.active), weight.read(exec), dims, std::as_const(out.part).read(exec),
                   capacity.read(exec), out.fraction.update(exec), out.fullness.update(exec)});
}

}  // namespace silt
