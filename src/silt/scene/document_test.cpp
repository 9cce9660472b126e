#include "silt/scene/document.h"

#include <gtest/gtest.h>

#include <fstream>

#include "silt/scene/diagnostics.h"
#include "silt/scene/toml_reader.h"

namespace silt {
namespace {

const char* const scene = R"([source.jet]
rate = 2.5  # kg/s
  motion = { position = [1, "é", true] }
words = ["a",
  "b"]
[smoke]
advection = "linear"
[source.alpha]
rate = 1
)";

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const SceneError& e) {
    return e.what();
  }
  return "nothing was thrown";
}

void expect_place(const Location& where, int line, int column, int length) {
  EXPECT_EQ(where.line, line);
  EXPECT_EQ(where.column, column);
  EXPECT_EQ(where.length, length);
}

TEST(Document, ValuesAndKeysKnowTheirPlaces) {
  const Document document = parse_document(scene, "a/dam.toml");
  const Block jet = document.block("source", "jet");
  ASSERT_TRUE(jet);
  EXPECT_EQ(jet.path(), "source.jet");
  EXPECT_EQ(to_text(jet.where("rate")), "a/dam.toml:2:8");
  expect_place(jet.where(), 1, 9, 3);
  expect_place(jet.where("rate"), 2, 8, 3);
  expect_place(jet.key_where("rate"), 2, 1, 4);
  expect_place(jet.where("motion.position"), 3, 25, 14);
  expect_place(jet.key_where("motion.position"), 3, 14, 8);
  expect_place(jet.where("motion.position.2"), 3, 34, 4);
  expect_place(jet.where("words"), 4, 9, 5);  // to the end of its first line
  expect_place(jet.where("words.1"), 5, 3, 3);
  expect_place(jet.where("absent"), 1, 9, 3);
  EXPECT_EQ(document.source().directory, "a");
}

TEST(Document, BlocksComeInTheOrderOfTheFile) {
  const Document document = parse_document(scene, "dam.toml");
  EXPECT_EQ(document.names("source"), (std::vector<std::string>{"jet", "alpha"}));
  EXPECT_FALSE(document.block("sand"));
  EXPECT_TRUE(document.block("sand").entries().empty());
  EXPECT_EQ(to_text(document.block("sand").where("x")), "dam.toml");
  EXPECT_TRUE(document.named_blocks("sand").empty());
}

TEST(Document, LineEndsAndByteOrderMarksDoNotShiftPlaces) {
  const Document document = parse_document(
      "\xef\xbb\xbf"
      "a = 1\r\nb = 'x'\r\n",
      "dam.toml");
  EXPECT_EQ(document.source().lines, (std::vector<std::string>{"a = 1", "b = 'x'"}));
  expect_place(document.block("").where("a"), 1, 5, 1);
  expect_place(document.block("").where("b"), 2, 5, 3);
}

TEST(Document, SyntaxErrorsAreLocated) {
  const std::string text = message_of([] { parse_document("[run]\nframes = 1 2\n", "dam.toml"); });
  EXPECT_EQ(text.rfind("dam.toml:2:12: error: this is not TOML: ", 0), 0u) << text;
  EXPECT_NE(text.find("\n  frames = 1 2\n             ^"), std::string::npos) << text;
  EXPECT_NE(message_of([] { parse_document("a = 1\na = 2", "t"); }).find("t:2:"), std::string::npos);
  EXPECT_NE(message_of([] { parse_document("a = \"\xff\"", "t"); }).find("t:1:"), std::string::npos);
  EXPECT_NE(message_of([] { parse_document("x = 1\na = 2020-01-01", "t"); }).find("t:2:5: error: dates"),
            std::string::npos);
}

TEST(Document, DeepNestingIsRefusedNotFatal) {
  std::string dots = "a", brackets = "a = ";
  for (int i = 0; i < 100000; ++i) dots += ".a", brackets += '[';
  EXPECT_NE(message_of([&] { parse_document(dots + " = 1", "t"); }).find("t:1:"), std::string::npos);
  EXPECT_NE(message_of([&] { parse_document("[" + dots + "]", "t"); }).find("t:1:"), std::string::npos);
  EXPECT_NE(message_of([&] { parse_document(brackets, "t"); }).find("t:1:"), std::string::npos);
}

// Dots make a deep name only outside of strings, and only without something between them.
TEST(Document, DotsInStringsAreNotCounted) {
  const std::string dots(1000, '.');
  const Document document = parse_document("a = '" + dots + "' # " + dots + "\nb = \"" + dots + "\"", "t");
  EXPECT_EQ(*document.block("").find("b")->as<std::string>(), dots);
}

