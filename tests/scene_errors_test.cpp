// Every mistake a scene can have is answered with its place: generated for every parameter of every table, and by hand
// for what makes no sense though every value by itself does.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "silt/core/text.h"
#include "silt/physics/smoke/smoke_model.h"
#include "silt/scene.h"
#include "silt/scene/bad_values.h"
#include "silt/scene/diagnostics.h"
#include "silt/scene/toml_reader.h"
#include "silt/sim/builtin_scenes.h"
#include "silt/sim/estimate.h"
#include "silt/sim/read_scene.h"

namespace silt {
namespace {

const std::string good_scene = R"(silt = 1

[run]
frames = 10
fps = 24

[domain]
size = [1, 1, 2]
resolution = 32
sides = { z_max = "open" }

[smoke]
cfl = 2
viscosity = 1e-3

[shape.vent]
sphere = { center = [0.5, 0.5, 0.2], radius = 0.1 }
[shape.post]
box = { min = [0.4, 0.4, 0.9], max = [0.6, 0.6, 1.1] }
[shape.hole]
sphere = { center = [0, 0.5, 0.5], radius = 0.2 }

[source.vent]
shape = "vent"
material = "smoke"
temperature = 400

[fill.cloud]
material = "smoke"
density = 0.1

[obstacle.post]
shape = "post"

[inflow.jet]
side = "x_min"
shape = "hole"
velocity = [1, 0, 0]

[force.fan]
uniform = { acceleration = [0, 0, 1] }
[wall.belt]
side = "z_min"
velocity = [0, 1, 0]

[output]
volumes = ["density", "velocity"]
)";

const std::string flat_scene = R"(silt = 1
[domain]
size = [1, 2]
cell_size = 0.05
[smoke]
[shape.vent]
sphere = { center = [0.5, 0.3], radius = 0.2 }
[source.vent]
shape = "vent"
material = "smoke"
)";

const std::string water_scene = R"(silt = 1
[domain]
size = [1, 0.6, 0.6]
cell_size = 0.05
sides = { z_max = "open" }
[water]
preset = "oil"
reach = 2
[shape.column]
box = { min = [0, 0, 0], max = [0.3, 0.6, 0.4] }
[fill.dam]
shape = "column"
material = "water"
[shape.nozzle]
cylinder = { from = [0.4, 0.3, 0.4], to = [0.5, 0.3, 0.4], radius = 0.06 }
[source.jet]
shape = "nozzle"
material = "water"
velocity = [1, 0, 0]
[shape.drain]
sphere = { center = [0.9, 0.3, 0], radius = 0.1 }
[sink.drain]
shape = "drain"
[shape.post]
box = { min = [0.6, 0.2, 0], max = [0.7, 0.4, 0.5] }
[obstacle.post]
shape = "post"
[output]
volumes = ["surface"]
)";

const std::string sand_scene = R"(silt = 1
[domain]
size = [1, 0.6, 0.6]
cell_size = 0.05
[sand]
preset = "gravel"
cohesion = 100
[grains.red]
density = 1500
[shape.column]
box = { min = [0, 0, 0], max = [0.3, 0.6, 0.4] }
[fill.heap]
shape = "column"
material = "sand"
grains = "red"
[shape.post]
box = { min = [0.6, 0.2, 0], max = [0.7, 0.4, 0.5] }
[obstacle.post]
shape = "post"
slip = "none"
[wall.floor]
side = "z_min"
friction = 0.3
[output]
volumes = ["packing"]
)";

const std::string gas_scene = R"(silt = 1
[domain]
size = [1, 0.5]
cell_size = 0.05
[gas]
form = "energy"
[shape.ball]
sphere = { center = [0.3, 0.25], radius = 0.1 }
[fill.blast]
material = "gas"
shape = "ball"
pressure = 5e5
temperature = 300
[shape.plate]
box = { min = [0.8, 0.1], max = [0.9, 0.4] }
[source.heater]
shape = "plate"
material = "gas"
temperature = 400
[output]
volumes = ["gas_density"]
)";

std::vector<Diagnostic> problems(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scene(text, "t.toml", overrides);
  } catch (const SceneError& e) {
    return e.diagnostics();
  }
  return {};
}

std::string all_text(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += d.text() + "\n";
  return out.empty() ? "nothing" : out;
}

TEST(SceneErrors, TheScenesTheyStartFromAreGood) {
  EXPECT_EQ(all_text(problems(good_scene)), "nothing");
  EXPECT_EQ(all_text(problems(flat_scene)), "nothing");
  EXPECT_EQ(all_text(problems(water_scene)), "nothing");
  EXPECT_EQ(all_text(problems(sand_scene)), "nothing");
  EXPECT_EQ(all_text(problems(gas_scene)), "nothing");
  EXPECT_EQ(parse_scene(good_scene, "t.toml").warnings, std::vector<std::string>());
  EXPECT_EQ(parse_scene(water_scene, "t.toml").warnings, std::vector<std::string>());
  EXPECT_EQ(parse_scene(sand_scene, "t.toml").warnings, std::vector<std::string>());
}

// ---- every parameter
// -------------------------------------------------------------------------------------------------

