#include "silt/cache/volume_file.h"

#include <openvdb/io/Archive.h>
#include <openvdb/io/Stream.h>
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
#include <nlohmann/json.hpp>
#include <streambuf>

#include "silt/cache/file_ops.h"
#include "silt/cache/json_line.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr float band = 3;  ///< half width of a level set's band [cells]
constexpr int leaf_size = 8;

void initialize_openvdb() {
  static std::once_flag once;
  std::call_once(once, [] { openvdb::initialize(); });
}

/// Whatever OpenVDB throws becomes an IoError that names the file.
template <class Action>
auto guarded(std::string_view what, const Action& action) {
  initialize_openvdb();
  try {
    return action();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw IoError(str(what, ": ", e.what()));
  }
}

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
  const Volume& volume;
  float tolerance;
  Value background() const { return volume.background; }
  Value value(std::size_t i) const { return volume.values[i]; }
  /// A NaN is kept, so that it can be seen.
  bool active(Value v) const { return !(std::abs(v - volume.background) <= tolerance); }
  Value inactive(Value) const { return volume.background; }
};

struct LevelSetRule {
  using Value = float;
  using Grid = openvdb::FloatGrid;
  const Volume& volume;
  float width;
  Value background() const { return width; }
  Value value(std::size_t i) const { return volume.values[i]; }
  bool active(Value v) const { return !(std::abs(v) >= width); }
  Value inactive(Value v) const { return v < 0 ? -width : width; }
};

struct VectorRule {
  using Value = openvdb::Vec3f;
  using Grid = openvdb::Vec3fGrid;
  const Volume& volume;
  float tolerance;
  Value background() const { return Value(volume.background); }
  Value value(std::size_t i) const {
    const float* v = volume.values.data() + 3 * i;
    return {v[0], v[1], v[2]};
  }
  bool active(const Value& v) const {
    const float b = volume.background;
    return !(std::abs(v[0] - b) <= tolerance && std::abs(v[1] - b) <= tolerance && std::abs(v[2] - b) <= tolerance);
  }
  Value inactive(const Value&) const { return Value(volume.background); }
};

/// Leaf blocks of 8^3 voxels that touch a box.
struct LeafBlocks {
  Int3 first, count;

  explicit LeafBlocks(const Box& cells) {
    if (cells.empty()) return;
    for (int a = 0; a < 3; ++a) {
      first[a] = cells.lo[a] & ~(leaf_size - 1);
      count[a] = ((cells.hi[a] - 1) >> 3) - (cells.lo[a] >> 3) + 1;
    }
  }
  std::size_t size() const { return std::size_t(count.x) * count.y * count.z; }
  Cell origin(std::size_t n) const {
    return first + Int3{int(n % count.x), int(n / count.x % count.y), int(n / count.x / count.y)} * leaf_size;
  }
};

/// One block's leaf node, or what uniform inactive value stands for all of it.
template <class Rule>
struct Block {
  typename Rule::Grid::TreeType::LeafNodeType* leaf = nullptr;
  typename Rule::Value uniform;
};

