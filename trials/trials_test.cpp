#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "silt/core/device_memory.h"
#include "silt/core/error.h"
#include "trials/run_trials.h"
#include "trials/text.h"

namespace silt::trials {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Measure only(void (*fill)(Measures&)) {
  Measures m("t");
  fill(m);
  return m.all().at(0);
}

TEST(Measure, PassesOnItsOwnSideOfTheBound) {
  EXPECT_TRUE(only([](Measures& m) { m.at_most("x", 1, 1); }).pass());
  EXPECT_FALSE(only([](Measures& m) { m.at_most("x", 1.01, 1); }).pass());
  EXPECT_TRUE(only([](Measures& m) { m.at_least("x", 1, 1); }).pass());
  EXPECT_FALSE(only([](Measures& m) { m.at_least("x", 0.99, 1); }).pass());
  EXPECT_TRUE(only([](Measures& m) { m.near("x", 0.9, 1, 0.11); }).pass());
  EXPECT_FALSE(only([](Measures& m) { m.near("x", 0.88, 1, 0.11); }).pass());
  EXPECT_FALSE(only([](Measures& m) { m.near("x", 1.12, 1, 0.11); }).pass());
  EXPECT_TRUE(only([](Measures& m) { m.tell("x", nan); }).pass());
}

TEST(Measure, NotANumberNeverPasses) {
  EXPECT_FALSE(only([](Measures& m) { m.at_most("x", nan, 1); }).pass());
  EXPECT_FALSE(only([](Measures& m) { m.at_least("x", nan, 1); }).pass());
  EXPECT_FALSE(only([](Measures& m) { m.near("x", nan, 1, 10); }).pass());
}

TEST(Measure, WhatCouldNotBeMeasuredSaysWhyAndDoesNotPass) {
  Measures m("t");
  m.not_measured("ratio", 8, "needs libpeer-dev");
  EXPECT_FALSE(m.pass());
  EXPECT_EQ(m.all()[0].bound_text(), "at least 8");
  EXPECT_NE(plain_table(m.all()).find("FAIL: needs libpeer-dev"), std::string::npos);
  EXPECT_NE(markdown_table(m.all()).find("FAIL: needs libpeer-dev"), std::string::npos);
  EXPECT_NE(json_array(m.all()).find("\"measured\": null, \"bound\": 8, \"pass\": false"), std::string::npos);
}

TEST(Measure, SaysItsBound) {
  EXPECT_EQ(only([](Measures& m) { m.at_most("x", 0.5, 1, "m"); }).bound_text(), "at most 1 m");
  EXPECT_EQ(only([](Measures& m) { m.at_least("x", 0.5, 0.25); }).bound_text(), "at least 0.25");
  EXPECT_EQ(only([](Measures& m) { m.near("x", 0.5, 1, 0.2, "m"); }).bound_text(), "1 +- 0.2 m");
  EXPECT_EQ(only([](Measures& m) { m.tell("x", 0.5, "m"); }).bound_text(), "");
}

TEST(Text, JsonHasExactlyWhatIsPromised) {
  Measures m("t");
  m.at_most("a.b", 0.1, 0.25);
  m.near("c", nan, 1, 0.5);
  m.tell("d", 3);
  EXPECT_EQ(json_array(m.all()),
            "[\n  {\"name\": \"t.a.b\", \"measured\": 0.1, \"bound\": 0.25, \"pass\": true},\n"
            "  {\"name\": \"t.c\", \"measured\": null, \"bound\": 1, \"pass\": false},\n"
            "  {\"name\": \"t.d\", \"measured\": 3, \"bound\": null, \"pass\": true}\n]");
  EXPECT_EQ(json_array({}), "[]");
  EXPECT_EQ(json_string("a\"b\\\n"), "\"a\\\"b\\\\\\u000a\"");
}

TEST(Text, TablesNameEveryMeasure) {
  Measures m("t");
  m.at_most("a", 2, 1);
  m.tell("long_name", 3, "s");
  EXPECT_EQ(plain_table(m.all()),
            "  measure      measured  bound\n"
            "  t.a          2         at most 1  FAIL\n"
            "  t.long_name  3 s\n");
  EXPECT_NE(markdown_table(m.all()).find("| `t.a` | 2 | at most 1 | FAIL |\n"), std::string::npos);
}

/// A program of three trials: one good, one that misses its bound, one that breaks down.
struct Fake {
  std::string ran;
  std::string said, complained;
  PagePlaces places{};

