#include "silt/cache/mesh_file.h"

#include "silt/cache/test_tools.h"
#include "silt/geometry/mesh_file.h"

namespace silt {
namespace {

using namespace test;

TEST(MeshFile, EverythingComesBack) {
  Frame frame = small_frame(7);
  frame.time = 1.0 / 3;
  const Mesh mesh = small_mesh();
  const Frame back = decode_mesh("x.ply", encode_mesh(frame, mesh));
  EXPECT_EQ(back.number, 7);
  EXPECT_EQ(back.time, frame.time);
  EXPECT_EQ(back.domain, frame.domain);
  ASSERT_EQ(back.meshes.size(), 1u);
  const Mesh& read = back.meshes[0];
  EXPECT_EQ(read.material, "water");
  EXPECT_EQ(read.name, "surface");
  EXPECT_EQ(read.positions, mesh.positions);
  EXPECT_EQ(read.normals, mesh.normals);
  EXPECT_EQ(read.velocities, mesh.velocities);
  EXPECT_EQ(read.triangles, mesh.triangles);
  EXPECT_EQ(read.colour, mesh.colour);
  ASSERT_EQ(read.attributes.size(), 2u);
  for (int i : {0, 1}) {
    EXPECT_EQ(read.attributes[i].name, mesh.attributes[i].name);
    EXPECT_EQ(read.attributes[i].unit, mesh.attributes[i].unit);
    EXPECT_EQ(read.attributes[i].values, mesh.attributes[i].values);
  }
}

TEST(MeshFile, NothingAtAllComesBackToo) {
  Mesh mesh;
  mesh.material = "water", mesh.name = "surface";
  const Bytes file = encode_mesh(small_frame(1), mesh);
  EXPECT_EQ(describe_mesh("x.ply", file).properties.size(), 9u);  // the columns of frames that have something
  const Frame back = decode_mesh("x.ply", file);
  EXPECT_TRUE(back.meshes.at(0).positions.empty());
  EXPECT_TRUE(back.meshes.at(0).triangles.empty());
  EXPECT_TRUE(back.meshes.at(0).normals.empty());
}

// As any other program reads it: the reader of scenes' meshes knows nothing of how silt writes them.
TEST(MeshFile, IsAPlyLikeAnyOther) {
  const TestFolder folder;
  spill(folder / "m.ply", encode_mesh(small_frame(1), small_mesh()).text());
  const auto read = read_mesh_file(folder / "m.ply");
  ASSERT_EQ(read.vertices.size(), 4u);
  EXPECT_EQ(read.triangles.size(), 4u);
  EXPECT_EQ(read.vertices[2].as<float>(), small_mesh().positions[2]);
}

TEST(MeshFile, WhatIsCutOrForeignIsRefused) {
  const Bytes whole = encode_mesh(small_frame(1), small_mesh());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(decode_mesh("x.ply", Bytes(whole.text().substr(0, size))), Error) << size;
  const std::string foreign = "ply\nformat binary_little_endian 1.0\nelement vertex 0\nproperty float x\nend_header\n";
  EXPECT_NE(message_of<IoError>([&] { decode_mesh("x.ply", Bytes(foreign)); }).find("silt did not write it"),
            std::string::npos);
  std::string text(whole.text());
  text[text.size() - 4] = 100;  // a corner that is not there
  EXPECT_NE(message_of<IoError>([&] { decode_mesh("x.ply", Bytes(text)); }).find("a face has corner 100 of 4"),
            std::string::npos);
}

TEST(MeshFile, ListsThatDoNotFitTogetherAreRefused) {
  Mesh mesh = small_mesh();
  mesh.normals.pop_back();
  EXPECT_THROW(encode_mesh(small_frame(1), mesh), Error);
  mesh = small_mesh();
  mesh.attributes[0].name = "vx";
  EXPECT_THROW(encode_mesh(small_frame(1), mesh), Error);
  mesh.attributes[0].name = "red";
  EXPECT_THROW(encode_mesh(small_frame(1), mesh), Error);
  mesh.attributes[0].name = "two words";
  EXPECT_THROW(encode_mesh(small_frame(1), mesh), Error);
}

}  // namespace
}  // namespace silt
