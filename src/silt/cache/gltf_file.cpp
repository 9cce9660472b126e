#include "silt/cache/gltf_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "silt/cache/json_line.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace silt {
namespace {

// Numbers of the standard.
constexpr int component_ubyte = 5121, component_uint = 5125, component_float = 5126;
constexpr int target_vertices = 34962, target_indices = 34963;
constexpr int mode_points = 0, mode_triangles = 4;

/// A rotation as the unit quaternion (x, y, z, w): the largest part is found first, so that nothing is divided by a
/// small number.
std::array<double, 4> quaternion(const Mat3d& m) {
  const std::array<double, 4> squares{1 + m.x.x - m.y.y - m.z.z, 1 - m.x.x + m.y.y - m.z.z, 1 - m.x.x - m.y.y + m.z.z,
                                      1 + m.x.x + m.y.y + m.z.z};  // 4 q_i^2
  const auto largest = std::size_t(std::max_element(squares.begin(), squares.end()) - squares.begin());
  std::array<double, 4> q;
  switch (largest) {
    case 0:
      q = {squares[0], m.x.y + m.y.x, m.x.z + m.z.x, m.z.y - m.y.z};
      break;
    case 1:
      q = {m.x.y + m.y.x, squares[1], m.y.z + m.z.y, m.x.z - m.z.x};
      break;
    case 2:
      q = {m.x.z + m.z.x, m.y.z + m.z.y, squares[2], m.y.x - m.x.y};
      break;
    default:
      q = {m.z.y - m.y.z, m.x.z - m.z.x, m.y.x - m.x.y, squares[3]};
  }
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& part : q) part /= norm;
  return q;
}

std::string attribute_name(const std::string& name) {
  std::string out = "_";
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) ? char(std::toupper(c)) : '_';
  return out;
}

/// Under a name of its own: what differs in the program's letters alone would otherwise be lost.
void add_attribute(const std::string& name, int accessor, Json& attributes) {
  const std::string plain = attribute_name(name);
  std::string unique = plain;
  for (int n = 2; attributes.contains(unique); ++n) unique = str(plain, '_', n);
  attributes[unique] = accessor;
}

class GltfWriter {
 public:
  explicit GltfWriter(const Frame& frame) {
    json_["asset"] = {{"version", "2.0"}, {"generator", "silt " SILT_VERSION}};
    json_["scene"] = 0;
    json_["scenes"] = Json::array({{{"name", str("frame ", frame.number)}, {"nodes", Json::array()}}});
    json_["scenes"][0]["extras"] = {{"frame", frame.number}, {"time", frame.time}};
    for (const char* list : {"nodes", "meshes", "materials", "accessors", "bufferViews"}) json_[list] = Json::array();
  }

  void add(const Points& points) {
    if (points.count() == 0) return;
    std::vector<Vec3f> positions;
    for (const Vec3d& x : points.positions) positions.push_back(x.as<float>());
    Json attributes{{"POSITION", add_positions(positions)}};
    if (!points.colour.empty()) attributes["COLOR_0"] = add_colours(points.colour);
    if (!points.velocities.empty()) attributes["_V"] = add_vectors(points.velocities);
    if (!points.age.empty()) attributes["_AGE"] = add_numbers(points.age);
    for (const Attribute& a : points.attributes) add_attribute(a.name, add_numbers(a.values), attributes);
    Json primitive{{"attributes", attributes}, {"mode", mode_points}, {"material", material(points.material)}};
    Json& node = add_node(points.material + ".points", primitive);
    node["extras"] = {{"pscale", points.radius}};
  }

  void add(const Mesh& mesh) {
    if (!mesh.triangles.empty()) add_node(str(mesh.material, '.', mesh.name), triangles(mesh, mesh.material));
  }

  void add(const Body& body) {
    if (!body.shape || body.shape->triangles.empty()) return;
    Json& node = add_node(body.name, triangles(*body.shape, "solid"));
    const Similarity& place = body.pose.place;
    node["translation"] = {place.translation.x, place.translation.y, place.translation.z};
    node["rotation"] = quaternion(place.rotation);
    node["scale"] = {place.scale, place.scale, place.scale};
  }

  Bytes finish() {
    if (!extensions_.empty()) json_["extensionsUsed"] = extensions_;
    // Empty lists are not allowed.
    for (const char* list : {"nodes", "meshes", "materials", "accessors", "bufferViews"})
      if (json_[list].empty()) json_.erase(list);
    if (json_["scenes"][0]["nodes"].empty()) json_["scenes"][0].erase("nodes");
    if (!numbers_.empty()) json_["buffers"] = Json::array({{{"byteLength", numbers_.size()}}});
    std::string text = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string file;
    const auto word = [&](std::uint32_t value) { file.append(reinterpret_cast<const char*>(&value), 4); };
    const std::size_t size = 12 + 8 + text.size() + (numbers_.empty() ? 0 : 8 + numbers_.size());
    if (size > std::numeric_limits<std::uint32_t>::max()) throw Error("the frame is too large for glTF: 4 GB at most");
    file += "glTF", word(2), word(std::uint32_t(size));
    word(std::uint32_t(text.size())), file += "JSON" + text;
    if (!numbers_.empty()) word(std::uint32_t(numbers_.size())), file.append("BIN\0", 4) += numbers_;
    return Bytes(file);
  }