std::string block_for(const TableInfo& table) {
  const std::map<std::string, std::string> names{
      {"shape", "vent"}, {"fill", "cloud"}, {"source", "vent"}, {"inflow", "jet"}, {"obstacle", "post"},
      {"force", "fan"},  {"wall", "belt"},  {"sink", "drain"},  {"grains", "red"},
  };
  return table.named ? table.name + "." + names.at(table.name) : table.name;
}

/// Without those that follow from putting one parameter of several into a scene that has another of them already,
/// none that it goes with, or another material.
std::ptrdiff_t others(const std::vector<Diagnostic>& found) {
  return std::count_if(found.begin(), found.end(), [](const Diagnostic& d) {
    return d.message.find("may have only one of them") == std::string::npos &&
           d.message.find(" needs '") == std::string::npos && d.message.find("' is for ") == std::string::npos;
  });
}

class EveryParameter : public testing::TestWithParam<TableInfo> {};

TEST_P(EveryParameter, BadValuesAreRefusedAtTheirLine) {
  const TableInfo table = GetParam();
  std::size_t count = 0;
  for (const BadValue& bad : bad_values(table)) {
    if (bad.path == "domain.size" && bad.why == "too short") continue;  // [1] is a 1D scene
    const bool of_water = table.name == "water" || table.name == "sink";
    const bool of_sand = table.name == "sand" || table.name == "grains";
    const BadScene scene = insert_bad_value(of_water              ? water_scene
                                            : of_sand             ? sand_scene
                                            : table.name == "gas" ? gas_scene
                                                                  : good_scene,
                                            block_for(table), bad);
    const std::vector<Diagnostic> found = problems(scene.text);
    const bool right = std::any_of(found.begin(), found.end(), [&](const Diagnostic& d) {
      return d.severity == Severity::error && d.where.line == scene.line && d.source_line() == bad.line &&
             d.message.find(bad.expect) != std::string::npos;
    });
    EXPECT_EQ(others(found), 1) << bad.path << ", " << bad.why << ": " << bad.line << "\n" << all_text(found);
    EXPECT_TRUE(right) << bad.path << ", " << bad.why << ": " << bad.line << "\nshould say " << bad.expect << "\nsaid "
                       << all_text(found);
    ++count;
  }
  EXPECT_GE(count, 4 * table.parameters.size());
}

INSTANTIATE_TEST_SUITE_P(Tables, EveryParameter, testing::ValuesIn(scene_tables()),
                         [](const auto& test) { return test.param.name.empty() ? "head" : test.param.name; });

// ---- contradictions, by hand
// -----------------------------------------------------------------------------------------

enum class Of { smoke, water, sand };

struct Contradiction {
  const char* name;
  bool flat;             ///< of flat_scene, otherwise of good_scene
  std::string from, to;  ///< replaces this by that; appends when `from` is empty
  std::string at;        ///< the message points at the first line that contains this; empty: at the file as a whole
  std::string says;
  Of of = Of::smoke;  ///< or of water_scene, or sand_scene
};
void PrintTo(const Contradiction& c, std::ostream* out) {
  *out << c.name;
}

