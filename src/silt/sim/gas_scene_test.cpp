#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

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

TEST(GasScene, APistonMovesIt) {
  const std::string still =
      "silt = 1\n[domain]\nsize = [1, 0.5]\ncell_size = 0.05\n[gas]\n[shape.p]\n"
      "box = { min = [-1, -1], max = [0.2, 1] }\n[obstacle.p]\nshape = \"p\"\n";
  const std::vector<std::string> said = parse_scene(still, "t").warnings;
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("nothing moves the gas"), std::string::npos);
  const std::string moves = still + "motion = { position = { keys = [[0, [0, 0]], [1, [0.3, 0]]] } }\n";
  EXPECT_EQ(parse_scene(moves, "t").warnings, std::vector<std::string>());
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

/// How one mode of a closed tube stands after each frame: the part of p' = cos(pi x) that is there, over that of the
/// first frame. At 16 frames a period, the default pressure, n cells.
std::vector<double> standing_wave(int n, const std::vector<std::string>& set = {}) {
  constexpr double pi = 3.14159265358979323846, period = 2 / 343.12;  // [s], of 1 m of air of 293 K
  char text[400];
  std::snprintf(text, sizeof text,
                "silt = 1\n[run]\nframes = 33\nfps = %.9g\n[domain]\nsize = [1]\nresolution = %d\n[gas]\n[shape.b]\n"
                "box = { min = [-1], max = [0.5] }\n[fill.b]\nshape = \"b\"\nmaterial = \"gas\"\npressure = 101335\n",
                16 / period, n);
  Simulation sim(parse_scene(text, "t", set), {});
  std::vector<double> out;
  while (sim.advance_frame()) {
    const Frame frame = sim.frame();
    const Volume* p = frame.find("overpressure");
    EXPECT_TRUE(p);
    double mode = 0;
    for (int i = 0; i < n; ++i) mode += p->at({i, 0, 0}) * std::cos(pi * (i + 0.5) / n);
    out.push_back(out.empty() ? mode : mode / out[0]);
  }
  out[0] = 1;
  return out;
}

// Where frames show a period of sound, steps keep it: 0.9 of it is there after one, and it comes to 1 % when it should.
// Steps that are the frames' own and count only their end leave 0.30, and come 5 % late.
TEST(GasRun, SoundThatFramesShowIsKept) {
  for (const int n : {64, 512}) {
    const std::vector<double> wave = standing_wave(n);
    EXPECT_GT(wave[16], 0.9) << n;
    EXPECT_LT(wave[16], 1.01) << n;
    // A quarter and five quarters of a period: where it passes zero, between frames.
    const auto crossing = [&](std::size_t from) { return double(from) + wave[from] / (wave[from] - wave[from + 1]); };
    std::size_t first = 2, second = 18;
    while (wave[first] * wave[first + 1] > 0) ++first;
    while (wave[second] * wave[second + 1] > 0) ++second;
    EXPECT_NEAR((crossing(second) - crossing(first)) / 16, 1, 0.01) << n;
  }
  EXPECT_LT(standing_wave(512, {"gas.pressure=\"implicit\""})[16], 0.5);
  EXPECT_GT(standing_wave(512, {"gas.pressure=\"implicit\"", "gas.time_centred=true"})[16], 0.9);
}

TEST(GasScene, WhatChangesNothingIsWarnedOf) {
  const auto warning = [](const std::vector<std::string>& set) {
    const std::vector<std::string> said = parse_scene(bottle, "t", set).warnings;
    return said.empty() ? std::string() : said[0];
  };
  const auto says = [](const std::string& what, const std::string& part) {
    EXPECT_NE(what.find(part), std::string::npos) << what << "\nshould say " << part;
  };
  EXPECT_EQ(warning({}), "");
  says(warning({"gas.speed_of_sound=300"}), "speed_of_sound is for the forms");
  EXPECT_EQ(
      warning({"gas.speed_of_sound=300", "gas.form=\"momentum\"", "fill.bubble.temperature=293"}).find("speed_of"),
      std::string::npos);
  says(warning({"gas.pressure=\"explicit\"", "gas.time_centred=true"}), "time_centred is for implicit steps");
  EXPECT_EQ(warning({"gas.time_centred=true"}), "");
  // 1 m at 2000 frames a second: twelve frames a period; at 24 none.
  says(warning({"gas.pressure=\"implicit\""}), "implicit steps let it fade");
  EXPECT_EQ(warning({"gas.pressure=\"implicit\"", "gas.time_centred=true"}), "");
  EXPECT_EQ(warning({"gas.pressure=\"implicit\"", "run.fps=24"}), "");
}

}  // namespace
}  // namespace silt
