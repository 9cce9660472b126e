#include "silt/scene/reference.h"

#include <gtest/gtest.h>

#include <sstream>

#include "silt/scene/everything_for_test.h"
#include "silt/scene/utf8.h"

namespace silt::test {
namespace {

TEST(Reference, NamesEveryParameterChoiceAndHelp) {
  const std::vector<TableInfo> tables{everything_table().info(), motion_table().info()};
  for (const std::string& text : {reference_markdown(tables), reference_text(tables)}) {
    for (const char* word :
         {"[thing.NAME]", "[motion]", "A parameter of every type.", "motion.position", "box.max",
          "names a [shape.NAME]", "may change on resume", "animatable", "required", "second order", "m^2/s",
          "between 0 and 10", "above 0 and below 5", "At most one of 'cell_size' and 'resolution'"})
      EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
    for (const TableInfo& table : tables)
      for (const ParameterInfo& p : table.parameters) {
        EXPECT_NE(text.find(p.name), std::string::npos) << p.name;
        EXPECT_NE(text.find(p.help), std::string::npos) << p.help;
        for (const ChoiceInfo& c : p.choices) EXPECT_NE(text.find(c.name), std::string::npos) << c.name;
      }
  }
}

TEST(Reference, SaysWhatIsForOneMaterial) {
  TableInfo table = motion_table().info();
  table.parameters[0].only_for = {"water"};
  for (const std::string& text : {reference_markdown({table}), reference_text({table})})
    EXPECT_NE(text.find("of water only"), std::string::npos) << text;
}

TEST(Reference, MarkdownRowsHaveFiveCells) {
  std::istringstream lines(reference_markdown({everything_table().info()}));
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != '|') continue;
    int bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    EXPECT_EQ(bars, 6) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 2 + 24 + 4);
}

TEST(Reference, TextFitsTheTerminal) {
  for (int columns : {60, 100}) {
    std::istringstream lines(reference_text({everything_table().info()}, columns));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(utf8_count(line), columns) << line;
  }
}

}  // namespace
}  // namespace silt::test