// toml++ 3.3.0 reaches undefined behaviour on all of these, as its headers show when they are compiled with checks.
TEST(Document, BareCharactersBeyondAsciiAreRefusedWithAPlace) {
  const auto message = [](const std::string& text) { return message_of([&] { parse_document(text, "t"); }); };
  const std::string bare = message("a = 1\nb = П\n");
  EXPECT_EQ(bare.rfind("t:2:5: error: this is not TOML: 'П' may only stand in quotes", 0), 0u) << bare;
  for (const char* text :
       {"a = 1П", "П = 1", "a = [П]", "a = {b = П}", "a = -П", "a = 0xé", "a = infП", "a.П = 2", "[П]", "[a]П",
        "a = '''x''' П", "a = \"\"\"x\\\n  П\"\"\"", "a = \"\"\"\\П\"\"\"", "a = \"\\\\\"П"})
    EXPECT_EQ(message(text).rfind("t:", 0), 0u) << text;
  Document document = parse_document("a = 1", "t");
  EXPECT_THROW(apply_override(document, "П=1"), SceneError);
  const Document good =
      parse_document("# П\n'П' = \"\\\"П\"\nb = '''\n'П''''\nc = \"\"\"П\\\\П\\\n x\"\"\" # П\nd = ''", "t");
  EXPECT_EQ(*good.block("").find("П")->as<std::string>(), "\"П");
  EXPECT_EQ(*good.block("").find("b")->as<std::string>(), "'П'");
  EXPECT_EQ(*good.block("").find("c")->as<std::string>(), "П\\Пx");
}

TEST(Document, FilesThatCannotBeReadAreNamed) {
  EXPECT_THROW(read_document("no/such/file.toml"), InputError);
  EXPECT_THROW(read_document("."), InputError);
  const auto path = std::filesystem::path(testing::TempDir()) / "silt_scene_document_test.toml";
  std::ofstream(path) << "a = 1\n";
  const Document document = read_document(path);
  EXPECT_EQ(document.name(), path.string());
  EXPECT_TRUE(document.block("").has("a"));
  std::ofstream{path};  // an empty file is an empty scene
  EXPECT_TRUE(read_document(path).block("").entries().empty());
  std::filesystem::remove(path);
}

TEST(Override, ReplacesAndMakesValues) {
  Document document = parse_document(scene, "dir/dam.toml");
  apply_override(document, "source.jet.rate=7");
  apply_override(document, "smoke.advection=maccormack");
  apply_override(document, "output.deep.'a b' = [1, 2]");
  apply_override(document, "shape.post.mesh=parts/foot.####.obj");
  apply_override(document, "source.jet.motion={ spin = 1 }");
  const Block jet = document.block("source", "jet");
  EXPECT_EQ(*jet.find("rate")->as<std::int64_t>(), 7);
  EXPECT_EQ(*document.block("smoke").find("advection")->as<std::string>(), "maccormack");
  EXPECT_EQ(document.block("output").find("deep.a b")->as<Values>()->size(), 2u);
  EXPECT_EQ(*document.block("shape", "post").find("mesh")->as<std::string>(), "parts/foot.####.obj");
  EXPECT_FALSE(jet.has("motion.position"));
  EXPECT_TRUE(jet.has("words")) << "the rest stays";
  EXPECT_EQ(jet.where("rate").source->directory, "dir");
}

TEST(Override, IsThePlaceOfItsValues) {
  Document document = parse_document(scene, "dam.toml");
  apply_override(document, "source.jet.rate=fast");
  const Location& where = document.block("source", "jet").where("rate");
  EXPECT_EQ((Diagnostic{Severity::error, where, "no", ""}.text()),
            "--set source.jet.rate=fast: error: no\n  source.jet.rate=fast\n                  ^~~~");
  EXPECT_EQ(document.block("source", "jet").key_where("rate").column, 12);
}

TEST(Override, MistakesNameIt) {
  for (const std::string bad :
       {"rate", "=3", "a.b=", "a..b=1", "a=[1", "a=\"x", "[a]=1", "a=1\nb=2", "a=1 2", "a={", "", "#=1"}) {
    Document document = parse_document(scene, "dam.toml");
    const std::string text = message_of([&] { apply_override(document, bad); });
    EXPECT_EQ(text.rfind("--set ", 0), 0u) << bad << ": " << text;
  }
  Document document = parse_document(scene, "dam.toml");
  const std::string text = message_of([&] { apply_override(document, "smoke.advection.x=1"); });
  EXPECT_NE(text.find("'smoke.advection' is the string \"linear\", so it has no parameter 'x'"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace silt
