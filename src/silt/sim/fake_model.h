#pragma once

// A model with one field, particles and list of each kind, whose steps can be made to fail.

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "silt/fields/particle_sort.h"
#include "silt/simulation.h"

namespace silt::test {

struct FakePlan {
  double stable_step = 0.01;      ///< [s], while nothing has run away
  double fails_above = INFINITY;  ///< a step larger than this, taken at or after `fails_from`, goes wrong
  double fails_from = 0;          ///< [s]
  enum class Failure {
    nan,
    infinite_double,
    particle_nan,
    list_nan,
    runaway,
    solve,
    problem,
    throws
  } failure = Failure::nan;
  std::vector<double> steps;       ///< every attempt
  std::map<double, double> taken;  ///< by time: the last attempt from there, which is the one that counts
};

class FakeModel : public Model {
 public:
  FakeModel(FakePlan& plan, const Box& cells, int pad)
      : plan_(plan), cells_(cells), value_(make_layout(cells, {1, 1, 0}, 2, pad)), memory_(value_.layout()) {
    for_cells([&](Cell c) { value_.at(c) = float(c.x) + 0.1f * float(c.y); });
    add_particles(Exec{Device::cpu, 1}, 25);
  }

  double stable_step(const Exec&, double) override {
    return speed_ > 1 ? plan_.stable_step / speed_ : plan_.stable_step;
  }

  StepReport substep(const Exec& exec, double time, double dt) override {
    plan_.steps.push_back(dt), plan_.taken[time] = dt;
    // Depends on dt, on time and on both fields, so that any other sequence of steps gives other bits.
    for_cells([&](Cell c) {
      memory_.at(c) += dt * std::cos(3 * time + value_(c));
      value_.at(c) += float(dt * std::sin(memory_(c) + 1.7 * time));
    });
    move_particles(exec, time, dt);
    change_lists(dt);
    StepReport report;
    report.solves["pressure"] = {7, 1e-6 * (1 + dt), true};
    report.seconds["fake.step"] = 0.25;
    report.swallowed = 3;
    speed_ = 1;
    if (dt > plan_.fails_above && time >= plan_.fails_from) fail(report);
    return report;
  }

  void visit(StateVisitor& v) override {
    v("fake.value", value_, cells_);
    v("fake.memory", memory_, cells_);
    v("fake.particles", particles_);
    v("fake.steps", steps_);
    v("fake.weights", weights_);
    v("fake.counters", counters_);
  }
  Totals totals(const Exec&, double) override {
    Totals t;
    for_cells([&](Cell c) { t.mass += value_(c); });
    t.particles = std::int64_t(particles_.count);
    return t;
  }
  void snapshot(const Exec&, double, Frame& frame) override {
    Volume volume{"fake", "value", Volume::Kind::fog, "", cells_, 0, {}};
    for_cells([&](Cell c) { volume.values.push_back(value_(c)); });
    frame.volumes.push_back(volume);
  }
  std::int64_t cells() const override { return cells_.count(); }

 private:
  void add_particles(const Exec& exec, std::size_t more) {
    const std::size_t first = append(exec, particles_, more);
    for (std::size_t i = first; i < particles_.count; ++i) {
      const std::uint64_t id = particles_.id.host()[i] = particles_.born++;
      for (int a = 0; a < 2; ++a) {
        particles_.cell[a].host()[i] = cells_.lo[a] + int((7 * id + 5 * a) % std::uint64_t(cells_.size()[a]));
        particles_.offset[a].host()[i] = 0.1f * float(id % 10);
      }
      particles_.colour.host()[i] = std::uint32_t(id) << 8;
      particles_.source.host()[i] = std::uint32_t(id % 3);
    }
  }
  /// One is born and some leave in every step, so that going back means to have others, and more or fewer of them.
  void move_particles(const Exec& exec, double time, double dt) {
    add_particles(exec, 1);
    for (std::size_t i = 0; i < particles_.count; ++i) {
      particles_.age.host()[i] += float(dt);
      for (int a = 0; a < 2; ++a) {
        float& v = particles_.velocity[a].host()[i];
        v += float(40 * dt * std::cos(5 * time + double(particles_.id.host()[i]) + a));
        particles_.mode[a][1].host()[i] += v;
        const float moved = particles_.offset[a].host()[i] + 20 * float(dt) * v;
        split(moved, particles_.cell[a].host()[i], particles_.offset[a].host()[i]);
      }
    }
    sort_particles(exec, domain(), value_.layout(), particles_, ranges_, scratch_);
    particles_.died /= 2;  // who shares ids among several sets of particles counts the dead elsewhere
  }
  /// Lists whose lengths depend on all the steps before.
  void change_lists(double dt) {
    Buffer<double> steps(steps_.size() % 5 + 1);
    for (std::size_t i = 0; i < steps.size(); ++i) steps.host()[i] = dt + (i < steps_.size() ? steps_.host()[i] : 0);
    steps_ = std::move(steps);
    Buffer<std::int64_t> counters(particles_.count % 3);
    for (std::size_t i = 0; i < counters.size(); ++i) counters.host()[i] = -std::int64_t(particles_.born);
    counters_ = std::move(counters);
    Buffer<float> weights(weights_.size() % 4 + 1);
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights.host()[i] = float(dt) + (i < weights_.size() ? weights_.host()[i] : 0);
    weights_ = std::move(weights);
  }
  Domain domain() const {
    Domain d;
    d.lattice.active = {1, 1, 0};
    d.cells = cells_;
    return d;
  }
  void fail(StepReport& report) {
    using enum FakePlan::Failure;
    const Cell c{3, 2, 0};
    switch (plan_.failure) {
      case nan:
        value_.at(c) = NAN;
        break;
      case infinite_double:
        memory_.at(c) = INFINITY;
        break;
      case particle_nan:
        particles_.velocity[1].host()[3] = NAN;
        break;
      case list_nan:
        steps_.host()[0] = NAN;
        break;
      case runaway:
        speed_ = 1000;
        break;
      case solve:
        report.solves["pressure"] = {99, 0.5, false};
        break;
      case problem:
        report.problem = "the moon fell down";
        break;
      case throws:
        throw SolveError("thrown by the model");
    }
  }
  template <class Use>
  void for_cells(const Use& use) const {
    for (int y = cells_.lo.y; y < cells_.hi.y; ++y)
      for (int x = cells_.lo.x; x < cells_.hi.x; ++x) use(Cell{x, y, 0});
  }

  FakePlan& plan_;
  Box cells_;
  Field<float> value_;
  Field<double> memory_;
  Particles particles_{{1, 1, 0}, Modes::affine};
  Buffer<double> steps_;
  Buffer<float> weights_;
  Buffer<std::int64_t> counters_;
  CellRanges ranges_;  // of a sort, not of the state
  SortScratch scratch_;
  double speed_ = 1;
};

inline Scene fake_scene(int frames = 4, double fps = 24) {
  Scene scene;
  scene.name = "fake";
  scene.run.frames = frames;
  scene.run.fps = fps;
  scene.setting.domain.lattice.active = {1, 1, 0};
  scene.setting.domain.cells = {{-3, 0, 0}, {9, 6, 1}};
  return scene;
}

inline SimulationOptions fake_options(FakePlan& plan, int pad = 0) {
  SimulationOptions options;
  options.threads = 1;
  options.pad = pad;
  options.model = [&plan](const Scene& scene, int p) {
    return std::make_unique<FakeModel>(plan, scene.setting.domain.cells, p);
  };
  return options;
}

}  // namespace silt::test
