#include "silt/scene/diagnostics.h"

#include <gtest/gtest.h>

#include "silt/scene/utf8.h"

namespace silt {
namespace {

Location at(std::vector<std::string> lines, int line, int column, int length) {
  auto source = std::make_shared<SourceText>();
  source->name = "dam.toml";
  source->lines = std::move(lines);
  return {source, line, column, length};
}

TEST(Diagnostics, LooksAsPromised) {
  const Diagnostic d{Severity::error, at({"[liquid]", "viscocity = 0.05"}, 2, 1, 9),
                     "'liquid' has no parameter 'viscocity'", "did you mean 'viscosity'?"};
  EXPECT_EQ(d.text(),
            "dam.toml:2:1: error: 'liquid' has no parameter 'viscocity'\n"
            "  viscocity = 0.05\n"
            "  ^~~~~~~~~\n"
            "  did you mean 'viscosity'?");
}

TEST(Diagnostics, CaretStandsUnderTabsAndWideCharacters) {
  const Diagnostic d{Severity::warning, at({"\t\xc3\xa9 = bad"}, 1, 6, 3), "no", ""};
  EXPECT_EQ(d.text(), "dam.toml:1:6: warning: no\n  \t\xc3\xa9 = bad\n  \t    ^~~");
}

TEST(Diagnostics, LongLinesAreCutAroundThePlace) {
  const std::string line = std::string(1000, 'a') + "BAD" + std::string(1000, 'b');
  const std::string text = Diagnostic{Severity::error, at({line}, 1, 1001, 3), "no", ""}.text();
  EXPECT_LT(text.size(), 400u);
  const std::size_t shown = text.find("...") - 2, caret = text.find('^'), mark_line = text.rfind('\n');
  EXPECT_EQ(text.substr(shown + caret - mark_line - 1, 3), "BAD");
}

TEST(Diagnostics, NothingUnprintableGetsOut) {
  const Diagnostic d{Severity::error, at({"a = \x1b[31m \xff\xc3"}, 1, 5, 1), "odd \x07 \xe2\x82", ""};
  EXPECT_EQ(d.text(), "dam.toml:1:5: error: odd   ??\n  a =  [31m ??\n      ^");
}

TEST(Diagnostics, PlacesBeyondTheTextDoNoHarm) {
  for (int line : {0, 1, 2, 9})
    for (int column : {0, 1, 4, 99}) {
      const std::string text = Diagnostic{Severity::error, at({"abc"}, line, column, 50), "m", ""}.text();
      EXPECT_NE(text.find("error: m"), std::string::npos);
    }
}

TEST(Diagnostics, AreSortedByPlaceAndThrownTogether) {
  const Location first = at({"a", "b", "c"}, 3, 1, 1);
  Location second = first, other = at({"x"}, 1, 1, 1);
  second.line = 1;
  Diagnostics diagnostics;
  diagnostics.warning(other, "elsewhere");
  EXPECT_NO_THROW(diagnostics.throw_if_errors());
  diagnostics.error(first, "third line");
  diagnostics.error(second, "first line");
  diagnostics.error(first, "third line again");
  ASSERT_EQ(diagnostics.all().size(), 4u);
  EXPECT_EQ(diagnostics.errors(), 3u);
  EXPECT_EQ(diagnostics.all()[0].message, "elsewhere");
  EXPECT_EQ(diagnostics.all()[1].message, "first line");
  EXPECT_EQ(diagnostics.all()[3].message, "third line again");
  try {
    diagnostics.throw_if_errors();
    FAIL();
  } catch (const SceneError& e) {
    EXPECT_EQ(e.diagnostics().size(), 4u);
    EXPECT_EQ(std::string(e.what()), diagnostics.text());
  }
}

TEST(ClosestName, FindsWhatWasMeant) {
  const std::vector<std::string> names{"viscosity", "density", "x_min", "x_max", "fps"};
  EXPECT_EQ(closest_name("viscocity", names), "viscosity");
  EXPECT_EQ(closest_name("Viscosity", names), "viscosity");
  EXPECT_EQ(closest_name("desnity", names), "density");
  EXPECT_EQ(closest_name("x-min", names), "x_min");
  EXPECT_EQ(closest_name("fsp", names), "fps");
  EXPECT_EQ(closest_name("visc", names), "viscosity");
  EXPECT_EQ(closest_name("x_m", {"x_min_side", "x_max_side"}), "") << "two begin so";
  EXPECT_EQ(closest_name("temperature", names), "");
  EXPECT_EQ(closest_name("", names), "");
  EXPECT_EQ(closest_name(std::string(100000, 'v'), names), "");
}

TEST(Utf8, CountsCharacters) {
  EXPECT_EQ(utf8_count("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), 4);
  EXPECT_EQ(utf8_count("\xff\xc3"), 2);
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");  // a surrogate is not UTF-8
}

TEST(Utf8, WhatATerminalWouldObeyIsNotPrintable) {
  EXPECT_EQ(printable("a\x1b[31m\tb\x7f"), "a [31m\tb ");
  EXPECT_EQ(printable("a\u202egpj.exe \u2066b\u200f\u061c"), "a?gpj.exe ?b??");
  EXPECT_EQ(printable("\u0085\u009b31m\u00a0\u00e9"), "  31m\u00a0\u00e9");
  EXPECT_EQ(printable_lines("a\x1b\nb\n"), "a \nb\n");
}

}  // namespace
}  // namespace silt
