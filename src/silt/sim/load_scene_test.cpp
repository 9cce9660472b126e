#include "silt/sim/read_scene.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "silt/core/text.h"
#include "silt/scene/diagnostics.h"
#include "silt/sim/builtin_scenes.h"
#include "silt/sim/combinations.h"
#include "silt/sim/estimate.h"
#include "silt/sim/scene_reference.h"
#include "silt/sim/scene_shapes.h"

namespace silt {
namespace {

namespace fs = std::filesystem;

const std::string plume = R"(silt = 1
[domain]
size = [1, 1, 2]
cell_size = 0.1
sides = { z_max = "open" }
[smoke]
[shape.vent]
sphere = { center = [0.5, 0.5, 0.3], radius = 0.2 }
[source.vent]
shape = "vent"
material = "smoke"
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Scene flat_scene(const std::string& more = "") {
  return parse_scene("silt = 1\n[domain]\nsize = [1, 2]\ncell_size = 0.1\n" + more + "[smoke]\n", "flat.toml");
}

TEST(LoadScene, TheLatticeIsWhatTheDomainSays) {
  const Scene scene = parse_scene(plume, "dir/plume.toml");
  EXPECT_EQ(scene.name, "plume");
  const Domain& d = scene.setting.domain;
  EXPECT_EQ(d.cells, (Box{{0, 0, 0}, {10, 10, 20}}));
  EXPECT_EQ(d.lattice, (Lattice{{0, 0, 0}, 0.1, {1, 1, 1}}));
  EXPECT_EQ(d.side(2, 1), Side::open);
  EXPECT_EQ(d.side(2, 0), Side::wall);
  EXPECT_EQ(scene.setting.gravity, (Vec3d{0, 0, -9.81}));
  EXPECT_EQ(scene.setting.sources.at(0).temperature(0), 293) << "that of the air when not given";
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
}

TEST(LoadScene, AFlatSceneLiesInThePlaneZero) {
  const Scene scene =
      flat_scene("origin = [-1, 3]\n[shape.a]\nbox = { min = [-1, 3], max = [0, 4] }\n[obstacle.a]\nshape = \"a\"\n");
  const Domain& d = scene.setting.domain;
  EXPECT_EQ(d.lattice.active, (Int3{1, 1, 0}));
  EXPECT_EQ(d.cells, (Box{{0, 0, 0}, {10, 20, 1}}));
  EXPECT_NEAR(d.lattice.centre({0, 0, 0}).z, 0, 1e-15);
  EXPECT_EQ(d.lattice.origin.x, -1);
  EXPECT_EQ(scene.setting.gravity, (Vec3d{0, -9.81, 0}));
  EXPECT_NEAR(scene.setting.obstacles.at(0).shape.distance({-0.5, 3.5, 0}), -0.5, 1e-12) << "a box has no end along z";
  const Scene line = parse_scene("silt = 1\n[domain]\nsize = [2]\nresolution = 8\n[smoke]\n", "line.toml");
  EXPECT_EQ(line.setting.domain.lattice.active, (Int3{1, 0, 0}));
  EXPECT_EQ(line.setting.gravity, (Vec3d{}));
  EXPECT_NE(line.text.find("size = [2.0]"), std::string::npos) << line.text;
  EXPECT_EQ(line.picture.look.quantity, "all");
}

TEST(LoadScene, ScaleMakesCellsFinerOrCoarser) {
  for (const char* cells : {"cell_size = 0.1", "resolution = 20"}) {
    const std::string text = with(plume, "cell_size = 0.1", cells);
    EXPECT_EQ(parse_scene(text, "p", {}, 0.5).setting.domain.cells.hi, (Int3{5, 5, 10}));
    EXPECT_EQ(parse_scene(text, "p", {}, 2).setting.domain.cells.hi, (Int3{20, 20, 40}));
  }
  EXPECT_EQ(parse_scene(with(plume, "cell_size = 0.1", "resolution = 100"), "p", {}, 0.333).setting.domain.cells.hi.z,
            33);
  for (const double scale : {0.0, -1.0, 1e9, std::nan("")})
    EXPECT_THROW(parse_scene(plume, "p", {}, scale), InputError);
}

TEST(LoadScene, ASizeIsRoundedToWholeCellsAndSaysSo) {
  const Scene scene = parse_scene(with(plume, "size = [1, 1, 2]", "size = [1, 1.04, 2.07]"), "p");
  EXPECT_EQ(scene.setting.domain.cells.hi, (Int3{10, 10, 21}));
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_NE(scene.warnings[0].find("using [1, 1, 2.1] m: 10 x 10 x 21"), std::string::npos) << scene.warnings[0];
  EXPECT_EQ(parse_scene(scene.text, "p").warnings, std::vector<std::string>()) << "its text has the size that is used";
  EXPECT_TRUE(parse_scene(with(plume, "size = [1, 1, 2]", "size = [1, 1.00000001, 2]"), "p").warnings.empty());
}

TEST(LoadScene, ShapesAreCombined) {
  const Scene scene = parse_scene(plume + R"(
[shape.hollow]
difference = ["big", "small", "vent"]
[shape.big]
box = { center = [0.5, 0.5, 1.4], size = [0.8, 0.8, 0.8] }
[shape.small]
sphere = { center = [0.5, 0.5, 1.4], radius = 0.2 }
[obstacle.hollow]
shape = "hollow"
)",
                                  "p");
  const Shape& shape = scene.setting.obstacles.at(0).shape;
  EXPECT_GT(shape.distance({0.5, 0.5, 1.4}), 0);
  EXPECT_LT(shape.distance({0.5, 0.5, 1.7}), 0);
  EXPECT_GT(shape.distance({0.5, 0.5, 1.9}), 0);
}

TEST(LoadScene, SuspiciousThingsAreWarnedOf) {
  const auto warning = [](const std::string& text) {
    const Scene scene = parse_scene(text, "p");
    return scene.warnings.empty() ? std::string() : scene.warnings[0];
  };
  EXPECT_NE(warning(plume + "temperature = 80\n").find("80 K is -193 degrees Celsius"), std::string::npos);
  EXPECT_NE(
      warning(plume + "[shape.idle]\nsphere = { center = [0, 0, 0], radius = 1 }\n").find("nothing uses shape 'idle'"),
      std::string::npos);
  EXPECT_NE(warning(with(plume, "radius = 0.2", "radius = 0.01")).find("holds no cell's centre"), std::string::npos);
  EXPECT_NE(
      warning(plume +
              "[shape.rock]\nsphere = { center = [0.5, 0.5, 0.2], radius = 0.4 }\n[obstacle.rock]\nshape = \"rock\"\n")
          .find("'source.vent' lies inside 'obstacle.rock'"),
      std::string::npos);
  EXPECT_NE(warning("silt = 1\n[domain]\nsize = [1, 1]\ncell_size = 0.1\n[smoke]\n").find("nothing makes smoke"),
            std::string::npos);
  EXPECT_NE(warning(plume + "[run]\nframes = 1000\nfps = 0.1\n").find("2.8 hours of simulated time"),
            std::string::npos);
  EXPECT_NE(warning(plume + "[run]\nframes = 3\n[output]\nevery = 10\n").find("only the first frame is kept"),
            std::string::npos);
}

TEST(LoadScene, AFillIsTheStart) {
  const Scene scene = flat_scene(
      "[fill.b]\nmaterial = \"smoke\"\nvelocity = [1, 2]\n[fill.a]\nmaterial = \"smoke\"\n"
      "density = 0\nvortices = { wavelength = 0.5, speed = 3 }\n");
  ASSERT_EQ(scene.setting.fills.size(), 2u);
  const Fill &a = scene.setting.fills[0], &b = scene.setting.fills[1];
  EXPECT_EQ(a.density, 0);
  EXPECT_EQ(a.temperature, 293) << "that of the air when not given";
  EXPECT_FALSE(a.shape || a.velocity);
  EXPECT_EQ(a.vortices->wavelength, 0.5);
  EXPECT_EQ(a.vortices->speed, 3);
  EXPECT_EQ(b.density, 1);
  EXPECT_EQ(*b.velocity, (Vec3d{1, 2, 0}));
  EXPECT_EQ(scene.warnings, std::vector<std::string>()) << "there is smoke";
}

TEST(LoadScene, VorticesThatDoNotFitAPeriodicDomainAreWarnedOf) {
  const auto warnings = [](const std::string& wavelength) {
    return flat_scene(
               "sides = { x_min = \"periodic\", x_max = \"periodic\" }\n[fill.a]\nmaterial = \"smoke\"\n"
               "vortices = { speed = 1, wavelength = " +
               wavelength + " }\n")
        .warnings;
  };
  EXPECT_EQ(warnings("0.25"), std::vector<std::string>());
  ASSERT_EQ(warnings("0.3").size(), 1u);
  EXPECT_NE(warnings("0.3")[0].find("a wavelength of 0.33"), std::string::npos) << warnings("0.3")[0];
}

TEST(LoadScene, OverridesWinAndAreNamedInMessages) {
  EXPECT_EQ(parse_scene(plume, "p", {"smoke.cfl=1.5", "source.vent.temperature=500"}).smoke->cfl, 1.5);
  try {
    parse_scene(plume, "p", {"smoke.clf=1"});
    FAIL();
  } catch (const SceneError& e) {
    EXPECT_EQ(std::string(e.what()).find("--set smoke.clf=1: error: 'smoke' has no parameter 'clf'"), 0u) << e.what();
  }
}

#if defined(__SANITIZE_ADDRESS__)
constexpr double scales[] = {0.31};  // loading is twenty times as slow
#else
constexpr double scales[] = {1.0, 0.5, 0.31};
#endif

TEST(SceneText, ReadsBackToItself) {
  std::vector<Scene> scenes{parse_scene(plume, "plume"), parse_scene(plume, "plume", {}, 0.7), flat_scene()};
  for (const BuiltinScene& scene : builtin_scenes())
    for (const double scale : scales) scenes.push_back(load_scene(scene.path, {}, scale));
  EXPECT_GE(scenes.size(), 12u);
  for (const Scene& scene : scenes) {
    const Scene again = parse_scene(scene.text, scene.name);
    EXPECT_EQ(again.text, scene.text);
    EXPECT_EQ(again.name, scene.name);
    EXPECT_EQ(again.setting.domain.lattice, scene.setting.domain.lattice) << scene.text;
    EXPECT_EQ(again.setting.domain.cells, scene.setting.domain.cells);
    EXPECT_EQ(again.setting.domain.sides, scene.setting.domain.sides);
    EXPECT_EQ(forbidden_changes(scene, again), std::vector<std::string>());
  }
}

TEST(SceneText, DoesNotDependOnTheOrderOfTheFile) {
  const std::string a = "[shape.a]\nsphere = { center = [0.2, 0.2, 0.3], radius = 0.1 }\n[obstacle.a]\nshape = \"a\"\n";
  const std::string b = "[shape.b]\nsphere = { center = [0.8, 0.8, 0.3], radius = 0.1 }\n[obstacle.b]\nshape = \"b\"\n";
  EXPECT_EQ(parse_scene(plume + a + b, "p").text, parse_scene(plume + b + a, "p").text);
}

TEST(Resume, OnlyWhatLeavesThePhysicsAloneMayChange) {
  const Scene before = parse_scene(plume, "p");
  const auto changed = [&](const std::vector<std::string>& overrides) {
    return forbidden_changes(before, parse_scene(plume, "p", overrides));
  };
  const std::vector<std::string> none;
  for (const char* allowed :
       {"run.frames=500", "run.checkpoint_minutes=1", "output.pictures=false", "output.film=false", "look.exposure=2",
        "camera.width=320", "smoke.max_iterations=77", "smoke.cfl=1", "smoke.tolerance=1e-6"})
    EXPECT_EQ(changed({allowed}), none) << allowed;
  EXPECT_EQ(changed({"smoke.buoyancy=2"}), std::vector<std::string>{"smoke.buoyancy"});
  EXPECT_EQ(changed({"run.fps=30", "source.vent.density=2"}),
            (std::vector<std::string>{"run.fps", "source.vent.density"}));
  EXPECT_EQ(changed({"shape.vent.sphere.radius=0.25"}), std::vector<std::string>{"shape.vent.sphere"});
  EXPECT_EQ(changed({"source.two.shape=vent", "source.two.material=smoke"}), std::vector<std::string>{"source.two"});
  EXPECT_EQ(changed({"domain.cell_size=0.2"}), std::vector<std::string>{"domain.cell_size"});
}

TEST(Combinations, SmokeGasWaterAndSandHaveAStepperEach) {
  EXPECT_TRUE(has_stepper({"smoke"}));
  EXPECT_TRUE(has_stepper({"gas"}));
  EXPECT_TRUE(has_stepper({"water"}));
  EXPECT_TRUE(has_stepper({"sand"}));
  EXPECT_FALSE(has_stepper({"smoke", "water"}));
  EXPECT_FALSE(has_stepper({}));
  EXPECT_FALSE(has_stepper({"smoke", "sand"}));
  EXPECT_EQ(combinations_text(), "[smoke]; [gas]; [water]; [sand]");
  for (const auto& names : combinations())
    for (const std::string& name : names) EXPECT_TRUE(find_material(name) && find_material(name)->has_solver) << name;
}

TEST(NegativeSomewhere, ProvesAndFinds) {
  const auto ball = [](double r) { return [r](const Vec3d& x) { return length(x - Vec3d{0.3, 0.3, 0.3}) - r; }; };
  EXPECT_EQ(negative_somewhere(ball(0.05), {0, 0, 0}, {1, 1, 1}), Somewhere::yes);
  EXPECT_EQ(negative_somewhere(ball(0.5), {0.7, 0.7, 0.7}, {1, 1, 1}), Somewhere::no);
  EXPECT_EQ(negative_somewhere([](const Vec3d& x) { return x.x; }, {0, 0, 0}, {1, 1, 1}), Somewhere::unknown)
      << "it touches";
  EXPECT_EQ(negative_somewhere([](const Vec3d& x) { return x.x; }, {0, 0, 0}, {1, 1, 1}, 0.02), Somewhere::no);
  EXPECT_EQ(negative_somewhere([](const Vec3d& x) { return x.x - 0.02; }, {0, 0, 0}, {1, 1, 1}, 0.02), Somewhere::yes);
}

TEST(Estimate, GrowsAsItShould) {
  const SceneEstimate one = estimate(parse_scene(plume, "p", {"source.vent.temperature=400"}));
  const SceneEstimate fine = estimate(parse_scene(plume, "p", {"source.vent.temperature=400", "run.frames=240"}, 2));
  EXPECT_EQ(one.cells, 2000);
  EXPECT_EQ(fine.cells, 8 * one.cells);
  EXPECT_EQ(fine.memory_bytes, 8 * one.memory_bytes);
  EXPECT_EQ(one.disk_bytes_per_frame, 2000 * 6 * 2);
  EXPECT_EQ(fine.checkpoint_bytes, 8 * one.checkpoint_bytes);
  EXPECT_GT(fine.seconds, 15 * one.seconds);
  EXPECT_GT(one.speed, 0.3);
  EXPECT_LT(one.speed, 10);
}

TEST(BuiltinScenes, AreListedAndLoadWithoutWarnings) {
  const std::vector<BuiltinScene> all = builtin_scenes();
  ASSERT_GE(all.size(), 3u);
  for (const BuiltinScene& scene : all) {
    EXPECT_GT(scene.summary.size(), 20u) << scene.name;
    EXPECT_LT(scene.summary.size(), 90u) << scene.name;
    EXPECT_EQ(find_scene(scene.name), scene.path);
    EXPECT_EQ(load_scene(scene.path).warnings, std::vector<std::string>()) << scene.name;
  }
}

std::string refusal(const std::string& path) {
  try {
    load_scene(find_scene(path));
    return "accepted";
  } catch (const InputError& e) {
    return e.what();
  }
}

TEST(FindScene, SuggestsWhatWasMeant) {
  const fs::path folder = fs::path(testing::TempDir()) / str("silt_scenes_", ::getpid());
  fs::create_directories(folder / "run");
  const auto put = [](const fs::path& path, const std::string& text) { std::ofstream(path) << text; };
  put(folder / "fountain.toml", plume);
  put(folder / "run" / "scene.toml", plume);
  EXPECT_EQ(load_scene(folder / "fountain.toml").name, "fountain");
  EXPECT_EQ(refusal("smoke_plum"), "there is no scene 'smoke_plum'\n  did you mean the built-in scene 'smoke_plume'?");
  const auto says = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::string near = refusal((folder / "fontain.toml").string()), bare = refusal((folder / "fountain").string());
  EXPECT_TRUE(says(near, "there is no scene '") && says(near, "did you mean '" + (folder / "fountain.toml").string()))
      << near;
  EXPECT_TRUE(says(bare, "fountain.toml'?")) << bare;
  const std::string run = refusal((folder / "run").string());
  EXPECT_TRUE(says(run, "is a folder, not a scene") && says(run, "run/scene.toml'")) << run;
  EXPECT_TRUE(says(refusal("/dev/zero"), "is not a file")) << refusal("/dev/zero");
  EXPECT_TRUE(says(refusal((folder / "zzzzzz.toml").string()), "there is 'fountain.toml'"));
  EXPECT_TRUE(says(refusal(""), "no scene was named")) << refusal("");
  fs::permissions(folder / "fountain.toml", fs::perms::none);
  if (::geteuid() != 0) {  // root may read everything
    EXPECT_TRUE(says(refusal((folder / "fountain.toml").string()), "Permission denied"));
  }
  fs::resize_file(folder / "run" / "scene.toml", 100u << 20);
  EXPECT_TRUE(says(refusal((folder / "run" / "scene.toml").string()), "the limit is 16 MB"));
  fs::remove_all(folder);
}

TEST(SceneGuide, TheDocumentationIsUpToDate) {
  const fs::path path = fs::path(SILT_SOURCE_DIR) / "docs" / "guide" / "scene.md";
  if (std::getenv("SILT_UPDATE_DOCS")) std::ofstream(path) << scene_guide_markdown();
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_TRUE(text.str() == scene_guide_markdown()) << "docs/guide/scene.md is not what the tables say. Make it anew: "
                                                       "./silt help scene --markdown > docs/guide/scene.md";
}

TEST(SmokeScene, NumbersThatItsSchemeHasNoUseForAreWarnedOf) {
  const auto warning = [](const std::vector<std::string>& set) {
    const std::vector<std::string> said = parse_scene(plume, "t", set).warnings;
    return said.empty() ? std::string() : said[0];
  };
  const auto says = [](const std::string& what, const std::string& part) {
    EXPECT_NE(what.find(part), std::string::npos) << what << "\nshould say " << part;
  };
  EXPECT_EQ(warning({"smoke.tracing=\"rk3\"", "smoke.clamp=false"}), "");
  EXPECT_EQ(warning({"smoke.advection=\"upwind\""}), "");
  says(warning({"smoke.advection=\"upwind\"", "smoke.tracing=\"rk3\""}), "tracing is for semi-Lagrangian schemes");
  says(warning({"smoke.advection=\"upwind\"", "smoke.clamp=false"}), "clamp is for \"maccormack\" and \"bfecc\"");
  says(warning({"smoke.advection=\"cubic\"", "smoke.clamp=false"}), "clamp is for \"maccormack\" and \"bfecc\"");
  EXPECT_EQ(warning({"smoke.advection=\"cubic\"", "smoke.tracing=\"rk3\""}), "");
}

}  // namespace
}  // namespace silt
