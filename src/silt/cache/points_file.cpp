#include "silt/cache/points_file.h"

#include <openvdb/openvdb.h>
#include <openvdb/points/PointCount.h>
#include <openvdb/points/PointDataGrid.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <tuple>

namespace silt {
namespace {

namespace vp = openvdb::points;
using Leaf = vp::PointDataTree::LeafNodeType;
using Vec = openvdb::Vec3f;
constexpr int leaf_size = int(Leaf::DIM);

// Types as they lie in the file.
using Positions = vp::TypedAttributeArray<Vec, vp::NullCodec>;
using Velocities = vp::TypedAttributeArray<Vec, vp::NullCodec>;
using HalfVelocities = vp::TypedAttributeArray<Vec, vp::TruncateCodec>;
using Ids = vp::TypedAttributeArray<std::int64_t>;
using Numbers = vp::TypedAttributeArray<float>;
using Sources = vp::TypedAttributeArray<std::int32_t>;
using Colours = vp::TypedAttributeArray<Vec>;

/// A named number of the points is an attribute of that name; this and the name is metadata, with its unit.
constexpr std::string_view attribute_mark = "silt_attribute_";

/// Where a point goes: its leaf, the voxel there as OpenVDB counts them, and how far it lies from the voxel's centre,
/// -1/2 to 1/2.
struct Place {
  Cell leaf;
  int voxel = 0;
  std::uint64_t id = 0;
  Vec offset;
  std::uint32_t point = 0;

  friend bool operator<(const Place& a, const Place& b) {
    return std::tie(a.leaf.x, a.leaf.y, a.leaf.z, a.voxel, a.id, a.point) <
           std::tie(b.leaf.x, b.leaf.y, b.leaf.z, b.voxel, b.id, b.point);
  }
};

Place place_of(const Points& points, std::size_t i, const Lattice& lattice) {
  const Vec3d x = lattice.to_cells(points.positions[i]);
  Place place;
  place.point = std::uint32_t(i);
  if (!points.id.empty()) place.id = points.id[i];
  Cell cell;
  for (int a = 0; a < 3; ++a) {
    const double whole = std::floor(x[a]);
    if (!(std::abs(whole) < std::numeric_limits<int>::max() / 2))
      throw Error(str("point ", i, " of '", points.material, "' lies nowhere: ", points.positions[i]));
    cell[a] = int(whole);
    place.leaf[a] = cell[a] & ~(leaf_size - 1);
    place.offset[a] = float(x[a] - whole - 0.5);
  }
  place.voxel = int(Leaf::coordToOffset({cell.x, cell.y, cell.z}));
  return place;
}

/// By leaf, then voxel, then id: an order that does not depend on the one they came in.
std::vector<Place> sorted_places(const Points& points, const Lattice& lattice) {
  std::vector<Place> places(points.count());
  tbb::parallel_for(std::size_t(0), places.size(), [&](std::size_t i) { places[i] = place_of(points, i, lattice); });
  tbb::parallel_sort(places.begin(), places.end());
  return places;
}

Vec vec(const Vec3f& v) {
  return {v.x, v.y, v.z};
}
Vec colour_vec(std::uint32_t rgb) {
  return Vec(float(rgb >> 16 & 255), float(rgb >> 8 & 255), float(rgb & 255)) / 255.0f;
}
std::uint32_t colour_bits(const Vec& c) {
  std::uint32_t rgb = 0;
  for (int a = 0; a < 3; ++a) rgb = rgb << 8 | std::uint32_t(std::lround(std::clamp(c[a], 0.0f, 1.0f) * 255));
  return rgb;
}

/// Writes one leaf's attributes. What is the same for all of them is stored once.
class LeafWriter {
 public:
  LeafWriter(Leaf& leaf, const Place* places, std::size_t count) : leaf_(leaf), places_(places), count_(count) {}

