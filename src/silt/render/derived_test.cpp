#include "silt/render/derived.h"

#include <gtest/gtest.h>

#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

// Water that has fallen on out of an open domain, in two pools: what lies beyond what is seen is left out, all of it.
TEST(Derived, BoxesFarAwayAreJoinedToNothing) {
  Frame frame = synthetic::empty_frame({8, 8, 8}, 1);
  for (const int z : {-100, -120}) {
    const Box box{{0, 0, z}, {8, 8, z + 8}};
    frame.volumes.push_back({"water", "surface", Volume::Kind::level_set, "m", box, 3,
                             std::vector<float>(std::size_t(box.count()), -1.0f)});
  }
  const std::optional<Frame> joined = with_joined_boxes(frame);
  ASSERT_TRUE(joined);
  ASSERT_EQ(joined->volumes.size(), 1u);
  EXPECT_TRUE(joined->volumes[0].values.empty());
}

}  // namespace
}  // namespace silt
