#include "silt/cache/volume_file.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/Count.h>
#include <openvdb/tools/Dense.h>
#include <openvdb/tools/Prune.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <sstream>

#include "silt/cache/points_file.h"
#include "silt/cache/vdb_archive.h"

namespace silt {
namespace {

constexpr float band = 3;  ///< half width of a level set's band [cells]
constexpr int leaf_size = 8;
constexpr double most_cells = 8e9;  ///< 2000^3

openvdb::Coord coord(Cell c) {
  return {c.x, c.y, c.z};
}
openvdb::Vec3i vec3i(Int3 v) {
  return {v.x, v.y, v.z};
}
Int3 int3(const openvdb::Vec3i& v) {
  return {v.x(), v.y(), v.z()};
}

// --- Trees from dense arrays
// -------------------------------------------------------------------------------------------

/// How the values of a volume become the values of a grid, and which of them are kept.
struct FogRule {
  using Value = float;
  using Grid = openvdb::FloatGrid;
  float outside, tolerance;
  Value background() const { return outside; }
  Value value(const Volume& volume, std::size_t i) const { return volume.values[i]; }
  /// A NaN is kept, so that it can be seen.
  bool active(Value v) const { return !(std::abs(v - outside) <= tolerance); }
  Value inactive(Value) const { return outside; }
};

struct LevelSetRule {
  using Value = float;
  using Grid = openvdb::FloatGrid;
  float width;
  Value background() const { return width; }
  Value value(const Volume& volume, std::size_t i) const { return volume.values[i]; }
  bool active(Value v) const { return !(std::abs(v) >= width); }
  Value inactive(Value v) const { return v < 0 ? -width : width; }
};

struct VectorRule {
  using Value = openvdb::Vec3f;
  using Grid = openvdb::Vec3fGrid;
  float outside, tolerance;
  Value background() const { return Value(outside); }
  Value value(const Volume& volume, std::size_t i) const {
    const float* v = volume.values.data() + 3 * i;
    return {v[0], v[1], v[2]};
  }
  bool active(const Value& v) const {
    return !(std::abs(v[0] - outside) <= tolerance && std::abs(v[1] - outside) <= tolerance &&
             std::abs(v[2] - outside) <= tolerance);
  }
  Value inactive(const Value&) const { return Value(outside); }
};

/// The boxes of one volume, in the frame's order.
using Parts = std::vector<const Volume*>;

/// A leaf's 8^3 voxels, and one of the boxes that have some of them.
struct Touch {
  Cell origin;
  const Volume* part;
};

/// What every leaf needs of every box, sorted by leaf.
std::vector<Touch> touches_of(const Parts& parts) {
  std::vector<Touch> touches;
  for (const Volume* part : parts) {
    if (part->cells.empty()) continue;
    const Int3 last = part->cells.hi - Int3{1, 1, 1};
    Int3 from, to;
    for (int a = 0; a < 3; ++a) from[a] = part->cells.lo[a] & ~(leaf_size - 1), to[a] = last[a] & ~(leaf_size - 1);
    for (int z = from.z; z <= to.z; z += leaf_size)
      for (int y = from.y; y <= to.y; y += leaf_size)
        for (int x = from.x; x <= to.x; x += leaf_size) touches.push_back({{x, y, z}, part});
  }
  const auto key = [](const Touch& t) { return std::array{t.origin.z, t.origin.y, t.origin.x}; };
  if (parts.size() > 1)
    std::stable_sort(touches.begin(), touches.end(), [&](const Touch& a, const Touch& b) { return key(a) < key(b); });
  return touches;
}

/// One leaf's touches: first <= i < last.
struct LeafRange {
  std::size_t first, last;
};

std::vector<LeafRange> leaves_of(const std::vector<Touch>& touches) {
  std::vector<LeafRange> leaves;
  for (std::size_t i = 0; i < touches.size(); ++i)
    if (leaves.empty() || !(touches[leaves.back().first].origin == touches[i].origin))
      leaves.push_back({i, i + 1});
    else
      leaves.back().last = i + 1;
  return leaves;
}

/// One leaf node, or what uniform inactive value stands for all of it.
template <class Rule>
struct Block {
  typename Rule::Grid::TreeType::LeafNodeType* leaf = nullptr;
  typename Rule::Value uniform;
};

/// A leaf's values while it is made.
template <class Rule>
struct LeafValues {
  using Leaf = typename Rule::Grid::TreeType::LeafNodeType;
  using Value = typename Rule::Value;
  std::array<Value, Leaf::SIZE> values;
  typename Leaf::NodeMaskType mask;

