#include <gtest/gtest.h>

#include <limits>

#include "silt/core/text.h"
#include "silt/scene/diagnostics.h"
#include "silt/sim/estimate.h"
#include "silt/sim/estimate_parts.h"
#include "silt/sim/read_scene.h"

namespace silt {
namespace {

const std::string tank = R"(silt = 1
[domain]
size = [1, 0.6, 0.6]
cell_size = 0.05
sides = { z_max = "open" }
[water]
[shape.column]
box = { min = [0, 0, 0], max = [0.25, 0.6, 0.4] }
[fill.dam]
shape = "column"
material = "water"
)";

const std::string jet = R"(
[shape.nozzle]
box = { min = [0.4, 0.2, 0.2], max = [0.5, 0.4, 0.3] }
[source.jet]
shape = "nozzle"
material = "water"
velocity = [2, 0, 0]
)";

std::string first_warning(const std::string& text) {
  const Scene scene = parse_scene(text, "t");
  return scene.warnings.empty() ? std::string() : scene.warnings[0];
}

TEST(WaterScene, HasWaterAndNoSmoke) {
  const Scene scene = parse_scene(tank, "t");
  ASSERT_TRUE(scene.water);
  EXPECT_FALSE(scene.smoke);
  EXPECT_EQ(scene.water->density, 1000);
  EXPECT_EQ(scene.output.volumes, (std::vector<std::string>{"surface", "velocity", "solid"}));
  EXPECT_TRUE(scene.output.points);
  EXPECT_EQ(scene.picture.look.quantity, "surface");
  ASSERT_EQ(scene.setting.fills.size(), 1u);
  EXPECT_FALSE(scene.setting.fills[0].velocity);
  EXPECT_EQ(scene.text.find("smoke]"), std::string::npos) << scene.text;
  EXPECT_EQ(scene.text.find("temperature"), std::string::npos) << scene.text;
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
}

TEST(WaterScene, SourcesAreEmittersAndSinksDrain) {
  const Scene scene = parse_scene(tank + jet +
                                      "colour = [1, 0, 0]\nenabled = { keys = [[0, true], [2, false]] }\n"
                                      "[source.drip]\nshape = \"nozzle\"\nmaterial = \"water\"\nrate = 1e-3\n"
                                      "[sink.all]\nshape = \"nozzle\"\nmotion.position = [0.1, 0, 0]\n",
                                  "t");
  EXPECT_TRUE(scene.setting.sources.empty());
  ASSERT_EQ(scene.setting.emitters.size(), 2u);
  const Emitter &drip = scene.setting.emitters[0], &pour = scene.setting.emitters[1];
  EXPECT_EQ((*drip.rate)(0), 1e-3);
  EXPECT_EQ(drip.velocity(0), Vec3d{});
  EXPECT_EQ(drip.source, 1u) << "the fill is 0";
  EXPECT_FALSE(drip.colour) << "drawn as the look has it";
  EXPECT_FALSE(pour.rate);
  EXPECT_EQ(pour.velocity(0), (Vec3d{2, 0, 0}));
  EXPECT_EQ(pour.source, 2u);
  EXPECT_EQ(pour.colour.value()(0), (Vec3d{1, 0, 0}));
  EXPECT_TRUE(pour.enabled(1));
  EXPECT_FALSE(pour.enabled(2));
  ASSERT_EQ(scene.setting.sinks.size(), 1u);
  EXPECT_EQ(scene.setting.sinks[0].motion.position(0), (Vec3d{0.1, 0, 0}));
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
}

TEST(WaterScene, ReadsBackToItself) {
  const std::string honey = "[run]\nframes = 3\n[wall.floor]\nside = \"z_min\"\n[sink.a]\nshape = \"nozzle\"\n";
  const Scene scene = parse_scene(tank + jet + honey, "t", {"water.preset=honey", "water.reach=3"});
  EXPECT_EQ(scene.water->viscosity(0), 7e-3);
  const Scene again = parse_scene(scene.text, "t");
  EXPECT_EQ(again.text, scene.text);
  EXPECT_EQ(again.water->viscosity(0), 7e-3);
  EXPECT_EQ(again.water->reach, 3.0);
  EXPECT_EQ(again.warnings, std::vector<std::string>());
  EXPECT_EQ(forbidden_changes(scene, again), std::vector<std::string>());
}

TEST(WaterScene, OnlyWhatLeavesThePhysicsAloneMayChangeOnResume) {
  const Scene before = parse_scene(tank + jet, "t");
  const auto changed = [&](const std::string& assignment) {
    return forbidden_changes(before, parse_scene(tank + jet, "t", {assignment}));
  };
  for (const char* allowed : {"water.cfl=1", "water.tolerance=1e-6", "water.max_iterations=77", "run.frames=3"})
    EXPECT_EQ(changed(allowed), std::vector<std::string>()) << allowed;
  EXPECT_EQ(changed("water.viscosity=1"), std::vector<std::string>{"water.viscosity"});
  EXPECT_EQ(changed("source.jet.rate=1"), std::vector<std::string>{"source.jet.rate"});
  const Scene smoke = parse_scene("silt = 1\n[domain]\nsize = [1, 0.6, 0.6]\ncell_size = 0.05\n[smoke]\n", "t");
  const std::vector<std::string> other = forbidden_changes(smoke, before);
  EXPECT_EQ(std::count(other.begin(), other.end(), "water"), 1);
}

