#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "silt/scene/diagnostics.h"
#include "silt/sim/estimate.h"
#include "silt/sim/read_scene.h"
#include "silt/sim/test_tools.h"

namespace silt {
namespace {

const std::string pit = R"(silt = 1
[domain]
size = [1, 0.6]
cell_size = 0.05
[sand]
[shape.column]
box = { min = [0, 0], max = [0.25, 0.4] }
[fill.heap]
shape = "column"
material = "sand"
)";

const std::string hopper = R"(
[grains.red]
preset = "gravel"
[shape.spout]
box = { min = [0.4, 0.4], max = [0.5, 0.5] }
[source.spout]
shape = "spout"
material = "sand"
grains = "red"
velocity = [0, -1]
)";

const std::string post = R"(
[shape.post]
box = { min = [0.6, 0], max = [0.8, 0.3] }
[obstacle.post]
shape = "post"
)";

std::string first_warning(const std::string& text) {
  const Scene scene = parse_scene(text, "t");
  return scene.warnings.empty() ? std::string() : scene.warnings[0];
}

TEST(SandScene, HasSandAndNothingElse) {
  const Scene scene = parse_scene(pit, "t");
  ASSERT_TRUE(scene.sand);
  EXPECT_FALSE(scene.smoke || scene.water);
  EXPECT_EQ(scene.material(), "sand");
  EXPECT_EQ(scene.sand->grains.friction_angle, 34);
  EXPECT_EQ(scene.output.volumes, (std::vector<std::string>{"packing", "velocity", "solid"}));
  EXPECT_EQ(scene.picture.look.quantity, "packing");
  EXPECT_EQ(scene.text.find("temperature"), std::string::npos) << scene.text;
  EXPECT_EQ(scene.text.find("slip"), std::string::npos) << scene.text;
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
}

TEST(SandScene, FillsAndSourcesAreOfTheirGrains) {
  const Scene scene = parse_scene(pit + hopper +
                                      "[grains.blue]\ncohesion = 5\n[fill.top]\nmaterial = \"sand\"\n"
                                      "shape = \"spout\"\ngrains = \"blue\"\n",
                                  "t", {"sand.density=1650"});
  ASSERT_EQ(scene.sand->others.size(), 2u);
  const Grains &blue = scene.sand->others[0], &red = scene.sand->others[1];
  EXPECT_EQ(blue.name, "blue");
  EXPECT_EQ(blue.cohesion, 5);
  EXPECT_EQ(blue.density, 1650) << "as in [sand]";
  EXPECT_EQ(red.friction_angle, 40);
  EXPECT_EQ(red.density, 1700) << "its preset says";
  ASSERT_EQ(scene.setting.fills.size(), 2u);
  EXPECT_EQ(scene.setting.fills[0].grains, -1);
  EXPECT_EQ(scene.setting.fills[1].grains, 0);
  ASSERT_EQ(scene.setting.emitters.size(), 1u);
  EXPECT_EQ(scene.setting.emitters[0].grains, 1);
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
}

