#include "silt/sim/scene_shapes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "silt/core/text.h"
#include "silt/geometry/sample_meshes.h"
#include "silt/render/image.h"
#include "silt/scene/diagnostics.h"
#include "silt/sim/estimate.h"

namespace silt {
namespace {

namespace fs = std::filesystem;

/// A folder with meshes and a scene in it.
class SceneShapes : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() /
             str("silt_shapes_", ::getpid(), "_", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder / "meshes");
  }
  void TearDown() override { fs::remove_all(folder); }

  void write_mesh(const std::string& name, const TriangleMesh& mesh) const {
    std::ofstream out(folder / "meshes" / name);
    out.precision(17);
    for (const Vec3d& v : mesh.vertices) out << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
    for (const Int3& t : mesh.triangles) out << "f " << t.x + 1 << ' ' << t.y + 1 << ' ' << t.z + 1 << '\n';
  }

  /// A scene in that folder whose obstacle is shape `it`, and its source another one.
  Scene scene(const std::string& shapes, const std::string& size = "[2, 2, 2]",
              const std::string& source = "room") const {
    const std::string all = size == "[2, 2]" ? "max = [2, 2]" : "max = [2, 2, 2]";
    const std::string none = size == "[2, 2]" ? "min = [0, 0], " : "min = [0, 0, 0], ";
    return parse_scene("silt = 1\n[run]\nfps = 10\n[domain]\nsize = " + size + "\ncell_size = 0.1\n[smoke]\n" + shapes +
                           "\n[obstacle.it]\nshape = \"it\"\n[source.s]\nshape = \"" + source +
                           "\"\nmaterial = \"smoke\"\n[shape.room]\nbox = { " + none + all + " }\n",
                       (folder / "scene.toml").string());
  }
  Shape shape(const std::string& shapes, const std::string& size = "[2, 2, 2]") const {
    return scene(shapes, size).setting.obstacles.at(0).shape;
  }
  std::string refusal(const std::string& shapes, const std::string& size = "[2, 2, 2]") const {
    try {
      scene(shapes, size);
    } catch (const SceneError& e) {
      return e.what();
    }
    return "none";
  }
  void expect_refusal(const std::string& shapes, const std::string& part, const std::string& size = "[2, 2, 2]") const {
    const std::string message = refusal(shapes, size);
    EXPECT_NE(message.find(part), std::string::npos) << shapes << "\nshould say " << part << "\nsaid " << message;
  }

  fs::path folder;
};

TEST_F(SceneShapes, EveryPrimitiveIsWhatItsNumbersSay) {
  const auto d = [&](const std::string& text, const Vec3d& x) { return shape("[shape.it]\n" + text).distance(x); };
  EXPECT_NEAR(d("cylinder = { from = [0.5, 1, 1], to = [1.5, 1, 1], radius = 0.25 }", {1, 1.5, 1}), 0.25, 1e-12);
  EXPECT_NEAR(d("capsule = { from = [0.5, 1, 1], to = [1.5, 1, 1], radius = 0.25 }", {2, 1, 1}), 0.25, 1e-12);
  EXPECT_NEAR(d("cone = { from = [1, 1, 0.5], to = [1, 1, 1.5], radius = 0.5 }", {1, 1, 1.75}), 0.25, 1e-12);
  EXPECT_NEAR(d("cone = { from = [1, 1, 0.5], to = [1, 1, 1.5], radius = 0.5, end_radius = 0.5 }", {1, 1.75, 1}), 0.25,
              1e-12);
  EXPECT_NEAR(d("plane = { point = [1, 1, 0.5], normal = [0, 0, 3] }", {0, 0, 1}), 0.5, 1e-12);
  EXPECT_NEAR(d("torus = { center = [1, 1, 1], radius = 0.5, tube = 0.25 }", {1, 1, 1}), 0.25, 1e-12);
  EXPECT_NEAR(d("torus = { center = [1, 1, 1], axis = [2, 0, 0], radius = 0.5, tube = 0.25 }", {1, 1, 1.5}), -0.25,
              1e-12);
}

