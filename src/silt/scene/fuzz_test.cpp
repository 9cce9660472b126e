#include <gtest/gtest.h>

#include "silt/core/random.h"
#include "silt/scene/check_document.h"
#include "silt/scene/everything_for_test.h"
#include "silt/scene/toml_reader.h"

namespace silt::test {
namespace {

/// The same stream on every machine.
struct Dice {
  std::uint64_t seed, rolls = 0;
  std::size_t below(std::size_t n) { return std::size_t(random_bits(seed, 0, rolls++) % n); }
};

std::string mutate(std::string text, Dice& dice) {
  static const std::vector<std::string> pieces{"[",          "]",
                                               "{",          "}",
                                               "=",          "\"",
                                               "'",          ".",
                                               ",",          "\n",
                                               "#",          "\"\"\"",
                                               "nan",        "-",
                                               "1e999",      "99999999999999999999",
                                               "\xff",       "\xc3",
                                               "\xc3\xa9",   "\t",
                                               "\r",         std::string(1, '\0'),
                                               "[[",         "true",
                                               "keys",       "thing",
                                               "2020-01-01", "\\u"};
  for (std::size_t n = 1 + dice.below(4); n > 0 && !text.empty(); --n) {
    const std::size_t at = dice.below(text.size()), length = dice.below(20);
    switch (dice.below(5)) {
      case 0:
        text.erase(at, 1 + length);
        break;
      case 1:
        text.insert(at, pieces[dice.below(pieces.size())]);
        break;
      case 2:
        text[at] = char(dice.below(256));
        break;
      case 3:
        text.insert(dice.below(text.size()), text.substr(at, length));
        break;
      default:
        std::swap(text[at], text[dice.below(text.size())]);
    }
  }
  return text;
}

bool is_located(const Diagnostic& d) {
  return d.where.source && d.where.source->name == "fuzz.toml" && d.where.line >= 0 && d.where.column >= 0 &&
         d.where.line <= int(d.where.source->lines.size()) + 1 && !d.text().empty();
}

/// Parse, check and read; false when something was refused without a place.
bool survives(const std::string& text, const std::vector<TableInfo>& tables, int& refused) {
  Diagnostics diagnostics;
  try {
    const Document document = parse_document(text, "fuzz.toml");
    check_document(document, tables, diagnostics);
    for (const Block& block : document.named_blocks("thing")) everything_table().read(block, diagnostics);
    diagnostics.throw_if_errors();
  } catch (const SceneError& e) {
    ++refused;
    return !e.diagnostics().empty() && std::all_of(e.diagnostics().begin(), e.diagnostics().end(), is_located);
  }
  return true;
}

TEST(Fuzz, MutatedScenesParseOrAreRefusedWithAPlace) {
  const std::vector<TableInfo> tables{everything_table().info()};
  constexpr int rounds = 20000;
  int refused = 0;
  for (int i = 0; i < rounds; ++i) {
    Dice dice{std::uint64_t(i)};
    const std::string text = mutate(everything_scene, dice);
    ASSERT_TRUE(survives(text, tables, refused)) << "round " << i << ":\n" << text;
  }
  EXPECT_GT(refused, rounds / 2);
}

TEST(Fuzz, MutatedOverridesAreTakenOrRefused) {
  const Document original = parse_document(everything_scene, "fuzz.toml");
  for (int i = 0; i < 5000; ++i) {
    Dice dice{std::uint64_t(i)};
    Document document = original;
    const std::string text = mutate("thing.one.rate={ keys = [[0, 1]] }", dice);
    try {
      apply_override(document, text);
    } catch (const SceneError& e) {
      ASSERT_EQ(std::string(e.what()).rfind("--set ", 0), 0u) << text << "\n" << e.what();
    }
  }
}

}  // namespace
}  // namespace silt::test
