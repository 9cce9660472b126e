#include "silt/scene/check_document.h"

#include <gtest/gtest.h>

#include "silt/scene/everything_for_test.h"
#include "silt/scene/toml_reader.h"

namespace silt::test {
namespace {

struct FileParams {
  int silt = 1;
};
struct ShapeParams {
  double sphere = 1;
  std::vector<std::string> parts;
};

std::vector<TableInfo> tables() {
  const Table<FileParams> file{"", "", {integer("silt", &FileParams::silt, {.min = 1, .max = 1, .help = "Version."})}};
  const Table<ShapeParams> shape{"shape.NAME",
                                 "",
                                 {number("sphere", &ShapeParams::sphere, {.help = "Radius."}),
                                  texts("parts", &ShapeParams::parts, {.refers_to = "shape", .help = "Of others."})}};
  return {file.info(), shape.info(), everything_table().info(), motion_table().info()};
}

std::string complaints(const std::string& text) {
  Diagnostics diagnostics;
  check_document(parse_document(text, "t"), tables(), diagnostics);
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) out += to_text(d.where) + " " + d.message + "; " + d.suggestion + "\n";
  return out;
}

TEST(CheckDocument, AGoodSceneIsFine) {
  EXPECT_EQ(complaints(everything_scene), "");
}

TEST(CheckDocument, UnknownBlocks) {
  EXPECT_EQ(complaints("[shaep.a]\n"), "t:1:2 a scene has no block 'shaep'; did you mean 'shape'?\n");
  EXPECT_EQ(complaints("[qqq]\n"),
            "t:1:2 a scene has no block 'qqq'; blocks are [shape.NAME], [thing.NAME], [motion]\n");
  EXPECT_EQ(complaints("spin = 3\n"), "t:1:1 a scene has no parameter 'spin'; it belongs in [motion]\n");
  EXPECT_EQ(complaints("sillt = 1\n"), "t:1:1 a scene has no parameter 'sillt'; did you mean 'silt'?\n");
  EXPECT_EQ(complaints("\"\" = 1\n").rfind("t:1:1 a scene has no parameter ''", 0), 0u);
}

TEST(CheckDocument, NamedKindsNeedNames) {
  const std::string should = "; write [thing.NAME], with a name of your own\n";
  EXPECT_EQ(complaints("[thing]\non = true\nframes = 1"),
            "t:2:1 'thing' needs a name before it has parameters like 'on'" + should);
  EXPECT_EQ(complaints("[thing]\n"), "t:1:2 'thing' needs a name" + should);
  EXPECT_EQ(complaints("[[thing]]\n"), "t:1:3 'thing' must be named blocks, not a list" + should);
  EXPECT_EQ(complaints("thing = 3"), "t:1:1 'thing' must be named blocks, not 3" + should);
}

TEST(CheckDocument, ReferencesMustLeadSomewhere) {
  EXPECT_EQ(complaints("[shape.sphere]\n[thing.a]\nshape = \"sphree\""),
            "t:3:9 there is no shape named 'sphree'; did you mean 'sphere'?\n");
  EXPECT_EQ(complaints("[shape.a]\nparts = [\"b\", \"c\"]\n[shape.b]\n"),
            "t:2:15 there is no shape named 'c'; there is 'a' and 'b'\n");
  EXPECT_EQ(complaints("[thing.a]\nshape = \"x\""),
            "t:2:9 there is no shape named 'x'; the scene has no [shape.NAME]\n");
}

}  // namespace
}  // namespace silt::test