TEST_F(SceneShapes, AnyShapeIsScaledThenTurnedThenMoved) {
  const std::string parts =
      "[shape.rod]\ncylinder = { from = [0, 0, 0], to = [0.4, 0, 0], radius = 0.1 }\n"
      "[shape.bead]\nsphere = { center = [0.4, 0, 0], radius = 0.15 }\n"
      "[shape.pin]\nunion = [\"rod\", \"bead\"]\n";
  const Shape it = shape(parts + "[shape.it]\ncopy = \"pin\"\nscale = 2\nrotate = [0, 0, 90]\nmove = [1, 0.5, 1]\n");
  EXPECT_NEAR(it.distance({1, 1.3, 1}), -0.3, 1e-12) << "the bead's middle";
  EXPECT_NEAR(it.distance({1.4, 0.9, 1}), 0.2, 1e-12) << "beside the rod";
  // The whole union at once, and nested once more.
  const Shape nested =
      shape(parts +
            "[shape.a]\nunion = [\"rod\", \"bead\"]\nscale = 2\n[shape.b]\ncopy = \"a\"\nrotate = [0, 0, 90]\n"
            "[shape.it]\nunion = [\"b\"]\nmove = [1, 0.5, 1]\n");
  for (const Vec3d& x : {Vec3d{1, 1.3, 1}, Vec3d{0.2, 0.7, 1.1}, Vec3d{1.05, 0.6, 0.9}})
    EXPECT_NEAR(nested.distance(x), it.distance(x), 1e-12);
}

TEST_F(SceneShapes, InAFlatSceneTheyAreCutByThePlane) {
  const auto d = [&](const std::string& text, const Vec3d& x) {
    return shape("[shape.it]\n" + text, "[2, 2]").distance(x);
  };
  EXPECT_NEAR(d("cylinder = { from = [0.5, 1], to = [1.5, 1], radius = 0.25 }", {1, 1.5, 0}), 0.25, 1e-12);
  EXPECT_NEAR(d("torus = { center = [1, 1], radius = 0.5, tube = 0.25 }", {1, 1, 0}), 0.25, 1e-12) << "a ring";
  EXPECT_NEAR(d("torus = { center = [1, 1], axis = [1, 0, 0], radius = 0.5, tube = 0.25 }", {1, 1.5, 0}), -0.25, 1e-12);
  EXPECT_NEAR(d("box = { size = [1, 0.2] }\nrotate = [0, 0, 90]\nmove = [1, 1]", {1, 1.7, 0}), 0.2, 1e-12);
  write_mesh("ball.obj", ball_mesh({1, 1, 0}, 0.5, 4));
  EXPECT_NEAR(d("mesh = \"meshes/ball.obj\"", {1, 1.7, 0}), 0.2, 5e-3);
  expect_refusal("[shape.it]\nbox = { size = [1, 0.2] }\nrotate = [10, 0, 0]", "only the third number", "[2, 2]");
}