template <class Rule>
Block<Rule> make_block(const Rule& rule, Cell origin) {
  using Leaf = typename Rule::Grid::TreeType::LeafNodeType;
  using Value = typename Rule::Value;
  const Volume& volume = rule.volume;
  const Box inside = intersect({origin, origin + Int3{leaf_size, leaf_size, leaf_size}}, volume.cells);
  const Int3 n = volume.cells.size();

  std::array<Value, Leaf::SIZE> values;
  values.fill(rule.background());
  typename Leaf::NodeMaskType mask;
  for (int z = inside.lo.z; z < inside.hi.z; ++z)
    for (int y = inside.lo.y; y < inside.hi.y; ++y) {
      const Int3 d = Cell{inside.lo.x, y, z} - volume.cells.lo;
      std::size_t i = (std::size_t(d.z) * n.y + d.y) * n.x + d.x;
      std::size_t o = std::size_t(((inside.lo.x - origin.x) * leaf_size + y - origin.y) * leaf_size + z - origin.z);
      for (int x = inside.lo.x; x < inside.hi.x; ++x, ++i, o += leaf_size * leaf_size) {
        const Value v = rule.value(i);
        const bool active = rule.active(v);
        values[o] = active ? v : rule.inactive(v);
        if (active) mask.setOn(openvdb::Index32(o));
      }
    }
  const bool uniform =
      mask.isOff() && std::all_of(values.begin(), values.end(), [&](const Value& v) { return v == values[0]; });
  if (uniform) return {nullptr, values[0]};
  Block<Rule> block;
  block.leaf = new Leaf(coord(origin), rule.background(), false);
  std::copy(values.begin(), values.end(), block.leaf->buffer().data());
  block.leaf->setValueMask(mask);
  return block;
}

/// Blocks are made in parallel, then hung into the tree one after the other: that is only pointers.
template <class Rule>
typename Rule::Grid::Ptr make_grid(const Rule& rule) {
  auto grid = Rule::Grid::create(rule.background());
  const LeafBlocks blocks(rule.volume.cells);
  std::vector<Block<Rule>> made(blocks.size());
  tbb::parallel_for(std::size_t(0), made.size(), [&](std::size_t n) { made[n] = make_block(rule, blocks.origin(n)); });
  auto& tree = grid->tree();
  for (std::size_t n = 0; n < made.size(); ++n) {
    if (made[n].leaf)
      tree.addLeaf(made[n].leaf);
    else if (!(made[n].uniform == rule.background()))
      tree.addTile(1, coord(blocks.origin(n)), made[n].uniform, false);
  }
  openvdb::tools::prune(tree);  // blocks of one and the same value become tiles
  return grid;
}

// --- Writing
// -----------------------------------------------------------------------------------------------------------

/// A seekable stream into memory, so that OpenVDB's bytes can go through our own I/O layer.
class MemoryOut : public std::streambuf {
 public:
  Bytes take() { return std::move(bytes_); }

 protected:
  std::streamsize xsputn(const char* from, std::streamsize n) override {
    const std::size_t end = at_ + std::size_t(n);
    if (end > bytes_.size()) bytes_.resize(end);
    if (n > 0) std::memcpy(bytes_.data() + at_, from, std::size_t(n));
    at_ = end;
    return n;
  }
  int_type overflow(int_type c) override {
    const char value = traits_type::to_char_type(c);
    xsputn(&value, 1);
    return c;
  }
  pos_type seekoff(off_type off, std::ios_base::seekdir from, std::ios_base::openmode) override {
    const off_type base = from == std::ios_base::beg   ? 0
                          : from == std::ios_base::cur ? off_type(at_)
                                                       : off_type(bytes_.size());
    return seekpos(pos_type(base + off), std::ios_base::out);
  }
  pos_type seekpos(pos_type pos, std::ios_base::openmode) override {
    const off_type to = pos;
    if (to < 0 || to > off_type(bytes_.size())) return pos_type(off_type(-1));
    at_ = std::size_t(to);
    return pos;
  }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

/// A seekable stream over bytes in memory.
class MemoryIn : public std::streambuf {
 public:
  explicit MemoryIn(std::string_view bytes) {
    char* begin = const_cast<char*>(bytes.data());
    setg(begin, begin, begin + bytes.size());
  }

