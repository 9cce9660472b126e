#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "validation/experiments.h"

namespace silt::validation {
namespace {

const std::string pages = std::string(SILT_SOURCE_DIR) + "/docs/validation/";

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Whoever adds an experiment also runs it, looks at its page and keeps it: each has one, made by the whole form, with
// every bound met, and the list of pages leads to it with the same words.
TEST(Pages, EveryExperimentHasOneThatTheListLeadsTo) {
  const std::string list = text_of(pages + "README.md");
  for (const trials::Trial& one : experiments()) {
    const std::string page = text_of(pages + one.name + ".md");
    EXPECT_EQ(page.find("# " + one.name + ": " + one.summary + "\n"), 0u) << one.name << ".md";
    EXPECT_NE(page.find("Made by `./silt validate " + one.name + "`."), std::string::npos) << one.name << ".md";
    EXPECT_EQ(page.find("| FAIL |"), std::string::npos) << one.name << ".md";
    EXPECT_NE(list.find("[" + one.name + "](" + one.name + ".md) | " + one.summary + " |"), std::string::npos)
        << "README.md does not list " << one.name;
  }
}

}  // namespace
}  // namespace silt::validation
