#pragma once

#include "silt/core/vec.h"
#include "silt/fields/cut_cells.h"
#include "silt/fields/field.h"
#include "silt/fields/particle_sort.h"
#include "silt/fields/surface_of_particles.h"
#include "silt/physics/common/block_planes.h"

namespace silt {

/// What the level set of a block of cells says of the surface: weighted sums over the cells that it passes. Lengths in
/// cells, places from the block's middle.
struct BlockSurface {
  Vec3f slope, slope_weight;  ///< along each axis by itself
  Vec3f place;
  float phi = 0, weight = 0;
  bool asked = false;  ///< a solid is near
};

/// Scratch of surface_beside_solids, kept from one step to the next; made when it is asked for.
struct BesideSolidsScratch {
  Field<unsigned char> marks;
  Field<std::uint32_t> steps;
  Buffer<BlockSurface> surfaces;
  Buffer<BlockPlane> planes;
};

/// Mends a level set of particles (surface_of_particles.h) beside solids, and carries it on into them.
///
/// Within reach of the particles' kernel from a solid some of the neighbours are missing, and phi is wrong; inside
/// there are none. So the liquid goes on into the solid as it is beside it: the part of a cell that is solid holds
/// copies of the particles of the nearest whole cell, found by a walk away from the solid *along the liquid's surface*,
///   t = m - (m . n) n,   m the solid's normal, n the liquid's near there,
/// and copies keep their height above the surface. A surface thus meets a solid at whatever angle it comes, and a flat
/// one stays flat. A walk along the solid's own normal would bend every surface to meet the solid at a right angle: on
/// a slope the waterline would be off by half a cell at any resolution, and still water would never be still.
///
/// Where no surface is near, or the solid lies along it, cells inside the solid take the value half a cell outside it;
/// and cells are liquid whose room, with that round them, is nearly full of particles, or that lie beside deep liquid:
/// the tip of a wedge has room for less than one particle, and would be a hole in the bottom.
///   cut       the solids, with halos
///   capacity  see capacity.h
///   out       any cells
void surface_beside_solids(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                           const SurfaceOptions& options, const CutCells& cut, const Field<float>& capacity,
                           BesideSolidsScratch& scratch, Field<float>& phi, Field<float>& out);

}  // namespace silt
