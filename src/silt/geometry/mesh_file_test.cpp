#include "silt/geometry/mesh_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/geometry/sample_meshes.h"

namespace silt {
namespace {

std::string as_obj(const TriangleMesh& m) {
  std::string out = "# a mesh\no thing\n";
  for (const Vec3d& v : m.vertices) out += str("v ", v.x, " ", v.y, " ", v.z, "\n");
  out += "vn 0 0 1\ns off\n";
  for (const Int3& t : m.triangles) out += str("f ", t.x + 1, "//1 ", t.y + 1, "/2/1 ", t.z + 1, "\n");
  return out;
}

template <class T>
void put(std::string& out, T value, bool big = false) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  if (big) std::reverse(bytes, bytes + sizeof(T));
  out.append(bytes, sizeof(T));
}

std::string as_stl(const TriangleMesh& m, bool text) {
  std::string out = text ? "solid thing\n" : std::string(80, ' ');
  if (!text) put(out, std::uint32_t(m.triangles.size()));
  for (const Int3& t : m.triangles) {
    if (text) out += "facet normal 0 0 1\n outer loop\n";
    for (int a = 0; a < 3 && !text; ++a) put(out, 0.0f);
    for (int c = 0; c < 3; ++c) {
      const Vec3d& v = m.vertices[t[c]];
      if (text) out += str("  vertex ", v.x, " ", v.y, " ", v.z, "\n");
      for (int a = 0; a < 3 && !text; ++a) put(out, float(v[a]));
    }
    if (text) out += " endloop\nendfacet\n";
    if (!text) put(out, std::uint16_t(0));
  }
  return text ? out + "endsolid thing\n" : out;
}

std::string as_ply(const TriangleMesh& m, const std::string& format) {
  const bool text = format == "ascii", big = format == "binary_big_endian";
  std::string out = "ply\nformat " + format + " 1.0\ncomment made for a test\nelement vertex " +
                    std::to_string(m.vertices.size()) +
                    "\nproperty float x\nproperty double y\nproperty float z\nproperty uchar red\nelement face " +
                    std::to_string(m.triangles.size()) +
                    "\nproperty uchar quality\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec3d& v : m.vertices) {
    if (text) {
      out += str(v.x, " ", v.y, " ", v.z, " 255\n");
    } else {
      put(out, float(v.x), big), put(out, v.y, big), put(out, float(v.z), big), put(out, std::uint8_t(255));
    }
  }
  for (const Int3& t : m.triangles) {
    if (text) {
      out += str("7 3 ", t.x, " ", t.y, " ", t.z, "\n");
    } else {
      put(out, std::uint8_t(7)), put(out, std::uint8_t(3));
      for (int c = 0; c < 3; ++c) put(out, std::int32_t(t[c]), big);
    }
  }
  return out;
}

struct Sample {
  std::string ending, bytes, what;
};

std::vector<Sample> every_kind(const TriangleMesh& m) {
  return {{".obj", as_obj(m), "obj"},
          {".stl", as_stl(m, true), "text stl"},
          {".STL", as_stl(m, false), "binary stl"},
          {".ply", as_ply(m, "ascii"), "text ply"},
          {".ply", as_ply(m, "binary_little_endian"), "little ply"},
          {".ply", as_ply(m, "binary_big_endian"), "big ply"}};
}

TEST(MeshFile, EveryFormatGivesTheSameMesh) {
  const TriangleMesh mesh = ball_mesh({0.25, 0, -0.5}, 2, 1);
  for (const Sample& s : every_kind(mesh)) {
    const TriangleMesh read = parse_mesh(s.bytes, s.ending, "ball");
    ASSERT_EQ(read.triangles.size(), mesh.triangles.size()) << s.what;
    ASSERT_EQ(read.vertices.size(), mesh.vertices.size()) << s.what;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (int c = 0; c < 3; ++c)
        EXPECT_LT(length(read.vertices[read.triangles[t][c]] - mesh.vertices[mesh.triangles[t][c]]), 1e-4) << s.what;
  }
}

TEST(MeshFile, ObjCountsBackwardsAndSplitsPolygons) {
  const TriangleMesh m =
      parse_mesh("v 0 0 0\nv 2 0 0\nv +2 2 0 1.0\r\nv 1 0.5 0\nv 0 2 0\nf -5 -4 -3/1 \\\n -2//9 -1 # an arrow head\n",
                 ".obj", "a");
  ASSERT_EQ(m.vertices.size(), 5u);
  ASSERT_EQ(m.triangles.size(), 3u);
  double area = 0;
  for (const Int3& t : m.triangles) {
    const Vec3d n = cross(m.vertices[t.y] - m.vertices[t.x], m.vertices[t.z] - m.vertices[t.x]) * 0.5;
    EXPECT_GE(n.z, 0) << "no triangle lies outside of the polygon";
    area += n.z;
  }
  EXPECT_DOUBLE_EQ(area, 2.5);
}

