#include "silt/surface/surface.h"

#include <gtest/gtest.h>

#include <set>

#include "silt/cache/volume_file.h"
#include "silt/core/error.h"
#include "silt/surface/level_set_file.h"
#include "silt/surface/smoothing.h"
#include "silt/surface/test_tools.h"

namespace silt {
namespace {

using namespace test;

const Exec two(Device::cpu, 2);
constexpr double pi = 3.14159265358979323846;

Frame ball(double radius, int n = 32, double jitter = usual_jitter) {
  return filled_frame(
      n,
      [=](Vec3d x) {
        return length(x - Vec3d{0.5, 0.5, 0.5}) < radius;
      },
      jitter);
}

// 20 particles a radius.
TEST(Surface, ABallOfParticlesHasItsVolumeAndNothingElse) {
  const double radius = 10.0 / 32;
  for (const double jitter : {0.0, 0.5, 1.0})
    for (const double voxel : {0.5, 0.4})
      for (const int smooth : {0, 4}) {
        const Mesh mesh = surface_of_frame(ball(radius, 32, jitter), "water", {.voxel = voxel, .smooth = smooth}, two);
        EXPECT_EQ(mesh.material, "water");
        EXPECT_EQ(mesh.name, "surface");
        EXPECT_EQ(bad_edges(mesh), 0);
        EXPECT_EQ(components(mesh), 1);
        EXPECT_EQ(euler_characteristic(mesh), 2);
        const double volume = 4 * pi / 3 * radius * radius * radius;
        EXPECT_NEAR(volume_of(mesh) / volume, 1, 0.02)
            << "voxel " << voxel << " smooth " << smooth << " jitter " << jitter;
        double worst = 0;
        for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
          const Vec3d out = normalized(mesh.positions[i].as<double>() - Vec3d{0.5, 0.5, 0.5});
          worst = std::max(worst, 1 - dot(out, mesh.normals[i].as<double>()));
        }
        EXPECT_LT(worst, smooth == 0 || jitter == 1 ? 0.5 : 0.15) << "voxel " << voxel << " jitter " << jitter;
      }
}

// Water that has left through an open side has no mirror image within the domain; and a particle that is nowhere is no
// particle.
TEST(Surface, WhatHasLeftIsNotSeenInside) {
  Frame frame = filled_frame(24, [](Vec3d x) { return x.z < 0.2; });
  frame.domain.sides[2][1] = Side::open;
  const Mesh alone = surface_of_frame(frame, "water", {}, two);
  const Frame drop = filled_frame(24, [](Vec3d x) { return length(x - Vec3d{0.5, 0.5, 0.5}) < 0.15; });
  for (const Vec3d& x : drop.points[0].positions) frame.points[0].positions.push_back(x + Vec3d{0, 0, 0.8});
  frame.points[0].positions.push_back({std::nan(""), 0.5, 0.5});
  for (auto* v = &frame.points[0].velocities; !v->empty() && v->size() < frame.points[0].count();) v->push_back({});
  const Mesh mesh = surface_of_frame(frame, "water", {}, two);
  EXPECT_EQ(mesh.triangles.size(), alone.triangles.size());
  // A drop on its way out: cut, and no larger for that. One by itself: gone.
  for (Vec3d& x : frame.points[0].positions)
    if (x.z > 0.9) x = x - Vec3d{0, 0, x.z > 1.4 ? 0 : 0.3};
  frame.points[0].positions.back() = {0.5, 0.5, 1.2};
  const Mesh cut = surface_of_frame(frame, "water", {}, two);
  for (const Vec3f& x : cut.positions) EXPECT_LE(x.z, 1 + 1e-5f);
  const double half = 0.5 * 4 * pi / 3 * 0.15 * 0.15 * 0.15;
  EXPECT_NEAR((volume_of(cut) - volume_of(alone)) / half, 1, 0.1);
}

TEST(Surface, ARingHasAHole) {
  const auto ring = [](Vec3d x) {
    const Vec3d d = x - Vec3d{0.5, 0.5, 0.5};
    const double from_circle = std::hypot(std::hypot(d.x, d.y) - 0.28, d.z);
    return from_circle < 0.12;
  };
  const Mesh mesh = surface_of_frame(filled_frame(32, ring), "water", {}, two);
  EXPECT_EQ(bad_edges(mesh), 0);
  EXPECT_EQ(components(mesh), 1);
  EXPECT_EQ(euler_characteristic(mesh), 0);
  EXPECT_NEAR(volume_of(mesh) / (2 * pi * pi * 0.28 * 0.12 * 0.12), 1, 0.04);
}

// Water up to any height, with a part of the top layer of particles missing, at random: its surface is a plane, and so
// are those at the walls and the floor.
TEST(Surface, APoolIsFlatAndFillsItsCorners) {
  const int n = 24;
  for (const auto& [layers, jitter] : {std::pair{0.0, usual_jitter},
                                       {0.25, usual_jitter},
                                       {0.48, usual_jitter},
                                       {0.625, usual_jitter},
                                       {0.125, 1.0},
                                       {0.375, 1.0}}) {
    const double height = 0.5 + layers / n;
    const Frame frame = filled_frame(
        n, [&](Vec3d x) { return x.z < height; }, jitter);
    const Mesh mesh = surface_of_frame(frame, "water", {}, two);
    EXPECT_EQ(bad_edges(mesh), 0);
    EXPECT_EQ(components(mesh), 1);
    EXPECT_EQ(euler_characteristic(mesh), 2);
    double lowest = 1, highest = 0;
    const double edge = 0.5 / n;
    for (const Vec3f& x : mesh.positions) {
      for (int a = 0; a < 3; ++a) {
        EXPECT_GT(x[a], -1e-5);
        EXPECT_LT(x[a], 1 + 1e-5);
      }
      const bool inner = x.x > edge && x.x < 1 - edge && x.y > edge && x.y < 1 - edge;
      if (x.z < 0.25 || !inner) continue;
      lowest = std::min(lowest, double(x.z)), highest = std::max(highest, double(x.z));
    }
    const double mean = 0.5 * (lowest + highest);
    EXPECT_LT((highest - lowest) * n, 0.2) << "cells, at " << height;  // 0.1 either way
    EXPECT_LT(std::abs(mean - height) * n, 0.1) << "cells, at " << height;
    // At the walls, off the free surface's edge: planes, to rounding.
    for (const Vec3f& x : mesh.positions) {
      const double inside = std::min({x.x, x.y, x.z, 1 - x.x, 1 - x.y});
      EXPECT_LT(x.z < height - 2.0 / n ? inside : 0, 1e-5);
    }
  }
}

TEST(Surface, WhateverTheNumberOfThreads) {
  const Frame frame = ball(0.3, 24);
  const Mesh one = surface_of_frame(frame, "water", {}, Exec(Device::cpu, 1));
  const Mesh three = surface_of_frame(frame, "water", {}, Exec(Device::cpu, 3));
  EXPECT_EQ(one.positions, three.positions);
  EXPECT_EQ(one.normals, three.normals);
  EXPECT_EQ(one.velocities, three.velocities);
  EXPECT_EQ(one.triangles, three.triangles);
}

// A drop far from everything is a ball of the volume that it stands for.
TEST(Surface, AParticleByItselfIsABall) {
  Frame frame = empty_frame(16);
  Points& points = frame.points.emplace_back();
  points.material = "water", points.positions = {{0.51, 0.48, 0.53}}, points.velocities = {{1, 2, 3}};
  for (const double voxel : {0.1, 0.5, 1.0}) {
    BlockField field;
    const Mesh mesh = surface_of_frame(frame, "water", {.voxel = voxel, .smooth = 0}, two, &field);
    EXPECT_EQ(bad_edges(mesh), 0);
    EXPECT_EQ(components(mesh), 1);
    EXPECT_EQ(euler_characteristic(mesh), 2);
    const double cell = std::pow(1.0 / 16, 3);
    EXPECT_NEAR(volume_of(mesh) / cell, 0.125, 0.002);
    for (const Vec3f& v : mesh.velocities) EXPECT_LT(length(v - Vec3f{1, 2, 3}), 1e-5f);
    const float least = *std::min_element(field.values.begin(), field.values.end());
    EXPECT_LT(least, voxel < 0.2 ? -2 : 1);  // the level set has it too
  }
}

// A few particles together: a small drop has the volume that they stand for, wherever it is among the voxels.
TEST(Surface, SmallDropsKeepTheirVolume) {
  const int n = 16;
  for (const double voxel : {0.5, 0.25, 1.0})
    for (const double radius : {0.6, 1.0, 2.0})  // cells
      for (const double shift : {0.0, 0.31, 0.57}) {
        const Vec3d middle = (Vec3d{8, 8, 8} + Vec3d{1, 0.7, 0.4} * shift) / double(n);
        const Frame frame = filled_frame(n, [&](Vec3d x) { return length(x - middle) * n < radius; });
        BlockField field;
        const Mesh mesh = surface_of_frame(frame, "water", {.voxel = voxel}, two, &field);
        const double volume = double(frame.points[0].count()) / 8 / (n * n * n);
        EXPECT_NEAR(volume_of(mesh) / volume, 1, 0.05) << "radius " << radius << " voxel " << voxel;
        EXPECT_EQ(bad_edges(mesh), 0);
        // The level set has it too, as coarse as it is.
        const double inside =
            enclosed(two, VoxelRange{{0, 0, 0}, {100, 100, 100}}, field).volume * std::pow(voxel / n, 3);
        if (voxel < 1 && radius >= 1) {
          EXPECT_NEAR(inside / volume, 1, 0.35) << "radius " << radius << " voxel " << voxel;
        }
      }
}

// A drop with whole blocks of fine voxels in its core is one piece: spray has nothing of the body within it.
TEST(Surface, LargeDropsOfSprayAreOnePiece) {
  const int n = 18;
  const Vec3d middle = Vec3d{9, 9, 9} / double(n);
  const Frame frame = filled_frame(n, [&](Vec3d x) { return length(x - middle) * n < 3; });
  for (const double voxel : {0.25, 0.125}) {
    const Mesh mesh = surface_of_frame(frame, "water", {.voxel = voxel}, two);
    EXPECT_EQ(components(mesh), 1) << voxel;
    EXPECT_NEAR(volume_of(mesh) / (double(frame.points[0].count()) / 8 / (n * n * n)), 1, 0.05) << voxel;
  }
}

// Drops over a pool do not change it, are the same for any number of threads, and have what their particles have.
TEST(Surface, SprayOverAPool) {
  const auto make = [](bool spray) {
    return filled_frame(20, [=](Vec3d x) {
      const bool drop = length(x - Vec3d{0.3, 0.4, 0.6}) * 20 < 1 || length(x - Vec3d{0.7, 0.5, 0.55}) * 20 < 1.4;
      return x.z < 0.3 || (spray && drop);
    });
  };
  Frame frame = make(true);
  for (const Vec3d& x : frame.points[0].positions) frame.points[0].source.push_back(x.z < 0.4 ? 1 : x.x < 0.5 ? 2 : 3);
  const SurfaceParams params{.attributes = {"source"}};
  const Mesh pool = surface_of_frame(make(false), "water", {}, two);
  const Mesh mesh = surface_of_frame(frame, "water", params, two);
  const Mesh one = surface_of_frame(frame, "water", params, Exec(Device::cpu, 1));
  EXPECT_EQ(bad_edges(mesh), 0);
  EXPECT_EQ(components(mesh), 3);
  EXPECT_EQ(mesh.positions, one.positions);
  EXPECT_EQ(mesh.triangles, one.triangles);
  EXPECT_EQ(mesh.velocities.size(), mesh.positions.size());
  EXPECT_TRUE(std::equal(pool.positions.begin(), pool.positions.end(), mesh.positions.begin()));
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vec3f x = mesh.positions[i];
    EXPECT_EQ(mesh.attributes.at(0).values[i], x.z < 0.4f ? 1 : x.x < 0.5f ? 2 : 3);
  }
}

