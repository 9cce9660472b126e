#pragma once

// A model with one float and one double field, whose steps can be made to fail.

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "silt/simulation.h"

namespace silt::test {

struct FakePlan {
  double stable_step = 0.01;      ///< [s], while nothing has run away
  double fails_above = INFINITY;  ///< a step larger than this, taken at or after `fails_from`, goes wrong
  double fails_from = 0;          ///< [s]
  enum class Failure { nan, infinite_double, runaway, solve, problem, throws } failure = Failure::nan;
  std::vector<double> steps;  ///< every attempt
};

class FakeModel : public Model {
 public:
  FakeModel(FakePlan& plan, const Box& cells, int pad)
      : plan_(plan), cells_(cells), value_(make_layout(cells, {1, 1, 0}, 2, pad)), memory_(value_.layout()) {
    for_cells([&](Cell c) { value_.at(c) = float(c.x) + 0.1f * float(c.y); });
  }

  double stable_step(const Exec&, double) override {
    return speed_ > 1 ? plan_.stable_step / speed_ : plan_.stable_step;
  }

  StepReport substep(const Exec&, double time, double dt) override {
    plan_.steps.push_back(dt);
    // Depends on dt, on time and on both fields, so that any other sequence of steps gives other bits.
    for_cells([&](Cell c) {
      memory_.at(c) += dt * std::cos(3 * time + value_(c));
      value_.at(c) += float(dt * std::sin(memory_(c) + 1.7 * time));
    });
    StepReport report;
    report.solves["pressure"] = {7, 1e-6 * (1 + dt), true};
    report.seconds["fake.step"] = 0.25;
    speed_ = 1;
    if (dt > plan_.fails_above && time >= plan_.fails_from) fail(report);
    return report;
  }

  void visit(StateVisitor& v) override {
    v("fake.value", value_, cells_);
    v("fake.memory", memory_, cells_);
  }
  Totals totals(const Exec&, double) override {
    Totals t;
    for_cells([&](Cell c) { t.mass += value_(c); });
    return t;
  }
  void snapshot(const Exec&, double, Frame& frame) override {
    Volume volume{"fake", "value", Volume::Kind::fog, "", cells_, 0, {}};
    for_cells([&](Cell c) { volume.values.push_back(value_(c)); });
    frame.volumes.push_back(volume);
  }
  std::int64_t cells() const override { return cells_.count(); }

 private:
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