TEST(MeshFile, MistakesAreNamedWithTheirPlace) {
  const auto message = [](const std::string& bytes, const std::string& ending) -> std::string {
    try {
      parse_mesh(bytes, ending, "m" + ending);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message("v 0 0 0\nv 1 zero 0\n", ".obj"), "m.obj:2: a vertex has 'zero' where a number should be");
  EXPECT_EQ(message("v 0 0 0\nv 1 0\n", ".obj"), "m.obj:2: a vertex lacks a number");
  EXPECT_EQ(message("v 0 0 nan\n", ".obj"), "m.obj:1: a vertex has 'nan' where a number should be");
  EXPECT_EQ(message("v 0 0 -1e400\n", ".obj"), "m.obj:1: a vertex has '-1e400', a number too large");
  EXPECT_EQ(message("v 0 0 1e-400\nf 1 1 7\n", ".obj"), "m.obj:2: a face names vertex 7, and the file has 1 of them");
  EXPECT_EQ(message("v 0 0 0\nf 1 1 7\n", ".obj"), "m.obj:2: a face names vertex 7, and the file has 1 of them");
  EXPECT_EQ(message("v 0 0 0\nf 1 -2 1\n", ".obj"), "m.obj:2: a face names vertex -2, and there are 1 before it");
  EXPECT_EQ(message("v 0 0 0\nf 1 0 1\n", ".obj"), "m.obj:2: a face names vertex 0; they are counted from 1");
  EXPECT_EQ(message("v 0 0 0\nf 1 1\n", ".obj"), "m.obj:2: a face has fewer than three corners");
  EXPECT_EQ(message("v 0 0 0\n", ".obj"), "m.obj: there is no triangle in it");
  EXPECT_EQ(message("hello", ".fbx"), "m.fbx: a mesh is an .obj, .stl or .ply file");
  EXPECT_EQ(message("hello", ".ply"), "m.ply:1: it is no PLY file: those begin with a line 'ply'");
  std::string stl = as_stl(ball_mesh({}, 1, 0), false);
  EXPECT_EQ(message(stl.substr(0, 500), ".stl"),
            "m.stl: it says that it has 20 triangles, which take 1084 bytes, and has 500 bytes: it is cut off");
  EXPECT_EQ(
      message("ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n123",
              ".ply"),
      "m.ply: byte 90: it should have 4000000000 of 'vertex', and is too short for them");
  EXPECT_THROW(read_mesh_file("/nowhere/at/all.obj"), InputError);
  EXPECT_THROW(read_mesh_file("/"), InputError);
}

// Whatever a file holds, it is read or refused, and costs no more memory than it is long.
TEST(MeshFile, GarbageIsReadOrRefused) {
  std::mt19937 random(11);
  int refused = 0, read = 0;
  for (const Sample& s : every_kind(ball_mesh({}, 1, 0)))
    for (int i = 0; i < 4000; ++i) {
      std::string bytes = s.bytes;
      for (unsigned n = 1 + random() % 4; n > 0; --n) {
        const std::size_t at = random() % bytes.size();
        switch (random() % 5) {
          case 0:
            bytes[at] = char(random());
            break;
          case 1:
            bytes[at] = "0123456789-+.eE/ \n\\"[random() % 19];
            break;
          case 2:
            bytes.erase(at, 1 + random() % 20);
            break;
          case 3:
            bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 30));
            break;
          default:
            bytes.resize(at);
            break;
        }
        if (bytes.empty()) bytes = "x";
      }
      try {
        const TriangleMesh m = parse_mesh(bytes, s.ending, "garbage");
        for (const Int3& t : m.triangles)
          for (int c = 0; c < 3; ++c) ASSERT_LT(std::size_t(t[c]), m.vertices.size());
        for (const Vec3d& v : m.vertices) ASSERT_TRUE(std::isfinite(dot(v, v)));
        ++read;
      } catch (const InputError& e) {
        ASSERT_EQ(std::string(e.what()).substr(0, 7), "garbage");
        ++refused;
      }
    }
  EXPECT_GT(refused, 4000);
  EXPECT_GT(read, 1000);
}

// A line of a backslash alone continues nothing: what comes next was taken for corners of a face that never began.
TEST(MeshFile, ABackslashContinuesFacesAlone) {
  const std::string mesh = "\\\n3 4 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n3\n";
  EXPECT_EQ(parse_mesh(mesh, ".obj", "a.obj").triangles.size(), 1u);
}

TEST(MeshFile, CornersOfAFaceHaveALimit) {
  std::string vertices, face = "f";
  for (int i = 0; i < 10001; ++i) {
    const double a = 2 * 3.14159265358979 * i / 10001;
    vertices += str("v ", std::cos(a), ' ', std::sin(a), " 0\n");
    if (i < 10000) face += str(' ', i + 1);
  }
  EXPECT_EQ(parse_mesh(vertices + face, ".obj", "a.obj").triangles.size(), 9998u);
  try {
    parse_mesh(vertices + face + " 10001", ".obj", "a.obj");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "a.obj:10002: a face has more corners than the limit of 10000");
  }
}

}  // namespace
}  // namespace silt
