#include "silt/surface/level_set_file.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/Prune.h>
#include <openvdb/tools/SignedFloodFill.h>

#include <algorithm>
#include <cmath>

#include "silt/cache/vdb_archive.h"
#include "silt/surface/voxel_velocities.h"

namespace silt {
namespace {

using Tree = openvdb::FloatTree;
using Leaf = Tree::LeafNodeType;
using VectorLeaf = openvdb::Vec3fTree::LeafNodeType;
static_assert(Leaf::DIM == BlockField::side);

openvdb::Coord coord(Int3 v) {
  return {v.x, v.y, v.z};
}
openvdb::Vec3i vec3i(Int3 v) {
  return {v.x, v.y, v.z};
}

/// OpenVDB's leaves have z fastest.
Leaf* make_leaf(Int3 at, const float* phi, float h, float background) {
  Leaf* const leaf = new Leaf(coord(at * BlockField::side), background, false);
  for (int v = 0; v < BlockField::volume; ++v) {
    const openvdb::Index i = Leaf::coordToOffset({v % 8, v / 8 % 8, v / 64});
    const float value = phi[v] * h;
    leaf->setValueOnly(i, std::clamp(value, -background, background));
    if (std::abs(value) < background) leaf->setValueOn(i);
  }
  return leaf;
}

/// Velocities are kept where somebody near the surface may ask for them.
VectorLeaf* make_leaf(Int3 at, const float* phi, const Vec3f* velocity) {
  VectorLeaf* const leaf = new VectorLeaf(coord(at * BlockField::side), openvdb::Vec3f(0), false);
  for (int v = 0; v < BlockField::volume; ++v)
    if (std::abs(phi[v]) < velocity_band)
      leaf->setValueOn(VectorLeaf::coordToOffset({v % 8, v / 8 % 8, v / 64}),
                       openvdb::Vec3f(velocity[v].x, velocity[v].y, velocity[v].z));
  return leaf;
}

void describe(openvdb::GridBase& grid, const char* kind, const char* unit, float background, const Box& voxels) {
  grid.insertMeta("silt_kind", openvdb::StringMetadata(kind));
  grid.insertMeta("silt_unit", openvdb::StringMetadata(unit));
  grid.insertMeta("silt_background", openvdb::FloatMetadata(background));
  grid.insertMeta("silt_cells_lo", openvdb::Vec3IMetadata(vec3i(voxels.lo)));
  grid.insertMeta("silt_cells_hi", openvdb::Vec3IMetadata(vec3i(voxels.hi)));
}

/// As volumes have it: "velocity", and once more under Houdini's name; the file has the numbers once.
void add_velocity(const BlockField& field, const Box& voxels, std::vector<AnyGrid>& grids) {
  const auto grid = openvdb::Vec3fGrid::create(openvdb::Vec3f(0));
  for (int slot = 0; slot < field.slots(); ++slot)
    grid->tree().addLeaf(make_leaf(field.at[std::size_t(slot)], field.block(slot),
                                   field.velocities.data() + std::size_t(slot) * BlockField::volume));
  openvdb::tools::pruneInactive(grid->tree());
  grid->setName("velocity");
  grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
  describe(*grid, "vector", "m/s", 0, voxels);
  const openvdb::GridBase::Ptr alias = grid->copyGrid();
  alias->setName("vel");
  alias->insertMeta("silt_alias_of", openvdb::StringMetadata("velocity"));
  grids.push_back(std::static_pointer_cast<openvdb::GridBase>(grid));
  grids.push_back(alias);
}

}  // namespace

Bytes encode_level_set(const Frame& frame, std::string_view material, const BlockField& field) {
  return guarded(str("the surface of ", material, " cannot be written"), [&] {
    const float h = float(field.lattice.h), background = field.outside * h;
    const auto grid = openvdb::FloatGrid::create(background);
    Int3 lo{}, hi{};
    for (int slot = 0; slot < field.slots(); ++slot) {
      const Int3 at = field.at[std::size_t(slot)];
      grid->tree().addLeaf(make_leaf(at, field.block(slot), h, background));
      lo = slot ? min(lo, at) : at, hi = slot ? max(hi, at + Int3{1, 1, 1}) : at + Int3{1, 1, 1};
    }
    for (const Int3& at : field.full)
      grid->tree().addLeaf(new Leaf(coord(at * BlockField::side), field.inside * h, false));
    openvdb::tools::signedFloodFill(grid->tree());
    grid->setName("surface");
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    const Box voxels{lo * BlockField::side, hi * BlockField::side};
    describe(*grid, "level_set", "m", background, voxels);
    std::vector<AnyGrid> grids{std::static_pointer_cast<openvdb::GridBase>(grid)};
    // Without any liquid there are the same grids as in other frames, empty.
    if (!field.velocities.empty() || field.slots() == 0) add_velocity(field, voxels, grids);
    Frame of_voxels;
    of_voxels.number = frame.number, of_voxels.time = frame.time;
    of_voxels.domain = frame.domain;
    of_voxels.domain.lattice = field.lattice;
    const Vec3d size = (frame.domain.upper() - frame.domain.lower()) / field.lattice.h;
    of_voxels.domain.cells =
        Cells(Box{{0, 0, 0}, {int(std::ceil(size.x)), int(std::ceil(size.y)), int(std::ceil(size.z))}});
    return write_vdb(of_voxels, material, grids);
  });
}

}  // namespace silt