TEST(WaterScene, SuspiciousThingsAreWarnedOf) {
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(first_warning(text).find(part), std::string::npos) << first_warning(text) << "\nshould say " << part;
  };
  says("silt = 1\n[domain]\nsize = [1, 1]\ncell_size = 0.1\n[water]\n",
       "t:5:2: warning: there is no water in this scene");
  says(tank + "[shape.rock]\nbox = { min = [-1, -1, -1], max = [0.5, 2, 2] }\n[obstacle.rock]\nshape = \"rock\"\n",
       "'fill.dam' lies inside 'obstacle.rock', so there is nothing of it");
  says(tank + "[obstacle.rock]\nshape = \"column\"\n",
       "'fill.dam' lies inside 'obstacle.rock', so there is nothing of it");
  const std::string halves =
      "[shape.near]\nbox = { min = [0.35, 0.1, 0.1], max = [0.55, 0.3, 0.5] }\n[obstacle.near]\nshape = \"near\"\n"
      "[shape.far]\nbox = { min = [0.35, 0.29, 0.1], max = [0.55, 0.5, 0.5] }\n[obstacle.far]\nshape = \"far\"\n";
  says(tank + jet + halves, "'source.jet' lies inside the obstacles, so nothing comes out of it");
  const std::string lid =
      "[shape.lid]\nbox = { min = [0.35, 0.1, 0.1], max = [0.55, 0.5, 0.5] }\n[obstacle.lid]\nshape = \"lid\"\n";
  says(tank + jet + lid, "t:16:9: warning: 'source.jet' lies inside 'obstacle.lid', so nothing comes out of it");
  says(tank +
           "[shape.drain]\nbox = { min = [0.4, 0.2, 0.2], max = [0.5, 0.4, 0.4] }\n[sink.drain]\nshape = \"drain\"\n" +
           lid,
       "'sink.drain' lies inside 'obstacle.lid', so nothing gets into it");
  says(tank + jet + lid + "motion.position = { keys = [[0, [0, 0, 0]], [1, [0.3, 0, 0]]] }\n",
       "'source.jet' lies inside 'obstacle.lid' at the start, so nothing comes out of it until one of them has moved");
  says(tank +
           "[shape.nozzle]\nbox = { min = [0.4, 0.2, 0.2], max = [0.5, 0.4, 0.3] }\n[source.jet]\nshape = \"nozzle\"\n"
           "material = \"water\"\n",
       "fills its shape once, and then gives nothing");
  const std::string sticky = "[wall.floor]\nside = \"z_min\"\nslip = \"none\"\n";
  EXPECT_NE(parse_scene(tank + sticky, "t", {"water.wall_viscosity=0"}).warnings.at(0).find("give [water] a viscosity"),
            std::string::npos);
  EXPECT_EQ(first_warning(tank + jet + sticky), "") << "walls slow it in the layer that they have";
  EXPECT_EQ(first_warning(tank + jet), "");
}

TEST(WaterScene, FlatPicturesCanShowParticles) {
  const std::string flat =
      "silt = 1\n[domain]\nsize = [1, 1]\ncell_size = 0.1\n[water]\n[shape.a]\nsphere = { center = [0.5, 0.5], radius "
      "= "
      "0.2 }\n[fill.a]\nshape = \"a\"\nmaterial = \"water\"\n[look]\nquantity = \"particles\"\n";
  EXPECT_EQ(first_warning(flat), "");
  const std::string unkept = first_warning(flat + "[output]\npoints = false\n");
  EXPECT_NE(unkept.find("the pictures show 'particles', which is not kept"), std::string::npos) << unkept;
  EXPECT_NE(unkept.find("leave points = false out"), std::string::npos) << unkept;
}

TEST(WaterScene, OpenOnAllSidesIsGood) {
  const Scene scene = parse_scene(
      "silt = 1\n[domain]\nsize = [1, 1]\ncell_size = 0.1\ngravity = [0, 0]\nsides = { x_min = \"open\", x_max = "
      "\"open\", "
      "y_min = \"open\", y_max = \"open\" }\n[water]\n[shape.a]\nsphere = { center = [0.5, 0.5], radius = 0.2 }\n"
      "[fill.a]\nshape = \"a\"\nmaterial = \"water\"\nvelocity = [1, 0]\n",
      "t");
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  EXPECT_EQ(scene.water->reach_in(scene.setting.domain), 10);
}

