#include "silt/cache/run_totals.h"

#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;

TEST(RunTotals, AddUpWhatTheFramesTook) {
  const TestFolder folder;
  EXPECT_EQ(totals_of(folder.path()).frames, 0);
  spill(folder / "stats.jsonl",
        "{\"frame\": 1, \"cells\": 100, \"particles\": 7, \"seconds\": {\"a\": 1.5, \"b\": 0.5}}\n"
        "{\"frame\": 2, \"cells\": 80, \"particles\": 9, \"seconds\": {\"a\": 2}}\n"
        "{\"frame\": 3, \"cells\": \"many\"}\n"
        "{\"frame\": 4, \"cel");
  const RunTotals totals = totals_of(folder.path());
  EXPECT_EQ(totals.frames, 3);
  EXPECT_DOUBLE_EQ(totals.seconds, 4);
  EXPECT_EQ(totals.cells, 100);
  EXPECT_EQ(totals.particles, 9);
}

}  // namespace
}  // namespace silt
