#include "silt/cache/volume_file.h"

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;

void expect_same(const Volume& a, const Volume& b, float tolerance = 0) {
  EXPECT_EQ(a.material, b.material);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.background, b.background);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i)
    ASSERT_NEAR(a.values[i], b.values[i], tolerance) << a.name << ' ' << i;
}

TEST(VolumeFile, ReadsWhatItWrote) {
  const Frame frame = small_frame(12);
  const Frame back = decode_volumes("a.vdb", encode_volumes(frame, "smoke"));
  EXPECT_EQ(back.number, 12);
  EXPECT_EQ(back.time, frame.time);
  EXPECT_EQ(back.domain.lattice, frame.domain.lattice);
  EXPECT_EQ(back.domain.cells, frame.domain.cells);
  EXPECT_EQ(back.domain.sides, frame.domain.sides);
  ASSERT_EQ(back.volumes.size(), frame.volumes.size());
  for (const Volume& v : frame.volumes) expect_same(v, *back.find(v.name));
}

TEST(VolumeFile, SameFrameSameBytes) {
  EXPECT_EQ(encode_volumes(small_frame(3), "smoke").text(), encode_volumes(small_frame(3), "smoke").text());
}

TEST(VolumeFile, SameBytesForAnyNumberOfThreads) {
  const Bytes many = encode_volumes(small_frame(3), "smoke");
  limit_volume_threads(1);
  const Bytes one = encode_volumes(small_frame(3), "smoke");
  limit_volume_threads(8);
  EXPECT_EQ(many.text(), one.text());
}

TEST(VolumeFile, TwoDimensionsAreOneCellThick) {
  const Frame frame = small_frame(1, {{0, -8, 0}, {20, 9, 1}}, {1, 1, 0});
  const Frame back = decode_volumes("a.vdb", encode_volumes(frame, "smoke"));
  EXPECT_EQ(back.domain.lattice.active, (Int3{1, 1, 0}));
  for (const Volume& v : frame.volumes) expect_same(v, *back.find(v.name));
}

TEST(VolumeFile, OneMaterialAFile) {
  Frame frame = small_frame(1);
  frame.volumes[1].material = "steam";
  EXPECT_EQ(decode_volumes("a.vdb", encode_volumes(frame, "steam")).volumes.size(), 1u);
  EXPECT_EQ(decode_volumes("a.vdb", encode_volumes(frame, "smoke")).volumes.size(), 2u);
}

TEST(VolumeFile, HalfFloats) {
  const Frame frame = small_frame(1);
  const Bytes half = encode_volumes(frame, "smoke", {.half = true});
  EXPECT_LT(half.size(), encode_volumes(frame, "smoke").size());
  const Frame back = decode_volumes("a.vdb", half);
  expect_same(frame.volumes[0], back.volumes[0], 1e-3f);
}

// Pressures under metres of sand are beyond what 16 bits hold.
TEST(VolumeFile, WhatHalfFloatsCannotHoldIsWhole) {
  Frame frame = small_frame(1);
  frame.volumes[0].values[0] = 1e5f;
  const Frame back = decode_volumes("a.vdb", encode_volumes(frame, "smoke", {.half = true}));
  EXPECT_EQ(back.volumes[0].values[0], 1e5f);
}

TEST(VolumeFile, SmallValuesBelowToleranceAreDropped) {
  Frame frame = small_frame(1);
  for (float& v : frame.volumes[0].values) v = 1e-6f;
  const Frame back = decode_volumes("a.vdb", encode_volumes(frame, "smoke", {.tolerance = 1e-5f}));
  for (const float v : back.find("density")->values) ASSERT_EQ(v, 0);
}

// Nothing is invisible: not-a-number is stored as such.
TEST(VolumeFile, KeepsNaN) {
  Frame frame = small_frame(1);
  frame.volumes[0].values[5] = NAN;
  EXPECT_TRUE(std::isnan(decode_volumes("a.vdb", encode_volumes(frame, "smoke")).volumes[0].values[5]));
}

/// OpenVDB's own reader, from a file on disk.
struct OpenVdb : testing::Test {
  TestFolder folder;
  openvdb::GridPtrVecPtr grids;
  openvdb::MetaMap::Ptr metadata;

