#include "silt/cache/oriented.h"

#include "silt/cache/body_mesh.h"
#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;

Frame full_frame(Int3 active = {1, 1, 1}) {
  Frame frame = active.z ? small_frame(2) : small_frame(2, {{-3, 2, 0}, {14, 19, 1}}, active);
  Volume surface{"water", "surface", Volume::Kind::level_set, "m", frame.domain.cells, 0.15f, {}};
  Volume colour{"smoke", "colour", Volume::Kind::vector, "", frame.domain.cells, 0, {}};
  for (std::int64_t i = 0; i < frame.domain.cells.count(); ++i) {
    surface.values.push_back(float(i) * 1e-3f);
    for (int a = 0; a < 3; ++a) colour.values.push_back(float(i + a));
  }
  frame.volumes.push_back(surface), frame.volumes.push_back(colour);
  frame.points.push_back(small_points(frame, 50));
  frame.meshes.push_back(small_mesh());
  Body body;
  body.name = "crate";
  body.shape = std::make_shared<Mesh>(small_mesh());
  body.pose.place = {euler_xyz({20, 30, 40}), {1, 2, 3}, 0.5};
  body.pose.velocity = {{1, 0, 2}, {0.1, 0.2, 0.3}, {1, 2, 3}};
  frame.bodies.push_back(body);
  return frame;
}

// Wherever a value was, it is where the turned place is, and what is a direction has turned with it.
TEST(Oriented, EveryValueIsAtItsPlace) {
  const Frame frame = full_frame();
  const double s = 100;
  const Frame turned = oriented(frame, {UpAxis::y, s});
  const auto place = [&](const Vec3d& x) { return Vec3d{x.x, x.z, -x.y} * s; };
  const auto cell_there = [&](Cell c) {
    const Vec3d x = turned.domain.lattice.to_cells(place(frame.domain.lattice.centre(c)));
    return Cell{int(std::floor(x.x)), int(std::floor(x.y)), int(std::floor(x.z))};
  };
  const Volume &density = turned.volumes[0], &velocity = turned.volumes[2], &surface = turned.volumes[3];
  const Box& box = frame.domain.cells;
  for (int z = box.lo.z; z < box.hi.z; ++z)
    for (int y = box.lo.y; y < box.hi.y; ++y)
      for (int x = box.lo.x; x < box.hi.x; ++x) {
        const Cell c{x, y, z}, to = cell_there(c);
        ASSERT_TRUE(turned.domain.cells.contains(to)) << c << to;
        ASSERT_EQ(density.at(to), frame.volumes[0].at(c)) << c;
        const Volume& v = frame.volumes[2];
        const Vec3f there = Vec3f{v.at(c, 0), v.at(c, 2), -v.at(c, 1)} * float(s);
        for (int a = 0; a < 3; ++a) ASSERT_FLOAT_EQ(velocity.at(to, a), there[a]) << c;
        ASSERT_FLOAT_EQ(surface.at(to), float(s) * frame.volumes[3].at(c)) << c;
        for (int a = 0; a < 3; ++a) ASSERT_EQ(turned.volumes[4].at(to, a), frame.volumes[4].at(c, a)) << c;
      }
  for (std::size_t i = 0; i < frame.points[0].count(); ++i)
    EXPECT_LT(length(turned.points[0].positions[i] - place(frame.points[0].positions[i])), 1e-12);
  EXPECT_FLOAT_EQ(turned.points[0].radius, 100 * frame.points[0].radius);
  EXPECT_EQ(turned.meshes[0].normals[2], (Vec3f{0, 0, -1}));
  const Mesh before = placed_mesh(frame.bodies[0]), after = placed_mesh(turned.bodies[0]);
  for (std::size_t i = 0; i < before.positions.size(); ++i) {
    EXPECT_LT(length(after.positions[i].as<double>() - place(before.positions[i].as<double>())), 1e-3);
    const Vec3d v = place(before.velocities[i].as<double>());
    EXPECT_LT(length(after.velocities[i].as<double>() - v), 1e-5 * length(v));
  }
  EXPECT_EQ(turned.domain.sides[2][0], frame.domain.sides[1][1]);
  EXPECT_EQ(turned.domain.sides[2][1], frame.domain.sides[1][0]);
}

// In a plane y is up already: only lengths change.
TEST(Oriented, APlaneIsNotTurned) {
  const Frame frame = full_frame({1, 1, 0});
  const Frame turned = oriented(frame, {UpAxis::y, 2});
  EXPECT_EQ(turned.domain.cells, frame.domain.cells);
  EXPECT_EQ(turned.volumes[0].values, frame.volumes[0].values);
  EXPECT_EQ(turned.points[0].positions[3], frame.points[0].positions[3] * 2.0);
}

// u = velocity + spin x (x - centre), at every corner of the placed shape, and what the shape's deforming adds.
TEST(BodyMesh, CornersMoveAsTheBodyDoes) {
  Body body = full_frame().bodies[0];
  const Mesh mesh = placed_bodies({body, body});
  const std::size_t n = body.shape->positions.size();
  ASSERT_EQ(mesh.positions.size(), 2 * n);
  EXPECT_EQ(mesh.triangles[4], body.shape->triangles[0] + (Int3{4, 4, 4}));
  EXPECT_EQ(mesh.attributes.at(0).name, "body");
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d x = body.pose.place(body.shape->positions[i].as<double>());
    EXPECT_EQ(mesh.positions[i], x.as<float>());
    const Vec3d deforming = body.pose.place.rotation * (body.shape->velocities[i].as<double>() * 0.5);
    const Vec3d u = body.pose.velocity.at(x) + deforming;
    EXPECT_LT(length(mesh.velocities[n + i].as<double>() - u), 1e-6 * length(u));
    EXPECT_EQ(mesh.attributes[0].values[n + i], 1);
  }
}

}  // namespace
}  // namespace silt