TEST(WaterScene, EachObstacleAndSideHoldsAsItIsTold) {
  const std::string block = "[shape.lid]\nbox = { min = [0.4, 0.1, 0.3], max = [0.6, 0.5, 0.4] }\n";
  const auto lid = [&](const std::string& says, const std::vector<std::string>& set = {}) {
    return parse_scene(tank + block + "[obstacle.lid]\nshape = \"lid\"\n" + says, "t", set)
        .setting.obstacles[0]
        .suction;
  };
  const double holds = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(lid(""));
  EXPECT_EQ(lid("pull = \"hold\"\n"), holds);
  EXPECT_EQ(lid("pull = \"let_go\"\n", {"water.suction=70"}), 70);
  EXPECT_EQ(lid("suction = 300\n", {"water.walls=hold"}), 300) << "a number lets go";
  const auto floor = [&](const std::vector<std::string>& set) {
    return parse_scene(tank + "[wall.floor]\nside = \"z_min\"\npull = \"hold\"\n", "t", set).setting.walls[0];
  };
  EXPECT_EQ(floor({}).suction, holds);
  EXPECT_FALSE(floor({}).no_slip) << "it says nothing of slip: as sides of which nothing is said";
  EXPECT_TRUE(parse_scene(tank + "[wall.floor]\nside = \"z_min\"\n", "t").setting.walls[0].no_slip);
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      parse_scene(text, "t");
    } catch (const SceneError& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_NE(refusal(tank + block + "[obstacle.lid]\nshape = \"lid\"\npull = \"hold\"\nsuction = 3\n")
                .find("holds whatever pulls"),
            std::string::npos);
  EXPECT_NE(refusal("silt = 1\n[domain]\nsize = [1, 1, 1]\ncell_size = 0.1\n[smoke]\n" + block +
                    "[obstacle.lid]\nshape = \"lid\"\nsuction = 3\n")
                .find("'suction' is for water"),
            std::string::npos);
}

// By hand: 0.25 x 0.6 x 0.4 m in cells of 5 cm; a nozzle of 0.1 x 0.2 x 0.1 m that is filled once and gives
// 2 m/s x 0.02 m^2 for a second.
TEST(ParticleAmount, CountsWhatIsThereAndWhatIsPoured) {
  const double cell = 0.05 * 0.05 * 0.05;
  const auto amount = [](const std::string& more, const std::vector<std::string>& set = {}) {
    return particle_amount(parse_scene(tank + more, "t", set));
  };
  EXPECT_NEAR(amount("").at_start, 0.06 / cell, 1e-6 / cell);
  EXPECT_EQ(amount("").poured, 0);
  EXPECT_NEAR(amount(jet, {"run.frames=25"}).poured, (0.002 + 0.04) / cell, 1e-6 / cell);
  EXPECT_NEAR(amount(jet, {"run.frames=25", "source.jet.rate=0.01"}).poured, 0.01 / cell, 1e-6 / cell);
  EXPECT_NEAR(amount(jet, {"run.frames=49", "source.jet.enabled={ keys = [[0, true], [1, false]] }"}).poured,
              (0.002 + 0.04) / cell, 1e-6 / cell);
  EXPECT_NEAR(amount("[fill.more]\nshape = \"column\"\nmaterial = \"water\"\n").at_start, 0.06 / cell, 1e-6 / cell)
      << "where fills overlap there is water once";
  const std::string post =
      "[shape.post]\nbox = { min = [0, 0, 0], max = [0.25, 0.3, 0.6] }\n[obstacle.post]\nshape = \"post\"\n";
  EXPECT_NEAR(amount(post).at_start, 0.03 / cell, 1e-6 / cell) << "and none in solids";
}

TEST(ParticleAmount, AClosedTankHoldsNoMoreThanItsVolume) {
  const Scene scene = parse_scene(tank + jet, "t", {"run.frames=2400", "domain.sides.z_max=wall"});
  const ParticleAmount amount = particle_amount(scene);
  EXPECT_NEAR(amount.at_start + amount.poured, double(scene.cells()), 1e-6 * double(scene.cells()));
}

TEST(WaterEstimate, GrowsAsItShould) {
  const SceneEstimate one = estimate(parse_scene(tank, "t")), fine = estimate(parse_scene(tank, "t", {}, 2));
  EXPECT_NEAR(double(one.particles), 8 * 480, 1);
  EXPECT_NEAR(double(fine.particles), 8 * double(one.particles), 8);
  EXPECT_NEAR(fine.memory_bytes, 8 * one.memory_bytes, 0.01 * fine.memory_bytes);
  EXPECT_GT(fine.seconds, 10 * one.seconds);
  EXPECT_NEAR(one.speed, std::sqrt(2 * 9.81 * 0.4), 1e-9) << "from the top of the column";
  const SceneEstimate wide = estimate(parse_scene(tank, "t", {"domain.size=[4, 2.4, 2.4]"}));
  EXPECT_LT(wide.memory_bytes, 1.5 * one.memory_bytes) << "grids are where the water is";
  const SceneEstimate bare = estimate(parse_scene(tank, "t", {"output.points=false"}));
  EXPECT_NEAR(one.disk_bytes_per_frame - bare.disk_bytes_per_frame, 24 * double(one.particles), 1);
}

}  // namespace
}  // namespace silt