 private:
  /// Adds numbers as a view of the buffer, and what they are. Returns the accessor's number.
  int add_accessor(const void* from, std::size_t bytes, std::size_t count, int component, const char* type,
                   int target) {
    json_["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", numbers_.size()}, {"byteLength", bytes}, {"target", target}});
    numbers_.append(static_cast<const char*>(from), bytes);
    numbers_.resize((numbers_.size() + 3) / 4 * 4);
    json_["accessors"].push_back({{"bufferView", json_["bufferViews"].size() - 1},
                                  {"componentType", component},
                                  {"count", count},
                                  {"type", type}});
    return int(json_["accessors"].size()) - 1;
  }
  int add_vectors(const std::vector<Vec3f>& values) {
    return add_accessor(values.data(), values.size() * sizeof(Vec3f), values.size(), component_float, "VEC3",
                        target_vertices);
  }
  int add_positions(const std::vector<Vec3f>& values) {
    const int accessor = add_vectors(values);
    Vec3f lo = values.front(), hi = lo;
    for (const Vec3f& x : values) lo = min(lo, x), hi = max(hi, x);
    json_["accessors"].back()["min"] = {lo.x, lo.y, lo.z};
    json_["accessors"].back()["max"] = {hi.x, hi.y, hi.z};
    return accessor;
  }
  int add_numbers(const std::vector<float>& values) {
    return add_accessor(values.data(), values.size() * sizeof(float), values.size(), component_float, "SCALAR",
                        target_vertices);
  }
  int add_colours(const std::vector<std::uint32_t>& rgb) {
    std::vector<std::uint8_t> rgba;
    for (const std::uint32_t c : rgb)
      rgba.insert(rgba.end(), {std::uint8_t(c >> 16), std::uint8_t(c >> 8), std::uint8_t(c), 255});
    const int accessor = add_accessor(rgba.data(), rgba.size(), rgb.size(), component_ubyte, "VEC4", target_vertices);
    json_["accessors"].back()["normalized"] = true;
    return accessor;
  }

  Json triangles(const Mesh& mesh, const std::string& look) {
    Json attributes{{"POSITION", add_positions(mesh.positions)}};
    if (!mesh.normals.empty()) attributes["NORMAL"] = add_vectors(mesh.normals);
    if (!mesh.colour.empty()) attributes["COLOR_0"] = add_colours(mesh.colour);
    if (!mesh.velocities.empty()) attributes["_V"] = add_vectors(mesh.velocities);
    for (const Attribute& a : mesh.attributes) add_attribute(a.name, add_numbers(a.values), attributes);
    std::vector<std::uint32_t> corners;
    for (const Int3& t : mesh.triangles)
      corners.insert(corners.end(), {std::uint32_t(t.x), std::uint32_t(t.y), std::uint32_t(t.z)});
    const int indices =
        add_accessor(corners.data(), 4 * corners.size(), corners.size(), component_uint, "SCALAR", target_indices);
    return {{"attributes", attributes}, {"indices", indices}, {"mode", mode_triangles}, {"material", material(look)}};
  }

  Json& add_node(const std::string& name, const Json& primitive) {
    json_["meshes"].push_back({{"name", name}, {"primitives", Json::array({primitive})}});
    json_["nodes"].push_back({{"name", name}, {"mesh", json_["meshes"].size() - 1}});
    json_["scenes"][0]["nodes"].push_back(json_["nodes"].size() - 1);
    return json_["nodes"].back();
  }

  /// Water lets light through; all else is dull. Colours as in silt's own pictures.
  int material(const std::string& name) {
    if (const auto found = materials_.find(name); found != materials_.end()) return found->second;
    const bool water = name == "water";
    Json made{{"name", name}};
    made["pbrMetallicRoughness"] = {{"baseColorFactor", water             ? Json{0.85, 0.95, 1.0, 1.0}
                                                        : name == "solid" ? Json{0.62, 0.23, 0.09, 1.0}
                                                                          : Json{0.7, 0.65, 0.55, 1.0}},
                                    {"metallicFactor", 0.0},
                                    {"roughnessFactor", water ? 0.02 : 0.8}};
    if (water) {
      made["extensions"] = {{"KHR_materials_transmission", {{"transmissionFactor", 1.0}}},
                            {"KHR_materials_ior", {{"ior", 1.333}}}};
      extensions_ = {"KHR_materials_transmission", "KHR_materials_ior"};
    }
    json_["materials"].push_back(made);
    return materials_[name] = int(json_["materials"].size()) - 1;
  }

  Json json_;
  std::string numbers_;
  std::map<std::string, int> materials_;
  std::vector<std::string> extensions_;
};

}  // namespace

Bytes encode_gltf(const Frame& frame) {
  GltfWriter writer(frame);
  for (const Mesh& mesh : frame.meshes) writer.add(mesh);
  for (const Body& body : frame.bodies) writer.add(body);
  for (const Points& points : frame.points) writer.add(points);
  return writer.finish();
}

}  // namespace silt