  void open(const Bytes& bytes) {
    write_atomically(folder / "a.vdb", bytes.text());
    openvdb::initialize();
    openvdb::io::File file((folder / "a.vdb").string());
    file.open(/*delayLoad=*/true);
    grids = file.getGrids();
    metadata = file.getMetadata();
  }
  template <class Grid>
  typename Grid::Ptr grid(const std::string& name) {
    return openvdb::gridPtrCast<Grid>(openvdb::findGridByName(*grids, name));
  }
};

TEST_F(OpenVdb, OpensItAndFindsTheSameValues) {
  const Frame frame = small_frame(7);
  open(encode_volumes(frame, "smoke"));
  ASSERT_EQ(grids->size(), 4u);
  EXPECT_EQ(metadata->metaValue<std::string>("creator"), "silt " SILT_VERSION);
  EXPECT_EQ(metadata->metaValue<openvdb::Int32>("frame"), 7);

  const auto density = grid<openvdb::FloatGrid>("density"), temperature = grid<openvdb::FloatGrid>("temperature");
  const auto velocity = grid<openvdb::Vec3fGrid>("velocity"), vel = grid<openvdb::Vec3fGrid>("vel");
  ASSERT_TRUE(density && temperature && velocity && vel);
  EXPECT_EQ(density->getGridClass(), openvdb::GRID_FOG_VOLUME);
  EXPECT_EQ(density->background(), 0);
  EXPECT_EQ(temperature->background(), 293);
  EXPECT_EQ(velocity->constTreePtr(), vel->constTreePtr());

  const Box& cells = frame.domain.cells;
  openvdb::Index64 active = 0;
  for (int z = cells.lo.z - 2; z < cells.hi.z + 2; ++z)
    for (int y = cells.lo.y - 2; y < cells.hi.y + 2; ++y)
      for (int x = cells.lo.x - 2; x < cells.hi.x + 2; ++x) {
        const Cell c{x, y, z};
        const openvdb::Coord ijk(x, y, z);
        ASSERT_EQ(density->tree().getValue(ijk), frame.volumes[0].at(c)) << c;
        ASSERT_EQ(temperature->tree().getValue(ijk), frame.volumes[1].at(c)) << c;
        for (int a = 0; a < 3; ++a) ASSERT_EQ(vel->tree().getValue(ijk)[a], frame.volumes[2].at(c, a)) << c;
        active += frame.volumes[0].at(c) != 0;
      }
  EXPECT_EQ(density->activeVoxelCount(), active);  // only what is there is active

  const Vec3d centre = frame.domain.lattice.centre({3, 4, 5});
  const openvdb::Vec3d world = density->indexToWorld(openvdb::Coord(3, 4, 5));
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(world[a], centre[a], 1e-12);
  for (const auto& grid : *grids) EXPECT_EQ(grid->voxelSize()[0], frame.domain.lattice.h) << grid->getName();
}

// "velocity" and "vel" take the room of one.
TEST_F(OpenVdb, VelocityIsStoredOnce) {
  Frame frame = small_frame(1);
  const std::size_t both = encode_volumes(frame, "smoke").size();
  frame.volumes[2].name = "motion";  // no second name
  const std::size_t one = encode_volumes(frame, "smoke").size();
  EXPECT_GT(both, one);
  EXPECT_LT(both - one, 1500u);  // a header, no values: those are 500 voxels of 12 bytes and more
}

TEST_F(OpenVdb, LevelSetHasABandAndAFilledInside) {
  Frame frame = small_frame(1, {{0, 0, 0}, {64, 64, 64}});
  const double h = frame.domain.lattice.h, radius = 25 * h;
  Volume surface{"water", "surface", Volume::Kind::level_set, "m", frame.domain.cells, float(3 * h), {}};
  for (int z = 0; z < 64; ++z)
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x)
        surface.values.push_back(float(length((Cell{x, y, z} - Cell{32, 32, 32}).as<double>()) * h - radius));
  frame.volumes = {surface};
  const Bytes bytes = encode_volumes(frame, "water");
  open(bytes);
  const auto grid = this->grid<openvdb::FloatGrid>("surface");
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->getGridClass(), openvdb::GRID_LEVEL_SET);
  const float width = float(3 * h);
  EXPECT_EQ(grid->background(), width);
  EXPECT_EQ(grid->tree().getValue({32, 32, 32}), -width);
  EXPECT_FALSE(grid->tree().isValueOn({32, 32, 32}));
  EXPECT_LT(grid->tree().leafCount(), 400u);  // of 512: the middle and the corners are tiles
  const Frame back = decode_volumes("a.vdb", bytes);
  for (std::size_t i = 0; i < surface.values.size(); ++i)
    ASSERT_EQ(back.volumes[0].values[i], std::clamp(surface.values[i], -width, width)) << i;
}

