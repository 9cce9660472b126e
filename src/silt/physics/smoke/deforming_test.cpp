#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "silt/core/text.h"
#include "silt/geometry/mesh_sequence.h"
#include "silt/geometry/sample_meshes.h"
#include "silt/physics/smoke/test_rig.h"

namespace silt {
namespace {

namespace fs = std::filesystem;

void write_obj(const fs::path& file, const TriangleMesh& mesh) {
  std::ofstream out(file);
  out.precision(17);
  for (const Vec3d& v : mesh.vertices) out << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const Int3& t : mesh.triangles) out << "f " << t.x + 1 << ' ' << t.y + 1 << ' ' << t.z + 1 << '\n';
}

/// A ball that grows from radius 0.2 to 0.3 m in a tenth of a second, as a sequence of two meshes.
struct GrowingBall {
  fs::path folder = fs::temp_directory_path() / str("silt_growing_ball_", ::getpid());
  Shape shape;
  GrowingBall() {
    fs::create_directories(folder);
    write_obj(folder / "ball.0001.obj", ball_mesh({0.5, 0.5, 0.5}, 0.2, 4));
    write_obj(folder / "ball.0002.obj", ball_mesh({0.5, 0.5, 0.5}, 0.3, 4));
    shape = Shape::mesh(std::make_shared<const MeshSequence>(find_sequence(folder / "ball.####.obj"),
                                                             MeshSequence::Timing{10, 0, false}, 0));
  }
  ~GrowingBall() { fs::remove_all(folder); }
};

// What a solid sweeps by growing leaves through the only open side: flux = dV/dt = 4 pi r^2 dr/dt. Turned or not, and
// whatever the grid; and the step knows how fast its surface moves.
TEST(SmokeDeforming, AGrowingMeshPushesOutWhatItSweeps) {
  const GrowingBall ball;
  double off[2];
  int i = 0;
  for (const int n : {16, 32}) {
    Setting s = test::unit_box(n, 3);
    s.domain.sides[2][1] = Side::open;
    Obstacle obstacle;
    obstacle.name = "ball";
    obstacle.shape = ball.shape;
    obstacle.motion.pivot = {0.5, 0.5, 0.5};
    obstacle.motion.rotation = Vec3d{20, 30, 40};
    s.obstacles = {obstacle};
    test::Rig rig(s, {.tolerance = 1e-7});
    EXPECT_NEAR(rig.stepper.prescribed_speed(0.04), 1, 0.01);
    rig.substep(0.04, 0.01);
    double flux = 0;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) flux += rig.state.velocity[2]({x, y, n}) / (n * n);
    const double r = 0.25, swept = 4 * 3.14159265358979 * r * r * 1;
    off[i++] = std::abs(flux / swept - 1);
  }
  EXPECT_LT(off[0], 0.05);
  EXPECT_LT(off[1], 0.02);
}

}  // namespace
}  // namespace silt
