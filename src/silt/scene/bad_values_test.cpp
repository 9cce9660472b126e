#include "silt/scene/bad_values.h"

#include <gtest/gtest.h>

#include <set>

#include "silt/scene/check_document.h"
#include "silt/scene/everything_for_test.h"
#include "silt/scene/toml_reader.h"

namespace silt::test {
namespace {

TEST(BadValues, EveryOneIsRefusedAtItsLine) {
  const TableInfo info = everything_table().info();
  int count = 0;
  for (const BadValue& bad : bad_values(info)) {
    const BadScene scene = insert_bad_value(everything_scene, "thing.one", bad);
    Diagnostics diagnostics;
    try {
      const Document document = parse_document(scene.text, "t.toml");
      everything_table().read(document.block("thing", "one"), diagnostics);
    } catch (const SceneError& e) {
      FAIL() << "this should be TOML: " << bad.line << "\n" << e.what();
    }
    bool found = false;
    for (const Diagnostic& d : diagnostics.all())
      found = found || (d.where.line == scene.line && d.source_line() == bad.line &&
                        d.message.find(bad.expect) != std::string::npos);
    EXPECT_TRUE(found) << bad.path << ", " << bad.why << ": " << bad.line << "\nshould say " << bad.expect << "\nsaid "
                       << diagnostics.text();
    ++count;
  }
  EXPECT_GT(count, 300);
}

TEST(BadValues, CoverEveryParameterAndKindOfMistake) {
  std::set<std::string> paths, whys;
  for (const BadValue& bad : bad_values(everything_table().info())) {
    paths.insert(bad.path);
    whys.insert(bad.why);
  }
  for (const ParameterInfo& p : everything_table().info().parameters)
    EXPECT_TRUE(paths.count("thing." + p.name)) << p.name;
  EXPECT_TRUE(paths.count("thing.motion.position"));
  for (const char* why : {"wrong type", "below the range", "above the range", "misspelt name", "misspelt choice",
                          "not a finite number", "keys where there may be none", "falling times"})
    EXPECT_TRUE(whys.count(why)) << why;
}

TEST(BadValues, AreInsertedWhereTheyBelong) {
  const std::string scene = "silt = 1\n[a]\nx = 1\ny.z = 2\n[b]\nx = 3\n";
  const auto insert = [&](const std::string& path, const std::string& line) {
    const BadScene bad = insert_bad_value(scene, path, {"", "", line, ""});
    return std::to_string(bad.line) + "\n" + bad.text;
  };
  EXPECT_EQ(insert("a", "x = 9"), "3\nsilt = 1\n[a]\nx = 9\ny.z = 2\n[b]\nx = 3\n");
  EXPECT_EQ(insert("a", "y.w = 9"), "3\nsilt = 1\n[a]\ny.w = 9\nx = 1\n[b]\nx = 3\n");
  EXPECT_EQ(insert("", "silt = 9"), "1\nsilt = 9\n[a]\nx = 1\ny.z = 2\n[b]\nx = 3\n");
  EXPECT_EQ(insert("c", "x = 9"), "8\n" + scene + "[c]\nx = 9\n");
}

}  // namespace
}  // namespace silt::test