  template <class Array, class Value>
  void add(const std::string& name, const Value& value) {
    Array& array = Array::cast(leaf_.attributeArray(name));
    array.expand(/*fill=*/false);
    for (std::size_t i = 0; i < count_; ++i) array.setUnsafe(openvdb::Index(i), value(places_[i]));
    array.compact();
  }

 private:
  Leaf& leaf_;
  const Place* places_;
  std::size_t count_;
};

/// The attributes these points have.
vp::AttributeSet::Descriptor::Ptr descriptor_of(const Points& points, bool half) {
  auto descriptor = vp::AttributeSet::Descriptor::create(Positions::attributeType());
  const auto append = [&](bool there, const std::string& name, const openvdb::NamePair& type) {
    if (there) descriptor = descriptor->duplicateAppend(name, type);
  };
  append(!points.velocities.empty(), "v", half ? HalfVelocities::attributeType() : Velocities::attributeType());
  append(!points.id.empty(), "id", Ids::attributeType());
  append(!points.age.empty(), "age", Numbers::attributeType());
  append(!points.source.empty(), "source", Sources::attributeType());
  append(!points.colour.empty(), "Cd", Colours::attributeType());
  append(true, "pscale", Numbers::attributeType());
  for (const Attribute& a : points.attributes) append(true, a.name, Numbers::attributeType());
  return descriptor;
}

void check_lengths(const Points& p) {
  const auto check = [&](std::size_t n) {
    if (n != p.count())
      throw Error(str("the lists of the points of '", p.material, "' have ", p.count(), " and ", n, " values"));
  };
  for (const std::size_t n : {p.velocities.size(), p.id.size(), p.age.size(), p.source.size(), p.colour.size()})
    if (n != 0) check(n);
  for (const Attribute& a : p.attributes) check(a.values.size());
  if (p.count() > std::numeric_limits<std::uint32_t>::max()) throw Error("more points than a file can number");
}

void check_names(const Points& p) {
  std::set<std::string_view> taken{"P", "v", "id", "age", "source", "Cd", "pscale"};
  for (const Attribute& a : p.attributes)
    if (!vp::AttributeSet::Descriptor::validName(a.name) || !taken.insert(a.name).second)
      throw Error(str("points of '", p.material, "' cannot have an attribute '", a.name, "'"));
}

const Attribute* find(const Points& points, std::string_view name) {
  for (const Attribute& a : points.attributes)
    if (a.name == name) return &a;
  return nullptr;
}

/// A list with no numbers in it yet for every name that all the parts know.
std::vector<Attribute> common_attributes(const std::vector<const Points*>& parts) {
  std::vector<Attribute> common;
  for (const Attribute& a : parts.front()->attributes) {
    const auto has = [&](const Points* part) { return find(*part, a.name) != nullptr; };
    if (std::all_of(parts.begin(), parts.end(), has)) common.push_back({a.name, a.unit, {}});
  }
  return common;
}

/// Several lists of points as one. What is not known of all of them is left out.
Points join(const std::vector<const Points*>& parts) {
  Points all;
  all.material = parts.front()->material;
  const auto add = [&](auto member) {
    for (const Points* part : parts) {
      if ((part->*member).size() != part->count()) return (all.*member).clear();
      (all.*member).insert((all.*member).end(), (part->*member).begin(), (part->*member).end());
    }
  };
  for (const Points* part : parts) check_lengths(*part), all.radius = std::max(all.radius, part->radius);
  add(&Points::positions), add(&Points::velocities), add(&Points::id), add(&Points::age), add(&Points::source);
  add(&Points::colour);
  all.attributes = common_attributes(parts);
  for (Attribute& joined : all.attributes)
    for (const Points* part : parts) {
      const std::vector<float>& values = find(*part, joined.name)->values;
      joined.values.insert(joined.values.end(), values.begin(), values.end());
    }
  return all;
}

Leaf* make_leaf(const Points& p, const vp::AttributeSet::Descriptor::Ptr& descriptor, bool half, const Place* places,
                std::size_t count) {
  const Cell origin = places[0].leaf;
  Leaf* const leaf = new Leaf(openvdb::Coord(origin.x, origin.y, origin.z));
  leaf->replaceAttributeSet(new vp::AttributeSet(descriptor, openvdb::Index(count)), /*allowMismatching=*/true);
  LeafWriter writer(*leaf, places, count);
  writer.add<Positions>("P", [](const Place& at) { return at.offset; });
  const auto velocity = [&](const Place& at) { return vec(p.velocities[at.point]); };
  if (!p.velocities.empty() && half) writer.add<HalfVelocities>("v", velocity);
  if (!p.velocities.empty() && !half) writer.add<Velocities>("v", velocity);
  if (!p.id.empty()) writer.add<Ids>("id", [&](const Place& at) { return std::int64_t(p.id[at.point]); });
  if (!p.age.empty()) writer.add<Numbers>("age", [&](const Place& at) { return p.age[at.point]; });
  if (!p.source.empty())
    writer.add<Sources>("source", [&](const Place& at) { return std::int32_t(p.source[at.point]); });
  if (!p.colour.empty()) writer.add<Colours>("Cd", [&](const Place& at) { return colour_vec(p.colour[at.point]); });
  writer.add<Numbers>("pscale", [&](const Place&) { return p.radius; });
  for (const Attribute& a : p.attributes)
    writer.add<Numbers>(a.name, [&](const Place& at) { return a.values[at.point]; });

  std::vector<Leaf::ValueType> ends(Leaf::SIZE);  // of each voxel's points
  std::size_t i = 0;
  for (int voxel = 0; voxel < int(Leaf::SIZE); ++voxel) {
    while (i < count && places[i].voxel == voxel) ++i;
    ends[std::size_t(voxel)] = openvdb::Index32(i);
  }
  leaf->setOffsets(ends);
  return leaf;
}

AnyGrid make_grid(const Points& points, const Lattice& lattice, bool half) {
  check_lengths(points);
  check_names(points);
  const std::vector<Place> places = sorted_places(points, lattice);
  std::vector<std::size_t> begin;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (i == 0 || !(places[i].leaf == places[i - 1].leaf)) begin.push_back(i);
  const std::size_t leaves = begin.size();
  begin.push_back(places.size());

  const auto descriptor = descriptor_of(points, half);
  std::vector<Leaf*> made(leaves);
  tbb::parallel_for(std::size_t(0), leaves, [&](std::size_t n) {
    made[n] = make_leaf(points, descriptor, half, places.data() + begin[n], begin[n + 1] - begin[n]);
  });
  const auto grid = vp::PointDataGrid::create();
  for (Leaf* leaf : made) grid->tree().addLeaf(leaf);
  grid->setName("points");
  grid->insertMeta("silt_radius", openvdb::FloatMetadata(points.radius));
  for (const Attribute& a : points.attributes)
    grid->insertMeta(str(attribute_mark, a.name), openvdb::StringMetadata(a.unit));
  return std::static_pointer_cast<openvdb::GridBase>(grid);
}

/// Appends what each of a leaf's points has, if they have it. OpenVDB throws when it is of another type.
template <class Value, class Add>
void read_attribute(const Leaf& leaf, const std::string& name, const Add& add) {
  if (!leaf.hasAttribute(name)) return;
  const vp::AttributeHandle<Value> handle(leaf.constAttributeArray(name));
  const openvdb::Index count = leaf.getLastValue();
  if (handle.size() < count) throw IoError(str("attribute '", name, "' has too few values"));
  for (openvdb::Index i = 0; i < count; ++i) add(handle.get(i));
}

void read_leaf(const Leaf& leaf, const Lattice& lattice, Points& points) {
  if (!leaf.hasAttribute("P")) throw IoError("its points have no positions");
  const vp::AttributeHandle<Vec> offset(leaf.constAttributeArray("P"));
  openvdb::Index i = 0;
  for (openvdb::Index voxel = 0; voxel < Leaf::SIZE; ++voxel)
    for (const openvdb::Index end = openvdb::Index(leaf.getValue(voxel)); i < end; ++i) {
      if (i >= offset.size()) throw IoError("it counts more points than it has");
      const openvdb::Coord c = leaf.offsetToGlobalCoord(voxel);
      const Vec d = offset.get(i);
      points.positions.push_back(lattice.origin +
                                 Vec3d{c.x() + 0.5 + d.x(), c.y() + 0.5 + d.y(), c.z() + 0.5 + d.z()} * lattice.h);
    }
  read_attribute<Vec>(leaf, "v", [&](const Vec& v) { points.velocities.push_back({v.x(), v.y(), v.z()}); });
  read_attribute<std::int64_t>(leaf, "id", [&](std::int64_t id) { points.id.push_back(std::uint64_t(id)); });
  read_attribute<float>(leaf, "age", [&](float age) { points.age.push_back(age); });
  read_attribute<std::int32_t>(leaf, "source", [&](int s) { points.source.push_back(std::uint32_t(s)); });
  read_attribute<Vec>(leaf, "Cd", [&](const Vec& c) { points.colour.push_back(colour_bits(c)); });
  for (Attribute& a : points.attributes)
    read_attribute<float>(leaf, a.name, [&](float value) { a.values.push_back(value); });
}

/// Lists with no numbers in them yet, one for each that was written.
std::vector<Attribute> named_attributes(const vp::PointDataGrid& grid) {
  std::vector<Attribute> attributes;
  for (auto meta = grid.beginMeta(); meta != grid.endMeta(); ++meta)
    if (meta->first.starts_with(attribute_mark))
      attributes.push_back({meta->first.substr(attribute_mark.size()), grid.metaValue<std::string>(meta->first), {}});
  return attributes;
}

const vp::PointDataGrid* points_in(const AnyGrid& grid) {
  return dynamic_cast<const vp::PointDataGrid*>(static_cast<const openvdb::GridBase*>(grid.get()));
}

}  // namespace

Bytes encode_points(const Frame& frame, std::string_view material, const PointsFileOptions& options) {
  return guarded(str("the points of ", material, " cannot be written"), [&] {
    std::vector<const Points*> parts;
    for (const Points& points : frame.points)
      if (points.material == material) parts.push_back(&points);
    if (parts.empty()) return write_vdb(frame, material, {});
    const Points* const first = parts.front();
    std::erase_if(parts, [](const Points* part) { return part->count() == 0; });  // these know nothing, and need not
    if (parts.empty()) parts = {first};
    const Points joined = parts.size() > 1 ? join(parts) : Points{};
    const Points& all = parts.size() > 1 ? joined : *parts.front();
    return write_vdb(frame, material, {make_grid(all, frame.domain.lattice, options.half)});
  });
}

Frame decode_points(const std::filesystem::path& path, const Bytes& verified) {
  return guarded(str(path.string(), " cannot be read"), [&] {
    CachedGrids cached = read_cached(verified);
    for (const AnyGrid& any : cached.grids) {
      const vp::PointDataGrid* grid = points_in(any);
      if (!grid) throw IoError("it has no points");
      Points& points = cached.frame.points.emplace_back();
      points.material = cached.material;
      points.radius = grid->metaValue<float>("silt_radius");
      points.attributes = named_attributes(*grid);
      for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) read_leaf(*leaf, cached.frame.domain.lattice, points);
      check_lengths(points);
    }
    return std::move(cached.frame);
  });
}

std::optional<PointsInfo> describe_points(const AnyGrid& any) {
  const vp::PointDataGrid* grid = points_in(any);
  if (!grid) return {};
  PointsInfo info;
  info.count = std::int64_t(vp::pointCount(grid->tree()));
  const auto leaf = grid->tree().cbeginLeaf();
  if (!leaf) return info;
  const auto& map = leaf->attributeSet().descriptor().map();
  info.attributes.resize(map.size());
  for (const auto& [name, position] : map) info.attributes.at(position) = name;
  return info;
}

}  // namespace silt
