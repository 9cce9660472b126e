#include "silt/render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace silt {
namespace {

Domain domain_of(Int3 n, double h) {
  Domain domain;
  domain.lattice.h = h;
  domain.lattice.origin = {-3, 2, 0.5};
  domain.cells = {{4, -8, 0}, Int3{4, -8, 0} + n};
  return domain;
}

TEST(Camera, FramesEveryCornerWithAMargin) {
  for (Int3 n : {Int3{64, 64, 128}, Int3{64, 64, 64}, Int3{200, 40, 30}, Int3{30, 200, 30}, Int3{8, 8, 200}})
    for (auto [width, height] : {std::pair{0, 0}, {640, 360}, {400, 900}}) {
      CameraParams params;
      if (width) params.width = width, params.height = height;
      const Domain domain = domain_of(n, 0.02);
      const Camera camera = make_camera(domain, params);
      const Vec3d lo = domain.lower(), hi = domain.upper();
      double nearest = 1;  // to the picture's edge, as a share of its size
      for (int i = 0; i < 8; ++i) {
        const Vec3d p = camera.project({i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z});
        EXPECT_GT(p.z, 0);
        const double x = p.x / camera.size.width, y = p.y / camera.size.height;
        nearest = std::min({nearest, x, 1 - x, y, 1 - y});
      }
      EXPECT_GT(nearest, 0.02) << n << ' ' << width;
      EXPECT_LT(nearest, 0.06) << n << ' ' << width << ": the domain should fill the picture";
    }
}

TEST(Camera, ProjectUndoesDirection) {
  const Camera camera = make_camera(domain_of({64, 64, 128}, 0.02), {});
  const Vec3d p = camera.project(camera.position + camera.direction(123.5, 45.25) * 7.0);
  EXPECT_NEAR(p.x, 123.5, 1e-9);
  EXPECT_NEAR(p.y, 45.25, 1e-9);
  EXPECT_NEAR(p.z, 7, 1e-9);
}

TEST(Camera, LooksFromPositionAtTarget) {
  CameraParams params{
      .position = Vec3d{1, 2, 3}, .target = Vec3d{4, 6, 3}, .field_of_view = 90, .width = 201, .height = 100};
  const Camera camera = make_camera(domain_of({64, 64, 64}, 0.02), params);
  EXPECT_EQ(camera.position, (Vec3d{1, 2, 3}));
  const Vec3d p = camera.project({4, 6, 3});
  EXPECT_NEAR(p.x, 101, 1e-9);  // the width is made even
  EXPECT_NEAR(p.y, 50, 1e-9);
  EXPECT_NEAR(camera.project(Vec3d{4, 6, 3} + Vec3d{0, 0, 5}).y, 0, 1e-9);  // 45 degrees above the middle
  EXPECT_GT(camera.right.x, 0);
}

// Tilted by 30 degrees about the way it looks: what is up in space leans to the left.
TEST(Camera, UpIsWhatItIsTold) {
  CameraParams params;
  params.position = Vec3d{0, -5, 0}, params.target = Vec3d{0, 0, 0}, params.up = Vec3d{2, 0, 2 * std::sqrt(3.0)};
  const Camera camera = make_camera(domain_of({8, 8, 8}, 1), params);
  EXPECT_NEAR(camera.up.x, 0.5, 1e-9);
  EXPECT_NEAR(camera.up.z, 0.5 * std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(camera.right.z, -0.5, 1e-9);
  const Vec3d above = camera.project({0, 0, 1});
  EXPECT_LT(above.x, 0.5 * camera.size.width);
}

TEST(Camera, StraightDownAndNowhereStillGiveACamera) {
  for (Vec3d target : {Vec3d{0, 0, 0}, Vec3d{0, 0, 5}}) {
    const Camera camera =
        make_camera(domain_of({8, 8, 8}, 1),
                    {.position = Vec3d{0, 0, 5}, .target = target, .field_of_view = {}, .width = {}, .height = {}});
    EXPECT_NEAR(length(camera.forward), 1, 1e-9);
    EXPECT_NEAR(dot(camera.up, camera.right), 0, 1e-9);
  }
}

TEST(Camera, PictureSizesAreEvenAndSuitTheDomain) {
  EXPECT_EQ(picture_size(domain_of({8, 8, 8}, 1),
                         {.position = {}, .target = {}, .field_of_view = {}, .width = 641, .height = 359}),
            (PictureSize{642, 360}));
  const PictureSize tall = picture_size(domain_of({8, 8, 32}, 1), {}),
                    wide = picture_size(domain_of({64, 8, 8}, 1), {});
  EXPECT_LT(tall.width, tall.height);
  EXPECT_GT(wide.width, wide.height);
  for (const PictureSize& s : {tall, wide}) EXPECT_TRUE(s.width % 2 == 0 && s.height % 2 == 0);
}

}  // namespace
}  // namespace silt
