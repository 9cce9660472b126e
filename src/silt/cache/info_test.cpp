#include "silt/cache/info.h"

#include <nlohmann/json.hpp>

#include "silt/cache/run_folder.h"
#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;

struct InfoTest : testing::Test {
  TestFolder folder;
  std::filesystem::path path = folder / "run";

  void SetUp() override {
    RunStatus status = RunStatus::of_this_process();
    status.frame = 1;
    status.frames = 9;
    RunFolder run = RunFolder::create(path, "silt = 1\n", status);
    Frame frame = small_frame(1);
    frame.points.push_back(small_points(frame, 50));
    run.write_volumes(frame);
    run.write_points(frame);
    frame.meshes.push_back(small_mesh());
    run.write_meshes(frame);
    const std::vector<float> values(6, 1);
    CheckpointWriter writer;
    writer.add("smoke.density", Dtype::f32, {2, 3}, values.data(), 24);
    run.add_checkpoint(writer, 1);
  }
};

TEST_F(InfoTest, RunFolder) {
  const Info info = describe(path);
  ASSERT_TRUE(info.run);
  EXPECT_EQ(info.run->files.size(), 5u);
  EXPECT_EQ(info.run->frames_done, 1);
  EXPECT_TRUE(info.run->problems.empty());
  const auto json = nlohmann::json::parse(to_json(info));
  EXPECT_EQ(json["run"]["status"], "running");
  EXPECT_EQ(json["run"]["frames"], 9);
  EXPECT_NE(to_text(info).find("frame 1 of 9"), std::string::npos) << to_text(info);
}

TEST_F(InfoTest, NamesWhatIsDamagedOrMissing) {
  flip_bit(path / "cache/smoke.volume.0001.vdb", 1000);
  std::filesystem::remove(path / "checkpoints/0001.safetensors");
  const Info info = describe(path);
  ASSERT_EQ(info.run->problems.size(), 2u);
  EXPECT_NE(info.run->problems[0].find("0001.vdb is damaged"), std::string::npos);
  EXPECT_NE(info.run->problems[1].find("0001.safetensors is missing"), std::string::npos);
  EXPECT_EQ(describe(path, /*checksums=*/false).run->problems.size(), 1u);
}

TEST_F(InfoTest, VolumeFile) {
  const Info info = describe(path / "cache/smoke.volume.0001.vdb");
  ASSERT_TRUE(info.volumes);
  ASSERT_EQ(info.volumes->grids.size(), 4u);
  const GridInfo& density = info.volumes->grids[0];
  EXPECT_EQ(density.name, "density");
  EXPECT_EQ(density.type, "float");
  EXPECT_GT(density.active_voxels, 100);
  EXPECT_NEAR(density.max, 1.1, 1e-6);
  EXPECT_EQ(density.voxel_size.x, 0.05);
  EXPECT_EQ(info.volumes->grids[2].type, "vec3s");
  // Bounds of what is active, in cells and in metres: cell c covers origin + c h to origin + (c + 1) h.
  const Lattice lattice = small_frame(1).domain.lattice;
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(density.world_lo[a], lattice.origin[a] + density.index_bounds.lo[a] * lattice.h, 1e-12);
    EXPECT_NEAR(density.world_hi[a], lattice.origin[a] + density.index_bounds.hi[a] * lattice.h, 1e-12);
  }
  EXPECT_EQ(nlohmann::json::parse(to_json(info))["volumes"]["grids"].size(), 4u);
  EXPECT_NE(to_text(info).find("velocity"), std::string::npos);
}

TEST_F(InfoTest, PointsFile) {
  const Info info = describe(path / "cache/water.points.0001.vdb");
  ASSERT_TRUE(info.volumes);
  ASSERT_EQ(info.volumes->grids.size(), 1u);
  const GridInfo& points = info.volumes->grids[0];
  EXPECT_EQ(points.name, "points");
  EXPECT_EQ(points.points, 50);
  EXPECT_EQ(points.attributes,
            (std::vector<std::string>{"P", "v", "id", "age", "source", "Cd", "pscale", "wetness", "heat"}));
  EXPECT_EQ(nlohmann::json::parse(to_json(info))["volumes"]["grids"][0]["points"], 50);
  EXPECT_NE(to_text(info).find("50 points in 'points', with P v id"), std::string::npos) << to_text(info);
}

TEST_F(InfoTest, MeshFile) {
  const Info info = describe(path / "cache/water.surface.0001.ply");
  ASSERT_TRUE(info.mesh);
  EXPECT_EQ(info.mesh->vertices, 4);
  EXPECT_EQ(info.mesh->triangles, 4);
  EXPECT_EQ(info.mesh->hi, (Vec3d{1, 1.25, 1e-3f}));
  EXPECT_EQ(nlohmann::json::parse(to_json(info))["mesh"]["properties"].size(), 14u);
  EXPECT_NE(to_text(info).find("4 corners with x y z nx ny nz vx vy vz wetness wet red green blue; 4 triangles"),
            std::string::npos)
      << to_text(info);
}

TEST_F(InfoTest, Checkpoint) {
  const Info info = describe(path / "checkpoints/0001.safetensors");
  ASSERT_TRUE(info.checkpoint);
  ASSERT_EQ(info.checkpoint->arrays.size(), 1u);
  EXPECT_EQ(info.checkpoint->arrays[0].shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(nlohmann::json::parse(to_json(info))["checkpoint"]["metadata"]["frame"], "1");
  EXPECT_NE(to_text(info).find("2 x 3"), std::string::npos) << to_text(info);
}

TEST_F(InfoTest, DamagedFileIsRefusedBeforeItIsParsed) {
  const auto file = path / "cache/smoke.volume.0001.vdb";
  flip_bit(file, 100);
  EXPECT_NE(message_of<IoError>([&] { describe(file); }).find("is damaged"), std::string::npos);
}

TEST_F(InfoTest, OtherThingsAreRefused) {
  EXPECT_THROW(describe(folder / "nothing"), InputError);
  EXPECT_THROW(describe(path / "scene.toml"), InputError);
  EXPECT_THROW(describe(folder.path()), InputError);
}

}  // namespace
}  // namespace silt
