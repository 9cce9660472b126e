#include "silt/cache/bodies_file.h"

#include "silt/cache/run_folder.h"
#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;

Body body(const std::string& name, double time, bool deforms) {
  Mesh shape = small_mesh();
  if (!deforms) shape.velocities.clear();
  Pose pose;
  pose.place = {rotation_from_z(normalized(Vec3d{1, 2, 3})), {time, 0.1, -0.3}, 1.5};
  pose.velocity = {{1, 0, 0}, {0, 0, 3.5}, {time, 0, 0}};
  return {name, pose, std::make_shared<const Mesh>(std::move(shape))};
}

TEST(BodiesFile, BodiesComeBackAsTheyWere) {
  const TestFolder folder;
  RunFolder run = RunFolder::create(folder / "run", "silt = 1\n", RunStatus::of_this_process());
  for (int n = 1; n <= 3; ++n) {
    Frame frame = small_frame(n);
    frame.bodies = {body("post", n, false), body("flag/é", n, true)};
    run.write_volumes(frame);
    run.write_bodies(frame);
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "run/cache/post.shape.0001.ply"));
  EXPECT_FALSE(std::filesystem::exists(folder / "run/cache/post.shape.0002.ply")) << "it keeps its form";
  EXPECT_TRUE(std::filesystem::exists(folder / "run/cache/flag%2F%C3%A9.shape.0003.ply"));
  const Frame frame = run.read_frame(2);
  ASSERT_EQ(frame.bodies.size(), 2u);
  EXPECT_EQ(frame.bodies[1].name, "flag/é");
  for (int i = 0; i < 2; ++i) {
    const Body was = body("", 2, i == 1);
    EXPECT_EQ(frame.bodies[i].pose.place, was.pose.place);
    EXPECT_EQ(frame.bodies[i].pose.velocity.spin, was.pose.velocity.spin);
    EXPECT_EQ(frame.bodies[i].shape->positions, was.shape->positions);
    EXPECT_EQ(frame.bodies[i].shape->velocities.size(), was.shape->velocities.size());
  }
  EXPECT_TRUE(run.read_frame(2, {.bodies = false}).bodies.empty());
}

// A run that goes on from its beginning loses the shape with the first frame, and writes it again.
TEST(BodiesFile, ShapesGoAndComeWithTheirFrames) {
  const TestFolder folder;
  RunFolder run = RunFolder::create(folder / "run", "silt = 1\n", RunStatus::of_this_process());
  Frame frame = small_frame(1);
  frame.bodies = {body("post", 1, false)};
  run.write_bodies(frame);
  run.cut_back(nullptr);
  EXPECT_FALSE(std::filesystem::exists(folder / "run/cache/post.shape.0001.ply"));
  EXPECT_FALSE(std::filesystem::exists(folder / "run/cache/bodies.0001.json"));
  run.write_volumes(frame);
  run.write_bodies(frame);
  EXPECT_EQ(run.read_frame(1).bodies.size(), 1u);
}

TEST(BodiesFile, DamageIsNoticed) {
  const Frame frame = small_frame(1);
  std::string text = encode_bodies(frame, {{"post", {}, "cache/post.shape.0001.ply"}});
  EXPECT_EQ(decode_bodies("x.json", text).size(), 1u);
  text[text.find("post")] = 'r';
  EXPECT_EQ(message_of<IoError>([&] { decode_bodies("x.json", text); }),
            "x.json is damaged: it does not match its own checksum");
}

}  // namespace
}  // namespace silt