TEST_F(SceneShapes, WhatMakesNoSenseIsRefused) {
  const auto it = [](const std::string& text) { return "[shape.it]\n" + text; };
  expect_refusal(it("cylinder = { from = [1, 1, 1], to = [1, 1, 1], radius = 0.2 }"), "the cylinder has no length");
  expect_refusal(it("cone = { from = [1, 1, 1], to = [1, 1, 1.5], radius = 0 }"), "both its radii are 0");
  expect_refusal(it("plane = { point = [1, 1, 1], normal = [0, 0, 0] }"), "the plane's normal is zero");
  expect_refusal(it("torus = { center = [1, 1, 1], radius = 0.2, tube = 0.3 }"), "is larger than the ring's");
  expect_refusal(it("torus = { center = [1, 1, 1], radius = 0.2, tube = 0.1, axis = [0, 0, 0] }"), "axis is zero");
  expect_refusal(it("sphere = { center = [1, 1, 1], radius = 0.2 }\nthickness = 0.1"), "'thickness' belongs to a mesh");
  expect_refusal(it("mesh = \"a.obj\"\nsequence = { fps = 12 }"), "'sequence' belongs to a mesh that moves");
  expect_refusal(it("copy = \"it\""), "made of itself");
  expect_refusal(it("copy = \"that\""), "'that'");
  expect_refusal(it("mesh = \"nowhere.obj\""), "scene.toml:9:8: error: there is no file");
  expect_refusal(it("mesh = \"nowhere.####.obj\""), "there is no file");
  expect_refusal(it("height_field = { file = \"no.png\", min = [0, 0, 0], max = [1, 1, 0.5] }"), "there is no file");
  expect_refusal(it("height_field = { file = \"no.png\", min = [0, 0, 1], max = [1, 1, 0.5] }"),
                 "the height field is empty: along z");
  std::ofstream(folder / "bad.obj") << "v 0 0 0\nf 1 2 3\n";
  expect_refusal(it("mesh = \"bad.obj\""), "bad.obj:2: a face names vertex 2, and the file has 1 of them");
  std::ofstream(folder / "bad.png") << "no picture";
  expect_refusal(it("height_field = { file = \"bad.png\", min = [0, 0, 0], max = [1, 1, 0.5] }"),
                 "bad.png: not a readable PNG");
}

TEST_F(SceneShapes, AFlatSceneNeedsAMeshThatItsPlaneCuts) {
  const std::string it = "[shape.it]\nmesh = \"meshes/it.obj\"\n";
  write_mesh("it.obj", box_mesh({0.5, 0.5, 0}, {1.5, 1.5, 1}, 2));
  expect_refusal(it,
                 "scene.toml:9:8: error: the scene is 2D, and mesh 'meshes/it.obj' misses the plane z = 0: along z it "
                 "reaches from 0 to 1",
                 "[2, 2]");
  write_mesh("it.obj", box_mesh({0.5, 0.5, -1.3}, {1.5, 1.5, -0.3}, 2));
  expect_refusal(it, "along z it reaches from -1.3 to -0.3", "[2, 2]");
  write_mesh("it.obj", together(ball_mesh({1, 1, -0.8}, 0.5, 3), ball_mesh({1, 1, 0.8}, 0.5, 3)));
  expect_refusal(it, "mesh 'meshes/it.obj' misses the plane z = 0\n", "[2, 2]");
  EXPECT_EQ(refusal(it), "none") << "in space it may be anywhere";
  write_mesh("it.obj", ball_mesh({1, 1, 0.4}, 0.5, 3));
  EXPECT_EQ(refusal(it, "[2, 2]"), "none");
}

// The obstacle and the source share one shape.
TEST_F(SceneShapes, MeshesCountInTheEstimateOnceEach) {
  write_mesh("ball.obj", ball_mesh({1, 1, 1}, 0.5, 5));
  write_mesh("foot.0001.obj", ball_mesh({1, 1, 1}, 0.5, 5));
  const double without =
      estimate(scene("[shape.it]\nsphere = { center = [1, 1, 1], radius = 0.5 }", "[2, 2, 2]", "it")).memory_bytes;
  const double with = estimate(scene("[shape.it]\nmesh = \"meshes/ball.obj\"", "[2, 2, 2]", "it")).memory_bytes;
  const double sequence =
      estimate(scene("[shape.it]\nmesh = \"meshes/foot.####.obj\"", "[2, 2, 2]", "it")).memory_bytes;
  const double triangles = 20 << 10;
  EXPECT_GT(with - without, 250 * triangles) << "corners 72, groups 68, boxes, clusters, normals";
  EXPECT_LT(with - without, 500 * triangles);
  EXPECT_GT(sequence - without, 2.5 * (with - without) - 200 * triangles) << "three trees without normals";
}