const std::vector<Contradiction> contradictions{
    // the file
    {"NoVersion", false, "silt = 1", "", "", "the scene needs 'silt'"},
    {"NewerVersion", false, "silt = 1", "silt = 2", "silt = 2", "written in format 2"},
    {"NoDomain", true, "[domain]\nsize = [1, 2]\ncell_size = 0.05\n", "", "", "the scene has no [domain]"},
    {"MisspeltBlock", false, "[output]", "[outptu]", "[outptu]", "no block 'outptu'"},
    {"SourceWithoutName", false, "[source.vent]", "[source]", "shape = \"vent\"", "needs a name"},
    {"ParameterOutsideItsBlock", false, "silt = 1", "silt = 1\nframes = 3", "frames = 3", "no parameter 'frames'"},
    // materials
    {"NoMaterial", true, "[smoke]\n", "", "", "the scene has no material"},
    {"MaterialWithoutSolver", true, "[smoke]", "[wind]", "[wind]", "there is no solver for 'wind' yet"},
    {"TwoMaterials", true, "[smoke]", "[smoke]\n[wind]", "[wind]", "there is no solver for 'wind' yet"},
    {"SmokeWithGas", true, "[smoke]", "[smoke]\n[gas]", "[gas]", "there is no solver for [smoke] and [gas] together"},
    {"SmokeWithSand", true, "[smoke]", "[smoke]\n[sand]", "[sand]",
     "there is no solver for [smoke] and [sand] together"},
    {"SmokeWithWater", true, "[smoke]", "[smoke]\n[water]", "[water]",
     "there is no solver for [smoke] and [water] together"},
    {"SourceOfALaterMaterial", true, "material = \"smoke\"", "material = \"wind\"", "material",
     "no solver for 'wind' yet"},
    {"SourceOfAMaterialThatIsNotThere", true, "material = \"smoke\"", "material = \"water\"", "material",
     "the scene has no [water] for this source to make"},
    {"SourceOfNoMaterial", true, "material = \"smoke\"", "material = \"smok\"", "material",
     "there is no material 'smok'"},
    // time
    {"ZeroFrames", false, "frames = 10", "frames = 0", "frames", "between 1 and"},
    {"AbsurdDuration", false, "fps = 24", "fps = 1e-6", "fps", "116 days of simulated time"},
    // the domain
    {"BothCellSizeAndResolution", false, "resolution = 32", "resolution = 32\ncell_size = 0.1", "resolution",
     "only one of them"},
    {"NeitherCellSizeNorResolution", false, "resolution = 32\n", "", "[domain]",
     "needs one of 'cell_size' or 'resolution'"},
    {"TooFewCells", false, "size = [1, 1, 2]", "size = [1, 0.05, 2]", "size =", "1 cell wide along y"},
    {"TooManyCells", false, "resolution = 32", "resolution = 10000", "resolution", "a domain can have 2.1 billion"},
    {"TooManyCellsToCount", true, "cell_size = 0.05", "cell_size = 1e-300", "cell_size",
     "a domain can have 2.1 billion"},
    {"PeriodicOnOneSide", false, "z_max = \"open\"", "x_max = \"open\", y_min = \"periodic\"", "sides",
     "y_min is periodic and y_max is not"},
    {"SideOfAFlatAxis", true, "size = [1, 2]", "size = [1, 2]\nsides = { z_max = \"open\" }", "sides",
     "the scene is 2D"},
    {"FourNumbers", false, "size = [1, 1, 2]", "size = [1, 1, 2, 1]", "size =", "not 4 of them"},
    {"ThreeNumbersIn2D", true, "center = [0.5, 0.3]", "center = [0.5, 0.3, 0]", "center", "two numbers [x, y], not 3"},
    {"TwoNumbersIn3D", false, "velocity = [1, 0, 0]", "velocity = [1, 0]", "velocity = [1, 0]", "three numbers"},
    // shapes
    {"UnknownShape", false, "shape = \"post\"", "shape = \"psot\"", "\"psot\"", "there is no shape named 'psot'"},
    {"UnknownPart", false, "", "[shape.u]\nunion = [\"post\", \"beam\"]\n", "union", "there is no shape named 'beam'"},
    {"NoPrimitive", false, "", "[shape.u]\n", "[shape.u]", "needs one of 'box', 'sphere'"},
    {"TwoPrimitives", true, "sphere =", "box = { size = [1, 1] }\nsphere =", "sphere", "only one of them"},
    {"CyclicDifference", false, "",
     "[shape.a]\ndifference = [\"b\", \"post\"]\n[shape.b]\ndifference = [\"a\", \"vent\"]\n", "\"a\"",
     "in a circle: 'a' is made of 'b', which is made of 'a'"},
    {"ShapeOfItself", false, "", "[shape.a]\nunion = [\"post\", \"a\"]\n", "\"a\"", "'a' is made of itself"},
    {"BoxInsideOut", false, "max = [0.6, 0.6, 1.1]", "max = [0.6, 0.3, 1.1]", "max = [",
     "along y it goes from 0.4 to 0.3"},
    {"HalfABox", false, ", max = [0.6, 0.6, 1.1]", "", "box", "min and max, or center and size"},
    {"MixedBox", true, "sphere = { center = [0.5, 0.3], radius = 0.2 }", "box = { min = [0, 0], size = [1, 1] }", "box",
     "min and max, or center and size"},
    {"DisjointIntersection", false, "", "[shape.none]\nintersection = [\"vent\", \"post\"]\n", "intersection",
     "'none' is empty"},
    {"DisjointSpheres", false, "",
     "[shape.a]\nsphere = { center = [0.3, 0.3, 0.1], radius = 0.12 }\n[shape.none]\nintersection = [\"vent\", "
     "\"a\"]\n",
     "intersection", "'none' is empty"},
    {"NothingLeft", false, "",
     "[shape.all]\nbox = { center = [0.5, 0.5, 1], size = [3, 3, 3] }\n[shape.none]\ndifference = [\"post\", "
     "\"all\"]\n",
     "difference", "'none' is empty"},
    {"NothingToTakeAway", false, "", "[shape.a]\ndifference = [\"post\"]\n", "difference", "at least two shapes"},
    {"EmptyUnion", false, "", "[shape.a]\nunion = []\n", "union", "at least one shape"},
    // places
    {"SourceOutside", false, "center = [0.5, 0.5, 0.2]", "center = [0.5, 5, 0.2]", "shape = \"vent\"",
     "'source.vent' lies outside the domain"},
    {"SourceBeyondTheCorner", false, "center = [0.5, 0.5, 0.2], radius = 0.1",
     "center = [-0.2, -0.2, -0.2], radius = 0.25", "shape = \"vent\"", "lies outside the domain"},
    {"ObstacleOutside", false, "shape = \"post\"", "shape = \"post\"\nmotion.position = [0, 0, 10]", "shape = \"post\"",
     "'obstacle.post' lies outside the domain"},
    {"ObstacleNeverComesIn", false, "shape = \"post\"",
     "shape = \"post\"\nmotion.position = { keys = [[0, [0, 0, 9]], [1, [0, 0, 3]]] }", "shape = \"post\"",
     "lies outside the domain"},
    {"ObstacleFillsAll", false, "box = { min = [0.4, 0.4, 0.9], max = [0.6, 0.6, 1.1] }",
     "box = { min = [0, 0, 0], max = [1, 1, 2] }", "shape = \"post\"", "fills the whole domain"},
    {"ObstaclesFillAll", true, "",
     "[shape.l]\nbox = { min = [0, 0], max = [0.5, 2] }\n[shape.r]\nbox = { min = [0.5, 0], max = [1, 2] "
     "}\n[obstacle.l]\nshape = \"l\"\n[obstacle.r]\nshape = \"r\"\n",
     "shape = \"l\"", "the obstacles fill the whole domain"},
    // inflows
    {"InflowOnAnOpenSide", false, "z_max = \"open\"", "x_min = \"open\"", "side = \"x_min\"", "x_min is open"},
    {"InflowOnAPeriodicSide", false, "z_max = \"open\"", "z_max = \"open\", x_min = \"periodic\", x_max = \"periodic\"",
     "side = \"x_min\"", "x_min is periodic"},
    {"InflowPointsOut", false, "velocity = [1, 0, 0]", "velocity = [-1, 0, 0]", "velocity = [-1",
     "points out of the domain"},
    {"InflowTurnsRound", false, "velocity = [1, 0, 0]", "velocity = { keys = [[0, [1, 0, 0]], [1, [-1, 0, 0]]] }",
     "velocity = {", "points out of the domain"},
    {"InflowAlongTheWall", false, "velocity = [1, 0, 0]", "velocity = [0, 1, 0]", "velocity = [0",
     "brings nothing through x_min"},
    {"InflowShapeMissesItsSide", false, "shape = \"hole\"", "shape = \"vent\"", "shape = \"vent\"\nvelocity",
     "does not reach side x_min"},
    {"InflowWithoutOutflow", false, "sides = { z_max = \"open\" }\n", "", "[inflow.jet]", "cannot leave"},
    // walls
    {"WallThatIsOpen", false, "", "[wall.a]\nside = \"z_max\"\n", "side = \"z_max\"",
     "only a wall can hold what is beside it"},
    {"WallOnAFlatAxis", true, "", "[wall.a]\nside = \"z_min\"\n", "side", "the scene is 2D"},
    {"WallThatLeavesItself", false, "", "[wall.a]\nside = \"y_min\"\nvelocity = [1, 2, 0]\n", "velocity = [1, 2",
     "moves only along itself"},
    {"WallNamedTwice", false, "", "[wall.a]\nside = \"y_min\"\n[wall.b]\nside=\"y_min\"\n", "side=\"y_min\"",
     "'wall.a' says already"},
    {"TurnsOutOfItsPlane", true, "", "[obstacle.a]\nshape = \"vent\"\nmotion = { rotation = [10, 0, 0] }\n",
     "motion = { rotation", "turns out of the plane"},
    {"SpinsAboutNothing", false, "", "[obstacle.a]\nshape = \"vent\"\nmotion = { spin = 3, spin_axis = [0, 0, 0] }\n",
     "motion = { spin", "has no direction"},
    {"InflowOnAFlatAxis", true, "", "[inflow.a]\nside = \"z_min\"\nvelocity = [0, 1]\n", "side", "the scene is 2D"},
    // forces
    {"ForceOfNoKind", false, "uniform = { acceleration = [0, 0, 1] }\n", "", "[force.fan]", "needs one of 'uniform'"},
    {"ForceOfTwoKinds", false, "[force.fan]", "[force.fan]\ndrag = { rate = 1 }", "drag", "only one of them"},
    {"ForceOutside", false, "",
     "[shape.far]\nsphere = { center = [9, 9, 9], radius = 1 }\n"
     "[force.a]\ndrag = { rate = 1 }\nshape = \"far\"\n",
     "shape = \"far\"", "'force.a' lies outside the domain"},
    {"ForceInNoShape", false, "", "[force.a]\ndrag = { rate = 1 }\nshape = \"vnet\"\n", "\"vnet\"",
     "there is no shape named 'vnet'"},
    {"VortexAxisIn2D", true, "", "[force.a]\nvortex = { center = [0.5, 1], swirl = 1, axis = [0, 1] }\n", "vortex",
     "in 2D a vortex turns about z"},
    {"VortexWithoutAxis", false, "", "[force.a]\nvortex = { center = [0.5, 0.5, 1], swirl = 1, axis = [0, 0, 0] }\n",
     "vortex", "no direction"},
    {"PointWithoutStrength", false, "", "[force.a]\npoint = { center = [0.5, 0.5, 1] }\n", "point", "needs 'strength'"},
    {"NegativeDrag", false, "", "[force.a]\ndrag = { rate = -1 }\n", "drag", "between 0 and"},
    // fills
    {"FillOutside", false, "",
     "[shape.far]\nsphere = { center = [9, 9, 9], radius = 1 }\n[fill.a]\nmaterial = \"smoke\"\nshape = \"far\"\n",
     "shape = \"far\"", "'fill.a' lies outside the domain"},
    {"FillOfNothing", false, "", "[fill.a]\ndensity = 1\n", "[fill.a]", "needs 'material'"},
    {"FillOfAnUnknownMaterial", false, "", "[fill.a]\nmaterial = \"smok\"\n", "\"smok\"",
     "there is no material 'smok'"},
    {"FillOfALaterMaterial", false, "", "[fill.a]\nmaterial = \"wind\"\n", "\"wind\"", "no solver for 'wind' yet"},
    {"FillThatIsAnimated", false, "density = 0.1", "density = { keys = [[0, 1], [1, 2]] }", "density", "density"},
    {"VorticesWithoutASpeed", false, "", "[fill.a]\nmaterial = \"smoke\"\nvortices = { wavelength = 1 }\n", "vortices",
     "needs 'speed'"},
    // values
    {"BelowAbsoluteZero", false, "temperature = 400", "temperature = -20", "temperature", "above 0"},
    {"BelowAbsoluteZeroLater", false, "temperature = 400", "temperature = { keys = [[0, 400], [1, -3]] }",
     "temperature", "above 0"},
    {"UnknownVolume", false, "\"velocity\"]", "\"vorticity\"]", "volumes", "\"vorticity\""},
    {"VolumeOfSand", false, "\"velocity\"]", "\"pressure\"]", "volumes", "no 'pressure' of smoke"},
    {"VolumeTwice", false, "\"velocity\"]", "\"density\"]", "volumes", "'density' stands here twice"},
    {"CameraInItsTarget", false, "", "[camera]\nposition = [1, 2, 3]\ntarget = [1, 2, 3]\n", "target",
     "stands where it looks"},
    {"StepTooLongForDifferences", false, "cfl = 2", "cfl = 0.4\nadvection = \"upwind\"", "cfl",
     "stable up to cfl = 0.33"},
    {"UnknownQuantity", true, "", "[look]\nquantity = \"tempereture\"\n", "quantity", "'quantity' must be"},
    {"RangeInsideOut", true, "", "[look]\nrange_min = 2\nrange_max = 1\n", "range_max", "above range_min"},
    // materials that have no such thing
    {"RateOfSmoke", false, "temperature = 400", "rate = 0.1", "rate",
     "'rate' is for water and sand, and 'source.vent' is smoke"},
    {"SinkOfSmoke", false, "", "[sink.a]\nshape = \"vent\"\n", "[sink.a]", "only water and sand vanish in a sink"},
    {"SurfaceOfSmoke", false, "\"velocity\"]", "\"surface\"]", "volumes", "there is no 'surface' of smoke"},
    {"WarmWater", false, "material = \"water\"", "material = \"water\"\ntemperature = 300", "temperature",
     "'temperature' is for smoke and gas, and 'fill.dam' is water", Of::water},
    {"WaterThatBurns", false, "velocity = [1, 0, 0]", "velocity = [1, 0, 0]\nfuel = 1", "fuel",
     "'fuel' is for smoke and gas, and 'source.jet' is water", Of::water},
    {"WaterOfVortices", false, "material = \"water\"", "material = \"water\"\nvortices = { wavelength = 1, speed = 1 }",
     "vortices", "'vortices' is for smoke", Of::water},
    {"InflowOfWater", false, "", "[inflow.a]\nside = \"x_min\"\nvelocity = [1, 0, 0]\n", "[inflow.a]",
     "an inflow blows air", Of::water},
    {"DensityOfWater", false, "\"surface\"]", "\"surface\", \"density\"]", "volumes", "there is no 'density' of water",
     Of::water},
    {"PictureOfNothing", false, "", "[look]\nquantity = \"temperature\"\n", "quantity",
     "'quantity' must be \"surface\"", Of::water},
    {"CellsTooSmall", true, "size = [1, 2]\ncell_size = 0.05", "size = [0.0001, 0.0002]\ncell_size = 5e-6", "cell_size",
     "too small to be written"},
    {"WaterIn1D", false, "size = [1, 0.6, 0.6]", "size = [1]", "size", "water is not simulated in 1D", Of::water},
    {"SinkOutside", false, "center = [0.9, 0.3, 0]", "center = [0.9, 9, 0]", "shape = \"drain\"",
     "'sink.drain' lies outside the domain", Of::water},
    {"SinkInNoShape", false, "shape = \"drain\"", "shape = \"drian\"", "\"drian\"", "there is no shape named 'drian'",
     Of::water},
    {"UnknownLiquid", false, "preset = \"oil\"", "preset = \"oli\"", "preset", "'preset' must be", Of::water},
    // sand
    {"FrictionOfSmoke", false, "[obstacle.post]", "[obstacle.post]\nfriction = 0.5", "friction",
     "'friction' is for sand, and this scene is one of smoke"},
    {"FrictionOfAWallOfSmoke", false, "[wall.belt]", "[wall.belt]\nfriction = 0.5", "friction",
     "'friction' is for sand"},
    {"GrainsOfSmoke", false, "", "[grains.red]\n", "[grains.red]", "only sand has grains"},
    {"WaterMadeOfGrains", false, "material = \"water\"", "material = \"water\"\ngrains = \"red\"", "grains",
     "'grains' is for sand, and 'fill.dam' is water", Of::water},
    {"NoSuchGrains", false, "grains = \"red\"", "grains = \"rde\"", "\"rde\"", "there are no grains named 'rde'",
     Of::sand},
    {"SlipAndFriction", false, "slip = \"none\"", "slip = \"none\"\nfriction = 0.5", "friction",
     "may have only one of them", Of::sand},
    {"PullThatItCannotHold", false, "cohesion = 100", "cohesion = 100\ntension = 200", "tension",
     "holds a pull of at most", Of::sand},
    {"YieldOfAnotherModel", false, "cohesion = 100", "cohesion = 100\nmodel = \"rigid_plastic\"\nyield = \"box\"",
     "yield", "is for the model", Of::sand},
    {"OtherGrainsThatCannotHoldIt", false, "[grains.red]", "[grains.red]\ntension = 1e6", "tension",
     "holds a pull of at most", Of::sand},
    {"UnknownGrains", false, "preset = \"gravel\"", "preset = \"grovel\"", "preset", "'preset' must be", Of::sand},
    {"SandIn1D", false, "size = [1, 0.6, 0.6]", "size = [1]", "size", "sand is not simulated in 1D", Of::sand},
    {"HotSand", false, "material = \"sand\"", "material = \"sand\"\ntemperature = 300", "temperature",
     "'temperature' is for smoke and gas, and 'fill.heap' is sand", Of::sand},
    {"InflowOfSand", false, "", "[inflow.a]\nside = \"x_min\"\nvelocity = [1, 0, 0]\n", "[inflow.a]",
     "this scene has only sand", Of::sand},
    {"SurfaceOfSand", false, "\"packing\"]", "\"surface\"]", "volumes", "there is no 'surface' of sand", Of::sand},
    {"NoSun", false, "", "[look]\nsun_direction = [0, 0, 0]\n", "sun_direction", "no direction"},
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  if (from.empty()) return text + to;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the scene has no " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class Contradictory : public testing::TestWithParam<Contradiction> {};

TEST_P(Contradictory, IsRefusedAtItsLine) {
  const Contradiction& c = GetParam();
  const std::string text = replaced(c.of == Of::water  ? water_scene
                                    : c.of == Of::sand ? sand_scene
                                    : c.flat           ? flat_scene
                                                       : good_scene,
                                    c.from, c.to);
  const std::size_t at = c.at.empty() ? std::string::npos : text.find(c.at);
  ASSERT_TRUE(c.at.empty() || at != std::string::npos);
  const int line = c.at.empty() ? 0 : int(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n')) + 1;
  const std::vector<Diagnostic> found = problems(text);
  EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                          [&](const Diagnostic& d) {
                            return d.severity == Severity::error && d.where.line == line &&
                                   d.message.find(c.says) != std::string::npos;
                          }))
      << "line " << line << " should say " << c.says << "\nsaid " << all_text(found);
  EXPECT_EQ(found.size(), 1u) << "one mistake, one message\n" << all_text(found);
  if (std::getenv("SILT_SHOW")) std::fprintf(stderr, "%s", all_text(found).c_str());
}