// Two walls of water with a gap between: Zhu's field alone has blobs in the gap, where the mean of both lies.
TEST(Surface, AGapStaysEmpty) {
  const int n = 32;
  for (const double gap : {1.5, 2.0, 3.0}) {
    const auto walls = [&](Vec3d x) { return std::abs(x.x - 0.5) > 0.5 * gap / n && x.z < 0.5; };
    const Mesh mesh = surface_of_frame(filled_frame(n, walls), "water", {}, two);
    EXPECT_EQ(components(mesh), 2) << gap;
    EXPECT_EQ(euler_characteristic(mesh), 4) << gap;
    EXPECT_EQ(bad_edges(mesh), 0);
  }
}

// A sheet of one layer with places at random, too thin for balls to meet everywhere: flattened blobs hold
// more of it together.
TEST(Surface, FlattenedBlobsHoldASheetTogether) {
  const int n = 32;
  const auto sheet = [&](double keep) {
    Frame frame = filled_frame(
        n, [&](Vec3d x) { return x.z > 0.5 && x.z < 0.5 + 0.5 / n; }, 1.0);
    Points& p = frame.points[0];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < p.count(); ++i)
      if (random_unit(5, i, 0) < keep) p.positions[kept++] = p.positions[i];
    p.positions.resize(kept), p.velocities.resize(kept), p.id.resize(kept);
    return frame;
  };
  /// How much of the area the sheet covers, seen from above.
  const auto covered = [&](const Frame& frame, SurfaceParams::Kernel kernel, double& volume) {
    BlockField field;
    const Mesh mesh = surface_of_frame(frame, "water", {.voxel = 0.2, .kernel = kernel}, two, &field);
    EXPECT_EQ(bad_edges(mesh), 0);
    volume = volume_of(mesh);
    std::set<std::pair<int, int>> columns;
    for (int slot = 0; slot < field.slots(); ++slot)
      for (int v = 0; v < BlockField::volume; ++v) {
        const Int3 at = field.at[std::size_t(slot)] * 8 + Int3{v % 8, v / 8 % 8, v / 64};
        if (field.block(slot)[v] < 0) columns.insert({at.x, at.y});
      }
    return double(columns.size()) / (25.0 * n * n);
  };
  double round_volume = 0, flat_volume = 0;
  const double round = covered(sheet(0.7), SurfaceParams::Kernel::zhu, round_volume);
  const double flat = covered(sheet(0.7), SurfaceParams::Kernel::anisotropic, flat_volume);
  EXPECT_LT(round, 0.57);
  EXPECT_GT(flat, 0.75);
  EXPECT_LT(round_volume / (0.35 / n), 0.6);
  EXPECT_NEAR(flat_volume / (0.35 / n), 1.2, 0.3);
  EXPECT_GT(covered(sheet(1), SurfaceParams::Kernel::anisotropic, flat_volume), 0.99);
}

