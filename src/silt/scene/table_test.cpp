#include "silt/scene/table.h"

#include <gtest/gtest.h>

#include "silt/scene/everything_for_test.h"
#include "silt/scene/toml_reader.h"

namespace silt::test {
namespace {

struct ReadResult {
  Everything value;
  Diagnostics diagnostics;
  std::string text() const { return diagnostics.text(); }
};

/// Reads [thing.one] with the two required parameters and `lines`, which start on line 4.
ReadResult read(const std::string& lines, ReadOptions options = {}) {
  const Document document = parse_document("[thing.one]\nsize = [1, 1, 1]\nshape = \"a\"\n" + lines, "t");
  ReadResult out;
  out.value = everything_table().read(document.block("thing", "one"), out.diagnostics, options);
  return out;
}

/// What is said about a single line, without the excerpt.
std::string complaint(const std::string& line, ReadOptions options = {}) {
  const ReadResult result = read(line, options);
  if (result.diagnostics.all().size() != 1) return "not one complaint but: " + result.text();
  return to_text(result.diagnostics.all()[0].where) + " " + result.diagnostics.all()[0].message;
}

TEST(Table, ReadsEveryType) {
  const Document document = parse_document(everything_scene, "dir/t.toml");
  Diagnostics diagnostics;
  const Everything e = everything_table().read(document.block("thing", "one"), diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  EXPECT_FALSE(e.on);
  EXPECT_EQ(e.frames, 10);
  EXPECT_EQ(e.seed, 7);
  EXPECT_EQ(e.viscosity, 0.5);
  EXPECT_EQ(e.size, (Vec3d{1, 2.5, 3}));
  EXPECT_EQ(e.volumes, std::vector<std::string>{"density"});
  EXPECT_EQ(e.scheme, Scheme::linear);
  EXPECT_EQ(e.rate, (Animated<double>({{0, 1}, {0.5, 2.5}}, Between::smooth)));
  EXPECT_EQ(e.velocity, (Animated<Vec3d>({{0, {0, 0, 0}}, {1, {1, 0, 0}}}, Between::linear)));
  EXPECT_TRUE(e.active(1));
  EXPECT_FALSE(e.active(2));
  EXPECT_EQ(e.cell_size, 0.01);
  EXPECT_EQ(e.resolution, std::nullopt);
  EXPECT_EQ(e.mesh, (ScenePath{"post.obj", "dir/post.obj"}));
  EXPECT_EQ(e.motion, (Motion{Vec3d{1, 2, 3}, 4}));
  EXPECT_EQ(e.box, (BoxShape{{0, 0, 0}, {2, 2, 2}}));
}

TEST(Table, AbsentBlockGivesDefaults) {
  const Document document = parse_document("", "t");
  Diagnostics diagnostics;
  EXPECT_EQ(motion_table().read(document.block("motion"), diagnostics), Motion{});
  EXPECT_EQ(diagnostics.text(), "");
  everything_table("thing").read(document.block("thing"), diagnostics);
  EXPECT_EQ(diagnostics.text(),
            "t: error: 'thing' needs 'size'\n  size: Along x, y and z.\n"
            "t: error: 'thing' needs 'shape'\n  shape: Where it is.");
}

TEST(Table, PresetsAreReadOver) {
  const Document document = parse_document("[motion]\nspin = 3\n", "t");
  Diagnostics diagnostics;
  const Motion preset{.position = Vec3d{5, 5, 5}, .spin = 2};
  EXPECT_EQ(motion_table().read(document.block("motion"), diagnostics, {}, preset), (Motion{Vec3d{5, 5, 5}, 3}));
}

TEST(Table, GroupsMayBeSubTablesAndKeepTheOuterDefaults) {
  const ReadResult a = read("[thing.one.motion]\nspin = 9\n");
  EXPECT_EQ(a.text(), "");
  EXPECT_EQ(a.value.motion, (Motion{Vec3d{0, 0, 1}, 9}));
  EXPECT_EQ(read("").value.box, std::nullopt);
}

TEST(Table, MisspeltNamesLookAsPromised) {
  EXPECT_EQ(read("viscocity = 0.05").text(),
            "t:4:1: error: 'thing.one' has no parameter 'viscocity'\n"
            "  viscocity = 0.05\n"
            "  ^~~~~~~~~\n"
            "  did you mean 'viscosity'?");
  EXPECT_EQ(complaint("motion = { spn = 1 }"), "t:4:12 'thing.one.motion' has no parameter 'spn'");
  EXPECT_NE(read("motion = { wobble = 1 }").text().find("it has 'position' and 'spin'"), std::string::npos);
}

TEST(Table, EverythingWrongIsReportedAtOnceInOrder) {
  const ReadResult r = read("scheme = \"macormack\"\nviscosity = 11\nnope = 1\n[thing.one.box]\nmin = [0, nan, inf]\n");
  std::vector<int> lines;
  for (const Diagnostic& d : r.diagnostics.all()) lines.push_back(d.where.line);
  EXPECT_EQ(lines, (std::vector<int>{4, 5, 6, 7, 8, 8})) << r.text();  // line 7: the box needs 'max'
  EXPECT_EQ(r.value.viscosity, Everything{}.viscosity) << "keeps its default";
}

TEST(Table, Complaints) {
  EXPECT_EQ(complaint("viscosity = \"thick\""), "t:4:13 'viscosity' must be a number, not the string \"thick\"");
  EXPECT_EQ(complaint("viscosity = -1"), "t:4:13 'viscosity' must be between 0 and 10 m^2/s, not -1");
  EXPECT_EQ(complaint("viscosity = nan"), "t:4:13 'viscosity' must be finite, not nan");
  EXPECT_EQ(complaint("viscosity = { keys = [[0, 1]] }"), "t:4:13 'viscosity' cannot be animated: it must be a number");
  EXPECT_EQ(complaint("radius = 0"), "t:4:10 'radius' must be above 0 and below 5 m, not 0");
  EXPECT_EQ(complaint("frames = 1.5"), "t:4:10 'frames' must be a whole number, not 1.5");
  EXPECT_EQ(complaint("frames = 0"), "t:4:10 'frames' must be at least 1, not 0");
  EXPECT_EQ(complaint("frames = 3000000000"), "t:4:10 'frames' must be within 2147483647 of zero, not 3000000000");
  EXPECT_EQ(complaint("on = 1"), "t:4:6 'on' must be true or false, not 1");
  EXPECT_EQ(complaint("gravity = [0, 0, -21]"),
            "t:4:18 'gravity' must be between [-10, -10, -20] and 50 m/s^2, not -21");
  EXPECT_EQ(complaint("gravity = [0, 0]"), "t:4:11 'gravity' must be three numbers [x, y, z], not 2 of them");
  EXPECT_EQ(complaint("gravity = 3"), "t:4:11 'gravity' must be three numbers [x, y, z], not 3");
  EXPECT_EQ(complaint("scheme = \"macormack\""),
            "t:4:10 'scheme' must be \"linear\" or \"maccormack\", not the string \"macormack\"");
  EXPECT_EQ(complaint("volumes = [\"density\", \"speed\"]"),
            "t:4:23 'volumes' must be \"density\", \"velocity\" or \"temperature\", not the string \"speed\"");
  EXPECT_EQ(complaint("rate = { keys = [[0, 1], [0, 2]] }"),
            "t:4:27 the times of 'rate' must rise: 0.0 comes after 0.0");
  EXPECT_EQ(complaint("rate = { keys = [[0, 1], [1, -2]] }"), "t:4:30 'rate' must be at least 0 kg/s, not -2");
  EXPECT_EQ(complaint("rate = { between = \"step\" }"),
            "t:4:8 'rate' must be a number or { keys = [[time, value], ...] }");
  EXPECT_EQ(complaint("rate = { keys = [[0, 1]], betwen = \"step\" }"),
            "t:4:27 an animated 'rate' has no parameter 'betwen'");
  EXPECT_EQ(complaint("active = { keys = [[0, true]], between = \"linear\" }"),
            "t:4:42 'between' must be \"step\", not the string \"linear\"");
  EXPECT_EQ(complaint("motion = 3"), "t:4:10 'motion' must be a table { ... }, not 3");
  EXPECT_EQ(complaint("box = { min = [0, 0, 0] }"), "t:4:1 'thing.one.box' needs 'max'");
  EXPECT_EQ(complaint("mesh = \"\""), "t:4:8 'mesh' must be the path of a file, not the string \"\"");
  EXPECT_EQ(complaint("cell_size = 1\nresolution = 3"),
            "t:5:1 'thing.one' has 'cell_size' and 'resolution', but may have only one of them");
}

TEST(Table, ABlockMustBeATable) {
  const Document document = parse_document("thing = 3", "t");
  Diagnostics diagnostics;
  everything_table("thing").read(document.block("thing"), diagnostics);
  EXPECT_EQ(diagnostics.all().at(0).message, "'thing' must be a block [thing], not 3");
}

TEST(Table, VectorsHaveAsManyNumbersAsTheSceneHasDimensions) {
  const auto read_flat = [](const std::string& lines, int dims, Diagnostics& diagnostics) {
    const std::string head = "[thing.one]\nshape = \"a\"\nsize = " + std::string(dims == 2 ? "[1, 1]" : "[1]") + "\n";
    const Document document = parse_document(head + lines, "t");
    return everything_table().read(document.block("thing", "one"), diagnostics, {.dims = dims});
  };
  Diagnostics good, bad;
  const Everything e = read_flat("corner = [1, 2]\nvelocity = { keys = [[0, [1, 2]], [1, [3, 4]]] }", 2, good);
  EXPECT_EQ(read_flat("corner = [7]", 1, good).corner, (Vec3d{7, 0, 0}));
  EXPECT_EQ(good.text(), "") << "a component that is not there has no range";
  EXPECT_EQ(e.corner, (Vec3d{1, 2, 0}));
  EXPECT_EQ(e.velocity(1), (Vec3d{3, 4, 0}));
  const std::string written = everything_table().write(e, "thing.one", 2);
  EXPECT_NE(written.find("corner = [1.0, 2.0]"), std::string::npos) << written;
  EXPECT_NE(written.find("keys = [[0.0, [1.0, 2.0]], [1.0, [3.0, 4.0]]]"), std::string::npos) << written;
  EXPECT_NE(written.find("position = [0.0, 0.0]"), std::string::npos) << "groups too: " << written;

  read_flat("corner = [1, 2, 3]", 2, bad);
  ASSERT_EQ(bad.all().size(), 1u) << bad.text();
  EXPECT_EQ(bad.all()[0].message, "'corner' must be two numbers [x, y], not 3 of them");
  EXPECT_EQ(bad.all()[0].suggestion, "the scene is 2D");
}

TEST(Table, PathsStartFromTheSceneUnlessAbsolute) {
  EXPECT_EQ(read("mesh = \"/abs/a.obj\"").value.mesh.resolved, "/abs/a.obj");
  EXPECT_EQ(read("mesh = \"a.obj\"").value.mesh.resolved, "a.obj");
}

/// Every parameter off its default, with numbers that have no short decimal form.
Everything odd_values() {
  Everything e;
  e.on = false;
  e.frames = 3;
  e.seed = 9007199254740993;
  e.viscosity = 1.0 / 3;
  e.radius = 5e-324;
  e.size = {1e300, 0.1 + 0.2, 1e-7};
  e.material = "sand";
  e.label = "\ttab \x7f \"\"\" '";
  e.free_words = {"a", "", "b\\c"};
  e.scheme = Scheme::linear;
  e.rate = Animated<double>({{0.1, 1 / 7.0}, {1e9, 3}}, Between::smooth);
  e.velocity = Animated<Vec3d>({{-1, {0.1, 0, 0}}}, Between::step);
  e.active = Animated<bool>({{0, false}, {1.5, true}}, Between::step);
  e.resolution = 64;
  e.other_scheme = Scheme::linear;
  e.heat = Animated<double>({{0, 300}, {2, 310.5}}, Between::linear);
  e.corner = Vec3d{-0.0, 1, 2};
  e.mesh = {"a b/c.obj", "dir/a b/c.obj"};
  e.motion = {Animated<Vec3d>({{0, {}}, {1, {1, 1, 1}}}, Between::smooth), -3};
  e.box = BoxShape{{1, 2, 3}, {4, 5, 6.25}};
  return e;
}

TEST(Table, WhatIsWrittenReadsBackTheSame) {
  for (const Everything& e : {Everything{}, odd_values()}) {
    const std::string toml = everything_table().write(e, "thing.one");
    const Document document = parse_document(toml, "dir/t.toml");
    Diagnostics diagnostics;
    const Everything back = everything_table().read(document.block("thing", "one"), diagnostics);
    EXPECT_EQ(diagnostics.text(), "") << toml;
    EXPECT_TRUE(back == e) << toml;
    EXPECT_EQ(everything_table().write(back, "thing.one"), toml);
  }
  EXPECT_NE(everything_table().write({}, "thing.one").find("[thing.one]\non = true\nframes = 120\n"),
            std::string::npos);
  EXPECT_NE(everything_table().write({}, "thing.one").find("viscosity = 0.1  # m^2/s\n"), std::string::npos);
}

struct Pour {
  std::string material = "water";
  double rate = 1, heat = 300;
};
const Table<Pour>& pour_table() {
  static const Table<Pour> table{"pour",
                                 "",
                                 {text("material", &Pour::material, {.help = "of what"}),
                                  number("rate", &Pour::rate, {.help = "how much", .only_for = {"water"}}),
                                  number("heat", &Pour::heat, {.help = "how warm", .only_for = {"smoke", "gas"}})}};
  return table;
}

TEST(Table, WhatIsForAnotherMaterialIsRefusedAndNotWritten) {
  const auto said = [](const std::string& lines) {
    const Document document = parse_document("[pour]\n" + lines, "t");
    Diagnostics diagnostics;
    const Pour pour = pour_table().read(document.block("pour"), diagnostics);
    check_belonging(document.block("pour"), pour_table().info(), pour.material, diagnostics);
    return diagnostics.all().empty() ? ""
                                     : to_text(diagnostics.all()[0].where) + " " + diagnostics.all()[0].message +
                                           " / " + diagnostics.all()[0].suggestion;
  };
  EXPECT_EQ(said("material = \"water\"\nrate = 2\n"), "");
  EXPECT_EQ(said("material = \"water\"\nheat = 2\n"),
            "t:3:1 'heat' is for smoke and gas, and 'pour' is water / of water it has 'material' and 'rate'");
  EXPECT_EQ(pour_table().write({}), "[pour]\nmaterial = \"water\"\nrate = 1.0\n");
  for (const std::string hot : {"smoke", "gas"})
    EXPECT_EQ(pour_table().write({.material = hot}), "[pour]\nmaterial = \"" + hot + "\"\nheat = 300.0\n");
}

struct Barrel {
  Everything inside;
  double height = 1;
};

TEST(Table, ParametersOfAStructInsideStandInTheBlockItself) {
  const std::vector<Parameter<Everything>> some{
      integer("frames", &Everything::frames, {.min = 1, .help = "how many"}),
      group("motion", &Everything::motion, motion_table(), {.help = "how it moves"})};
  const Table<Barrel> table{"barrel", "", [&] {
                              std::vector<Parameter<Barrel>> all = inlined(&Barrel::inside, some);
                              all.push_back(number("height", &Barrel::height, {.help = "how high"}));
                              return all;
                            }()};
  const Document document = parse_document("[barrel]\nframes = 7\nheight = 2\nmotion = { spin = 3 }\n", "t");
  Diagnostics diagnostics;
  const Barrel barrel = table.read(document.block("barrel"), diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  EXPECT_EQ(barrel.inside.frames, 7);
  EXPECT_EQ(barrel.inside.motion.spin, 3);
  EXPECT_EQ(barrel.height, 2);
  EXPECT_NE(table.write(barrel).find("[barrel]\nframes = 7\nmotion = {"), std::string::npos) << table.write(barrel);
  EXPECT_EQ(table.info().parameters[0].default_text, "120");
  EXPECT_FALSE(table.info().parameters[1].members.empty());
}

TEST(Table, TellsWhatChanged) {
  Everything after;
  after.frames = 240;
  after.motion.spin = 2;
  const auto changes = everything_table().changes({}, after);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].name, "frames");
  EXPECT_EQ(changes[0].before, "120");
  EXPECT_EQ(changes[0].after, "240");
  EXPECT_TRUE(changes[0].resumable);
  EXPECT_FALSE(changes[1].resumable);
}

TEST(Table, InfoHasDefaultsAndFlags) {
  const TableInfo info = everything_table().info();
  EXPECT_EQ(info.name, "thing");
  EXPECT_TRUE(info.named);
  const auto find = [&](const std::string& name) {
    for (const ParameterInfo& p : info.parameters)
      if (p.name == name) return p;
    return ParameterInfo{};
  };
  EXPECT_EQ(find("viscosity").default_text, "0.1");
  EXPECT_EQ(find("viscosity").max.x, 10);
  EXPECT_EQ(find("scheme").default_text, "\"maccormack\"");
  EXPECT_EQ(find("scheme").choices.size(), 2u);
  EXPECT_TRUE(find("rate").animatable);
  EXPECT_TRUE(find("heat").animatable);
  EXPECT_TRUE(find("heat").optional);
  EXPECT_TRUE(find("size").required);
  EXPECT_TRUE(find("frames").resumable);
  EXPECT_EQ(find("shape").refers_to, "shape");
  ASSERT_EQ(find("motion").members.size(), 2u);
  EXPECT_EQ(find("motion").members[1].default_text, "1.0") << "the outer struct's default, not Motion's";
}

}  // namespace
}  // namespace silt::test
