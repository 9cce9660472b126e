#include "silt/physics/common/domain_round.h"

#include <algorithm>
#include <bit>

#include "silt/fields/layout.h"

namespace silt {
namespace {

/// What the ends of a box are multiples of [cells]: whole tiles, and more of them for a large box, so that one
/// that grows seldom needs memory anew. Cells that it has too many cost little: they are far from all particles.
int box_step(int size) {
  return tile_size * int(std::bit_floor(unsigned(std::max(1, size / (8 * tile_size)))));
}

}  // namespace

Domain domain_round(const Domain& scene, const Box& particles, int margin) {
  Box cells = scene.cells;
  for (int a = 0; a < 3; ++a) {
    if (!scene.lattice.active[a] || scene.periodic(a)) continue;
    if (particles.empty()) {
      cells.hi[a] = cells.lo[a] + 1;
      continue;
    }
    const int lo = particles.lo[a] - margin, hi = particles.hi[a] + margin, step = box_step(hi - lo);
    cells.lo[a] = floor_div(lo, step) * step;
    cells.hi[a] = -floor_div(-hi, step) * step;
    if (scene.side(a, 0) == Side::wall) cells.lo[a] = std::max(cells.lo[a], scene.cells.lo[a]);
    if (scene.side(a, 1) == Side::wall) cells.hi[a] = std::min(cells.hi[a], scene.cells.hi[a]);
  }
  return part_of(scene, cells);
}

Domain part_of(const Domain& scene, const Box& cells) {
  Domain out = scene;
  out.cells = cells;
  for (int a = 0; a < 3; ++a) {
    if (!out.lattice.active[a] || scene.periodic(a)) continue;
    if (cells.lo[a] != scene.cells.lo[a]) out.sides[a][0] = Side::open;
    if (cells.hi[a] != scene.cells.hi[a]) out.sides[a][1] = Side::open;
  }
  return out;
}

}  // namespace silt
