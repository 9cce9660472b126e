#include "silt/cache/points_file.h"

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointDataGrid.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "silt/cache/run_folder.h"
#include "silt/cache/test_tools.h"
#include "silt/cache/volume_file.h"

/// OpenVDB leaks the nodes of a tree whose topology ends too early; nothing of ours can free them.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:openvdb";
}

namespace silt {
namespace {

using namespace test;

Frame frame_with_points(std::size_t count, Int3 active = {1, 1, 1}) {
  Frame frame = active.z ? small_frame(3) : small_frame(3, {{-3, 2, 0}, {14, 19, 1}}, active);
  frame.points.push_back(small_points(frame, count));
  return frame;
}

template <class T>
void reorder(std::vector<T>& values, const std::vector<std::size_t>& order) {
  if (values.empty()) return;
  std::vector<T> sorted;
  for (const std::size_t i : order) sorted.push_back(values[i]);
  values = std::move(sorted);
}

void reorder(Points& p, const std::vector<std::size_t>& order) {
  reorder(p.positions, order), reorder(p.velocities, order), reorder(p.id, order), reorder(p.age, order);
  reorder(p.source, order), reorder(p.colour, order);
  for (Attribute& a : p.attributes) reorder(a.values, order);
}

Points by_id(Points p) {
  std::vector<std::size_t> order(p.count());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p.id[a] < p.id[b]; });
  reorder(p, order);
  return p;
}

TEST(PointsFile, EverythingComesBack) {
  for (const Int3 active : {Int3{1, 1, 1}, Int3{1, 1, 0}})
    for (const bool half : {false, true}) {
      const Frame frame = frame_with_points(5000, active);
      const Frame back = decode_points("x.vdb", encode_points(frame, "water", {.half = half}));
      EXPECT_EQ(back.number, 3);
      EXPECT_EQ(back.time, frame.time);
      EXPECT_EQ(back.domain, frame.domain);
      ASSERT_EQ(back.points.size(), 1u);
      const Points &wrote = frame.points[0], read = by_id(back.points[0]);
      EXPECT_EQ(read.material, "water");
      EXPECT_EQ(read.radius, wrote.radius);
      EXPECT_EQ(read.id, wrote.id);
      EXPECT_EQ(read.age, wrote.age);
      EXPECT_EQ(read.source, wrote.source);
      EXPECT_EQ(read.colour, wrote.colour);
      ASSERT_EQ(read.attributes.size(), 2u);
      for (const Attribute& a : wrote.attributes) {
        const auto found = std::find_if(read.attributes.begin(), read.attributes.end(),
                                        [&](const Attribute& b) { return b.name == a.name; });
        ASSERT_TRUE(found != read.attributes.end()) << a.name;
        EXPECT_EQ(found->values, a.values) << a.name;
        EXPECT_EQ(found->unit, a.unit) << a.name;
      }
      ASSERT_EQ(read.velocities.size(), wrote.velocities.size());
      for (std::size_t i = 0; i < wrote.count(); ++i) {
        EXPECT_LT(length(read.positions[i] - wrote.positions[i]), 1e-7 * frame.domain.lattice.h) << i;
        for (int a = 0; a < 3; ++a)
          EXPECT_NEAR(read.velocities[i][a], wrote.velocities[i][a],
                      half ? 1e-3 * std::abs(wrote.velocities[i][a]) + 1e-7 : 0)
              << i;
      }
    }
}

// As any other program reads it: from a file on disk, by OpenVDB's own means alone.
TEST(PointsFile, OpenVdbFindsThePointsWhereTheyAre) {
  TestFolder folder;
  const Frame frame = frame_with_points(1000);
  const Points& wrote = frame.points[0];
  write_atomically(folder / "x.vdb", encode_points(frame, "water", {.half = true}).text());
  openvdb::initialize();
  openvdb::io::File file(folder / "x.vdb");
  file.open(/*delayLoad=*/true);
  const auto grid = openvdb::gridPtrCast<openvdb::points::PointDataGrid>(file.readGrid("points"));
  ASSERT_TRUE(grid);
  std::map<std::int64_t, std::size_t> index;
  for (std::size_t i = 0; i < wrote.count(); ++i) index[std::int64_t(wrote.id[i])] = i;
  std::size_t found = 0;
  for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
    const openvdb::points::AttributeHandle<openvdb::Vec3f> p(leaf->constAttributeArray("P"));
    const openvdb::points::AttributeHandle<openvdb::Vec3f> v(leaf->constAttributeArray("v"));
    const openvdb::points::AttributeHandle<openvdb::Vec3f> colour(leaf->constAttributeArray("Cd"));
    const openvdb::points::AttributeHandle<std::int64_t> id(leaf->constAttributeArray("id"));
    const openvdb::points::AttributeHandle<float> radius(leaf->constAttributeArray("pscale"));
    for (auto at = leaf->beginIndexOn(); at; ++at, ++found) {
      const openvdb::Vec3d x = grid->indexToWorld(at.getCoord().asVec3d() + openvdb::Vec3d(p.get(*at)));
      const std::size_t i = index.at(id.get(*at));
      for (int a = 0; a < 3; ++a) {
        EXPECT_NEAR(x[a], wrote.positions[i][a], 1e-7 * frame.domain.lattice.h);
        EXPECT_NEAR(v.get(*at)[a], wrote.velocities[i][a], 1e-2);
      }
      EXPECT_NEAR(colour.get(*at)[2], (wrote.colour[i] & 255) / 255.0, 1e-6);
      EXPECT_EQ(radius.get(*at), wrote.radius);
    }
  }
  EXPECT_EQ(found, wrote.count());
}