TEST_F(OpenVdb, EmptyVolumesTakeNoRoom) {
  Frame frame = small_frame(1, {{0, 0, 0}, {64, 64, 64}});
  for (Volume& v : frame.volumes) std::fill(v.values.begin(), v.values.end(), v.background);
  const Bytes bytes = encode_volumes(frame, "smoke");
  EXPECT_LT(bytes.size(), 10'000u);
  open(bytes);
  EXPECT_EQ(grid<openvdb::FloatGrid>("density")->activeVoxelCount(), 0u);
  const Frame back = decode_volumes("a.vdb", bytes);
  expect_same(frame.volumes[1], back.volumes[1]);
}

TEST(VolumeFile, RefusesWhatIsNotOurs) {
  const std::string message =
      message_of<IoError>([] { decode_volumes("x/a.vdb", Bytes(std::string_view("not a volume file"))); });
  EXPECT_NE(message.find("x/a.vdb cannot be read"), std::string::npos) << message;
}

TEST(VolumeFile, WrongNumberOfValuesIsOurBug) {
  Frame frame = small_frame(1);
  frame.volumes[0].values.pop_back();
  EXPECT_THROW(encode_volumes(frame, "smoke"), Error);
}

// Boxes that share leaves of 8^3 and boxes far apart: one grid, and each box comes back as it was.
TEST(VolumeFile, SeveralBoxesOfOneVolumeAreOneGrid) {
  Frame frame = small_frame(1);
  frame.volumes.clear();
  const float h = float(frame.domain.lattice.h);
  std::int64_t in_band = 0;
  for (const Box& box : {Box{{-3, 0, 0}, {5, 6, 7}}, Box{{5, 0, 0}, {9, 6, 7}}, Box{{40, -20, 3}, {48, -12, 11}}}) {
    Volume surface{"water", "surface", Volume::Kind::level_set, "m", box, 3 * h, {}};
    Volume speed{"water", "velocity", Volume::Kind::vector, "m/s", box, 0, {}};
    for (int z = box.lo.z; z < box.hi.z; ++z)
      for (int y = box.lo.y; y < box.hi.y; ++y)
        for (int x = box.lo.x; x < box.hi.x; ++x) {
          surface.values.push_back(0.5f * h * float(x + y - 2 * z));
          in_band += std::abs(surface.values.back()) < 3 * h;
          for (int a = 0; a < 3; ++a) speed.values.push_back(float(x * y + a) + 0.5f);
        }
    frame.volumes.push_back(surface);
    frame.volumes.push_back(speed);
  }
  const Bytes bytes = encode_volumes(frame, "water");
  const VolumeFileInfo info = describe_volumes("x.vdb", bytes);
  ASSERT_EQ(info.grids.size(), 3u);  // surface, velocity and its second name
  EXPECT_EQ(info.grids[0].active_voxels, in_band);
  EXPECT_EQ(info.grids[0].grid_class, "level set");
  const Frame back = decode_volumes("x.vdb", bytes);
  ASSERT_EQ(back.volumes.size(), 6u);
  for (int i = 0; i < 3; ++i) {
    const Volume &wrote = frame.volumes[2 * std::size_t(i)], &read = back.volumes[std::size_t(i)];
    EXPECT_EQ(read.name, "surface");
    EXPECT_EQ(read.cells, wrote.cells);
    EXPECT_EQ(read.background, 3 * h);
    for (std::size_t v = 0; v < wrote.values.size(); ++v)
      ASSERT_EQ(read.values[v], std::clamp(wrote.values[v], -3 * h, 3 * h)) << i << ' ' << v;
    EXPECT_EQ(back.volumes[std::size_t(3 + i)].values, frame.volumes[2 * std::size_t(i) + 1].values);
  }
}

TEST(VolumeFile, BoxesOfOneVolumeMustBeOfOneKind) {
  Frame frame = small_frame(1);
  frame.volumes.push_back(frame.volumes[1]);
  frame.volumes.back().name = "density";  // with the background of temperature
  EXPECT_NE(message_of<Error>([&] { encode_volumes(frame, "smoke"); }).find("'density'"), std::string::npos);
}

}  // namespace
}  // namespace silt
