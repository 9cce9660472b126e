// Water is in pools that come and go with a grid each, its sources remember, and particles are born and die: all of
// that must come back.

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "silt/physics/liquid/liquid_model.h"
#include "silt/scene.h"
#include "silt/sim/state_hash.h"
#include "silt/sim/test_tools.h"

namespace silt {
namespace {

using namespace test;

/// Two drops that meet over a floor with open sides, and a jet.
Scene wet_scene(int frames) {
  return parse_scene(str(R"(silt = 1
[run]
frames = )",
                         frames, R"(
[domain]
size = [1, 1]
cell_size = 0.04
sides = { x_min = "open", x_max = "open", y_max = "open" }
[water]
[shape.left]
sphere = { center = [0.2, 0.75], radius = 0.1 }
[shape.right]
sphere = { center = [0.8, 0.3], radius = 0.12 }
[fill.a]
shape = "left"
material = "water"
velocity = [2, 0]
[fill.b]
shape = "right"
material = "water"
velocity = [2, 0]
[shape.nozzle]
box = { min = [0.4, 0.1], max = [0.48, 0.2] }
[source.jet]
shape = "nozzle"
material = "water"
velocity = [2, 1]
)"),
                     "wet");
}

/// Two drops that shatter each other in the open: their sheet tears, and is spray in the end.
Scene splash(int frames) {
  return parse_scene(str(R"(silt = 1
[run]
fps = 30
frames = )",
                         frames, R"(
[domain]
size = [1, 1, 1]
cell_size = 0.05
sides = { x_min = "open", x_max = "open", y_min = "open", y_max = "open", z_min = "open", z_max = "open" }
[water]
[shape.left]
sphere = { center = [0.35, 0.5, 0.5], radius = 0.12 }
[shape.right]
sphere = { center = [0.65, 0.52, 0.5], radius = 0.12 }
[fill.a]
shape = "left"
material = "water"
velocity = [4, 0, 0]
[fill.b]
shape = "right"
material = "water"
velocity = [-4, 0, 0]
)"),
                     "splash");
}

SimulationOptions one_thread() {
  SimulationOptions options;
  options.threads = 1;
  return options;
}

/// Stops after every so many substeps, and goes on from there.
void expect_same_when_resumed(const Scene& scene, int every) {
  Simulation whole{scene, one_thread()};
  int substeps = 0;
  whole.on_substep([&](double) { ++substeps; });
  run_to_end(whole);
  ASSERT_GT(substeps, 8);
  ASSERT_GT(whole.stats().totals.particles, 100);
  for (int stop = 1; stop < substeps; stop += every) {
    Simulation first{scene, one_thread()};
    int done = 0;
    first.on_substep([&](double) {
      if (++done == stop) first.cancel();
    });
    run_to_end(first);
    SimulationOptions padded = one_thread();
    padded.pad = 8;
    Simulation second{scene, padded};
    second.restore(saved(first));
    run_to_end(second);
    EXPECT_EQ(second.stats().state_hash, whole.stats().state_hash) << stop;
  }
}

TEST(WaterCheckpoint, ResumedFromAnySubstepItGivesTheSameBits) {
  expect_same_when_resumed(wet_scene(8), 3);
}

TEST(WaterCheckpoint, ASplashResumedFromAnySubstepGivesTheSameBits) {
  expect_same_when_resumed(splash(8), 7);
}

/// Fails now and then, after having changed everything. `taken`: by time, the last attempt from there.
class FailsFirst : public Model {
 public:
  FailsFirst(std::unique_ptr<Model> model, std::map<double, double>& taken) : model_(std::move(model)), taken_(taken) {}