// A wall or an obstacle rubs as it says, or as sand does; "none" sticks, "free" does not rub.
TEST(SandScene, WhatIsSolidHasFriction) {
  const auto of = [](const std::string& says) {
    const Scene scene =
        parse_scene(pit + post + says + "[wall.floor]\nside = \"y_min\"\n" + says, "t", {"sand.wall_friction=0.7"});
    EXPECT_EQ(scene.setting.obstacles[0].friction, scene.setting.walls[0].friction);
    const auto sides = side_friction(scene.setting, 0.7);
    EXPECT_EQ(sides[1][0], scene.setting.walls[0].friction);
    EXPECT_EQ(sides[0][0], 0.7) << "a side that no wall speaks of";
    const Scene again = parse_scene(scene.text, "t");
    EXPECT_EQ(again.text, scene.text);
    EXPECT_EQ(again.setting.obstacles[0].friction, scene.setting.obstacles[0].friction);
    return scene.setting.obstacles[0].friction;
  };
  EXPECT_EQ(of(""), 0.7);
  EXPECT_EQ(of("friction = 0.2\n"), 0.2);
  EXPECT_EQ(of("slip = \"none\"\n"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(of("slip = \"free\"\n"), 0.0);
}

TEST(SandScene, FluidsHaveSlipAndNoFriction) {
  std::string water = pit + post + "[wall.floor]\nside = \"y_min\"\n";
  for (std::size_t at; (at = water.find("sand")) != std::string::npos;) water.replace(at, 4, "water");
  const Scene scene = parse_scene(water, "t", {"water.viscosity=1"});
  EXPECT_FALSE(scene.setting.obstacles[0].friction || scene.setting.walls[0].friction);
  EXPECT_FALSE(scene.setting.obstacles[0].no_slip);
  EXPECT_TRUE(scene.setting.walls[0].no_slip);
  EXPECT_NE(scene.text.find("slip = \"free\""), std::string::npos) << "every default is written out";
  EXPECT_NE(scene.text.find("slip = \"none\""), std::string::npos);
}

TEST(SandScene, ReadsBackToItself) {
  const Scene scene =
      parse_scene(pit + hopper + post, "t", {"sand.preset=damp_sand", "sand.tension=100", "sand.reach=3"});
  const Scene again = parse_scene(scene.text, "t");
  EXPECT_EQ(again.text, scene.text);
  EXPECT_EQ(again.sand->grains.cohesion, 800);
  EXPECT_EQ(again.sand->others[0].tension, std::nullopt) << "gravel's preset says nothing of it";
  EXPECT_EQ(forbidden_changes(scene, again), std::vector<std::string>());
}

TEST(SandScene, OnlyWhatLeavesThePhysicsAloneMayChangeOnResume) {
  const Scene before = parse_scene(pit + hopper + post, "t");
  const auto changed = [&](const std::string& assignment) {
    return forbidden_changes(before, parse_scene(pit + hopper + post, "t", {assignment}));
  };
  for (const char* allowed : {"sand.cfl=0.3", "sand.tolerance=1e-6", "sand.max_iterations=77", "run.frames=3"})
    EXPECT_EQ(changed(allowed), std::vector<std::string>()) << allowed;
  EXPECT_EQ(changed("sand.transfer=pic"), std::vector<std::string>{"sand.transfer"});
  EXPECT_EQ(changed("grains.red.density=1"), std::vector<std::string>{"grains.red.density"});
  EXPECT_EQ(changed("obstacle.post.friction=1"), std::vector<std::string>{"obstacle.post.friction"});
}

TEST(SandScene, SuspiciousThingsAreWarnedOf) {
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(first_warning(text).find(part), std::string::npos) << first_warning(text) << "\nshould say " << part;
  };
  says("silt = 1\n[domain]\nsize = [1, 1]\ncell_size = 0.1\n[sand]\n",
       "t:5:2: warning: there is no sand in this scene");
  says(pit + "[grains.red]\n", "nothing is made of grains 'red'");
  std::string pairs = pit;
  pairs.insert(pairs.find("[shape.column]"), "pair_cohesion = 1\n");
  says(pairs, "t:6:1: warning: pair_cohesion is a part of the cohesion, and no sand here has any");
  pairs.insert(pairs.find("[shape.column]"), "cohesion = 10\n");
  EXPECT_EQ(first_warning(pairs), "");
  const auto with = [](const std::string& line) {
    std::string text = pit;
    return text.insert(text.find("[shape.column]"), line + "\n");
  };
  says(with("flip_part = 0.5"), "t:6:1: warning: flip_part is for transfer = \"blend\", and this is another");
  EXPECT_EQ(first_warning(with("flip_part = 0.5\ntransfer = \"blend\"")), "");
  says(with("grain_size = 0.001\nfriction_rise = 0"),
       "t:6:1: warning: grain_size counts where friction rises with the rate of shear, and friction_rise is 0");
  EXPECT_EQ(first_warning(with("grain_size = 0.001")), "");
  EXPECT_EQ(first_warning(with("friction_rise = 0")), "");
  says(with("reach = 2"), "t:6:1: warning: reach is how far sand is followed beyond open sides, and there are none");
  EXPECT_EQ(first_warning(with("reach = 2\n[domain.sides]\ny_max = \"open\"")), "");
  says(pit + "[wall.belt]\nside = \"y_min\"\nvelocity = [1, 0]\nfriction = 0\n", "sand slides along 'wall.belt'");
  EXPECT_EQ(first_warning(pit + "[wall.belt]\nside = \"y_min\"\nvelocity = [1, 0]\n"), "");
  EXPECT_EQ(first_warning(pit + "[wall.floor]\nside = \"y_min\"\nslip = \"none\"\n"), "")
      << "sand needs no viscosity to feel it";
}

// Surfaces that lie on one another have no room between them, though nowhere is anything deep inside.
TEST(SandScene, FillsInsideObstaclesAreWarnedOf) {
  const auto in_block = [](const std::string& max) {
    return first_warning(pit + "[shape.block]\nbox = { min = [0, 0], max = " + max +
                         " }\n[obstacle.block]\nshape = \"block\"\n");
  };
  const std::string buried = "t:9:9: warning: 'fill.heap' lies inside 'obstacle.block', so there is nothing of it";
  EXPECT_EQ(in_block("[0.5, 0.5]").find(buried), 0u) << in_block("[0.5, 0.5]");
  EXPECT_EQ(in_block("[0.5, 0.4]").find(buried), 0u) << "one surface is the block's: " << in_block("[0.5, 0.4]");
  EXPECT_EQ(in_block("[0.25, 0.4]").find(buried), 0u) << "all of it is: " << in_block("[0.25, 0.4]");
  EXPECT_EQ(in_block("[0.5, 0.38]"), "") << "some looks out";
  EXPECT_EQ(first_warning(pit + "[obstacle.block]\nshape = \"column\"\nmotion.rotation = [0, 0, 90]\n"), "");
  EXPECT_EQ(first_warning(pit + "[obstacle.block]\nshape = \"column\"\nmotion.rotation = [0, 0, 180]\n").find(buried),
            0u)
      << "where rounding leaves it";
}

TEST(SandScene, HasOneOfTwoModels) {
  EXPECT_EQ(parse_scene(pit, "t").sand->model, SandModel::constrained);
  const Scene scene = parse_scene(pit + hopper, "t", {"sand.model=rigid_plastic", "sand.cohesion=100"});
  EXPECT_EQ(scene.sand->model, SandModel::rigid_plastic);
  EXPECT_EQ(parse_scene(scene.text, "t").text, scene.text);
  EXPECT_EQ(forbidden_changes(parse_scene(pit, "t"), parse_scene(pit, "t", {"sand.model=rigid_plastic"})),
            std::vector<std::string>{"sand.model"});
  EXPECT_LT(estimate(scene).memory_bytes, estimate(parse_scene(pit + hopper, "t")).memory_bytes);
}

TEST(SandScene, OnlyTheConstrainedModelKnowsTensionAndBearing) {
  const auto message = [](const std::string& text) {
    try {
      parse_scene(text, "t", {"sand.model=rigid_plastic", "sand.cohesion=100"});
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(pit), "");
  std::string of_sand = pit;
  of_sand.insert(of_sand.find("[shape.column]"), "tension = 10\n");
  EXPECT_NE(message(of_sand).find("t:6:1: error: 'tension' is for the model \"constrained\""), std::string::npos)
      << message(of_sand);
  of_sand.replace(of_sand.find("tension = 10"), 12, "tension = 1e6");
  EXPECT_EQ(message(of_sand).find("holds a pull"), std::string::npos) << "one mistake, one message";
  EXPECT_NE(message(pit + "[grains.red]\ntension = 10\n").find("t:12:1: error: 'tension'"), std::string::npos);
  const std::string kept = message(pit + "[output]\nvolumes = [\"pressure\", \"bearing\"]\n");
  EXPECT_NE(kept.find("t:12:24: error: 'bearing' is for the model"), std::string::npos) << kept;
}

TEST(SandEstimate, CountsItsParticles) {
  const SceneEstimate one = estimate(parse_scene(pit, "t")), fine = estimate(parse_scene(pit, "t", {}, 2));
  EXPECT_NEAR(double(one.particles), 4 * 40, 1);
  EXPECT_NEAR(double(fine.particles), 4 * double(one.particles), 4);
  EXPECT_NEAR(one.speed, std::sqrt(2 * 9.81 * 0.4), 1e-9) << "from the top of the column";
}

// Sand falls, and comes to rest: steps are short for a while only. And memory goes with the box that follows it.
TEST(SandEstimate, CountsItsSteps) {
  for (const std::string& more : {std::string(), hopper}) {
    const Scene scene = parse_scene(pit + more, "t", {"run.frames=25", "run.fps=24"});
    SimulationOptions options;
    options.threads = 1;
    Simulation run(scene, options);
    double steps = 0;
    while (run.advance_frame()) steps += double(run.stats().substeps);
    const double promised = estimate(scene).substeps_per_frame * 24;
    EXPECT_LT(promised, 2 * steps);
    EXPECT_GT(promised, 0.5 * steps);
  }
  const double memory = estimate(parse_scene(pit, "t")).memory_bytes;
  EXPECT_GT(estimate(parse_scene(pit, "t", {"shape.column.box={ min = [0, 0], max = [0.9, 0.4] }"})).memory_bytes,
            1.2 * memory);
  EXPECT_LT(estimate(parse_scene(pit, "t", {"domain.size=[60, 60]"})).memory_bytes, 3 * memory);
}

TEST(SandRun, GoesOnFromACheckpointAsIfNothingHadHappened) {
  const std::string sink = "[sink.all]\nshape = \"spout\"\nmotion.position = [0.3, -0.3]\n";
  for (const char* model : {"sand.model=constrained", "sand.model=rigid_plastic"}) {
    const Scene scene = parse_scene(pit + hopper + post + sink, "t", {"run.frames=6", "run.fps=20", model});
    Simulation straight(scene, {});
    const std::string hashes = test::run_to_end(straight);
    Simulation first(scene, {});
    std::string both;
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(first.advance_frame());
      both += first.stats().state_hash + ' ';
    }
    Simulation second(scene, {});
    second.restore(test::saved(first));
    both += test::run_to_end(second);
    EXPECT_EQ(both, hashes) << model;
  }
}

// By hand: a column of 0.25 x 0.4 m of 1600 kg/m^3, and gravel that fills a spout of 0.1 x 0.1 m.
TEST(SandRun, WeighsWhatItIsMadeOf) {
  const Scene scene = parse_scene(pit + hopper, "t", {"run.frames=2", "source.spout.velocity=[0, 0]"});
  Simulation sim(scene, {});
  ASSERT_TRUE(sim.advance_frame());
  EXPECT_NEAR(sim.stats().totals.mass, 160, 1e-9 * 160);
  EXPECT_NEAR(sim.stats().totals.volume, 0.1, 1e-9);
  ASSERT_EQ(sim.frame().points.size(), 1u);
  EXPECT_EQ(sim.frame().points[0].material, "sand");
  EXPECT_EQ(sim.frame().points[0].count(), 160u);
  ASSERT_TRUE(sim.advance_frame());
  const double gravel = sim.stats().totals.volume - 0.1;
  EXPECT_NEAR(gravel, 0.01, 0.002);
  EXPECT_NEAR(sim.stats().totals.mass, 160 + 1700 * gravel, 1e-6);
}

// A layer at rest bears what lies above, whatever it does sideways; the pressure is the mean of both directions.
/// Frames of a scene, as many as it has; the last one's numbers.
FrameStats end_of(const std::string& text) {
  Simulation sim(parse_scene(text, "sand"), {});
  while (sim.advance_frame()) {
  }
  return sim.stats();
}

// A blade turns in a block of sand between periodic sides: what the quick model tells of the force on it stays of the
// order of the sand's weight, 38 N. Pushes that no motion of a group can balance once made it 1e18.
TEST(SandRun, TurningSolidsFeelFiniteForces) {
  Simulation sim(parse_scene(R"(silt = 1
[run]
frames = 16
fps = 24
[domain]
size = [0.4, 0.2, 0.2]
cell_size = 0.02
sides = { y_min = "periodic", y_max = "periodic" }
[sand]
model = "rigid_plastic"
[shape.block]
box = { min = [0.1, 0.04, 0], max = [0.3, 0.16, 0.1] }
[fill.block]
shape = "block"
material = "sand"
[shape.blade]
box = { center = [0.2, 0.1, 0.06], size = [0.15, 0.02, 0.1] }
[obstacle.blade]
shape = "blade"
motion = { spin = 60, spin_axis = [0, 0, 1] }
)",
                             "sand"),
                 {});
  while (sim.advance_frame()) {
    if (sim.time() == 0) continue;
    EXPECT_LT(length(sim.stats().forces().at("blade")), 400) << sim.time();
  }
}