  int operator()(const std::vector<std::string>& words) {
    ran = said = complained = "";
    const auto trial = [this](const std::string& name, double measured) {
      return Trial{name, "about " + name, [this, name, measured](const Options& o, Measures& m) -> std::string {
                     ran += name + (o.quick ? "(quick) " : " ");
                     if (name == "broken") throw Error("it broke");
                     m.at_most("error", measured, 1);
                     return "  after\n";
                   }};
    };
    const Program program{"silt try", "trial",      "trials",
                          "",         {Extra::out}, {trial("good", 0.5), trial("bad", 1.5), trial("broken", 0)},
                          places};
    std::ostringstream out, err;
    const int code = run_trials(program, words, out, err);
    said = out.str(), complained = err.str();
    return code;
  }
};

TEST(RunTrials, ExitCodeSaysWhetherEveryBoundIsMet) {
  Fake fake;
  EXPECT_EQ(fake({"good"}), 0);
  EXPECT_EQ(fake.ran, "good ");
  EXPECT_NE(fake.said.find("1 bound, all met"), std::string::npos);
  EXPECT_EQ(fake({"good", "bad", "--quick"}), 1);
  EXPECT_EQ(fake.ran, "good(quick) bad(quick) ");
  EXPECT_NE(fake.said.find("missed: bad.error"), std::string::npos);
}

TEST(RunTrials, OneThatBreaksDownFailsAndKeepsNoOtherFromRunning) {
  Fake fake;
  EXPECT_EQ(fake({"broken", "good"}), 1);
  EXPECT_EQ(fake.ran, "broken good ");
  EXPECT_EQ(fake.complained, "silt: error: broken: it broke\n");
  EXPECT_NE(fake.said.find("missed: broken.completed"), std::string::npos);
}

TEST(RunTrials, WithoutANameAllRun) {
  Fake fake;
  EXPECT_EQ(fake({}), 1);
  EXPECT_EQ(fake.ran, "good bad broken ");
}

TEST(RunTrials, JsonIsAllThereIsOnStandardOutput) {
  Fake fake;
  EXPECT_EQ(fake({"good", "bad", "--json"}), 1);
  EXPECT_EQ(fake.said,
            "[\n  {\"name\": \"good.error\", \"measured\": 0.5, \"bound\": 1, \"pass\": true},\n"
            "  {\"name\": \"bad.error\", \"measured\": 1.5, \"bound\": 1, \"pass\": false}\n]\n");
}

TEST(RunTrials, ListRunsNothing) {
  Fake fake;
  EXPECT_EQ(fake({"--list"}), 0);
  EXPECT_EQ(fake.said, "good    about good\nbad     about bad\nbroken  about broken\n");
  EXPECT_EQ(fake.ran, "");
  EXPECT_EQ(fake({"--list", "--json"}), 0);
  EXPECT_EQ(fake.said,
            "[\n  {\"name\": \"good\", \"summary\": \"about good\"},\n  {\"name\": \"bad\", \"summary\": \"about "
            "bad\"},\n  {\"name\": \"broken\", \"summary\": \"about broken\"}\n]\n");
}

// A folder that cannot be written to and a device that is not there are found before anything has run.
TEST(RunTrials, WhatCannotBeDoneIsSaidBeforeTheRun) {
  Fake fake;
  const std::string file = std::filesystem::temp_directory_path() / ("silt_trials_" + std::to_string(::getpid()));
  std::ofstream(file) << "a file";
  const auto refused = [&](const std::vector<std::string>& words, const std::string& says) {
    EXPECT_EQ(fake(words), 2) << says;
    EXPECT_EQ(fake.ran, "");
    EXPECT_NE(fake.complained.find(says), std::string::npos) << fake.complained;
  };
  refused({"good", "--out", file}, "is a file, not a folder");
  refused({"good", "--out", file + "/below"}, "cannot be made");
  refused({"good", "--out="}, "needs the name of a folder");
  if (!device_memory::available()) refused({"good", "--device", "cuda"}, "device 'cuda' is not available");

  // The folders that nobody named, and those beneath.
  fake.places = {.whole = file};
  refused({"good"}, "'" + file + "', which is a file, not a folder");
  EXPECT_EQ(fake({"good", "--json"}), 0) << "writes no page";
  fake.places = {.small = file + "/below"};
  refused({"good", "--quick"}, "'" + file + "/below', which cannot be made");
  const std::filesystem::path folder = file + "_folder";
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "plots") << "a file";
  fake.places = {.whole = folder, .beneath = {"data", "plots"}};
  refused({"good"}, "plots', which is a file, not a folder");
  std::filesystem::remove_all(folder);
  std::filesystem::remove(file);
}

TEST(PageFolder, IsThatOfWholeRunsOnlyForThem) {
  const PagePlaces places{.whole = "whole", .small = "small"};
  EXPECT_EQ(page_folder({}, places), "whole");
  EXPECT_EQ(page_folder({.quick = true}, places), "small");
  EXPECT_EQ(page_folder({.size = 64}, places), "small");
  EXPECT_EQ(page_folder({.json = true}, places), std::nullopt);
  EXPECT_EQ(page_folder({.json = true, .out = "there"}, places), "there");
  EXPECT_EQ(page_folder({.quick = true, .out = "there"}, places), "there");
  EXPECT_EQ(page_folder({}, {}), std::nullopt);
}

TEST(RunTrials, WordsThatMakeNoSenseAreNamedWithASuggestionAndNothingRuns) {
  Fake fake;
  for (const auto& [words, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"good", "brokn"}, "there is no trial 'brokn'; did you mean 'broken'?"},
           {{"zzzz"}, "there is 'good', 'bad' and 'broken'"},
           {{"--lisst"}, "unknown option '--lisst'; did you mean '--list'?"},
           {{"--size", "64"}, "unknown option '--size'"},
           {{"--out"}, "--out needs a value"},
           {{"--threads", "two"}, "--threads takes a whole number from 1 to 4096, not 'two'"},
           {{"--threads=0"}, "--threads takes a whole number"},
           {{"--device", "tpu"}, "--device takes cpu or cuda, not 'tpu'"},
           {{"--json=1"}, "--json takes no value"},
       }) {
    EXPECT_EQ(fake(words), 2) << says;
    EXPECT_EQ(fake.ran, "");
    EXPECT_EQ(fake.said, "");
    EXPECT_NE(fake.complained.find(says), std::string::npos) << fake.complained;
  }
}

}  // namespace
}  // namespace silt::trials