TEST(PointsFile, FarFromTheOriginPositionsAreAsExact) {
  Frame frame = frame_with_points(100);
  frame.domain.lattice.origin = {1000, -2000, 0.125};
  for (Vec3d& x : frame.points[0].positions) x += Vec3d{1000, -2000, 0};
  const Points read = by_id(decode_points("x.vdb", encode_points(frame, "water")).points[0]);
  for (std::size_t i = 0; i < read.count(); ++i)
    EXPECT_LT(length(read.positions[i] - frame.points[0].positions[i]), 1e-7 * frame.domain.lattice.h) << i;
}

TEST(PointsFile, TheSamePointsGiveTheSameBytes) {
  Frame frame = frame_with_points(3000);
  const Bytes first = encode_points(frame, "water");
  std::vector<std::size_t> backwards(3000);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  reorder(frame.points[0], backwards);
  for (const int threads : {1, 4}) {
    limit_volume_threads(threads);
    EXPECT_EQ(encode_points(frame, "water").text(), first.text()) << threads;
  }
  frame.points[0].age[7] += 1;
  EXPECT_NE(encode_points(frame, "water").text(), first.text());
}

TEST(PointsFile, WhatIsNotKnownIsLeftOut) {
  Frame frame = frame_with_points(100);
  Points& points = frame.points[0];
  points.velocities.clear(), points.id.clear(), points.age.clear(), points.source.clear(), points.colour.clear();
  points.attributes.clear();
  const Points read = decode_points("x.vdb", encode_points(frame, "water")).points.at(0);
  EXPECT_EQ(read.count(), 100u);
  EXPECT_TRUE(read.velocities.empty() && read.id.empty() && read.age.empty());
  EXPECT_TRUE(read.source.empty() && read.colour.empty() && read.attributes.empty());
  points.positions.clear();
  EXPECT_EQ(decode_points("x.vdb", encode_points(frame, "water")).points.at(0).count(), 0u);
  EXPECT_TRUE(decode_points("x.vdb", encode_points(frame, "sand")).points.empty());
}

// A liquid in several pools has several lists of points: they are one grid, the same as if they had been one list.
TEST(PointsFile, SeveralListsAreOneGrid) {
  Frame frame = frame_with_points(300);
  const Bytes whole = encode_points(frame, "water");
  const Points all = frame.points[0];
  std::vector<std::size_t> first(100), last(200);
  std::iota(first.begin(), first.end(), 0), std::iota(last.begin(), last.end(), 100);
  Points other = all;
  other.material = "sand";
  frame.points = {all, other, {}, all};
  frame.points[2].material = "water";
  reorder(frame.points[0], last), reorder(frame.points[3], first);
  EXPECT_EQ(encode_points(frame, "water").text(), whole.text());
  frame.points[0].age.clear();
  frame.points[0].attributes.pop_back();
  const Points read = decode_points("x.vdb", encode_points(frame, "water")).points.at(0);
  EXPECT_EQ(read.count(), 300u);
  EXPECT_TRUE(read.age.empty());
  EXPECT_EQ(read.id.size(), 300u);
  ASSERT_EQ(read.attributes.size(), 1u);
  EXPECT_EQ(read.attributes[0].values.size(), 300u);
}

TEST(PointsFile, ImpossiblePointsAreRefused) {
  Frame frame = frame_with_points(10);
  frame.points[0].age.pop_back();
  EXPECT_NE(message_of<Error>([&] { encode_points(frame, "water"); }).find("10 and 9"), std::string::npos);
  for (const char* name : {"", "pscale", "wetness", "two words"}) {
    frame = frame_with_points(10);
    frame.points[0].attributes[1].name = name;
    EXPECT_NE(message_of<Error>([&] { encode_points(frame, "water"); }).find("cannot have"), std::string::npos) << name;
  }
  for (const double x : {1e300, double(NAN), double(INFINITY)}) {
    frame = frame_with_points(10);
    frame.points[0].positions[3].y = x;
    EXPECT_NE(message_of<Error>([&] { encode_points(frame, "water"); }).find("lies nowhere"), std::string::npos) << x;
  }
}

TEST(PointsFile, CutShortOrOfAnotherKindItIsRefused) {
  const Frame frame = frame_with_points(500);
  const Bytes good = encode_points(frame, "water");
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 3)
    EXPECT_THROW(decode_points("x.vdb", Bytes(good.text().substr(0, size))), IoError) << size;
  EXPECT_NE(message_of<IoError>([&] { decode_points("x.vdb", encode_volumes(frame, "smoke")); }).find("x.vdb"),
            std::string::npos);
  EXPECT_THROW(decode_volumes("x.vdb", good), IoError);
}

TEST(PointsFile, ARunFolderKeepsPointsBesideVolumes) {
  TestFolder folder;
  RunFolder run = RunFolder::create(folder / "run", "silt = 1\n", {});
  const Frame frame = frame_with_points(200);
  run.write_volumes(frame);
  run.write_points(frame);
  Frame only_points = frame;
  only_points.number = 4;
  only_points.volumes.clear();
  run.write_points(only_points);
  EXPECT_EQ(run.frames(), (std::vector<int>{3, 4}));
  const Frame back = run.read_frame(3);
  EXPECT_EQ(back.volumes.size(), 3u);
  ASSERT_EQ(back.points.size(), 1u);
  EXPECT_EQ(by_id(back.points[0]).id, frame.points[0].id);
  EXPECT_EQ(run.read_frame(4).points.size(), 1u);
  flip_bit(folder / "run/cache/water.points.0003.vdb", 300);
  EXPECT_NE(message_of<IoError>([&] { run.read_frame(3); }).find("water.points.0003.vdb is damaged"),
            std::string::npos);
}

}  // namespace
}  // namespace silt