// A dozen grains on a slab of 15 degrees, where friction holds up to 26.6: no cell is full, so that the mean of none
// stops them. They used to gain speed for ever, against the slab and without moving.
TEST(SandRun, AFewGrainsLieOnASlantedSolid) {
  const FrameStats end = end_of(R"(silt = 1
[run]
frames = 36
fps = 24
[domain]
size = [0.5, 0.5]
cell_size = 0.02
[sand]
[shape.slab]
box = { center = [0, 0], size = [0.4, 0.1] }
rotate = [0, 0, 15]
move = [0.25, 0.15]
[obstacle.slab]
shape = "slab"
[shape.grains]
sphere = { center = [0.25, 0.26], radius = 0.02 }
[fill.grains]
shape = "grains"
material = "sand"
)");
  EXPECT_LT(end.totals.max_speed, 0.08);
  EXPECT_NEAR(end.forces().at("slab").y, -9.81 * end.totals.mass, 0.5 * 9.81 * end.totals.mass);
}

// What a bed weighs is what the solid below it feels, whatever the scene's usual sand is like.
TEST(SandRun, SolidsFeelTheWeightOfTheirSand) {
  const FrameStats end = end_of(R"(silt = 1
[run]
frames = 24
fps = 24
[domain]
size = [0.4, 0.4]
cell_size = 0.02
[sand]
wall_friction = 0
density = 1600
[grains.heavy]
density = 4800
[shape.floor]
box = { min = [-0.1, -0.1], max = [0.5, 0.1] }
[obstacle.floor]
shape = "floor"
[shape.bed]
box = { min = [0, 0.1], max = [0.4, 0.2] }
[fill.bed]
shape = "bed"
material = "sand"
grains = "heavy"
)");
  EXPECT_NEAR(end.totals.mass, 192, 1);
  EXPECT_NEAR(end.forces().at("floor").y, -9.81 * 192, 0.05 * 9.81 * 192);
}