INSTANTIATE_TEST_SUITE_P(ByHand, Contradictory, testing::ValuesIn(contradictions),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SceneErrors, MoreMemoryThanTheMachineHas) {
  const std::string text = replaced(good_scene, "resolution = 32", "resolution = 200");  // two million cells
  const double need = 2e6 * smoke_bytes_per_cell({.viscosity = 1e-3}, {});
  EXPECT_NO_THROW(read_scene(parse_document(text, "t.toml"), "t", 1, {std::int64_t(2 * need)}));
  EXPECT_NO_THROW(read_scene(parse_document(text, "t.toml"), "t", 1, {0})) << "a machine that does not say is trusted";
  try {
    read_scene(parse_document(text, "t.toml"), "t", 1, {std::int64_t(need / 8)});
    FAIL() << "accepted";
  } catch (const SceneError& e) {
    ASSERT_EQ(e.diagnostics().size(), 1u) << e.what();
    const Diagnostic& d = e.diagnostics()[0];
    EXPECT_EQ(d.where.line, 9);
    EXPECT_NE(d.message.find("of memory; this machine has"), std::string::npos) << d.message;
    // Taking the advice helps.
    ASSERT_TRUE(d.suggestion.starts_with("resolution = ")) << d.suggestion;
    const std::string advice = d.suggestion.substr(0, d.suggestion.find(" would"));
    const std::string mended = replaced(good_scene, "resolution = 32", advice);
    EXPECT_NO_THROW(read_scene(parse_document(mended, "t.toml"), "t", 1, {std::int64_t(need / 8)}));
  }
}

