#include "silt/render/tables.h"

#include <gtest/gtest.h>

#include "silt/scene/toml_reader.h"

namespace silt {
namespace {

TEST(RenderTables, EmptySceneGivesDefaults) {
  const Document document = parse_document("", "t");
  Diagnostics diagnostics;
  EXPECT_EQ(camera_table().write(camera_table().read(document.block("camera"), diagnostics)), camera_table().write({}));
  EXPECT_EQ(look_table().write(look_table().read(document.block("look"), diagnostics)), look_table().write({}));
  EXPECT_EQ(diagnostics.text(), "");
}

TEST(RenderTables, ReadsWhatIsGiven) {
  const Document document = parse_document(
      "[camera]\nposition = [1, -2, 3]\nwidth = 320\n[look]\nexposure = 2\nquantity = \"temperature\"\nrange_max = "
      "500\n",
      "t");
  Diagnostics diagnostics;
  const CameraParams camera = camera_table().read(document.block("camera"), diagnostics);
  const LookParams look = look_table().read(document.block("look"), diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  EXPECT_EQ(camera.position, (Vec3d{1, -2, 3}));
  EXPECT_EQ(camera.width, 320);
  EXPECT_FALSE(camera.target);
  EXPECT_EQ(look.exposure, 2);
  EXPECT_EQ(look.quantity, "temperature");
  EXPECT_EQ(look.range_max, 500);
}

TEST(RenderTables, RefusesWhatMakesNoSense) {
  const Document document = parse_document("[camera]\nfield_of_view = 0\nheigth = 5\n", "t");
  Diagnostics diagnostics;
  camera_table().read(document.block("camera"), diagnostics);
  EXPECT_EQ(diagnostics.all().size(), 2u) << diagnostics.text();
}

}  // namespace
}  // namespace silt
