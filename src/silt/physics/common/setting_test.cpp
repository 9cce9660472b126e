#include "silt/physics/common/setting.h"

#include <gtest/gtest.h>

namespace silt {
namespace {

TEST(SideFriction, IsTheUsualWhereNoWallSpeaksOfIt) {
  Setting setting;
  setting.walls.push_back({.name = "floor", .axis = 1, .end = 0, .velocity = {}, .friction = 0.2});
  setting.walls.push_back({.name = "belt", .axis = 0, .end = 1, .velocity = {}});
  const auto friction = side_friction(setting, 0.5);
  for (int axis = 0; axis < 3; ++axis)
    for (int end = 0; end < 2; ++end)
      EXPECT_EQ(friction[std::size_t(axis)][std::size_t(end)], axis == 1 && end == 0 ? 0.2 : 0.5);
}

}  // namespace
}  // namespace silt