// Water's memory is that of its particles, not of the domain round them.
TEST(SceneErrors, MoreWaterThanTheMachineHas) {
  const std::string text = replaced(water_scene, "cell_size = 0.05", "cell_size = 0.005");  // 4.6 million particles
  const double need = estimate(parse_scene(text, "t.toml")).memory_bytes;
  EXPECT_NO_THROW(read_scene(parse_document(text, "t.toml"), "t", 1, {std::int64_t(1.01 * need)}));
  try {
    read_scene(parse_document(text, "t.toml"), "t", 1, {std::int64_t(need / 20)});
    FAIL() << "accepted";
  } catch (const SceneError& e) {
    ASSERT_EQ(e.diagnostics().size(), 1u) << e.what();
    const Diagnostic& d = e.diagnostics()[0];
    EXPECT_EQ(d.where.line, 4);
    EXPECT_NE(d.message.find("million particles, which need"), std::string::npos) << d.message;
    ASSERT_TRUE(d.suggestion.starts_with("cell_size = ")) << d.suggestion;
    const std::string mended =
        replaced(water_scene, "cell_size = 0.05", d.suggestion.substr(0, d.suggestion.find(" would")));
    EXPECT_NO_THROW(read_scene(parse_document(mended, "t.toml"), "t", 1, {std::int64_t(need / 20)}));
  }
}

