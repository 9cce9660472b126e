#include "silt/simulation.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "silt/core/error.h"
#include "silt/sim/fake_model.h"
#include "silt/sim/state_hash.h"
#include "silt/sim/test_tools.h"

namespace silt {
namespace {

using test::Damage;
using test::damaged;
using test::fake_options;
using test::fake_scene;
using test::FakePlan;
using test::run_to_end;
using test::saved;
using test::set_value;

TEST(Simulation, FirstFrameIsTheStartAndLaterOnesLandExactly) {
  FakePlan plan;
  Simulation sim{fake_scene(200, 23.976), fake_options(plan)};
  EXPECT_EQ(sim.frame_number(), 0);
  ASSERT_TRUE(sim.advance_frame());
  EXPECT_EQ(sim.frame_number(), 1);
  EXPECT_EQ(sim.time(), 0);
  EXPECT_EQ(sim.stats().substeps, 0);
  while (sim.advance_frame()) {
    EXPECT_EQ(sim.time(), (sim.frame_number() - 1) / 23.976);  // to the bit
    EXPECT_EQ(sim.stats().substeps, 5);                        // 0.0417 s in steps of at most 0.01 s
    EXPECT_LE(sim.stats().dt_max, 0.01);
    EXPECT_EQ(sim.stats().frame, sim.frame_number());
  }
  EXPECT_EQ(sim.frame_number(), 200);
}

TEST(Simulation, AStepThatDividesTheFrameIsNotCutFurther) {
  FakePlan plan;
  plan.stable_step = 1.0 / 24 / 3;
  Simulation sim{fake_scene(50), fake_options(plan)};
  sim.advance_frame();
  while (sim.advance_frame()) EXPECT_EQ(sim.stats().substeps, 3) << "frame " << sim.frame_number();
}

TEST(Simulation, NothingMovingTakesOneSubstep) {
  FakePlan plan;
  plan.stable_step = INFINITY;
  Simulation sim{fake_scene(3), fake_options(plan)};
  run_to_end(sim);
  EXPECT_EQ(plan.steps, (std::vector<double>{1 / 24.0, 2 / 24.0 - 1 / 24.0}));
}

TEST(Simulation, EveryKindOfFailureIsRetriedAtHalfTheStep) {
  using enum FakePlan::Failure;
  for (const auto failure : {nan, infinite_double, particle_nan, list_nan, runaway, solve, problem, throws}) {
    FakePlan plan;
    plan.failure = failure;
    plan.fails_above = 0.003;
    Simulation sim{fake_scene(2), fake_options(plan)};
    run_to_end(sim);
    EXPECT_EQ(sim.time(), 1 / 24.0) << int(failure);
    EXPECT_GT(sim.stats().retries, 0) << int(failure);
    EXPECT_LE(sim.stats().dt_max, 0.003) << int(failure);

    // The failed attempts left no trace: the same good steps without failures give the same state.
    FakePlan small = {};
    small.stable_step = INFINITY;
    const Exec exec{Device::cpu, 1};
    test::FakeModel model{small, fake_scene().setting.domain.cells, 0};
    for (const auto& [time, dt] : plan.taken) model.substep(exec, time, dt);
    EXPECT_EQ(state_hash(model, sim.time()), sim.stats().state_hash) << int(failure);
  }
}

// The state is not kept before every substep: those since it was are taken again, and give the same bits.
TEST(Simulation, AFailureAfterManyGoodSubstepsLeavesNoTraceEither) {
  const double long_step = 1 / 24.0 / 40;
  for (const double fails_from : {5.5, 8.5, 21.5, 38.5}) {
    FakePlan plan;
    plan.stable_step = long_step;
    plan.fails_above = 0.9 * long_step;
    plan.fails_from = fails_from * long_step;
    Simulation sim{fake_scene(2), fake_options(plan)};
    run_to_end(sim);
    EXPECT_GT(sim.stats().retries, 0) << fails_from;
    EXPECT_EQ(std::size_t(sim.stats().substeps), plan.taken.size()) << fails_from;
    EXPECT_LE(plan.steps.size(), plan.taken.size() + std::size_t(sim.stats().retries) + 8) << fails_from;

    FakePlan without = {};
    without.stable_step = INFINITY;
    test::FakeModel model{without, fake_scene().setting.domain.cells, 0};
    for (const auto& [time, dt] : plan.taken) model.substep(Exec{Device::cpu, 1}, time, dt);
    EXPECT_EQ(state_hash(model, sim.time()), sim.stats().state_hash) << fails_from;
  }
}

TEST(Simulation, AfterFourHalvingsItStopsInTheLastGoodState) {
  FakePlan plan;
  plan.failure = FakePlan::Failure::nan;
  plan.fails_above = 1e-9;
  plan.fails_from = 0.05;  // within frame 3
  Simulation sim{fake_scene(), fake_options(plan)};
  sim.advance_frame();
  sim.advance_frame();
  try {
    sim.advance_frame();
    FAIL() << "did not throw";
  } catch (const SolveError& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find("frame 3"), std::string::npos) << what;
    EXPECT_NE(what.find("fake.value is not finite at cell [3, 2, 0]"), std::string::npos) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  }
  EXPECT_EQ(sim.frame_number(), 2);
  EXPECT_GE(sim.time(), 0.05);
  const Frame frame = sim.frame();
  for (const float value : frame.volumes.at(0).values) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(sim.stats().retries, 5);
}

TEST(Simulation, ABadParticleIsToldByItsColumnAndIdAndABadListByItsPlace) {
  const std::pair<FakePlan::Failure, const char*> failures[] = {
      {FakePlan::Failure::particle_nan, "fake.particles: velocity.y of particle id "},
      {FakePlan::Failure::list_nan, "fake.steps[0] is not finite"}};
  for (const auto& [failure, message] : failures) {
    FakePlan plan;
    plan.failure = failure;
    plan.fails_above = 0;
    Simulation sim{fake_scene(), fake_options(plan)};
    sim.advance_frame();
    try {
      sim.advance_frame();
      FAIL() << "did not throw";
    } catch (const SolveError& e) {
      EXPECT_NE(std::string(e.what()).find(message), std::string::npos) << e.what();
    }
  }
}

TEST(Simulation, TooManySubstepsIsAnError) {
  FakePlan plan;
  plan.stable_step = 1e-4;
  Scene scene = fake_scene();
  scene.run.max_substeps = 100;
  Simulation sim{scene, fake_options(plan)};
  sim.advance_frame();
  EXPECT_THROW(sim.advance_frame(), SubstepLimitError);
  EXPECT_EQ(sim.stats().substeps, 100);
}

TEST(Simulation, CancelStopsAfterASubstepAndNotBefore) {
  FakePlan plan;
  Simulation sim{fake_scene(), fake_options(plan)};
  std::vector<double> fractions;
  sim.on_substep([&](double fraction) {
    fractions.push_back(fraction);
    if (fractions.size() == 7) sim.cancel();
  });
  sim.advance_frame();
  EXPECT_TRUE(sim.advance_frame());
  EXPECT_FALSE(sim.advance_frame());
  EXPECT_EQ(sim.frame_number(), 2);
  EXPECT_EQ(plan.steps.size(), 7u);
  EXPECT_EQ(fractions.at(4), 1);
  EXPECT_NEAR(fractions.at(6), 0.4, 1e-9);
}

TEST(Simulation, PaddingDoesNotChangeTheHashAndTheStateDoes) {
  FakePlan plan, padded_plan, other_plan;
  Simulation sim{fake_scene(), fake_options(plan)}, padded{fake_scene(), fake_options(padded_plan, 16)};
  other_plan.stable_step = 0.006;
  Simulation other{fake_scene(), fake_options(other_plan)};
  const std::string hashes = run_to_end(sim);
  EXPECT_EQ(hashes, run_to_end(padded));
  EXPECT_NE(hashes, run_to_end(other));
}

TEST(Simulation, ParticlesAndListsCountInTheHash) {
  FakePlan plan;
  const Box cells = fake_scene().setting.domain.cells;
  const Exec exec{Device::cpu, 1};
  /// Changes one thing of the state.
  struct Change : StateVisitor {
    int next = 0, wanted;
    explicit Change(int n) : wanted(n) {}
    bool now() { return next++ == wanted; }
    void operator()(std::string_view, Field<float>&, const Box&) override {}
    void operator()(std::string_view, Field<double>&, const Box&) override {}
    void operator()(std::string_view, Particles& p) override {
      visit(p, [&](const std::string&, auto& column) {
        if (now()) column.host()[p.count - 1] += 1;
        if (column.size() > p.count) column.host()[p.count] += 1;  // beyond the last: means nothing
      });
      if (now()) p.count -= 1;
      if (now()) p.born += 1;
      if (now()) p.died += 1;
    }
    void operator()(std::string_view, Buffer<float>& list) override {
      if (now()) list.host()[0] += 1;
      if (now()) list = Buffer<float>(list.size() + 1);
    }
    void operator()(std::string_view, Buffer<double>& list) override {
      if (now()) list.host()[0] += 1;
      if (now()) list = Buffer<double>(list.size() + 1);
    }
    void operator()(std::string_view, Buffer<std::int64_t>& list) override {
      if (now()) list = Buffer<std::int64_t>(list.size() + 1);
    }
  };
  std::set<std::string> hashes;
  int n = 0;
  for (int changes = 1; n <= changes; ++n) {
    test::FakeModel model{plan, cells, 0};
    model.substep(exec, 0, 0.01);
    Change change{n};
    model.visit(change);
    changes = change.next;  // the last round changes nothing
    hashes.insert(state_hash(model, 0));
  }
  EXPECT_GT(n, 15);
  EXPECT_EQ(int(hashes.size()), n);
}

TEST(Simulation, ResumedFromAnySubstepItGivesTheSameBits) {
  FakePlan whole_plan;
  whole_plan.fails_above = 0.005;  // so that retries are among the steps
  whole_plan.fails_from = 0.06;
  Simulation whole{fake_scene(), fake_options(whole_plan)};
  int substeps_in_all = 0;
  whole.on_substep([&](double) { ++substeps_in_all; });
  run_to_end(whole);
  ASSERT_GT(whole.stats().retries, 0);
  for (int stop = 1; stop < substeps_in_all; ++stop) {
    FakePlan plan = whole_plan;
    plan.taken.clear();
    Simulation first{fake_scene(), fake_options(plan)};
    int done = 0;
    first.on_substep([&](double) {
      if (++done == stop) first.cancel();
    });
    run_to_end(first);
    Simulation second{fake_scene(), fake_options(plan, 8)};
    second.restore(saved(first));
    EXPECT_EQ(second.frame_number(), first.frame_number());
    EXPECT_EQ(second.time(), first.time());
    while (second.advance_frame()) {
    }
    EXPECT_EQ(plan.taken, whole_plan.taken) << stop;
    EXPECT_EQ(second.stats().state_hash, whole.stats().state_hash) << stop;
    EXPECT_EQ(second.stats().substeps, whole.stats().substeps) << stop;
    EXPECT_EQ(second.stats().retries, whole.stats().retries) << stop;
    EXPECT_EQ(second.stats().dt_min, whole.stats().dt_min) << stop;
    EXPECT_EQ(second.stats().swallowed, 3 * whole.stats().substeps) << stop;
    EXPECT_EQ(second.stats().solves.at("pressure").residual, whole.stats().solves.at("pressure").residual) << stop;
    EXPECT_EQ(second.stats().seconds.at("fake.step"), whole.stats().seconds.at("fake.step")) << stop;
  }
}

TEST(Simulation, ACheckpointOfAnotherGridIsRefusedByName) {
  FakePlan plan;
  Scene larger = fake_scene();
  larger.setting.domain.cells.hi.x += 8;
  Simulation sim{fake_scene(), fake_options(plan)}, other{larger, fake_options(plan)};
  sim.advance_frame();
  try {
    other.restore(saved(sim));
    FAIL() << "did not throw";
  } catch (const IoError& e) {
    EXPECT_NE(std::string(e.what()).find("'fake.value'"), std::string::npos) << e.what();
  }
  EXPECT_EQ(other.frame_number(), 0);
}

TEST(Simulation, ACheckpointWithImpossibleParticlesIsRefusedAndNothingChanges) {
  using Bytes = std::vector<char>;
  using Shape = std::vector<std::int64_t>;
  const Damage damages[] = {
      {"fake.particles.velocity.x", [](Bytes& b, Dtype&, Shape& s) { b.resize(b.size() - 4), s[0] -= 1; }},
      {"fake.particles.id", [](Bytes& b, Dtype&, Shape& s) { b.resize(b.size() + 8), s[0] += 1; }},
      {"fake.particles.id", [](Bytes& b, Dtype&, Shape&) { set_value(b, 2, std::uint64_t(1) << 40); }},
      {"fake.particles.cell.y", [](Bytes&, Dtype& d, Shape&) { d = Dtype::u32; }},
      {"fake.particles.mode.x.y", [](Bytes&, Dtype&, Shape& s) { s.insert(s.begin(), 1); }},
      {"fake.particles.offset.x", [](Bytes& b, Dtype&, Shape&) { set_value(b, 0, NAN); }},
      {"fake.particles.offset.y", [](Bytes& b, Dtype&, Shape&) { set_value(b, 0, 3e30f); }},
      {"fake.particles.died", [](Bytes& b, Dtype&, Shape&) { set_value(b, 0, ~std::uint64_t(0)); }},
      {"fake.particles.born", [](Bytes& b, Dtype&, Shape&) { set_value(b, 0, std::uint64_t(3)); }},
      {"fake.particles.born", [](Bytes& b, Dtype&, Shape& s) { b.resize(16), s[0] = 2; }},
      {"fake.particles.colour", [](Bytes&, Dtype&, Shape& s) { s.clear(); }},  // not there at all
      {"fake.steps", [](Bytes&, Dtype& d, Shape&) { d = Dtype::i64; }},
      {"fake.counters", [](Bytes&, Dtype&, Shape& s) { s.clear(); }},
  };
  FakePlan plan;
  Simulation sim{fake_scene(), fake_options(plan)};
  run_to_end(sim);
  const Checkpoint good = saved(sim);
  for (const Damage& damage : damages) {
    FakePlan fresh_plan, same_plan;
    Simulation fresh{fake_scene(), fake_options(fresh_plan)}, same{fake_scene(), fake_options(same_plan)};
    try {
      fresh.restore(damaged(good, damage));
      ADD_FAILURE() << damage.array << " was accepted";
    } catch (const IoError& e) {
      EXPECT_NE(std::string(e.what()).find("fake."), std::string::npos) << e.what();
    }
    EXPECT_EQ(run_to_end(fresh), run_to_end(same)) << damage.array;
  }
}

TEST(Simulation, ParticlesThatLeftOrDiedMayStandInACheckpoint) {
  FakePlan plan;
  Simulation sim{fake_scene(3), fake_options(plan)};
  sim.advance_frame();
  const Damage odd{
      "fake.particles.cell.x", [](std::vector<char>& b, Dtype&, std::vector<std::int64_t>&) {
        const int cells[] = {Particles::dead, std::numeric_limits<int>::max(), std::numeric_limits<int>::min(), 1000};
        for (std::size_t i = 0; i < 4; ++i) set_value(b, i, cells[i]);
      }};
  FakePlan second_plan;
  Simulation second{fake_scene(3), fake_options(second_plan)};
  second.restore(damaged(saved(sim), odd));
  while (second.advance_frame()) {
  }
  EXPECT_EQ(second.frame_number(), 3);
}

TEST(Simulation, ACheckpointAtAnotherFrameRateIsRefused) {
  FakePlan plan;
  Simulation sim{fake_scene(4, 24), fake_options(plan)}, other{fake_scene(4, 25), fake_options(plan)};
  run_to_end(sim);
  EXPECT_THROW(other.restore(saved(sim)), IoError);
}

TEST(Simulation, FramesShowObstaclesWhereTheyAre) {
  Scene scene = fake_scene(3);
  scene.setting.domain.lattice.active.z = 1;
  scene.setting.obstacles.push_back({"post", Shape::box({0, 0, 0}, {1, 1, 1}), {}});
  scene.setting.obstacles.back().motion.spin = 90.0;
  FakePlan plan;
  Simulation sim(scene, fake_options(plan));
  ASSERT_TRUE(sim.advance_frame());
  const Frame first = sim.frame();
  ASSERT_TRUE(sim.advance_frame());
  const Frame second = sim.frame();
  ASSERT_EQ(second.bodies.size(), 1u);
  EXPECT_EQ(second.bodies[0].name, "post");
  EXPECT_EQ(second.bodies[0].shape, first.bodies[0].shape) << "made once";
  EXPECT_NE(second.bodies[0].pose.place, first.bodies[0].pose.place);
}

TEST(FrameStats, AsJson) {
  FrameStats stats;
  stats.frame = 12;
  stats.time = 0.1;
  stats.totals.momentum = {1, -2.5, NAN};
  stats.totals.particles = 433000;
  stats.totals.inside_solid = 2;
  stats.swallowed = 7;
  stats.solves["pressure"] = {31, 1e-6, true};
  stats.seconds["smoke.advect"] = 0.5;
  stats.state_hash = "00ff";
  const std::string json = to_json(stats);
  for (const char* part :
       {R"("frame": 12,)", R"("time": 0.1,)", R"("momentum": [1, -2.5, null])", R"("particles": 433000)",
        R"("inside_solid": 2, "swallowed": 7)",
        R"("solves": {"pressure": {"iterations": 31, "residual": 1e-06, "converged": true, "imbalance": 0}})",
        R"("seconds": {"smoke.advect": 0.5})", R"("state_hash": "00ff"})"})
    EXPECT_NE(json.find(part), std::string::npos) << part << " in " << json;
  EXPECT_EQ(json.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace silt