 protected:
  pos_type seekoff(off_type off, std::ios_base::seekdir from, std::ios_base::openmode) override {
    const off_type base = from == std::ios_base::beg   ? 0
                          : from == std::ios_base::cur ? off_type(gptr() - eback())
                                                       : off_type(egptr() - eback());
    return seekpos(pos_type(base + off), std::ios_base::in);
  }
  pos_type seekpos(pos_type pos, std::ios_base::openmode) override {
    const off_type to = pos;
    if (to < 0 || to > egptr() - eback()) return pos_type(off_type(-1));
    setg(eback(), eback() + to, egptr());
    return pos;
  }
};

/// What io::File writes, to any stream.
class StreamArchive : public openvdb::io::Archive {
 public:
  openvdb::io::Archive::Ptr copy() const override { return openvdb::io::Archive::Ptr(new StreamArchive(*this)); }
  void write_to(std::ostream& out, const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata) const {
    Archive::write(out, grids, /*seekable=*/true, metadata);
  }
};

/// OpenVDB gives every file a random identifier (36 characters after magic, versions and a flag). Ours is made from the
/// content instead: the same frame gives the same bytes.
void fix_identifier(Bytes& bytes) {
  constexpr std::size_t at = 8 + 4 + 4 + 4 + 1, length = 36;
  if (bytes.size() < at + length) return;
  char* id = bytes.data() + at;
  if (id[8] != '-' || id[13] != '-' || id[18] != '-' || id[23] != '-') return;
  std::memcpy(id, "00000000-0000-4000-8000-000000000000", length);
  const std::string hash = hex64(stamp_of(bytes.text()).xxh3);
  std::copy_n(hash.begin(), 8, id);
  std::copy_n(hash.begin() + 8, 4, id + 9);
  std::copy_n(hash.begin() + 12, 4, id + 24);
}

std::string_view kind_name(Volume::Kind kind) {
  return kind == Volume::Kind::fog ? "fog" : kind == Volume::Kind::level_set ? "level_set" : "vector";
}

Volume::Kind parse_kind(const std::string& name) {
  if (name == "fog") return Volume::Kind::fog;
  if (name == "level_set") return Volume::Kind::level_set;
  if (name == "vector") return Volume::Kind::vector;
  throw IoError(str("unknown kind of volume '", name, "'"));
}

std::string_view side_name(Side side) {
  return side == Side::wall ? "wall" : side == Side::open ? "open" : "periodic";
}

openvdb::GridBase::Ptr make_grid(const Volume& volume, double h, const VolumeFileOptions& options) {
  if (volume.values.size() != std::size_t(volume.cells.count()) * volume.components())
    throw Error(str("volume '", volume.name, "' has ", volume.values.size(), " values on ", volume.cells));
  switch (volume.kind) {
    case Volume::Kind::level_set: {
      auto grid = make_grid(LevelSetRule{volume, float(band * h)});
      grid->setGridClass(openvdb::GRID_LEVEL_SET);
      return grid;
    }
    case Volume::Kind::vector: {
      auto grid = make_grid(VectorRule{volume, options.tolerance});
      grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
      return grid;
    }
    case Volume::Kind::fog:
      break;
  }
  auto grid = make_grid(FogRule{volume, options.tolerance});
  grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  return grid;
}

openvdb::GridCPtrVec make_grids(const Frame& frame, std::string_view material, const VolumeFileOptions& options) {
  const Lattice& lattice = frame.domain.lattice;
  auto transform = openvdb::math::Transform::createLinearTransform(lattice.h);
  const Vec3d centre = lattice.centre({0, 0, 0});
  transform->postTranslate({centre.x, centre.y, centre.z});

  openvdb::GridCPtrVec grids;
  for (const Volume& volume : frame.volumes) {
    if (volume.material != material) continue;
    auto grid = make_grid(volume, lattice.h, options);
    grid->setTransform(transform);
    grid->setName(volume.name);
    grid->setSaveFloatAsHalf(options.half);
    grid->insertMeta("silt_kind", openvdb::StringMetadata(std::string(kind_name(volume.kind))));
    grid->insertMeta("silt_unit", openvdb::StringMetadata(volume.unit));
    grid->insertMeta("silt_background", openvdb::FloatMetadata(volume.background));
    grid->insertMeta("silt_cells_lo", openvdb::Vec3IMetadata(vec3i(volume.cells.lo)));
    grid->insertMeta("silt_cells_hi", openvdb::Vec3IMetadata(vec3i(volume.cells.hi)));
    grids.push_back(grid);
    if (volume.kind == Volume::Kind::vector && volume.name == "velocity") {
      auto alias = grid->copyGrid();   // shares the tree: OpenVDB stores it once
      alias->setTransform(transform);  // the copied one differs in the last bit
      alias->setName("vel");
      alias->insertMeta("silt_alias_of", openvdb::StringMetadata("velocity"));
      grids.push_back(alias);
    }
  }
  return grids;
}

openvdb::MetaMap make_metadata(const Frame& frame, std::string_view material) {
  const Domain& domain = frame.domain;
  const Vec3d o = domain.lattice.origin;
  std::string sides;
  for (const auto& pair : domain.sides)
    for (const Side side : pair) sides += str(sides.empty() ? "" : " ", side_name(side));
  openvdb::MetaMap map;
  map.insertMeta("creator", openvdb::StringMetadata("silt " SILT_VERSION));
  map.insertMeta("time", openvdb::DoubleMetadata(frame.time));
  map.insertMeta("frame", openvdb::Int32Metadata(frame.number));
  map.insertMeta("silt_cache_version", openvdb::Int32Metadata(cache_format));
  map.insertMeta("silt_material", openvdb::StringMetadata(std::string(material)));
  map.insertMeta("silt_origin", openvdb::Vec3DMetadata({o.x, o.y, o.z}));
  map.insertMeta("silt_h", openvdb::DoubleMetadata(domain.lattice.h));
  map.insertMeta("silt_active", openvdb::Vec3IMetadata(vec3i(domain.lattice.active)));
  map.insertMeta("silt_cells_lo", openvdb::Vec3IMetadata(vec3i(domain.cells.lo)));
  map.insertMeta("silt_cells_hi", openvdb::Vec3IMetadata(vec3i(domain.cells.hi)));
  map.insertMeta("silt_sides", openvdb::StringMetadata(sides));
  return map;
}

// --- Reading
// -----------------------------------------------------------------------------------------------------------

struct Contents {
  openvdb::MetaMap::Ptr metadata;
  openvdb::GridPtrVecPtr grids;
};

Contents read_grids(const Bytes& bytes) {
  MemoryIn buffer(bytes.text());
  std::istream in(&buffer);
  in.exceptions(std::ios_base::badbit | std::ios_base::failbit);
  openvdb::io::Stream stream(in, /*delayLoad=*/false);
  return {stream.getMetadata(), stream.getGrids()};
}

Domain read_domain(const openvdb::MetaMap& map) {
  Domain domain;
  const auto o = map.metaValue<openvdb::Vec3d>("silt_origin");
  domain.lattice.origin = {o.x(), o.y(), o.z()};
  domain.lattice.h = map.metaValue<double>("silt_h");
  domain.lattice.active = int3(map.metaValue<openvdb::Vec3i>("silt_active"));
  domain.cells = {int3(map.metaValue<openvdb::Vec3i>("silt_cells_lo")),
                  int3(map.metaValue<openvdb::Vec3i>("silt_cells_hi"))};
  std::istringstream sides(map.metaValue<std::string>("silt_sides"));
  for (auto& pair : domain.sides)
    for (Side& side : pair) {
      std::string word;
      sides >> word;
      if (word != "wall" && word != "open" && word != "periodic") throw IoError(str("unknown side '", word, "'"));
      side = word == "wall" ? Side::wall : word == "open" ? Side::open : Side::periodic;
    }
  return domain;
}

template <class Grid>
void copy_values(const openvdb::GridBase& base, Volume& volume) {
  using Value = typename Grid::ValueType;
  const auto* grid = dynamic_cast<const Grid*>(&base);
  if (!grid) throw IoError(str("'", volume.name, "' is a grid of ", base.valueType()));
  const openvdb::CoordBBox box(coord(volume.cells.lo), coord(volume.cells.hi - Int3{1, 1, 1}));
  openvdb::tools::Dense<Value, openvdb::tools::LayoutXYZ> dense(box, reinterpret_cast<Value*>(volume.values.data()));
  openvdb::tools::copyToDense(grid->tree(), dense);
}

Volume read_volume(const openvdb::GridBase& grid, const std::string& material) {
  Volume volume;
  volume.material = material;
  volume.name = grid.getName();
  volume.kind = parse_kind(grid.metaValue<std::string>("silt_kind"));
  volume.unit = grid.metaValue<std::string>("silt_unit");
  volume.background = grid.metaValue<float>("silt_background");
  volume.cells = {int3(grid.metaValue<openvdb::Vec3i>("silt_cells_lo")),
                  int3(grid.metaValue<openvdb::Vec3i>("silt_cells_hi"))};
  volume.values.resize(std::size_t(volume.cells.count()) * volume.components());
  if (volume.cells.empty()) return volume;
  if (volume.kind == Volume::Kind::vector)
    copy_values<openvdb::Vec3fGrid>(grid, volume);
  else
    copy_values<openvdb::FloatGrid>(grid, volume);
  return volume;
}

Frame read_frame(const Contents& contents) {
  const openvdb::MetaMap& map = *contents.metadata;
  if (!map["silt_cache_version"]) throw IoError("silt did not write it");
  const int version = map.metaValue<openvdb::Int32>("silt_cache_version");
  if (version > cache_format)
    throw InputError(
        str("its cache version ", version, " is newer than this silt " SILT_VERSION " reads (", cache_format, ")"));
  Frame frame;
  frame.number = map.metaValue<openvdb::Int32>("frame");
  frame.time = map.metaValue<double>("time");
  frame.domain = read_domain(map);
  const std::string material = map.metaValue<std::string>("silt_material");
  for (const auto& grid : *contents.grids)
    if (!(*grid)["silt_alias_of"]) frame.volumes.push_back(read_volume(*grid, material));
  return frame;
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

GridInfo describe_grid(const openvdb::GridBase& grid) {
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
  return info;
}

}  // namespace

Bytes encode_volumes(const Frame& frame, std::string_view material, const VolumeFileOptions& options) {
  return guarded(str("the volumes of ", material, " cannot be written"), [&] {
    const openvdb::GridCPtrVec grids = make_grids(frame, material, options);
    MemoryOut buffer;
    std::ostream out(&buffer);
    out.exceptions(std::ios_base::badbit | std::ios_base::failbit);
    StreamArchive archive;
    archive.setGridStatsMetadataEnabled(true);
    const auto codec =
        openvdb::io::Archive::hasBloscCompression() ? openvdb::io::COMPRESS_BLOSC : openvdb::io::COMPRESS_ZIP;
    archive.setCompression(std::uint32_t(codec) | openvdb::io::COMPRESS_ACTIVE_MASK);
    archive.write_to(out, grids, make_metadata(frame, material));
    Bytes bytes = buffer.take();
    fix_identifier(bytes);
    return bytes;
  });
}

Frame decode_volumes(const std::filesystem::path& path, const Bytes& verified) {
  return guarded(str(path.string(), " cannot be read"), [&] {
    try {
      return read_frame(read_grids(verified));
    } catch (const InputError& e) {
      throw InputError(str(path.string(), " cannot be read: ", e.what()));
    } catch (const IoError& e) {
      throw IoError(str(path.string(), " cannot be read: ", e.what()));
    }
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
    const Contents contents = read_grids(bytes);
    VolumeFileInfo info;
    for (auto it = contents.metadata->beginMeta(); it != contents.metadata->endMeta(); ++it)
      info.metadata.emplace_back(it->first, it->second->str());
    for (const auto& grid : *contents.grids) info.grids.push_back(describe_grid(*grid));
    return info;
  });
}

}  // namespace silt
