#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "silt/core/error.h"
#include "validation/interpolate.h"
#include "validation/lab.h"

namespace silt::validation {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("silt_lab_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string text(const std::string& name) const {
    std::ifstream in(path / name);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) out.push_back(fs::relative(entry.path(), path).string());
    std::sort(out.begin(), out.end());
    return out;
  }
};

trials::Trial falling() {
  return experiment("falling", "how far a stone falls", [](Lab& lab) {
    lab.about("A stone against g t^2 / 2 (Galilei 1638).");
    lab.note("It falls.");
    Plot& plot = lab.plot("path", "Its path, measured.", "t [s]", "fall, so far [m]");
    plot.line("computed", {0, 1}, {0, 4.905});
    plot.markers("published", {1}, {4.9});
    lab.measure.at_most("error", 0.005, lab.quick ? 0.02 : 0.01, "m");
  });
}

TEST(Page, HasTheWordsTheTableThePlotAndTheCommand) {
  const Folder folder;
  trials::Measures measures("falling");
  falling().run({.pages = folder.path}, measures);
  const std::string page = folder.text("falling.md");
  EXPECT_EQ(page.substr(0, page.find("It falls.")),
            "# falling: how far a stone falls\n\nA stone against g t^2 / 2 (Galilei 1638).\n\n"
            "| measure | measured | bound | |\n| --- | --- | --- | --- |\n"
            "| `falling.error` | 0.005 m | at most 0.01 m | pass |\n\n");
  EXPECT_NE(page.find("Made by `./silt validate falling`.\n"), std::string::npos);
  EXPECT_NE(page.find("[data](data/falling_path.csv)"), std::string::npos);
  EXPECT_EQ(page.find(folder.path.string()), std::string::npos);
  EXPECT_EQ(
      folder.text("data/falling_path.csv"),
      "# Its path, measured.\ncurve,t [s],\"fall, so far [m]\"\ncomputed,0,0\ncomputed,1,4.905\npublished,1,4.9\n");
}

TEST(Page, WithMatplotlibThereIsAPictureAndNothingIsLeftBehind) {
  if (std::system("/usr/bin/python3 -c 'import matplotlib' || python3 -c 'import matplotlib'") != 0)
    GTEST_SKIP() << "no matplotlib";
  const Folder folder;
  trials::Measures measures("falling");
  falling().run({.pages = folder.path}, measures);
  EXPECT_EQ(folder.files(),
            (std::vector<std::string>{"data/falling_path.csv", "falling.md", "plots/falling_path.png"}));
  EXPECT_EQ(folder.text("plots/falling_path.png").substr(1, 3), "PNG");
  EXPECT_NE(folder.text("falling.md").find("![Its path, measured.](plots/falling_path.png)"), std::string::npos);
}

TEST(Page, WithoutPythonThePlotIsSkippedAndThePageSaysNoMoreThanThereIs) {
  const Folder folder;
  fs::create_directories(folder.path / "plots");
  std::ofstream(folder.path / "plots/falling_path.png") << "of an earlier run";
  trials::Measures measures("falling");
  Lab lab({}, measures);
  lab.plot("path", "Its path.", "t [s]", "fall [m]").line("computed", {0, 1}, {0, 5});
  const std::string said = write_page(lab.page("falling", "how far"), measures, folder.path, {"no_such_python"});
  EXPECT_EQ(said, "  plot falling_path skipped: there is no Python 3\n");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"data/falling_path.csv", "falling.md"}));
  EXPECT_EQ(folder.text("falling.md").find("!["), std::string::npos);
}

TEST(Page, QuickFormsSayThatTheyAre) {
  const Folder folder;
  trials::Measures measures("falling");
  falling().run({.quick = true, .pages = folder.path}, measures);
  const std::string page = folder.text("falling.md");
  EXPECT_NE(page.find("at most 0.02 m"), std::string::npos);
  EXPECT_NE(page.find("Made by `./silt validate falling --quick`."), std::string::npos);
}

TEST(Page, IsNotWrittenWhenNoneIsWanted) {
  trials::Measures measures("falling");
  EXPECT_EQ(falling().run({}, measures), "");
  EXPECT_EQ(measures.all().size(), 1u);
}

TEST(ReferenceData, ReadsColumnsByName) {
  const auto data = ReferenceData::from_text("# a remark\ny,Re100\n1.0,-0.5\n0,2e-3\n", "some.csv");
  EXPECT_EQ(data.column("y"), (std::vector<double>{1, 0}));
  EXPECT_EQ(data.column("Re100"), (std::vector<double>{-0.5, 0.002}));
  EXPECT_THROW(data.column("Re1000"), IoError);
  EXPECT_THROW(ReferenceData::from_text("a,b\n1\n", "some.csv"), IoError);
  EXPECT_THROW(ReferenceData::from_text("a\nx\n", "some.csv"), IoError);
}

TEST(CubicAt, IsExactForCubics) {
  const std::vector<double> at{0, 0.1, 0.5, 0.7, 1.5, 2};
  std::vector<double> value;
  for (const double x : at) value.push_back(1 + x * (2 - x * (1 - 3 * x)));
  for (const double x : {0.0, 0.05, 0.3, 0.7, 1.9, 2.0})
    EXPECT_NEAR(cubic_at(at, value, x), 1 + x * (2 - x * (1 - 3 * x)), 1e-12) << x;
}

TEST(LogSlope, IsTheOrderOfAPowerLaw) {
  EXPECT_NEAR(log_slope({1, 2, 4}, {3, 12, 48}), 2, 1e-12);
}

}  // namespace
}  // namespace silt::validation
