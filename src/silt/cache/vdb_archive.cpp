#include "silt/cache/vdb_archive.h"

#include <openvdb/io/Archive.h>
#include <openvdb/io/GridDescriptor.h>
#include <openvdb/openvdb.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "silt/cache/file_ops.h"
#include "silt/cache/json_line.h"
#include "silt/cache/memory_stream.h"
#include "silt/cache/sides_text.h"
#include "silt/cache/vdb_claims.h"

namespace silt {
namespace {

openvdb::Vec3i vec3i(Int3 v) {
  return {v.x, v.y, v.z};
}
Int3 int3(const openvdb::Vec3i& v) {
  return {v.x(), v.y(), v.z()};
}

struct Contents {
  openvdb::MetaMap::Ptr metadata;
  std::vector<AnyGrid> grids;
};

/// What io::File writes, to any stream; and what io::Stream reads, if it claims no more than it has.
class StreamArchive : public openvdb::io::Archive {
 public:
  openvdb::io::Archive::Ptr copy() const override { return openvdb::io::Archive::Ptr(new StreamArchive(*this)); }
  void write_to(std::ostream& out, const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata) const {
    Archive::write(out, grids, /*seekable=*/true, metadata);
  }

  Contents read_from(std::istream& in, std::string_view file) {
    readHeader(in);
    if (fileVersion() < openvdb::OPENVDB_FILE_VERSION_NODE_MASK_COMPRESSION) throw IoError("its version is too old");
    setFormatVersion(in);
    setLibraryVersion(in);
    setDataCompression(in);
    VdbClaims claims(file, std::size_t(in.tellg()));
    claims.metadata();
    claims.count(least_grid);
    Contents out{std::make_shared<openvdb::MetaMap>(), {}};
    out.metadata->readMeta(in);
    std::vector<openvdb::io::GridDescriptor> descriptors;
    NamedGridMap named;
    for (int left = readGridCount(in); left > 0; --left) {
      openvdb::io::GridDescriptor& descriptor = descriptors.emplace_back();
      const openvdb::GridBase::Ptr grid = read_next(descriptor, in, file);
      named[descriptor.uniqueName()] = grid;
      out.grids.push_back(grid);
    }
    for (const auto& descriptor : descriptors) connectInstance(descriptor, named);
    return out;
  }

 private:
  static constexpr std::size_t least_grid =
      3 * 4 + 3 * 8 + 4 + 4 + 4;  // texts, places, compression, metadata, transform

  static openvdb::GridBase::Ptr read_next(openvdb::io::GridDescriptor& descriptor, std::istream& in,
                                          std::string_view file) {
    VdbClaims claims(file, std::size_t(in.tellg()));
    for (int names = 3; names > 0; --names) claims.text();  // of the grid, its type and its instance parent
    claims.skip(3 * 8);                                     // places in the file
    claims.skip(4);                                         // compression
    claims.metadata();
    claims.text();  // the transform's type
    const openvdb::GridBase::Ptr grid = descriptor.read(in);
    if (!grid) throw IoError("it has a grid of an unknown type");
    readGrid(grid, descriptor, in);
    return grid;
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

openvdb::MetaMap make_metadata(const Frame& frame, std::string_view material) {
  const Domain& domain = frame.domain;
  const Vec3d o = domain.lattice.origin;
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
  map.insertMeta("silt_sides", openvdb::StringMetadata(sides_text(domain)));
  return map;
}

Contents read_grids(const Bytes& bytes) {
  MemoryIn buffer(bytes.text());
  std::istream in(&buffer);
  in.exceptions(std::ios_base::badbit | std::ios_base::failbit);
  try {
    return StreamArchive().read_from(in, bytes.text());
  } catch (const std::bad_alloc&) {
    throw IoError("it asks for more memory than there is: it is damaged, or made for a larger machine");
  }
}

Domain read_domain(const openvdb::MetaMap& map) {
  Domain domain;
  const auto o = map.metaValue<openvdb::Vec3d>("silt_origin");
  domain.lattice.origin = {o.x(), o.y(), o.z()};
  domain.lattice.h = map.metaValue<double>("silt_h");
  domain.lattice.active = int3(map.metaValue<openvdb::Vec3i>("silt_active"));
  domain.cells = {int3(map.metaValue<openvdb::Vec3i>("silt_cells_lo")),
                  int3(map.metaValue<openvdb::Vec3i>("silt_cells_hi"))};
  read_sides(map.metaValue<std::string>("silt_sides"), domain);
  return domain;
}

}  // namespace

void initialize_openvdb() {
  static std::once_flag once;
  std::call_once(once, [] { openvdb::initialize(); });
}

Bytes write_vdb(const Frame& frame, std::string_view material, const std::vector<AnyGrid>& grids) {
  const Lattice& lattice = frame.domain.lattice;
  auto transform = openvdb::math::Transform::createLinearTransform(lattice.h);
  const Vec3d centre = lattice.centre({0, 0, 0});
  transform->postTranslate({centre.x, centre.y, centre.z});
  openvdb::GridCPtrVec list;
  for (const AnyGrid& grid : grids) {
    const auto base = std::static_pointer_cast<openvdb::GridBase>(grid);
    base->setTransform(transform);
    list.push_back(base);
  }

  MemoryOut buffer;
  std::ostream out(&buffer);
  out.exceptions(std::ios_base::badbit | std::ios_base::failbit);
  StreamArchive archive;
  archive.setGridStatsMetadataEnabled(true);
  const auto codec =
      openvdb::io::Archive::hasBloscCompression() ? openvdb::io::COMPRESS_BLOSC : openvdb::io::COMPRESS_ZIP;
  archive.setCompression(std::uint32_t(codec) | openvdb::io::COMPRESS_ACTIVE_MASK);
  archive.write_to(out, list, make_metadata(frame, material));
  Bytes bytes = buffer.take();
  fix_identifier(bytes);
  return bytes;
}

VdbContents read_vdb(const Bytes& bytes) {
  Contents read = read_grids(bytes);
  VdbContents contents;
  for (auto it = read.metadata->beginMeta(); it != read.metadata->endMeta(); ++it)
    contents.metadata.emplace_back(it->first, it->second->str());
  contents.grids = std::move(read.grids);
  return contents;
}

CachedGrids read_cached(const Bytes& bytes) {
  Contents read = read_grids(bytes);
  const openvdb::MetaMap& map = *read.metadata;
  if (!map["silt_cache_version"]) throw IoError("silt did not write it");
  const int version = map.metaValue<openvdb::Int32>("silt_cache_version");
  if (version > cache_format)
    throw InputError(
        str("its cache version ", version, " is newer than this silt " SILT_VERSION " reads (", cache_format, ")"));
  CachedGrids cached;
  cached.frame.number = map.metaValue<openvdb::Int32>("frame");
  cached.frame.time = map.metaValue<double>("time");
  cached.frame.domain = read_domain(map);
  cached.material = map.metaValue<std::string>("silt_material");
  cached.grids = std::move(read.grids);
  return cached;
}

}  // namespace silt