  StepReport start(const Exec& exec) override { return model_->start(exec); }
  double stable_step(const Exec& exec, double time) override { return model_->stable_step(exec, time); }
  StepReport substep(const Exec& exec, double time, double dt) override {
    StepReport report = model_->substep(exec, time, dt);
    taken_[time] = dt;
    if (++attempts_ % 4 == 0) report.problem = "the first time";
    return report;
  }
  void visit(StateVisitor& visitor) override { model_->visit(visitor); }
  Totals totals(const Exec& exec, double time) override { return model_->totals(exec, time); }
  void snapshot(const Exec& exec, double time, Frame& frame) override { model_->snapshot(exec, time, frame); }
  std::int64_t cells() const override { return model_->cells(); }

 private:
  std::unique_ptr<Model> model_;
  std::map<double, double>& taken_;
  int attempts_ = 0;
};

TEST(WaterCheckpoint, AFailedSubstepLeavesNoTrace) {
  const Scene scene = wet_scene(6);
  std::map<double, double> taken;
  SimulationOptions options = one_thread();
  options.model = [&](const Scene& s, int pad) {
    return std::make_unique<FailsFirst>(make_liquid_model(*s.water, s.setting, pad), taken);
  };
  Simulation sim{scene, options};
  run_to_end(sim);
  ASSERT_GT(sim.stats().retries, 0);

  const Exec exec{Device::cpu, 1};
  const auto model = make_liquid_model(*scene.water, scene.setting, 0);
  model->start(exec);
  for (const auto& [time, dt] : taken) model->stable_step(exec, time), model->substep(exec, time, dt);
  EXPECT_EQ(model->totals(exec, sim.time()).particles, sim.stats().totals.particles);
  EXPECT_EQ(state_hash(*model, sim.time()), sim.stats().state_hash);
}

TEST(WaterCheckpoint, DamagedOnesAreRefused) {
  const Scene scene = wet_scene(5);
  Simulation sim{scene, one_thread()};
  run_to_end(sim);
  const Checkpoint good = saved(sim);
  using Bytes = std::vector<char>;
  using Shape = std::vector<std::int64_t>;
  const auto refuses = [&](const Damage& damage, const std::string& what) {
    Simulation fresh{scene, one_thread()};
    EXPECT_THROW(fresh.restore(damaged(good, damage)), IoError) << damage.array << ' ' << what;
  };
  for (const Checkpoint::Array& array : good.arrays()) {
    const std::string& name = array.name;
    const std::size_t size = size_of(array.dtype);
    const Dtype other = size == 8 ? (array.dtype == Dtype::f64 ? Dtype::i64 : Dtype::f64)
                                  : (array.dtype == Dtype::f32 ? Dtype::i32 : Dtype::f32);
    refuses({name, [](Bytes&, Dtype&, Shape& s) { s.clear(); }}, "left out");
    refuses({name, [=](Bytes&, Dtype& d, Shape&) { d = other; }}, "of another type");
    if (array.shape.size() == 1)
      refuses({name, [&](Bytes& b, Dtype&, Shape& s) { b.resize(b.size() + size), s[0] += 1; }}, "longer");
  }
}

// Boxes of pools, counts of steps and of sources: whatever they are, nothing worse happens than a message.
TEST(WaterCheckpoint, AbsurdCountsDoNoHarm) {
  const Scene scene = wet_scene(5);
  Simulation sim{scene, one_thread()};
  run_to_end(sim);
  const Checkpoint good = saved(sim);
  const std::size_t counts = std::size_t(good.find("water.counts")->count());
  int refused = 0;
  for (std::size_t i = 0; i < counts; ++i)
    for (const std::int64_t value : {std::int64_t(-1000), std::int64_t(0), std::int64_t(1) << 20,
                                     std::numeric_limits<std::int64_t>::max(), std::int64_t(-1) << 40}) {
      const Damage damage{"water.counts",
                          [&](std::vector<char>& b, Dtype&, std::vector<std::int64_t>&) { set_value(b, i, value); }};
      Simulation fresh{scene, one_thread()};
      try {
        fresh.restore(damaged(good, damage));
      } catch (const IoError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace silt
