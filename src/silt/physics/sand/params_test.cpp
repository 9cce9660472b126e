#include "silt/physics/sand/params.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/scene/toml_reader.h"

namespace silt {
namespace {

SandParams read(const std::string& text) {
  const Document document = parse_document(text, "t");
  const Block block = document.block("sand");
  Diagnostics diagnostics;
  const SandParams out = sand_table().read(block, diagnostics, {}, {.grains = grain_preset(block)});
  EXPECT_EQ(diagnostics.text(), "");
  return out;
}

Grains read_grains(const std::string& text, const Grains& otherwise) {
  const Document document = parse_document(text, "t");
  const Block block = document.named_blocks("grains").front();
  Diagnostics diagnostics;
  const Grains out = grains_table().read(block, diagnostics, {}, grain_preset(block, otherwise));
  EXPECT_EQ(diagnostics.text(), "");
  return out;
}

TEST(SandParams, APresetStandsInForWhatIsNotGiven) {
  EXPECT_EQ(read("[sand]\n").grains.friction_angle, 34);
  EXPECT_EQ(read("[sand]\n").grains.density, 1600);
  const Grains damp = read("[sand]\nfriction_angle = 20\npreset = \"damp_sand\"\n").grains;
  EXPECT_EQ(damp.cohesion, 800);
  EXPECT_EQ(damp.density, 1700);
  EXPECT_EQ(damp.friction_angle, 20) << "what is given goes over the preset, whatever the order";
}

TEST(SandParams, OtherGrainsAreAsTheSandBlockSays) {
  const Grains sand{.friction_angle = 25, .cohesion = 7, .tension = 3.0, .density = 1234};
  const Grains other = read_grains("[grains.red]\ndensity = 1500\n", sand);
  EXPECT_EQ(other.friction_angle, 25);
  EXPECT_EQ(other.tension, 3.0);
  EXPECT_EQ(other.density, 1500);
  const Grains gravel = read_grains("[grains.red]\npreset = \"gravel\"\ncohesion = 1\n", sand);
  EXPECT_EQ(gravel.friction_angle, 40) << "a preset of its own says everything";
  EXPECT_EQ(gravel.tension, std::nullopt);
  EXPECT_EQ(gravel.cohesion, 1);
}

TEST(SandParams, WhatIsWrittenReadsBackTheSame) {
  for (const GrainPreset preset :
       {GrainPreset::dry_sand, GrainPreset::glass_beads, GrainPreset::gravel, GrainPreset::damp_sand}) {
    const Grains grains = grain_preset(preset);
    const std::string text = sand_table().write({.grains = grains, .reach = 2.0});
    EXPECT_EQ(sand_table().write(read(text)), text);
    const std::string other = grains_table().write(grains, "grains.a");
    EXPECT_EQ(grains_table().write(read_grains(other, {.tension = 9.0}), "grains.a"), other);
  }
}

TEST(SandParams, TensionIsWhatCohesionAllowsUnlessGiven) {
  EXPECT_EQ(Grains{}.tensile_strength(), 0);
  EXPECT_NEAR((Grains{.friction_angle = 45, .cohesion = 300}.tensile_strength()), 300, 1e-9);
  EXPECT_NEAR((Grains{.friction_angle = 30, .cohesion = 300}.tensile_strength()), 300 * std::sqrt(3.0), 1e-9);
  EXPECT_EQ((Grains{.friction_angle = 30, .cohesion = 300, .tension = 10.0}.tensile_strength()), 10);
  EXPECT_LT((Grains{.friction_angle = 0, .cohesion = 300}.tensile_strength()), 1e5) << "finite without friction, too";
}

TEST(SandParams, EveryFillHasItsGrains) {
  SandParams sand;
  sand.grains.density = 1;
  sand.others.resize(2);
  sand.others[0].density = 2, sand.others[1].density = 3;
  EXPECT_EQ(sand.grains_of(-1).density, 1);
  EXPECT_EQ(sand.grains_of(0).density, 2);
  EXPECT_EQ(sand.grains_of(1).density, 3);
}

}  // namespace
}  // namespace silt
