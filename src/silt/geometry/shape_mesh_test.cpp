#include "silt/geometry/shape_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "silt/geometry/mesh_measures.h"
#include "silt/geometry/sample_meshes.h"

namespace silt {
namespace {

constexpr double pi = 3.14159265358979323846;
const Shape::Bounds metre{{0, 0, 0}, {1, 1, 1}};

struct Known {
  const char* name;
  Shape shape;
  double volume;
};

// Flat sides make round things smaller, by (2/3) (pi / 96)^2 at most twice.
TEST(ShapeMesh, PrimitivesHoldTheirVolume) {
  const Vec3d from{0.1, 0.2, 0.3}, to{0.4, 0.6, 0.3};  // 0.5 apart
  for (const Known& k : {Known{"box", Shape::box({0, 0, 0}, {0.1, 0.2, 0.3}), 0.006},
                         Known{"sphere", Shape::sphere(from, 0.2), 4.0 / 3 * pi * 0.008},
                         Known{"cylinder", Shape::cylinder(from, to, 0.1), pi * 0.01 * 0.5},
                         Known{"capsule", Shape::capsule(from, to, 0.1), pi * 0.01 * 0.5 + 4.0 / 3 * pi * 0.001},
                         Known{"cone", Shape::cone(from, to, 0.1, 0), pi * 0.01 * 0.5 / 3},
                         Known{"point down", Shape::cone(from, to, 0, 0.1), pi * 0.01 * 0.5 / 3},
                         Known{"bucket", Shape::cone(from, to, 0.1, 0.2), pi * 0.5 / 3 * (0.01 + 0.02 + 0.04)},
                         Known{"torus", Shape::torus(from, {1, 1, 0}, 0.2, 0.1), 2 * pi * pi * 0.2 * 0.01}}) {
    const TriangleMesh m = mesh_of(k.shape, metre);
    EXPECT_TRUE(is_closed(m)) << k.name;
    EXPECT_NEAR(enclosed_volume(m) / k.volume, 1 - 1e-3, 1e-3 + 1e-12) << k.name;
    for (const Vec3d& v : m.vertices) EXPECT_NEAR(k.shape.distance(v), 0, 1e-12) << k.name;
  }
}

TEST(ShapeMesh, MovesWithItsShape) {
  const Similarity place{rotation_from_z(normalized(Vec3d{1, 1, 0})), {1, 2, 3}, 2};
  const Shape shape = Shape::cone({0, 0, 0}, {0, 0, 0.3}, 0.1, 0.05).transformed(place);
  for (const Vec3d& v : mesh_of(shape, metre).vertices) EXPECT_NEAR(shape.distance(v), 0, 1e-12);
}

TEST(ShapeMesh, GivesAMeshBack) {
  const TriangleMesh torus = torus_mesh(0.3, 0.1, 24, 12);
  const auto data = std::make_shared<const MeshData>(torus, MeshSides{.closed = true, .simple = true});
  const TriangleMesh m = mesh_of(Shape::mesh(data), metre);
  EXPECT_EQ(m.vertices.size(), torus.vertices.size());
  EXPECT_EQ(m.triangles.size(), torus.triangles.size());
  EXPECT_TRUE(is_closed(m));
  EXPECT_NEAR(enclosed_volume(m), enclosed_volume(torus), 1e-12);
}

TEST(ShapeMesh, UnionsLieInEachOtherAndCutsAreCut) {
  const Shape a = Shape::box({0, 0, 0}, {0.4, 0.4, 0.4}), b = Shape::sphere({0.4, 0.2, 0.2}, 0.1);
  const double ball = 4.0 / 3 * pi * 0.001;
  EXPECT_NEAR(enclosed_volume(mesh_of(Shape::unite(a, b), metre)), 0.064 + ball, 2e-3 * ball);
  const TriangleMesh cut = mesh_of(Shape::subtract(a, b), metre);
  EXPECT_TRUE(is_closed(cut));
  EXPECT_NEAR(enclosed_volume(cut), 0.064 - 0.5 * ball, 0.02 * ball);
  // a - (b + c) + d: a union within, and one outside.
  const Shape c = Shape::sphere({0, 0.2, 0.2}, 0.1), d = Shape::box({0.6, 0, 0}, {0.7, 0.1, 0.1});
  const TriangleMesh more = mesh_of(Shape::unite(Shape::subtract(a, Shape::unite(b, c)), d), metre);
  EXPECT_NEAR(enclosed_volume(more), 0.064 - ball + 0.001, 0.04 * ball);
}

TEST(ShapeMesh, EndlessOnesEnd) {
  const TriangleMesh floor = mesh_of(Shape::plane({0, 0, 0.25}, {0, 0, 1}), metre);
  EXPECT_TRUE(is_closed(floor));
  EXPECT_NEAR(enclosed_volume(floor), 0.25, 1e-3);
}

}  // namespace
}  // namespace silt