TEST(Surface, FlattenedBlobsKeepTheVolumeOfABall) {
  const Mesh mesh = surface_of_frame(ball(10.0 / 32), "water", {.kernel = SurfaceParams::Kernel::anisotropic}, two);
  EXPECT_EQ(bad_edges(mesh), 0);
  EXPECT_EQ(components(mesh), 1);
  EXPECT_NEAR(volume_of(mesh) / (4 * pi / 3 * std::pow(10.0 / 32, 3)), 1, 0.03);
}

Vec3d spin(Vec3d x) {
  return {0.5 - x.y, x.x - 0.5, 0.25};
}

Frame spinning_ball() {
  const auto inside = [](Vec3d x) { return length(x - Vec3d{0.5, 0.5, 0.5}) < 0.3; };
  return filled_frame(24, inside, usual_jitter, spin);
}

TEST(Surface, CornersMoveAsTheWaterDoes) {
  const Frame frame = spinning_ball();
  const Mesh mesh = surface_of_frame(frame, "water", {}, two);
  ASSERT_EQ(mesh.velocities.size(), mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vec3d wanted = spin(mesh.positions[i].as<double>());
    EXPECT_LT(length(mesh.velocities[i].as<double>() - wanted), 0.03) << i;
  }
}

// Two colours of water side by side, and a drop far from both: corners have what the particles near them have.
TEST(Surface, CornersHaveWhatTheParticlesHave) {
  Frame frame = filled_frame(24, [](Vec3d x) { return x.z < 0.3; });
  Points& p = frame.points[0];
  p.positions.push_back({0.5, 0.5, 0.8}), p.velocities.push_back({}), p.id.push_back(1000000);
  for (const Vec3d& x : p.positions) {
    p.age.push_back(float(x.x));
    p.source.push_back(x.x < 0.5 ? 3 : 7);
    p.colour.push_back(x.x < 0.5 ? 0xff0010 : 0x00ff10);
  }
  p.source.back() = 9;
  p.attributes = {{"wetness", "kg", std::vector<float>(p.count(), 2)}};
  const SurfaceParams params{.attributes = {"age", "source", "Cd", "wetness", "age"}};
  const Mesh mesh = surface_of_frame(frame, "water", params, two);
  ASSERT_EQ(mesh.attributes.size(), 3u);
  EXPECT_EQ(mesh.attributes[0].name, "age");
  EXPECT_EQ(mesh.attributes[0].unit, "s");
  EXPECT_EQ(mesh.attributes[2].unit, "kg");
  ASSERT_EQ(mesh.colour.size(), mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vec3f x = mesh.positions[i];
    const bool drop = x.z > 0.6f, left = x.x < 0.5f;
    EXPECT_NEAR(mesh.attributes[0].values[i], drop ? 0.5f : x.x, 0.03f);
    EXPECT_EQ(mesh.attributes[2].values[i], 2);
    EXPECT_EQ(mesh.colour[i] & 255, 16u);
    if (std::abs(x.x - 0.5f) < 0.1f && !drop) continue;  // between the two they mix
    EXPECT_EQ(mesh.attributes[1].values[i], drop ? 9 : left ? 3 : 7);
    EXPECT_EQ(mesh.colour[i], left && !drop ? 0xff0010u : 0x00ff10u) << x;
  }
  frame.points[0].age.clear();
  try {
    surface_of_frame(frame, "water", params, two);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "the particles of water have no 'age' for a surface; they have source, Cd, wetness");
  }
}