TEST_F(SceneShapes, AMisspeltFileIsNamed) {
  write_mesh("figure.obj", ball_mesh({1, 1, 1}, 0.5, 2));
  write_mesh("foot.0001.obj", ball_mesh({1, 1, 1}, 0.5, 2));
  std::ofstream(folder / "hills.png") << "no picture";
  const auto mesh = [](const std::string& file) { return "[shape.it]\nmesh = \"" + file + "\"\n"; };
  expect_refusal(mesh("meshes/figrue.obj"), "did you mean 'meshes/figure.obj'?");
  expect_refusal(mesh("meshes/figure.stl"), "did you mean 'meshes/figure.obj'?");
  expect_refusal(mesh("mehses/figure.obj"), "did you mean 'meshes/figure.obj'?");
  expect_refusal(mesh("meshes/feet.####.obj"), "did you mean 'meshes/foot.####.obj'?");
  expect_refusal("[shape.it]\nheight_field = { file = \"hill.png\", min = [0, 0, 0], max = [1, 1, 0.5] }",
                 "did you mean 'hills.png'?");
  expect_refusal(mesh("elsewhere/figure.obj"), "there is no folder");
  EXPECT_EQ(refusal(mesh("meshes/quite_another.obj")).find("did you mean"), std::string::npos);
}

TEST_F(SceneShapes, AMeshIsFoundBesideTheSceneAndWhatIsWrongWithItIsTold) {
  TriangleMesh mesh = ball_mesh({1, 1, 1}, 0.5, 3);
  write_mesh("ball.obj", mesh);
  EXPECT_EQ(scene("[shape.it]\nmesh = \"meshes/ball.obj\"").warnings.size(), 0u);
  EXPECT_NEAR(shape("[shape.it]\nmesh = \"meshes/ball.obj\"\nscale = 0.5\nmove = [0.5, 0.5, 0.5]").distance({1, 1, 1}),
              -0.25, 2e-3);
  std::swap(mesh.triangles[3].x, mesh.triangles[3].y);
  mesh.triangles.pop_back();
  write_mesh("hurt.obj", mesh);
  const Scene hurt = scene("[shape.it]\nmesh = \"meshes/hurt.obj\"");
  ASSERT_EQ(hurt.warnings.size(), 1u);
  EXPECT_NE(hurt.warnings[0].find("mesh 'hurt.obj': 1 hole (3 edges), 1 flipped face: sides are told by the winding "
                                  "number"),
            std::string::npos)
      << hurt.warnings[0];
  EXPECT_LT(hurt.setting.obstacles[0].shape.distance({1, 1, 1}), -0.4);
}