  void add(const Rule& rule, Cell origin, const Volume& part) {
    const Box inside = intersect({origin, origin + Int3{leaf_size, leaf_size, leaf_size}}, part.cells);
    const Int3 n = part.cells.size();
    for (int z = inside.lo.z; z < inside.hi.z; ++z)
      for (int y = inside.lo.y; y < inside.hi.y; ++y) {
        const Int3 d = Cell{inside.lo.x, y, z} - part.cells.lo;
        std::size_t i = (std::size_t(d.z) * n.y + d.y) * n.x + d.x;
        std::size_t o = std::size_t(((inside.lo.x - origin.x) * leaf_size + y - origin.y) * leaf_size + z - origin.z);
        for (int x = inside.lo.x; x < inside.hi.x; ++x, ++i, o += leaf_size * leaf_size) {
          const Value v = rule.value(part, i);
          const bool active = rule.active(v);
          values[o] = active ? v : rule.inactive(v);
          if (active) mask.setOn(openvdb::Index32(o));
        }
      }
  }
};

template <class Rule>
Block<Rule> make_block(const Rule& rule, const Touch* first, const Touch* last) {
  using Value = typename Rule::Value;
  LeafValues<Rule> made;
  made.values.fill(rule.background());
  for (const Touch* touch = first; touch != last; ++touch) made.add(rule, touch->origin, *touch->part);
  const auto& values = made.values;
  if (made.mask.isOff() && std::all_of(values.begin(), values.end(), [&](const Value& v) { return v == values[0]; }))
    return {nullptr, values[0]};
  Block<Rule> block;
  block.leaf = new typename LeafValues<Rule>::Leaf(coord(first->origin), rule.background(), false);
  std::copy(values.begin(), values.end(), block.leaf->buffer().data());
  block.leaf->setValueMask(made.mask);
  return block;
}

/// Blocks are made in parallel, then hung into the tree one after the other: that is only pointers.
template <class Rule>
typename Rule::Grid::Ptr make_grid(const Rule& rule, const Parts& parts) {
  auto grid = Rule::Grid::create(rule.background());
  const std::vector<Touch> touches = touches_of(parts);
  const std::vector<LeafRange> leaves = leaves_of(touches);
  std::vector<Block<Rule>> made(leaves.size());
  tbb::parallel_for(std::size_t(0), made.size(), [&](std::size_t n) {
    made[n] = make_block(rule, touches.data() + leaves[n].first, touches.data() + leaves[n].last);
  });
  auto& tree = grid->tree();
  for (std::size_t n = 0; n < made.size(); ++n) {
    if (made[n].leaf)
      tree.addLeaf(made[n].leaf);
    else if (!(made[n].uniform == rule.background()))
      tree.addTile(1, coord(touches[leaves[n].first].origin), made[n].uniform, false);
  }
  openvdb::tools::prune(tree);  // blocks of one and the same value become tiles
  return grid;
}

// --- Writing
// -----------------------------------------------------------------------------------------------------------

std::string_view kind_name(Volume::Kind kind) {
  return kind == Volume::Kind::fog ? "fog" : kind == Volume::Kind::level_set ? "level_set" : "vector";
}

Volume::Kind parse_kind(const std::string& name) {
  if (name == "fog") return Volume::Kind::fog;
  if (name == "level_set") return Volume::Kind::level_set;
  if (name == "vector") return Volume::Kind::vector;
  throw IoError(str("unknown kind of volume '", name, "'"));
}

/// One grid for all the boxes of a volume.
openvdb::GridBase::Ptr make_grid(const Parts& parts, double h, const VolumeFileOptions& options) {
  const Volume& first = *parts.front();
  for (const Volume* part : parts) {
    if (part->values.size() != std::size_t(part->cells.count()) * part->components())
      throw Error(str("volume '", part->name, "' has ", part->values.size(), " values on ", part->cells));
    if (part->kind != first.kind || !(part->background == first.background))
      throw Error(str("the boxes of volume '", part->name, "' are of different kinds, or have other backgrounds"));
  }
  switch (first.kind) {
    case Volume::Kind::level_set: {
      auto grid = make_grid(LevelSetRule{float(band * h)}, parts);
      grid->setGridClass(openvdb::GRID_LEVEL_SET);
      return grid;
    }
    case Volume::Kind::vector: {
      auto grid = make_grid(VectorRule{first.background, options.tolerance}, parts);
      grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
      return grid;
    }
    case Volume::Kind::fog:
      break;
  }
  auto grid = make_grid(FogRule{first.background, options.tolerance}, parts);
  grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  return grid;
}

/// Volumes of a material, the boxes of each together, in the frame's order.
std::vector<Parts> volumes_of(const Frame& frame, std::string_view material) {
  std::vector<Parts> volumes;
  for (const Volume& volume : frame.volumes) {
    if (volume.material != material) continue;
    const auto same = std::find_if(volumes.begin(), volumes.end(),
                                   [&](const Parts& parts) { return parts.front()->name == volume.name; });
    if (same == volumes.end())
      volumes.push_back({&volume});
    else
      same->push_back(&volume);
  }
  return volumes;
}

/// The box round all of them is for readers that know of one box only; where they are several, a list of numbers.
void describe_boxes(const Parts& parts, openvdb::GridBase& grid) {
  Box all;
  std::ostringstream list;
  for (const Volume* part : parts) {
    const Box& b = part->cells;
    all = hull(all, b);
    strict(list) << b.lo.x << ' ' << b.lo.y << ' ' << b.lo.z << ' ' << b.hi.x << ' ' << b.hi.y << ' ' << b.hi.z << ' ';
  }
  if (parts.size() == 1) all = parts.front()->cells;
  grid.insertMeta("silt_cells_lo", openvdb::Vec3IMetadata(vec3i(all.lo)));
  grid.insertMeta("silt_cells_hi", openvdb::Vec3IMetadata(vec3i(all.hi)));
  if (parts.size() > 1) grid.insertMeta("silt_boxes", openvdb::StringMetadata(list.str()));
}

/// Larger numbers than 16-bit floats have would become infinite: pressures under metres of sand.
bool fits_half(const Parts& parts) {
  constexpr float most = 65504;
  for (const Volume* part : parts)
    for (const float value : part->values)
      if (std::abs(value) > most) return false;
  return true;
}

std::vector<AnyGrid> make_grids(const Frame& frame, std::string_view material, const VolumeFileOptions& options) {
  std::vector<AnyGrid> grids;
  for (const Parts& parts : volumes_of(frame, material)) {
    const Volume& volume = *parts.front();
    const openvdb::GridBase::Ptr grid = make_grid(parts, frame.domain.lattice.h, options);
    grid->setName(volume.name);
    grid->setSaveFloatAsHalf(options.half && fits_half(parts));
    grid->insertMeta("silt_kind", openvdb::StringMetadata(std::string(kind_name(volume.kind))));
    grid->insertMeta("silt_unit", openvdb::StringMetadata(volume.unit));
    grid->insertMeta("silt_background", openvdb::FloatMetadata(volume.background));
    describe_boxes(parts, *grid);
    grids.push_back(grid);
    if (volume.kind == Volume::Kind::vector && volume.name == "velocity") {
      const openvdb::GridBase::Ptr alias = grid->copyGrid();  // shares the tree: OpenVDB stores it once
      alias->setName("vel");
      alias->insertMeta("silt_alias_of", openvdb::StringMetadata("velocity"));
      grids.push_back(alias);
    }
  }
  return grids;
}

// --- Reading
// -----------------------------------------------------------------------------------------------------------

template <class Grid>
void copy_values(const openvdb::GridBase& base, Volume& volume) {
  using Value = typename Grid::ValueType;
  const auto* grid = dynamic_cast<const Grid*>(&base);
  if (!grid) throw IoError(str("'", volume.name, "' is a grid of ", base.valueType()));
  const openvdb::CoordBBox box(coord(volume.cells.lo), coord(volume.cells.hi - Int3{1, 1, 1}));
  openvdb::tools::Dense<Value, openvdb::tools::LayoutXYZ> dense(box, reinterpret_cast<Value*>(volume.values.data()));
  openvdb::tools::copyToDense(grid->tree(), dense);
}

/// One that nothing stands in takes no room in a file, so its size is held against what a grid may have at all.
void check_size(const Box& box, const std::string& name) {
  double cells = 1;
  for (int a = 0; a < 3; ++a) cells *= std::max(0.0, double(box.hi[a]) - double(box.lo[a]));
  if (cells > most_cells) throw IoError(str("'", name, "' claims ", cells, " cells: it is damaged"));
}

std::vector<Box> boxes_of(const openvdb::GridBase& grid) {
  const Box all{int3(grid.metaValue<openvdb::Vec3i>("silt_cells_lo")),
                int3(grid.metaValue<openvdb::Vec3i>("silt_cells_hi"))};
  check_size(all, grid.getName());
  if (!grid["silt_boxes"]) return {all};
  std::vector<Box> boxes;
  std::istringstream list(grid.metaValue<std::string>("silt_boxes"));
  Box b;
  while (strict(list) >> b.lo.x >> b.lo.y >> b.lo.z >> b.hi.x >> b.hi.y >> b.hi.z) {
    if (!all.contains(b)) throw IoError(str("a box of '", grid.getName(), "' lies outside the others"));
    boxes.push_back(b);
  }
  return boxes;
}

void add_volumes(const openvdb::GridBase& grid, const std::string& material, Frame& frame) {
  for (const Box& box : boxes_of(grid)) {
    Volume& volume = frame.volumes.emplace_back();
    volume.material = material;
    volume.name = grid.getName();
    volume.kind = parse_kind(grid.metaValue<std::string>("silt_kind"));
    volume.unit = grid.metaValue<std::string>("silt_unit");
    volume.background = grid.metaValue<float>("silt_background");
    volume.cells = box;
    volume.values.resize(std::size_t(box.count()) * volume.components());
    if (box.empty()) continue;
    if (volume.kind == Volume::Kind::vector)
      copy_values<openvdb::Vec3fGrid>(grid, volume);
    else
      copy_values<openvdb::FloatGrid>(grid, volume);
  }
}

// --- Describing
// --------------------------------------------------------------------------------------------------------

void add_range(const openvdb::GridBase& base, GridInfo& info) {
  if (const auto* scalar = dynamic_cast<const openvdb::FloatGrid*>(&base)) {
    const auto range = openvdb::tools::minMax(scalar->tree());
    info.min = range.min(), info.max = range.max();
  } else if (const auto* vector = dynamic_cast<const openvdb::Vec3fGrid*>(&base)) {
    const auto range = openvdb::tools::minMax(vector->tree());  // vectors are ordered by length
    info.min = range.min().length(), info.max = range.max().length();
  }
}

GridInfo describe_grid(const AnyGrid& any) {
  const openvdb::GridBase& grid = *std::static_pointer_cast<openvdb::GridBase>(any);
  GridInfo info;
  info.name = grid.getName();
  info.type = grid.valueType();
  info.grid_class = openvdb::GridBase::gridClassToString(grid.getGridClass());
  info.active_voxels = std::int64_t(grid.activeVoxelCount());
  info.half = grid.saveFloatAsHalf();
  const auto size = grid.voxelSize();
  info.voxel_size = {size.x(), size.y(), size.z()};
  if (info.active_voxels == 0) return info;
  const openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
  info.index_bounds = {{box.min().x(), box.min().y(), box.min().z()},
                       {box.max().x() + 1, box.max().y() + 1, box.max().z() + 1}};
  const openvdb::BBoxd index_box(box.min().asVec3d() - openvdb::Vec3d(0.5), box.max().asVec3d() + openvdb::Vec3d(0.5));
  const openvdb::BBoxd world = grid.transform().indexToWorld(index_box);
  info.world_lo = {world.min().x(), world.min().y(), world.min().z()};
  info.world_hi = {world.max().x(), world.max().y(), world.max().z()};
  add_range(grid, info);
  if (const auto points = describe_points(any)) info.points = points->count, info.attributes = points->attributes;
  return info;
}

}  // namespace

Bytes encode_volumes(const Frame& frame, std::string_view material, const VolumeFileOptions& options) {
  return guarded(str("the volumes of ", material, " cannot be written"),
                 [&] { return write_vdb(frame, material, make_grids(frame, material, options)); });
}

Frame decode_volumes(const std::filesystem::path& path, const Bytes& verified) {
  return guarded(str(path.string(), " cannot be read"), [&] {
    CachedGrids cached = read_cached(verified);
    for (const AnyGrid& any : cached.grids) {
      const openvdb::GridBase& grid = *std::static_pointer_cast<openvdb::GridBase>(any);
      if (!grid["silt_alias_of"]) add_volumes(grid, cached.material, cached.frame);
    }
    return std::move(cached.frame);
  });
}

void limit_volume_threads(int threads) {
  static std::mutex mutex;
  static std::unique_ptr<tbb::global_control> control;
  const std::lock_guard lock(mutex);
  control.reset();  // the old cap goes first: of two the lower one counts
  control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  std::size_t(std::max(threads, 1)));
}

VolumeFileInfo describe_volumes(const std::filesystem::path& path, const Bytes& bytes) {
  return guarded(str(path.string(), " cannot be read"), [&] {
    VdbContents contents = read_vdb(bytes);
    VolumeFileInfo info;
    info.metadata = std::move(contents.metadata);
    for (const AnyGrid& grid : contents.grids) info.grids.push_back(describe_grid(grid));
    return info;
  });
}

}  // namespace silt
