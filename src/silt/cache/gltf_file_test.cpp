#include "silt/cache/gltf_file.h"

#include <nlohmann/json.hpp>

#include "silt/cache/json_line.h"
#include "silt/cache/mesh_file.h"
#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;

Json json_in(const Bytes& glb) {
  std::uint32_t words[4];
  std::memcpy(words, glb.data(), sizeof words);
  EXPECT_EQ(words[1], 2u);
  EXPECT_EQ(words[2], glb.size());
  EXPECT_EQ(glb.text().substr(16, 4), "JSON");
  return Json::parse(glb.text().substr(20, words[3]));
}

/// Turns v by a unit quaternion (x, y, z, w):  v + 2 w (q x v) + 2 q x (q x v).
Vec3d turn(const std::vector<double>& q, const Vec3d& v) {
  const Vec3d axis{q[0], q[1], q[2]}, once = cross(axis, v);
  return v + once * (2 * q[3]) + cross(axis, once) * 2.0;
}

// A body's node puts its shape where the body is, whichever part of the quaternion is the largest, and for turns by 180
// degrees, where another is zero.
TEST(Gltf, NodesPlaceBodies) {
  for (const Vec3d& degrees : {Vec3d{}, Vec3d{180, 0, 0}, Vec3d{0, 180, 0}, Vec3d{0, 0, 180}, Vec3d{150, 20, 10},
                               Vec3d{10, 150, 20}, Vec3d{20, 10, 150}, Vec3d{20, 130, -170}}) {
    Frame frame = small_frame(1);
    Body body;
    body.name = "crate";
    body.shape = std::make_shared<Mesh>(small_mesh());
    body.pose.place = {euler_xyz(degrees), {1, 2, 3}, 0.5};
    frame.bodies = {body};
    const Json node = json_in(encode_gltf(frame))["nodes"][0];
    EXPECT_EQ(node["name"], "crate");
    const auto q = node["rotation"].get<std::vector<double>>();
    const Vec3d x{0.3, -0.2, 0.7};
    const auto at = node["translation"].get<std::vector<double>>();
    const Vec3d there = turn(q, x * node["scale"][0].get<double>()) + Vec3d{at[0], at[1], at[2]};
    EXPECT_LT(length(there - body.pose.place(x)), 1e-12) << degrees;
  }
}

// Names that become the same in the standard's letters.
TEST(Gltf, EveryAttributeHasANameOfItsOwn) {
  Frame frame = small_frame(1);
  Mesh mesh = small_mesh();
  const std::vector<float> values(mesh.positions.size());
  mesh.attributes = {{"v", "", values}, {"a b", "", values}, {"A-B", "", values}};
  frame.meshes = {mesh};
  const Json attributes = json_in(encode_gltf(frame))["meshes"][0]["primitives"][0]["attributes"];
  for (const char* name : {"POSITION", "NORMAL", "COLOR_0", "_V", "_V_2", "_A_B", "_A_B_2"})
    EXPECT_TRUE(attributes.contains(name)) << name;
  EXPECT_EQ(attributes.size(), 7u);
}

// The least that there can be of each: one point, and one triangle of one corner.
TEST(Gltf, OneCornerIsAValidFile) {
  Frame frame = small_frame(1);
  frame.points.push_back(small_points(frame, 1));
  Mesh& mesh = frame.meshes.emplace_back();
  mesh.material = "water", mesh.name = "surface", mesh.positions = {{1, 2, 3}}, mesh.triangles = {{0, 0, 0}};
  const Json json = json_in(encode_gltf(frame));
  EXPECT_EQ(json["nodes"].size(), 2u);
  for (const Json& accessor : json["accessors"]) EXPECT_GE(accessor["count"], 1);
  const Frame back = decode_mesh("x.ply", encode_mesh(frame, mesh));
  EXPECT_EQ(back.meshes.at(0).positions, mesh.positions);
  EXPECT_EQ(back.meshes.at(0).triangles, mesh.triangles);
}

TEST(Gltf, AnEmptyFrameIsAValidFile) {
  Frame frame = small_frame(1);
  frame.points.emplace_back().material = "water";
  frame.meshes.emplace_back();
  const Json json = json_in(encode_gltf(frame));
  EXPECT_EQ(json["asset"]["version"], "2.0");
  for (const char* list : {"nodes", "meshes", "buffers", "accessors"}) EXPECT_FALSE(json.contains(list)) << list;
}

}  // namespace
}  // namespace silt
