#include "silt/surface/level_set_file.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/SignedFloodFill.h>

#include <algorithm>
#include <cmath>

#include "silt/cache/vdb_archive.h"

namespace silt {
namespace {

using Tree = openvdb::FloatTree;
using Leaf = Tree::LeafNodeType;
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
    grid->insertMeta("silt_kind", openvdb::StringMetadata("level_set"));
    grid->insertMeta("silt_unit", openvdb::StringMetadata("m"));
    grid->insertMeta("silt_background", openvdb::FloatMetadata(background));
    grid->insertMeta("silt_cells_lo", openvdb::Vec3IMetadata(vec3i(lo * BlockField::side)));
    grid->insertMeta("silt_cells_hi", openvdb::Vec3IMetadata(vec3i(hi * BlockField::side)));
    Frame of_voxels;
    of_voxels.number = frame.number, of_voxels.time = frame.time;
    of_voxels.domain = frame.domain;
    of_voxels.domain.lattice = field.lattice;
    const Vec3d size = (frame.domain.upper() - frame.domain.lower()) / field.lattice.h;
    of_voxels.domain.cells =
        Cells(Box{{0, 0, 0}, {int(std::ceil(size.x)), int(std::ceil(size.y)), int(std::ceil(size.z))}});
    return write_vdb(of_voxels, material, {std::static_pointer_cast<openvdb::GridBase>(grid)});
  });
}

}  // namespace silt
