#include "silt/physics/liquid/params.h"

#include <gtest/gtest.h>

#include "silt/scene/toml_reader.h"

namespace silt {
namespace {

LiquidParams read(const std::string& text) {
  const Document document = parse_document(text, "t");
  const Block block = document.block("water");
  Diagnostics diagnostics;
  const LiquidParams out = liquid_table().read(block, diagnostics, {}, liquid_preset(block));
  EXPECT_EQ(diagnostics.text(), "");
  return out;
}

TEST(LiquidParams, APresetStandsInForWhatIsNotGiven) {
  EXPECT_EQ(read("[water]\n").density, 1000);
  EXPECT_FALSE(read("[water]\n").viscous());
  const LiquidParams honey = read("[water]\npreset = \"honey\"\n");
  EXPECT_EQ(honey.density, 1420);
  EXPECT_EQ(honey.viscosity(0), 7e-3);
  const LiquidParams thin = read("[water]\nviscosity = 1e-4\npreset = \"honey\"\n");
  EXPECT_EQ(thin.density, 1420);
  EXPECT_EQ(thin.viscosity(0), 1e-4) << "what is given goes over the preset, whatever the order";
}

TEST(LiquidParams, WhatIsWrittenReadsBackTheSame) {
  for (const LiquidPreset liquid :
       {LiquidPreset::water, LiquidPreset::oil, LiquidPreset::glycerol, LiquidPreset::honey, LiquidPreset::lava}) {
    const std::string text = liquid_table().write(liquid_preset(liquid));
    EXPECT_EQ(liquid_table().write(read(text)), text);
  }
}

TEST(LiquidParams, TheUsualReachIsTenDomains) {
  const Domain domain{.lattice = {{0, 0, 0}, 0.5, {1, 1, 0}}, .cells = {{0, 0, 0}, {4, 8, 1}}};
  EXPECT_EQ(LiquidParams{}.reach_in(domain), 40);
  EXPECT_EQ(LiquidParams{.reach = 2.0}.reach_in(domain), 2);
}

}  // namespace
}  // namespace silt