TEST_F(SceneShapes, AnOpenSheetNeedsAThickness) {
  TriangleMesh sheet;
  sheet.vertices = {{0.5, 0.5, 1}, {1.5, 0.5, 1}, {1.5, 1.5, 1}, {0.5, 1.5, 1}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  write_mesh("sheet.obj", sheet);
  expect_refusal("[shape.it]\nmesh = \"meshes/sheet.obj\"", "mesh 'meshes/sheet.obj' is an open sheet, not a solid");
  expect_refusal("[shape.it]\nmesh = \"meshes/sheet.obj\"", "thickness = 0.01");
  const Scene thick = scene("[shape.it]\nmesh = \"meshes/sheet.obj\"\nthickness = 0.2");
  EXPECT_NEAR(thick.setting.obstacles[0].shape.distance({1, 1, 1.3}), 0.2, 1e-12);
  EXPECT_EQ(thick.warnings.size(), 0u);
}

TEST_F(SceneShapes, ASequenceMovesAtTheRateOfTheRun) {
  for (int f = 1; f <= 3; ++f) write_mesh(str("foot.000", f, ".obj"), ball_mesh({0.5 + 0.2 * f, 1, 1}, 0.3, 2));
  const std::string text = "[shape.it]\nmesh = \"meshes/foot.####.obj\"\n";
  const Shape it = shape(text);
  EXPECT_TRUE(it.deforms());
  EXPECT_LT(length(it.at(0.05).view().sample({1, 1.5, 1}).velocity - Vec3d{2, 0, 0}), 1e-4);
  const Shape slow = shape(text + "sequence = { fps = 5, start = 0.1, loop = true }");
  EXPECT_LT(length(slow.at(0.15).view().sample({1, 1.5, 1}).velocity - Vec3d{1, 0, 0}), 1e-4);
  fs::remove(folder / "meshes" / "foot.0002.obj");
  expect_refusal(text, "files are missing: foot.0002.obj");
}

TEST_F(SceneShapes, AHeightFieldIsAPicture) {
  Image image(9, 5);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 9; ++x) image.at(x, y) = x < 4 ? Colour{0, 0, 0} : Colour{1, 1, 1};
  const std::vector<std::uint8_t> png = encode_png(image);
  std::ofstream(folder / "step.png", std::ios::binary)
      .write(reinterpret_cast<const char*>(png.data()), std::streamsize(png.size()));
  const Shape it =
      shape("[shape.it]\nheight_field = { file = \"step.png\", min = [0, 0, 0.2], max = [2, 2, 1], depth = 0.1 }");
  EXPECT_NEAR(it.distance({0.4, 1, 0.5}), 0.3, 1e-6) << "above black";
  EXPECT_NEAR(it.distance({1.6, 1, 1.5}), 0.5, 1e-6) << "above white";
  EXPECT_LT(it.distance({1.6, 1, 0.9}), 0);
  const Shape flat =
      shape("[shape.it]\nheight_field = { file = \"step.png\", min = [0, 0.2], max = [2, 1] }", "[2, 2]");
  EXPECT_NEAR(flat.distance({0.4, 0.5, 0}), 0.3, 1e-6);
  EXPECT_NEAR(flat.distance({1.6, 1.5, 0}), 0.5, 1e-6);
  EXPECT_LT(flat.distance({1.6, 0.9, 0}), 0);
}

// A run folder lies elsewhere, and its scene must mean the same there, or nothing.
TEST_F(SceneShapes, TheSceneAsItRanFindsItsFilesAndKnowsThem) {
  write_mesh("ball.obj", ball_mesh({1, 1, 1}, 0.5, 2));
  const Scene first = scene("[shape.it]\nmesh = \"meshes/ball.obj\"\nmove = [0.1, 0, 0]");
  const Scene again = parse_scene(first.text, "/somewhere/else/scene.toml");
  EXPECT_EQ(again.text, first.text);
  EXPECT_EQ(again.setting.obstacles[0].shape.distance({0.3, 0.2, 0.1}),
            first.setting.obstacles[0].shape.distance({0.3, 0.2, 0.1}));
  write_mesh("ball.obj", ball_mesh({1, 1, 1}, 0.4, 2));
  const Scene changed = scene("[shape.it]\nmesh = \"meshes/ball.obj\"\nmove = [0.1, 0, 0]");
  EXPECT_EQ(forbidden_changes(first, changed), std::vector<std::string>{"shape.it.digest"});
  try {
    parse_scene(first.text, "/somewhere/else/scene.toml");
    ADD_FAILURE() << "another mesh was taken for the old one";
  } catch (const SceneError& e) {
    EXPECT_NE(std::string(e.what()).find("is not what it was when this scene ran"), std::string::npos) << e.what();
  }
  // To look at a run, its files are not needed.
  fs::remove(folder / "meshes" / "ball.obj");
  EXPECT_EQ(parse_past_scene(first.text, "scene.toml").text, first.text);
}

}  // namespace
}  // namespace silt