// Without particles, the level set that the solver had; with the solver's velocities.
TEST(Surface, OfALevelSetWithoutParticles) {
  const int n = 24;
  for (const double voxel : {1.0, 0.3}) {
    Frame frame = empty_frame(n);
    const Box all{{0, 0, 0}, {n, n, n}};
    Volume phi{"water", "surface", Volume::Kind::level_set, "m", all, float(3.0 / n), {}};
    Volume velocity{"water", "velocity", Volume::Kind::vector, "m/s", all, 0, {}};
    for (int i = 0; i < n * n * n; ++i) {
      const Vec3d x = frame.domain.lattice.centre({i % n, i / n % n, i / n / n});
      const double d = std::max(length(x - Vec3d{0.5, 0.5, 0.0}) - 0.3, -3.0 / n);
      phi.values.push_back(float(std::min(d, 3.0 / n)));
      for (int a = 0; a < 3; ++a) velocity.values.push_back(float(x[a]));
    }
    frame.volumes = {phi, velocity};
    const Mesh mesh = surface_of_frame(frame, "water", {.voxel = voxel}, two);
    EXPECT_EQ(bad_edges(mesh), 0);
    EXPECT_EQ(components(mesh), 1);
    EXPECT_EQ(euler_characteristic(mesh), 2);
    EXPECT_NEAR(volume_of(mesh) / (2 * pi / 3 * 0.027), 1, 0.03);
    ASSERT_EQ(mesh.velocities.size(), mesh.positions.size());
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
      EXPECT_LT(length(mesh.velocities[i] - mesh.positions[i]), 0.6f / n);
  }
}

