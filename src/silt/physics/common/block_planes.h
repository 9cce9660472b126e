#pragma once

#include "silt/core/packed.h"
#include "silt/core/vec.h"
#include "silt/fields/region.h"

/// A plane for every block of cells, which stands for the liquid's surface near there. For KERNELS sources.
namespace silt {

/// The plane that stands for the liquid's surface near a block of cells: phi = normal . x + level, x from the block's
/// middle [cells]. Without a normal there is none.
struct BlockPlane {
  Vec3f normal;
  float level;
};

/// Blocks of cells, over which normals are added up.
struct Blocks {
  static constexpr int side = 4;
  Box box;      ///< of blocks
  Int3 period;  ///< how many of them a periodic domain has; 0: not periodic
  Packed at{box};

  Blocks(const Box& cells, Int3 active, Int3 cells_in_period)
      : box{of(cells.lo), of(cells.hi - Int3{1, 1, 1}) + Int3{1, 1, 1}} {
    at = Packed{box};
    for (int a = 0; a < 3; ++a) period[a] = active[a] && cells_in_period[a] ? box.hi[a] - box.lo[a] : 0;
  }
  SILT_HD static Vec3f from_middle(Cell c, Int3 block) {
    return (c - block * side).as<float>() - Vec3f{1, 1, 1} * (0.5f * float(side - 1));
  }
  SILT_HD static Int3 of(Cell c) { return {floor_div(c.x, side), floor_div(c.y, side), floor_div(c.z, side)}; }
  SILT_HD Int3 wrapped(Int3 block) const {
    for (int a = 0; a < 3; ++a)
      if (period[a]) block[a] += block[a] < box.lo[a] ? period[a] : block[a] >= box.hi[a] ? -period[a] : 0;
    return block;
  }
};

/// The plane of a cell's block.
struct PlaneNear {
  Blocks blocks;
  const BlockPlane* planes;

  SILT_HD bool normal(Cell c, Vec3f& n) const {
    n = planes[blocks.at(blocks.of(c))].normal;
    return dot(n, n) > 0;
  }
  SILT_HD float phi(Cell c) const {
    const Int3 block = blocks.of(c);
    const BlockPlane& plane = planes[blocks.at(block)];
    return plane.level + dot(plane.normal, blocks.from_middle(c, block));
  }
};

}  // namespace silt