TEST(SandRun, FramesHaveTheStressInPascal) {
  const std::string layer = R"(silt = 1
[run]
frames = 6
[domain]
size = [0.4, 0.6]
cell_size = 0.05
sides = { x_min = "periodic", x_max = "periodic", y_max = "open" }
[sand]
max_iterations = 4000
[grains.heavy]
density = 2000
[shape.layer]
box = { min = [-1, -1], max = [1, 0.4] }
[fill.layer]
shape = "layer"
material = "sand"
grains = "heavy"
)";
  Simulation sim(parse_scene(layer, "t"), {});
  ASSERT_TRUE(sim.advance_frame());
  const Frame first = sim.frame();
  ASSERT_TRUE(first.find("pressure") && first.find("bearing"));
  EXPECT_EQ(first.find("pressure")->at({4, 0, 0}), 0) << "nothing is known before the first step";
  while (sim.advance_frame()) {
  }
  const Frame frame = sim.frame();
  const Volume &pressure = *frame.find("pressure"), &bearing = *frame.find("bearing");
  EXPECT_EQ(pressure.unit, "Pa");
  EXPECT_EQ(bearing.kind, Volume::Kind::vector);
  for (int j = 0; j < 7; ++j) {
    double along = 0, across = 0, mean = 0;
    for (int i = 0; i < 8; ++i) {
      across += bearing.at({i, j, 0}, 0) / 8;
      along += bearing.at({i, j, 0}, 1) / 8;
      mean += pressure.at({i, j, 0}) / 8;
    }
    EXPECT_NEAR(along, 2000 * 9.81 * (0.4 - 0.05 * (j + 0.5)), 2000 * 9.81 * 0.4 * 0.02) << j;
    EXPECT_NEAR(0.5 * (along + across), mean, 1e-3 * mean) << "the deviator has no trace";
  }
}

TEST(SandScene, StressesAreWrittenWhenAskedFor) {
  const Scene scene = parse_scene(pit, "t", {"output.volumes=[\"pressure\", \"bearing\"]"});
  EXPECT_EQ(scene.output.volumes, (std::vector<std::string>{"pressure", "bearing"}));
  EXPECT_EQ(scene.material(), "sand");
}

}  // namespace
}  // namespace silt