// One edit that breaks five things gives five messages, in the order of the file, and an override's is named.
TEST(SceneErrors, AreAllReportedTogether) {
  std::string text = replaced(good_scene, "frames = 10", "frames = 0");
  text = replaced(text, "cfl = 2", "clf = 2");
  text = replaced(text, "center = [0.5, 0.5, 0.2]", "center = [9, 9, 9]");
  text = replaced(text, "shape = \"post\"", "shape = \"posst\"");
  const std::vector<Diagnostic> found = problems(text, {"inflow.jet.velocity=[-1,0,0]"});
  std::vector<int> lines;
  for (const Diagnostic& d : found)
    if (d.severity == Severity::error) lines.push_back(d.where.source->command_line ? -1 : d.where.line);
  EXPECT_EQ(lines, (std::vector<int>{4, 13, 24, 33, -1})) << all_text(found);
}

// A block with a mistake of its own takes no part in later conclusions, what is misspelt is not missing, too, and what
// is of another material is not looked at further.
TEST(SceneErrors, OneMistakeGivesOneMessage) {
  for (const auto& [scene, changes] :
       std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>{
           {good_scene,
            {{"size = [1, 1, 2]", "size = [1, 1, -2]"},
             {"radius = 0.1", "radius = -0.1"},
             {"resolution = 32", "resolution = \"fine\""},
             {"silt = 1", "silt = 7"},
             {"side = \"x_min\"", "side = \"x_mix\""},
             {"temperature = 400", "temperature = \"hot\""},
             {"viscosity = 1e-3", "viscosity = -1"},
             {"center = [0.5, 0.5, 0.2]", "centre = [0.5, 0.5, 0.2]"},
             {"shape = \"vent\"", "shap = \"vent\""},
             {"sphere = {", "spheer = {"},
             {"uniform =", "unifrom ="},
             {"temperature = 400", "temperature = { kyes = [[0, 400]] }"},
             {"material = \"smoke\"", "material = [\"smoke\"]"},
             {"volumes = [\"density\", \"velocity\"]", "volumes = \"density\""},
             {"[smoke]", "[smok]"}}},
           {water_scene,
            {{"size = [1, 0.6, 0.6]", "size = [1]"},
             {"size = [1, 0.6, 0.6]", "size = [1, 0.6, 0]"},
             {"preset = \"oil\"", "preset = 3"},
             {"preset = \"oil\"", "viscosity = { keys = [] }"},
             {"reach = 2", "reach = -2"},
             {"velocity = [1, 0, 0]", "velocity = [1, 0]"},
             {"velocity = [1, 0, 0]", "velocity = [1, 0, 0]\nrate = \"full\""},
             {"velocity = [1, 0, 0]", "velocity = [1, 0, 0]\ngrains = \"red\""},
             {"velocity = [1, 0, 0]", "velocity = [1, 0, 0]\nfuel = 1"},
             {"shape = \"nozzle\"", "shape = \"nozle\""},
             {"shape = \"drain\"", "shape = 4"},
             {"[sink.drain]", "[sink]"},
             {"radius = 0.06", "radius = 0"},
             {"radius = 0.06", "raduis = 0.06"},
             {"min = [0.6, 0.2, 0]", "min = [0.8, 0.2, 0]"},
             {"min = [0.6, 0.2, 0], max = [0.7, 0.4, 0.5]", "min = [0, 0, 0], max = [1, 0.6, 0.6]"},
             {"volumes = [\"surface\"]", "volumes = [\"packing\"]"},
             {"volumes = [\"surface\"]", "volumes = [\"surface\", \"surface\"]"},
             {"material = \"water\"", "material = \"sand\""},
             {"[water]", "[watre]"}}},
           {sand_scene,
            {{"size = [1, 0.6, 0.6]", "size = [1]"},
             {"cell_size = 0.05", "cell_size = 0"},
             {"preset = \"gravel\"", "preset = \"grovel\""},
             {"cohesion = 100", "cohesion = -1"},
             {"cohesion = 100", "cohesion = 100\ntension = 200"},
             {"cohesion = 100", "cohesion = 100\nfriction_angle = 95"},
             {"cohesion = 100", "cohesion = 100\nseparation = 0.6"},
             {"cohesion = 100", "cohesion = 100\nmodel = \"rigid\""},
             {"density = 1500", "denstiy = 1500"},
             {"grains = \"red\"", "grains = [\"red\"]"},
             {"grains = \"red\"", "grains = \"blue\""},
             {"slip = \"none\"", "slip = \"non\""},
             {"slip = \"none\"", "slip = \"none\"\nfriction = 0.5"},
             {"side = \"z_min\"", "side = \"z_low\""},
             {"friction = 0.3", "friction = -0.3"},
             {"shape = \"column\"", "shape = \"colum\""},
             {"material = \"sand\"", "materail = \"sand\""},
             {"material = \"sand\"", "material = \"wind\""},
             {"volumes = [\"packing\"]", "volumes = [\"surface\"]"},
             {"volumes = [\"packing\"]",
              "volumes = [\"packing\"]\n[inflow.a]\nside = \"x_min\"\nvelocity = [1, 0, 0]"}}},
           {gas_scene,
            {{"form = \"energy\"", "form = \"energie\""},
             {"form = \"energy\"", "gamma = 0.5"},
             {"form = \"energy\"", "cfl = 0"},
             {"pressure = 5e5", "pressure = -5e5"},
             {"pressure = 5e5", "presure = 5e5"},
             {"pressure = 5e5", "pressure = 5e5\ngas_density = 1"},
             {"pressure = 5e5", "pressure = 5e5\nrate = 1"},
             {"shape = \"ball\"", "shape = \"bal\""},
             {"center = [0.3, 0.25]", "center = [0.3, 0.25, 0]"},
             {"center = [0.3, 0.25]", "center = [9, 9]"},
             {"material = \"gas\"", "material = \"smoke\""},
             {"temperature = 400", "temperature = 0"},
             {"volumes = [\"gas_density\"]", "volumes = [\"gas_density\", \"bearing\"]"},
             {"volumes = [\"gas_density\"]", "volumes = [\"gas_density\"]\n[sink.a]\nshape = \"ball\""},
             {"volumes = [\"gas_density\"]", "volumes = [\"gas_density\"]\n[grains.a]"}}}})
    for (const auto& [from, to] : changes) {
      const std::vector<Diagnostic> found = problems(replaced(scene, from, to));
      EXPECT_EQ(found.size(), 1u) << to << "\n" << all_text(found);
    }
}

