// The same bits every time: for any number of threads, with fields allocated beyond the domain, and resumed from any
// substep. Smoke with a source, open and periodic sides and a moving obstacle, in 2D and in 3D;
// in 2D also with fire, colour and force fields.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "silt/cache/checkpoint.h"
#include "silt/core/text.h"
#include "silt/simulation.h"

namespace silt {
namespace {

constexpr const char* plane = R"(
silt = 1
[run]
frames = 5
fps = 24
[domain]
size = [0.55, 0.85]
cell_size = 0.0125
sides = { y_max = "open" }
[smoke]
cfl = 0.7
vorticity_confinement = 1
dissipation = 0.5
cooling = 0.5
fuel_heat = 300
[force.gusts]
turbulence = { strength = 2, scale = 0.1 }
[shape.vent]
sphere = { center = [0.25, 0.1], radius = 0.07 }
[source.vent]
shape = "vent"
material = "smoke"
density = 1
temperature = 700
colour = [0.8, 0.3, 0.1]
fuel = 0.3
velocity = [0.4, 1.0]
[shape.ball]
sphere = { center = [0.25, 0.35], radius = 0.09 }
[obstacle.ball]
shape = "ball"
motion = { position = { keys = [[0, [0, 0]], [0.3, [0.15, 0.1]]] } }
)";

constexpr const char* space = R"(
silt = 1
[run]
frames = 4
fps = 24
[domain]
size = [0.44, 0.3, 0.54]
cell_size = 0.02
sides = { x_min = "periodic", x_max = "periodic", z_max = "open" }
[smoke]
cfl = 0.7
[shape.vent]
sphere = { center = [0.2, 0.15, 0.08], radius = 0.06 }
[source.vent]
shape = "vent"
material = "smoke"
density = 1
temperature = 700
velocity = [0.5, 0.1, 0.8]
[shape.block]
box = { min = [0.12, 0.06, 0.24], max = [0.25, 0.21, 0.33] }
[obstacle.block]
shape = "block"
motion = { position = { keys = [[0, [0, 0, 0]], [0.2, [0.06, 0.02, 0.04]]] } }
)";

std::vector<std::string> hashes(const Scene& scene, const SimulationOptions& options) {
  Simulation sim{scene, options};
  std::vector<std::string> all;
  while (sim.advance_frame()) all.push_back(sim.stats().state_hash);
  EXPECT_GT(sim.stats().substeps, 1) << "too tame: a resume in the middle of a frame would not be tested";
  EXPECT_GT(sim.stats().totals.max_speed, 0.1);
  return all;
}

SimulationOptions with(int threads, int pad = 0) {
  SimulationOptions options;
  options.threads = threads;
  options.share_loops_from = 0;  // these grids are small
  options.pad = pad;
  return options;
}

/// Stops after `stop` substeps, writes a checkpoint, reads it into a new simulation and goes on.
std::string resumed_hash(const Scene& scene, int stop, int threads) {
  const std::filesystem::path path = testing::TempDir() + str("/silt_determinism_", ::getpid(), ".safetensors");
  {
    Simulation first{scene, with(1)};
    int done = 0;
    first.on_substep([&](double) {
      if (++done == stop) first.cancel();
    });
    while (first.advance_frame()) {
    }
    CheckpointWriter writer;
    first.save(writer);
    FileWriter file(path);
    writer.write(file);
    file.commit();
  }
  Simulation second{scene, with(threads)};
  second.restore(read_checkpoint(path, read_file(path)));
  std::filesystem::remove(path);
  while (second.advance_frame()) {
  }
  return second.stats().state_hash;
}

enum class Dims { plane, space };
void PrintTo(Dims dims, std::ostream* out) {
  *out << (dims == Dims::plane ? "2D" : "3D");
}
class Determinism : public testing::TestWithParam<Dims> {
 protected:
  static Scene scene(const std::vector<std::string>& overrides = {}) {
    return parse_scene(GetParam() == Dims::plane ? plane : space, "determinism", overrides);
  }
};

TEST_P(Determinism, SameBitsForAnyNumberOfThreadsAndAnyPadding) {
  const Scene scene = Determinism::scene();
  const std::vector<std::string> expected = hashes(scene, with(1));
  ASSERT_EQ(expected.size(), std::size_t(scene.run.frames));
  EXPECT_EQ(hashes(scene, with(2)), expected);
  EXPECT_EQ(hashes(scene, with(3)), expected);
  EXPECT_EQ(hashes(scene, with(8)), expected);
  EXPECT_EQ(hashes(scene, with(2, 16)), expected);
}

TEST_P(Determinism, ResumedAtAnySubstepIsTheSameAsUninterrupted) {
  const Scene scene = Determinism::scene();
  Simulation whole{scene, with(2)};
  int substeps = 0;
  whole.on_substep([&](double) { ++substeps; });
  while (whole.advance_frame()) {
  }
  std::mt19937 random(7);
  for (int i = 0; i < 5; ++i) {
    const int stop = 1 + int(random() % unsigned(substeps - 1));
    EXPECT_EQ(resumed_hash(scene, stop, 1 + i % 2), whole.stats().state_hash) << "after substep " << stop;
  }
}

TEST_P(Determinism, EveryWayOfAdvecting) {
  for (const char* advection : {"linear", "maccormack", "cubic", "bfecc", "lax_wendroff"})
    for (const char* splitting : {"plain", "reflection"}) {
      const Scene scene = Determinism::scene(
          {str("smoke.advection=", advection), str("smoke.splitting=", splitting), std::string("run.frames=3")});
      EXPECT_EQ(hashes(scene, with(3, 16)), hashes(scene, with(1))) << advection << ' ' << splitting;
    }
}

INSTANTIATE_TEST_SUITE_P(Smoke, Determinism, testing::Values(Dims::plane, Dims::space),
                         [](const auto& which) { return which.index == 0 ? "plane" : "space"; });

}  // namespace
}  // namespace silt