// What stands in the water cuts it: no gap, no film over it, and nothing on its far side.
TEST(Surface, AnObstacleIsCutOut) {
  const int n = 32;
  const Vec3d middle{0.5, 0.5, 0.3};
  const auto solid = [&](Vec3d x) { return length(x - middle) - 0.15; };
  Frame frame = filled_frame(n, [&](Vec3d x) { return x.z < 0.6 && solid(x) > 0; });
  Volume volume{"water", "solid", Volume::Kind::level_set, "m", {{0, 0, 0}, {n, n, n}}, float(3.0 / n), {}};
  for (int i = 0; i < n * n * n; ++i)
    volume.values.push_back(float(solid(frame.domain.lattice.centre({i % n, i / n % n, i / n / n}))));
  frame.volumes.push_back(volume);
  const Mesh mesh = surface_of_frame(frame, "water", {}, two);
  EXPECT_EQ(bad_edges(mesh), 0);
  EXPECT_EQ(components(mesh), 2);  // the ball is a hole that touches nothing
  EXPECT_EQ(euler_characteristic(mesh), 4);
  int on_ball = 0;
  for (const Vec3f& x : mesh.positions) {
    const double d = solid(x.as<double>());
    if (d > 0.1 || x.z > 0.55 || x.z < 0.01) continue;
    EXPECT_LT(std::abs(d) * n, 0.05);
    ++on_ball;
  }
  EXPECT_GT(on_ball, 1000);
}