TEST(SceneErrors, OddBytesAreRefusedNotRead) {
  using namespace std::string_literals;
  for (const std::string& bad : {"silt = 1\0\n"s, "\0\0\0\0"s, "silt = 1 # \xff\xfe\n"s,
                                 "\x7f"
                                 "ELF\x02\x01"s,
                                 "{\"silt\": 1}"s})
    EXPECT_EQ(problems(bad).size(), 1u) << bad << all_text(problems(bad));
}

// ---- random damage
// ---------------------------------------------------------------------------------------------------

/// One random change: a byte, a line lost, doubled or moved, a number or a word replaced.
std::string damaged(std::string text, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return std::size_t(random() % std::max<std::size_t>(1, n)); };
  const auto line_start = [&](std::size_t at) { return at == 0 ? 0 : text.rfind('\n', at - 1) + 1; };
  const char* const words[] = {"0",  "-1",      "1e300", "nan",         "1e-300", "2147483648", "\"\"",
                               "[]", "{}",      "true",  "\"vent\"",    "[1, 2]", "[[[]]]",     "{ keys = [[0, 1]] }",
                               "\n", "[smoke]", "=",     "\"periodic\""};
  if (text.empty()) return text;
  const std::size_t at = pick(text.size()), start = line_start(at),
                    end = std::min(text.find('\n', at), text.size() - 1);
  switch (pick(6)) {
    case 0:
      text[at] = char(random() & 255);
      break;
    case 1:
      text.erase(start, end - start + 1);
      break;
    case 2:
      text.insert(start, text.substr(start, end - start + 1));
      break;
    case 3: {
      const std::string line = text.substr(start, end - start + 1);
      text.erase(start, line.size());
      text.insert(line_start(pick(text.size())), line);
      break;
    }
    default: {
      const std::size_t from = text.find_first_of("0123456789\"", at);
      const std::size_t to = from == text.npos ? from : text.find_first_of(",]} \n", from);
      if (to != text.npos) text.replace(from, to - from, words[pick(std::size(words))]);
    }
  }
  return text;
}

