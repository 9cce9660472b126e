#include "silt/cache/json_line.h"

#include <nlohmann/json.hpp>

#include "silt/cache/test_tools.h"

namespace silt {
namespace {

using namespace test;

std::string nested(int depth) {
  return std::string(std::size_t(depth), '[') + std::string(std::size_t(depth), ']');
}

TEST(JsonLimits, DepthIsLimited) {
  EXPECT_FALSE(parse_json(nested(deepest_json)).is_discarded());
  EXPECT_TRUE(parse_json(nested(deepest_json + 1)).is_discarded());
  EXPECT_TRUE(parse_json(nested(1'000'000)).is_discarded());
  EXPECT_TRUE(parse_json(std::string(1'000'000, '[')).is_discarded());
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_TRUE(parse_json(objects).is_discarded());
  EXPECT_FALSE(parse_checked("{\"check\": \"0123456789abcdef\", \"a\": " + nested(100'000) + "}"));
}

TEST(JsonLimits, BracketsInTextAreNoDepth) {
  const std::string text = "{\"a\": \"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"}";
  EXPECT_EQ(parse_json(text).at("a").get<std::string>().size(), 2001u);
}

// Each member more is compared with all before it.
TEST(JsonLimits, MembersOfAnObjectAreLimited) {
  const auto object = [](int members) {
    std::string text = "{";
    for (int i = 0; i < members; ++i) text += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
    return text + "}";
  };
  EXPECT_FALSE(parse_json(object(1000)).is_discarded());
  EXPECT_TRUE(parse_json(object(1'000'000)).is_discarded());
  EXPECT_FALSE(parse_json("[" + object(15'000) + "," + object(15'000) + "]").is_discarded());
}

TEST(JsonNumbers, AreWholeAndInRange) {
  EXPECT_EQ(integer_of<int>(parse_json("-7")), -7);
  EXPECT_EQ(integer_of<std::uint64_t>(parse_json("18446744073709551615")), UINT64_MAX);
  for (const char* bad : {"1e99", "4294967296", "-2147483649", "0.5", "\"1\"", "null", "1e3"})
    EXPECT_THROW(integer_of<int>(parse_json(bad)), Error) << bad;
  EXPECT_THROW(integer_of<std::uint64_t>(parse_json("-1")), Error);
}

}  // namespace
}  // namespace silt