TEST(Surface, TheLevelSetComesBackFromItsFile) {
  const Frame frame = spinning_ball();
  BlockField field;
  surface_of_frame(frame, "water", {}, two, &field);
  const Frame back = decode_volumes("x.vdb", encode_level_set(frame, "water", field));
  ASSERT_EQ(back.volumes.size(), 2u);
  const Volume &read = back.volumes[0], &velocity = back.volumes[1];
  EXPECT_EQ(read.name, "surface");
  EXPECT_EQ(velocity.name, "velocity");
  EXPECT_EQ(back.domain.lattice, field.lattice);
  const float h = float(field.lattice.h);
  for (int slot = 0; slot < field.slots(); ++slot)
    for (int v = 0; v < BlockField::volume; ++v) {
      const Int3 voxel = field.at[std::size_t(slot)] * 8 + Int3{v % 8, v / 8 % 8, v / 64};
      const float most = field.outside * h, phi = field.block(slot)[v] * h;
      ASSERT_EQ(read.at(voxel), std::clamp(phi, -most, most)) << voxel;
      // The mean of the particles near: those of the inside, where it is at the edge of the band.
      const Vec3d wanted = spin(field.lattice.centre(voxel));
      for (int a = 0; a < 3 && std::abs(field.block(slot)[v]) < 1; ++a)
        ASSERT_NEAR(velocity.at(voxel, a), wanted[a], 0.04) << voxel;
    }
  EXPECT_LT(read.at({24, 24, 24}), 0);
}

TEST(Surface, NothingHasNoTriangles) {
  const Frame frame = empty_frame(8);
  EXPECT_TRUE(surface_of_frame(frame, "water", {}, two).triangles.empty());
  // The file is like those of other frames: the same voxels and the same grids.
  BlockField field, filled;
  const SurfaceParams fine{.voxel = 0.25, .attributes = {"age"}};
  const Mesh mesh = surface_of_frame(frame, "water", fine, two, &field);
  ASSERT_EQ(mesh.attributes.size(), 1u);
  EXPECT_EQ(mesh.attributes[0].name, "age");
  surface_of_frame(filled_frame(8, [](Vec3d x) { return x.z < 0.3; }), "water", {.voxel = 0.25}, two, &filled);
  EXPECT_EQ(field.outside, filled.outside);
  const Frame back = decode_volumes("x.vdb", encode_level_set(frame, "water", field));
  const Frame other = decode_volumes("x.vdb", encode_level_set(frame, "water", filled));
  EXPECT_EQ(back.domain.lattice, other.domain.lattice);
  EXPECT_EQ(back.domain.cells.hi, other.domain.cells.hi);
  ASSERT_EQ(back.volumes.size(), 2u);
  EXPECT_EQ(back.volumes[0].background, other.volumes[0].background);
  Frame flat = frame;
  flat.domain.lattice.active.z = 0;
  EXPECT_THROW(surface_of_frame(flat, "water", {}, two), InputError);
}

}  // namespace
}  // namespace silt