// Whatever is done to a scene it is refused with messages, or taken; and what is taken reads back to itself.
class Damaged : public testing::TestWithParam<int> {};

TEST_P(Damaged, ScenesNeverCrash) {
  std::vector<std::string> texts{good_scene, flat_scene, water_scene};
  for (const BuiltinScene& scene : builtin_scenes()) texts.push_back(load_scene(scene.path).text);
  std::mt19937 random{unsigned(GetParam())};
  int taken = 0;
  for (int i = 0; i < 500; ++i) {
    std::string text = texts[i % texts.size()];
    for (int n = 1 + int(random() % 3); n > 0; --n) text = damaged(text, random);
    try {
      const Scene scene = parse_scene(text, "t.toml");
      ASSERT_EQ(parse_scene(scene.text, "t.toml").text, scene.text) << text;
      ++taken;
    } catch (const SceneError& e) {
      ASSERT_FALSE(e.diagnostics().empty());
    }
  }
  EXPECT_GT(taken, 20) << "the damage is too great to test what is taken";
  EXPECT_LT(taken, 400);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr int seeds = 1;  // many times as slow
#else
constexpr int seeds = 10;
#endif
INSTANTIATE_TEST_SUITE_P(Random, Damaged, testing::Range(0, seeds));

}  // namespace

void PrintTo(const TableInfo& table, std::ostream* out) {
  *out << table.name;
}

}  // namespace silt
