#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "silt/core/text.h"
#include "silt/fields/thin_solid.h"
#include "silt/geometry/sample_meshes.h"
#include "silt/simulation.h"

namespace silt {
namespace {

namespace fs = std::filesystem;

/// Scenes of water in cells of 0.05 m, in which obstacle `it` has shape `it`.
class ThinScene : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() /
             str("silt_thin_", ::getpid(), "_", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder);
    write("thin_box.obj", box_mesh({0.2, 0.2, 0.4}, {0.8, 0.8, 0.43}, 4));
    write("thin_two_triangles_a_side.obj", box_mesh({0.2, 0.2, 0.4}, {0.8, 0.8, 0.43}, 1));
    write("thick_box.obj", box_mesh({0.2, 0.2, 0.4}, {0.8, 0.8, 0.46}, 4));
    write("ball.obj", ball_mesh({0.5, 0.5, 0.5}, 0.3, 3));
    write("thin_ring.obj", torus_mesh(0.3, 0.02, 24, 12));
    write("thick_ring.obj", torus_mesh(0.3, 0.06, 24, 12));
    TriangleMesh hollow = ball_mesh({0.5, 0.5, 0.5}, 0.27, 3);  // turned inside out: the inner side of a shell
    for (Int3& t : hollow.triangles) std::swap(t.y, t.z);
    write("thin_shell.obj", together(ball_mesh({0.5, 0.5, 0.5}, 0.3, 3), hollow));
    write("tetrahedron.obj", {{{0.2, 0.2, 0.2}, {0.8, 0.2, 0.2}, {0.5, 0.8, 0.2}, {0.5, 0.4, 0.8}},
                              {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
    write("sheet.obj", {{{0.2, 0.2, 0.5}, {0.8, 0.2, 0.5}, {0.8, 0.8, 0.5}, {0.2, 0.8, 0.5}}, {{0, 1, 2}, {0, 2, 3}}});
    for (int f = 0; f < 3; ++f) {
      write(str("flattened.", f, ".obj"), box_mesh({0.2, 0.2, 0.4}, {0.8, 0.8, 0.6 - 0.085 * f}, 2));
      write(str("wobbling.", f, ".obj"), box_mesh({0.2, 0.2, 0.4}, {0.8, 0.8, 0.6 - 0.05 * f}, 2));
    }
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string& name, const TriangleMesh& mesh) const {
    std::ofstream out(folder / name);
    out.precision(17);
    for (const Vec3d& v : mesh.vertices) out << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
    for (const Int3& t : mesh.triangles) out << "f " << t.x + 1 << ' ' << t.y + 1 << ' ' << t.z + 1 << '\n';
  }

  /// The shape's own lines stand before those of other blocks.
  Scene scene(const std::string& shape, const std::string& obstacle = "", bool flat = false) const {
    return parse_scene(std::string("silt = 1\n[run]\nframes = 25\n[domain]\nsize = ") +
                           (flat ? "[1, 1]" : "[1, 1, 1]") +
                           "\ncell_size = 0.05\n[water]\n[fill.pool]\nmaterial = \"water\"\n[shape.it]\n" + shape +
                           "\n[obstacle.it]\nshape = \"it\"\n" + obstacle,
                       (folder / "scene.toml").string());
  }
  /// What is said of the obstacle's thickness.
  std::string said(const Scene& scene) const {
    std::string out;
    for (const std::string& w : scene.warnings)
      if (w.find("thinner than a cell") != std::string::npos) out += w;
    return out;
  }
  std::string said(const std::string& shape, const std::string& obstacle = "", bool flat = false) const {
    return said(scene(shape, obstacle, flat));
  }

  fs::path folder;
};

std::string block(const char* name, const char* what) {
  return str("\n[shape.", name, "]\n", what);
}
const std::string outer = block("a", "cylinder = { from = [0.5, 0.5, 0.2], to = [0.5, 0.5, 0.8], radius = 0.3 }");

TEST_F(ThinScene, WhatIsThinnerThanACellIsToldOf) {
  const struct {
    const char* name;
    std::string shape, obstacle = "";
    bool flat = false;
  } thin[] = {
      {"between corners", "box = { min = [0.1, 0.1, 0.51], max = [0.9, 0.9, 0.54] }"},
      {"on corners", "box = { min = [0.1, 0.1, 0.49], max = [0.9, 0.9, 0.51] }"},
      {"nearly a cell", "box = { min = [0.1, 0.1, 0.5], max = [0.9, 0.9, 0.549] }"},
      {"from wall to wall", "box = { min = [-1, -1, 0.5], max = [2, 2, 0.51] }"},
      {"a hundredth of a cell", "box = { min = [0.1, 0.1, 0.5], max = [0.9, 0.9, 0.5005] }"},
      {"turned once", "box = { size = [0.6, 0.6, 0.04] }\nrotate = [0, 30, 0]\nmove = [0.5, 0.5, 0.5]"},
      {"turned thrice", "box = { size = [0.6, 0.6, 0.02] }\nrotate = [20, 35, 50]\nmove = [0.5, 0.5, 0.5]"},
      {"rod", "cylinder = { from = [0.2, 0.3, 0.4], to = [0.8, 0.7, 0.6], radius = 0.02 }"},
      {"disc", "cylinder = { from = [0.5, 0.5, 0.5], to = [0.5, 0.5, 0.53], radius = 0.3 }"},
      {"cup", "difference = [\"a\", \"b\"]" + outer +
                  block("b", "cylinder = { from = [0.5, 0.5, 0.3], to = [0.5, 0.5, 1], radius = 0.27 }")},
      {"cup with a thin bottom",
       "difference = [\"a\", \"b\"]" + outer +
           block("b", "cylinder = { from = [0.5, 0.5, 0.23], to = [0.5, 0.5, 1], radius = 0.2 }")},
      {"cup that lies", "difference = [\"a\", \"b\"]\nrotate = [0, 90, 0]\nmove = [0, 0, 1]" + outer +
                            block("b", "cylinder = { from = [0.5, 0.5, 0.3], to = [0.5, 0.5, 1], radius = 0.27 }")},
      {"pipe", "difference = [\"a\", \"b\"]" + outer +
                   block("b", "cylinder = { from = [0.5, 0.5, 0], to = [0.5, 0.5, 1], radius = 0.26 }")},
      {"fin of a block", "union = [\"a\", \"b\"]" +
                             block("a", "box = { min = [0.1, 0.1, 0.1], max = [0.5, 0.9, 0.5] }") +
                             block("b", "box = { min = [0.5, 0.3, 0.3], max = [0.7, 0.7, 0.33] }")},
      {"shell", "difference = [\"a\", \"b\"]" + block("a", "sphere = { center = [0.5, 0.5, 0.5], radius = 0.3 }") +
                    block("b", "sphere = { center = [0.5, 0.5, 0.5], radius = 0.26 }")},
      {"two rooms in a block", "difference = [\"a\", \"b\", \"c\"]" +
                                   block("a", "box = { min = [0.1, 0.1, 0.1], max = [0.9, 0.9, 0.9] }") +
                                   block("b", "box = { min = [0.2, 0.2, 0.2], max = [0.49, 0.8, 0.8] }") +
                                   block("c", "box = { min = [0.52, 0.2, 0.2], max = [0.8, 0.8, 0.8] }")},
      {"thread", "capsule = { from = [0.2, 0.5, 0.5], to = [0.8, 0.5, 0.6], radius = 0.015 }"},
      {"wire ring", "torus = { center = [0.5, 0.5, 0.5], radius = 0.3, tube = 0.02 }"},
      {"between planes", "intersection = [\"a\", \"b\"]" +
                             block("a", "plane = { point = [0.5, 0.5, 0.5], normal = [1, 2, 3] }") +
                             block("b", "plane = { point = [0.5, 0.5, 0.46], normal = [-1, -2, -3] }")},
      {"flat cone", "cone = { from = [0.5, 0.5, 0.5], to = [0.5, 0.5, 0.52], radius = 0.3, end_radius = 0.29 }"},
      {"funnel",
       "difference = [\"a\", \"b\"]" +
           block("a", "cone = { from = [0.5, 0.5, 0.2], to = [0.5, 0.5, 0.8], radius = 0.1, end_radius = 0.4 }") +
           block("b", "cone = { from = [0.5, 0.5, 0.1], to = [0.5, 0.5, 0.9], radius = 0.02, end_radius = 0.42 }")},
      {"grain", "sphere = { center = [0.5, 0.5, 0.5], radius = 0.02 }"},
      {"made smaller", "box = { min = [-1, -1, -0.3], max = [1, 1, 0.3] }\nscale = 0.05\nmove = [0.5, 0.5, 0.5]"},
      {"copied",
       "copy = \"a\"\nmove = [0, 0, 0.3]" + block("a", "box = { min = [0.1, 0.1, 0.2], max = [0.9, 0.9, 0.24] }")},
      {"comes in later", "box = { min = [2, 0.1, 0.4], max = [2.6, 0.9, 0.43] }",
       "motion = { position = { keys = [[0, [0, 0, 0]], [1, [-1.8, 0, 0]]] } }"},
      {"blade", "box = { min = [0.2, 0.48, 0.2], max = [0.8, 0.52, 0.8] }", "motion = { spin = 90 }"},
      {"tilted by its motion", "box = { min = [0.2, 0.2, 0.48], max = [0.8, 0.8, 0.51] }",
       "motion = { rotation = [10, 20, 0] }"},
      {"mesh of a plate", "mesh = \"thin_box.obj\""},
      {"mesh of twelve triangles", "mesh = \"thin_two_triangles_a_side.obj\""},
      {"mesh of a shell", "mesh = \"thin_shell.obj\""},
      {"mesh of a wire", "mesh = \"thin_ring.obj\"\nmove = [0.5, 0.5, 0.5]"},
      {"mesh made smaller", "mesh = \"thick_box.obj\"\nscale = 0.5\nmove = [0.3, 0.3, 0.3]"},
      {"sheet", "mesh = \"sheet.obj\"\nthickness = 0.01\nrotate = [0, 40, 0]\nmove = [-0.2, 0, 0.4]"},
      {"sheet that moves", "mesh = \"sheet.obj\"\nthickness = 0.02",
       "motion = { position = { keys = [[0, [0, 0, 0]], [1, [0, 0, 0.2]]] } }"},
      {"flattened in time", "mesh = \"flattened.#.obj\"\nsequence = { fps = 2 }"},
      {"line in 2D", "box = { min = [0.1, 0.5], max = [0.9, 0.52] }", "", true},
      {"ring in 2D",
       "difference = [\"a\", \"b\"]" + block("a", "sphere = { center = [0.5, 0.5], radius = 0.3 }") +
           block("b", "sphere = { center = [0.5, 0.5], radius = 0.26 }"),
       "", true},
  };
  for (const auto& s : thin) {
    const Scene loaded = scene(s.shape, s.obstacle, s.flat);
    const std::string text = said(loaded);
    EXPECT_NE(text.find("'obstacle.it' is 0.0"), std::string::npos) << s.name << ": " << text;
    EXPECT_NE(text.find("make it 0.05 m thick"), std::string::npos) << s.name << ": " << text;
    // And is as thick as a cell from then on.
    const Obstacle& it = loaded.setting.obstacles.front();
    const auto still_thin = find_thin(it.shape.transformed(it.motion.at(0).place), loaded.setting.domain);
    EXPECT_TRUE(!still_thin || still_thin->thickness > 0.99 * 0.05) << s.name << ": " << still_thin->thickness;
  }
}

TEST_F(ThinScene, EdgesTipsAndCornersOfThickThingsAreNot) {
  const struct {
    const char* name;
    std::string shape, obstacle = "";
    bool flat = false;
  } thick[] = {
      {"cube", "box = { min = [0.31, 0.32, 0.33], max = [0.61, 0.62, 0.63] }"},
      {"turned cube", "box = { size = [0.3, 0.3, 0.3] }\nrotate = [20, 35, 50]\nmove = [0.5, 0.5, 0.5]"},
      {"a cell", "box = { min = [0.1, 0.1, 0.51], max = [0.9, 0.9, 0.56] }"},
      {"a cell, turned", "box = { size = [0.6, 0.6, 0.05] }\nrotate = [20, 35, 50]\nmove = [0.5, 0.5, 0.5]"},
      {"beam of a cell", "box = { size = [0.6, 0.05, 0.05] }\nrotate = [20, 35, 50]\nmove = [0.5, 0.5, 0.5]"},
      {"ball", "sphere = { center = [0.5, 0.5, 0.5], radius = 0.3 }"},
      {"pebble", "sphere = { center = [0.5, 0.52, 0.49], radius = 0.03 }"},
      {"cone", "cone = { from = [0.5, 0.5, 0.2], to = [0.5, 0.5, 0.6], radius = 0.2 }"},
      {"spike", "cone = { from = [0.5, 0.5, 0.1], to = [0.5, 0.5, 0.9], radius = 0.1 }"},
      {"flat cone", "cone = { from = [0.5, 0.5, 0.2], to = [0.5, 0.5, 0.35], radius = 0.4 }"},
      {"wedge", "intersection = [\"a\", \"b\", \"c\"]" +
                    block("a", "plane = { point = [0.2, 0.5, 0.5], normal = [-0.17, 0, 1] }") +
                    block("b", "plane = { point = [0.2, 0.5, 0.5], normal = [-0.17, 0, -1] }") +
                    block("c", "box = { min = [0.1, 0.1, 0.1], max = [0.9, 0.9, 0.9] }")},
      {"cup", "difference = [\"a\", \"b\"]" + outer +
                  block("b", "cylinder = { from = [0.5, 0.5, 0.26], to = [0.5, 0.5, 1], radius = 0.24 }")},
      {"shell", "difference = [\"a\", \"b\"]" + block("a", "sphere = { center = [0.5, 0.5, 0.5], radius = 0.3 }") +
                    block("b", "sphere = { center = [0.5, 0.5, 0.5], radius = 0.24 }")},
      {"hollowed block", "difference = [\"a\", \"b\"]" +
                             block("a", "box = { min = [0.2, 0.2, 0.2], max = [0.8, 0.8, 0.6] }") +
                             block("b", "sphere = { center = [0.5, 0.5, 0.6], radius = 0.24 }")},
      {"lens", "intersection = [\"a\", \"b\"]" + block("a", "sphere = { center = [0.5, 0.5, 0.3], radius = 0.35 }") +
                   block("b", "sphere = { center = [0.5, 0.5, 0.7], radius = 0.35 }")},
      {"ring", "torus = { center = [0.5, 0.5, 0.5], radius = 0.3, tube = 0.05 }"},
      {"sausage", "capsule = { from = [0.2, 0.5, 0.5], to = [0.8, 0.5, 0.6], radius = 0.03 }"},
      {"ground", "plane = { point = [0.5, 0.5, 0.21], normal = [0.2, 0.1, 1] }"},
      {"mat on the floor", "box = { min = [0.2, 0.2, 0], max = [0.8, 0.8, 0.02] }"},
      {"two sheets as one", "union = [\"a\", \"b\"]" +
                                block("a", "box = { min = [0.2, 0.2, 0.4], max = [0.8, 0.8, 0.43] }") +
                                block("b", "box = { min = [0.2, 0.2, 0.43], max = [0.8, 0.8, 0.47] }")},
      {"sheet on a block", "box = { min = [0.2, 0.2, 0.4], max = [0.8, 0.8, 0.43] }",
       block("below", "box = { min = [0.1, 0.1, 0.1], max = [0.9, 0.9, 0.4] }") +
           "\n[obstacle.below]\nshape = \"below\""},
      {"L", "union = [\"a\", \"b\"]" + block("a", "box = { min = [0.2, 0.2, 0.2], max = [0.8, 0.8, 0.26] }") +
                block("b", "box = { min = [0.2, 0.2, 0.2], max = [0.26, 0.8, 0.8] }")},
      {"grooved block", "difference = [\"a\", \"b\", \"c\"]" +
                            block("a", "box = { min = [0.2, 0.2, 0.2], max = [0.8, 0.8, 0.6] }") +
                            block("b", "box = { min = [0.3, 0.1, 0.58], max = [0.32, 0.9, 0.7] }") +
                            block("c", "box = { min = [0.34, 0.1, 0.58], max = [0.36, 0.9, 0.7] }")},
      {"cube that spins", "box = { min = [0.31, 0.32, 0.33], max = [0.61, 0.62, 0.63] }", "motion = { spin = 90 }"},
      {"cube that comes in", "box = { min = [2, 0.3, 0.3], max = [2.3, 0.6, 0.6] }",
       "motion = { position = { keys = [[0, [0, 0, 0]], [1, [-1.8, 0, 0]]] } }"},
      {"made larger", "box = { min = [-1, -1, -0.06], max = [1, 1, 0.06] }\nscale = 0.45\nmove = [0.5, 0.5, 0.5]"},
      {"mesh of a box", "mesh = \"thick_box.obj\""},
      {"mesh of a ball", "mesh = \"ball.obj\""},
      {"mesh of a ring", "mesh = \"thick_ring.obj\"\nmove = [0.5, 0.5, 0.5]"},
      {"tetrahedron", "mesh = \"tetrahedron.obj\""},
      {"sheet", "mesh = \"sheet.obj\"\nthickness = 0.05"},
      {"wobbling", "mesh = \"wobbling.#.obj\"\nsequence = { fps = 2, loop = true }"},
      {"triangle in 2D",
       "intersection = [\"a\", \"b\"]" + block("a", "plane = { point = [0.2, 0.5], normal = [-0.3, 1] }") +
           block("b", "box = { min = [0.1, 0.1], max = [0.9, 0.8] }"),
       "", true},
      {"disc in 2D", "sphere = { center = [0.5, 0.5], radius = 0.1 }", "", true},
  };
  for (const auto& s : thick) EXPECT_EQ(said(s.shape, s.obstacle, s.flat), "") << s.name;
}

// A block of water falls onto a plate from wall to wall, and lies on it or runs down along it. Plates thinner than a
// cell that did not grow let all through, or held particles where no pressure did: these went on falling where they
// lay, at 15 m/s after a second and a half, or blew up.
TEST(ThinSolids, HoldHoweverThinTheyAre) {
  constexpr struct { double cells, angle; } cases[] = {{0.02, 17}, {0.3, 45}, {0.6, 0}, {0.95, 30}};
  for (const auto& [cells, angle] : cases) {
    const std::string placed = str("rotate = [0, 0, ", angle, "]\nmove = [0.5, 0.4]\n");
    const Scene scene = parse_scene(str("silt = 1\n[run]\nframes = 25\n[domain]\nsize = [1, 1]\nresolution = 32\n"
                                        "sides = { y_max = \"open\" }\n[water]\n[shape.block]\n"
                                        "box = { center = [0.1, 0.25], size = [0.3, 0.2] }\n",
                                        placed,
                                        "[fill.block]\nshape = \"block\"\nmaterial = \"water\"\n[shape.plate]\n"
                                        "box = { center = [0, 0], size = [3, ",
                                        cells / 32, "] }\n", placed,
                                        "[obstacle.plate]\nshape = \"plate\"\n[shape.below]\n"
                                        "box = { min = [-2, -2], max = [2, -0.05] }\n",
                                        placed, "[sink.below]\nshape = \"below\"\n"),
                                    "plate.toml");
    SimulationOptions one_thread;
    one_thread.threads = 1;
    Simulation sim(scene, one_thread);
    double first = 0, fastest = 0;
    while (sim.advance_frame()) {
      if (sim.frame_number() == 1) first = sim.stats().totals.mass;
      fastest = std::max(fastest, sim.stats().totals.max_speed);
    }
    EXPECT_NEAR(sim.stats().totals.mass, first, 1e-3 * first) << cells << " cells, " << angle << " degrees";
    EXPECT_LT(fastest, 8) << cells << " cells, " << angle << " degrees";
  }
}

TEST_F(ThinScene, ThePlaceTheThicknessAndTheCellsAreNamed) {
  EXPECT_NE(said("box = { min = [0.1, 0.1, 0.51], max = [0.9, 0.9, 0.54] }").find("'obstacle.it' is 0.03 m thick at ["),
            std::string::npos);
  EXPECT_NE(said("box = { min = [0.1, 0.1, 0.51], max = [0.9, 0.9, 0.54] }")
                .find("make it 0.05 m thick (a sheet by its thickness), or cells 0.03 m instead of 0.05 m"),
            std::string::npos);
  const std::string corner = said("box = { min = [0.5, 0.51, 0.51], max = [0.51, 0.52, 0.54] }");
  EXPECT_NE(corner.find("at [0.5"), std::string::npos) << corner;
}

}  // namespace
}  // namespace silt
