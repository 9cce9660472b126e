#include <gtest/gtest.h>

#include "silt/scene/diagnostics.h"
#include "silt/sim/read_scene.h"
#include "silt/sim/test_tools.h"

namespace silt {
namespace {

const std::string bottle = R"(silt = 1
[run]
frames = 4
fps = 2000
[domain]
size = [1, 0.5]
cell_size = 0.05
[gas]
[shape.bubble]
sphere = { center = [0.3, 0.25], radius = 0.1 }
[fill.bubble]
shape = "bubble"
material = "gas"
pressure = 3e5
temperature = 400
smoke = 1
)";

/// What is said of a scene that is refused; empty when it is not.
std::string said_of(const std::string& text, const std::vector<std::string>& set = {}) {
  try {
    parse_scene(text, "t.toml", set);
  } catch (const SceneError& e) {
    return e.what();
  }
  return {};
}

TEST(GasScene, ReadsBackToItself) {
  const Scene scene = parse_scene(bottle, "t");
  ASSERT_TRUE(scene.gas.has_value());
  EXPECT_EQ(scene.material(), "gas");
  ASSERT_EQ(scene.setting.gas_fills.size(), 1u);
  EXPECT_EQ(scene.setting.gas_fills[0].content.pressure, 3e5);
  EXPECT_EQ(parse_scene(scene.text, "t").text, scene.text);
}

TEST(GasScene, ContradictionsAreRefusedAtTheirPlace) {
  const auto says = [](const std::string& what, const std::string& part) {
    const bool placed = what.find("t.toml:") != std::string::npos || what.find("--set") != std::string::npos;
    return what.find(part) != std::string::npos && placed;
  };
  EXPECT_TRUE(says(said_of(bottle + "gas_density = 2\n"), "the same thing twice"));
  const std::string fan = bottle + "[inflow.a]\nside = \"x_min\"\nvelocity = [1, 0]\n";
  EXPECT_EQ(said_of(fan), "");
  EXPECT_TRUE(says(said_of(fan + "colour = [1, 0, 0]\n"), "'colour' is for smoke"));
  EXPECT_TRUE(says(said_of(fan + "temperature = 300\n", {"gas.form=\"velocity\""}), "has no temperature"));
  EXPECT_TRUE(says(said_of(fan + "fuel = 1\n", {"gas.form=\"momentum\""}), "has no temperature"));
  EXPECT_TRUE(says(said_of(bottle + "[sink.a]\nshape = \"bubble\"\n"), "vanish in a sink"));
  EXPECT_TRUE(says(
      said_of(bottle + "[source.a]\nshape = \"bubble\"\nmaterial = \"gas\"\npower = 10\n", {"gas.form=\"momentum\""}),
      "has no temperature"));
  EXPECT_TRUE(says(said_of(bottle, {"domain.sides.y_min=\"periodic\"", "domain.sides.y_max=\"periodic\""}),
                   "air cannot lie there"));
  EXPECT_TRUE(says(said_of(bottle, {"gas.cfl=2"}), "cfl"));
  EXPECT_TRUE(says(said_of(bottle + "colour = [1, 0, 0]\n"), "'colour' is for"));
}

TEST(GasScene, HolesThatNothingPassesAreWarnedOf) {
  const std::string hole =
      "[shape.hole]\nbox = { min = [-1, 0.2], max = [0.01, 0.3] }\n"
      "[inflow.a]\nside = \"x_min\"\nvelocity = [1, 0]\nshape = \"hole\"\n";
  EXPECT_TRUE(parse_scene(bottle + hole, "t").warnings.empty());
  const std::vector<std::string> said = parse_scene(bottle + hole, "t", {"shape.hole.box.max=[0.01,0.22]"}).warnings;
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("'inflow.a' holds no middle of a cell's face on x_min"), std::string::npos);
}

// Blasts, smoke, open sides and a solid that moves: the same bits from a checkpoint, and for any number of threads.
TEST(GasRun, GoesOnFromACheckpointAsIfNothingHadHappened) {
  const std::string rest = R"(
[shape.late]
sphere = { center = [0.6, 0.2], radius = 0.06 }
[fill.late]
shape = "late"
material = "gas"
time = 0.0008
pressure = 5e5
temperature = 900
[shape.ball]
sphere = { center = [0.8, 0.3], radius = 0.08 }
[obstacle.ball]
shape = "ball"
motion = { position = { keys = [[0, [0, 0]], [0.01, [-0.3, 0]]], between = "linear" } }
)";
  for (const std::string pressure : {"explicit", "implicit"}) {
    const Scene scene =
        parse_scene(bottle + rest, "t", {"domain.sides.x_max=\"open\"", "gas.pressure=\"" + pressure + "\""});
    SimulationOptions one, two;
    one.threads = 1, two.threads = 2, two.share_loops_from = 1;
    Simulation whole(scene, one), first(scene, two);
    while (whole.advance_frame()) {
    }
    first.advance_frame(), first.advance_frame();
    Simulation second(scene, {});
    second.restore(test::saved(first));
    while (second.advance_frame()) {
    }
    EXPECT_EQ(whole.stats().state_hash, second.stats().state_hash) << pressure;
    EXPECT_NE(whole.stats().forces().at("ball").x, 0);
  }
}

TEST(GasScene, FillsThatComeTooLateAreWarnedOf) {
  const std::string tube =
      "silt = 1\n[run]\nframes = 3\nfps = 100\n[domain]\nsize = [1]\nresolution = 20\n[gas]\n[shape.b]\n"
      "box = { min = [0.2], max = [0.5] }\n[fill.b]\nshape = \"b\"\nmaterial = \"gas\"\npressure = 2e5\n";
  EXPECT_TRUE(parse_scene(tube + "time = 0.02\n", "t").warnings.empty());
  const std::vector<std::string> said = parse_scene(tube + "time = 0.03\n", "t").warnings;
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("t:15:8: warning: 'fill.b' comes at 0.03 s, after the last frame"), std::string::npos)
      << said[0];
}

}  // namespace
}  // namespace silt
