#include "silt/simulation.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/core/timer.h"
#include "silt/sim/checkpointing.h"
#include "silt/sim/clock.h"
#include "silt/sim/finite_check.h"
#include "silt/sim/frame_stats.h"
#include "silt/sim/materials.h"
#include "silt/sim/obstacle_bodies.h"
#include "silt/sim/state_hash.h"
#include "silt/sim/way_back.h"

namespace silt {
namespace {

constexpr int max_halvings = 4;
/// Fluid this many times faster after a substep than the substep was chosen for is a runaway, not a flow.
constexpr double runaway = 20;

std::string problem_of_solves(const StepReport& report) {
  for (const auto& [name, solve] : report.solves)
    if (!solve.converged)
      return str("the ", name, " solve did not converge: residual ", solve.residual, " after ", solve.iterations,
                 solve.iterations == 1 ? " iteration" : " iterations");
  return {};
}

}  // namespace

struct Simulation::Impl {
  Scene scene;
  Exec exec;
  std::unique_ptr<Model> model;
  Clock clock;
  WayBack way_back;
  FrameStats stats;
  std::optional<double> stable_step;  ///< of the state as it is now
  std::atomic<bool> cancelled{false};
  std::function<void(double)> observer;
  PackedState packed;
  ObstacleBodies bodies;

  Impl(const Scene& s, const SimulationOptions& options)
      : scene(s),
        exec(options.device, options.threads, options.share_loops_from),
        model(options.model ? options.model(s, options.pad) : make_model(s, options.pad)),
        clock{s.run.fps} {}

  bool advance_frame();
  void start();
  void substep(double end);
  std::string attempt(double dt, double time_after, StepReport& report);
  std::string problem_after(double dt, double time_after, const StepReport& report);
  double largest_step();
  void complete_frame();
};

bool Simulation::Impl::advance_frame() {
  packed.clear();
  way_back.forget();
  if (clock.frame >= scene.run.frames) return false;
  if (stats.frame != clock.frame + 1) stats = {}, stats.frame = clock.frame + 1;
  if (clock.frame == 0 && !cancelled) start();
  const double begin = clock.time_of(clock.frame), end = clock.frame_end();
  stats.since = begin;
  while (!cancelled && clock.time < end) {
    substep(end);
    if (observer) observer((clock.time - begin) / (end - begin));
  }
  if (clock.time < end || (cancelled && clock.frame == 0)) return false;
  complete_frame();
  return true;
}

void Simulation::Impl::start() {
  const StepReport report = model->start(exec);
  add_seconds(stats, report.seconds);
  add_solves(stats, report);
  if (const std::string problem = problem_of_solves(report); !problem.empty())
    throw SolveError(str("frame 1, t = 0 s: ", problem));
}

/// One good substep, at half the size, a quarter, ... when the first try goes wrong.
void Simulation::Impl::substep(double end) {
  if (stats.substeps >= scene.run.max_substeps)
    throw SubstepLimitError(str("frame ", stats.frame, " needs more than run.max_substeps = ", scene.run.max_substeps,
                                " substeps; the shortest was ", stats.dt_min, " s"));
  const SubstepPlan plan = plan_substep(clock.time, end, largest_step());
  const Timer timer;
  way_back.before(exec, *model);
  stats.seconds["sim.guard"] += timer.seconds();

  std::string why;
  for (int halvings = 0; halvings <= max_halvings; ++halvings) {
    const double dt = std::ldexp(plan.dt, -halvings);
    const double time_after = plan.lands() && halvings == 0 ? end : clock.time + dt;
    StepReport report;
    why = attempt(dt, time_after, report);
    add_seconds(stats, report.seconds);
    if (why.empty()) {
      way_back.went(clock.time, dt);
      clock.time = time_after;
      add_substep(stats, dt, report);
      return;
    }
    way_back.go_back(exec, *model);
    stable_step.reset();
    stats.retries += 1;
  }
  throw SolveError(str("frame ", stats.frame, ", t = ", clock.time, " s: ", why, " (tried steps from ", plan.dt,
                       " s down to ", std::ldexp(plan.dt, -max_halvings), " s)"));
}

/// What went wrong, or nothing.
std::string Simulation::Impl::attempt(double dt, double time_after, StepReport& report) {
  try {
    report = model->substep(exec, clock.time, dt);
  } catch (const SolveError& e) {
    return e.what();
  }
  const Timer timer;
  std::string problem = problem_after(dt, time_after, report);
  report.seconds["sim.guard"] += timer.seconds();
  return problem;
}

std::string Simulation::Impl::problem_after(double dt, double time_after, const StepReport& report) {
  if (!report.problem.empty()) return report.problem;
  if (std::string problem = first_bad_value(exec, *model); !problem.empty()) return problem;
  if (std::string problem = problem_of_solves(report); !problem.empty()) return problem;
  // dt was chosen as stable_step = cfl h / speed or less, so speed dt / h > runaway cfl is the same as this.
  stable_step = model->stable_step(exec, time_after);
  if (!(*stable_step * runaway > dt))
    return str("the flow ran away: it became more than ", runaway, " times as fast within a substep of ", dt, " s");
  return {};
}

double Simulation::Impl::largest_step() {
  if (!stable_step) stable_step = model->stable_step(exec, clock.time);
  if (!(*stable_step > 0))
    throw SolveError(str("frame ", stats.frame, ", t = ", clock.time, " s: no step is small enough for this flow"));
  return *stable_step;
}

void Simulation::Impl::complete_frame() {
  const Timer timer;
  clock.frame += 1;
  stats.time = clock.time;
  stats.cells = model->cells();
  stats.totals = model->totals(exec, clock.time);
  stats.state_hash = state_hash(*model, clock.time);
  stats.peak_memory_mb = peak_memory_mb();
  stats.seconds["sim.totals"] += timer.seconds();
}

Simulation::Simulation(const Scene& scene, const SimulationOptions& options)
    : impl_(std::make_unique<Impl>(scene, options)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

bool Simulation::advance_frame() {
  return impl_->advance_frame();
}

Frame Simulation::frame() const {
  Frame frame;
  frame.number = impl_->clock.frame;
  frame.time = impl_->clock.time;
  frame.domain = impl_->scene.setting.domain;
  frame.bodies = impl_->bodies.at(impl_->scene.setting, frame.time);
  impl_->model->snapshot(impl_->exec, impl_->clock.time, frame);
  return frame;
}

const FrameStats& Simulation::stats() const {
  return impl_->stats;
}
double Simulation::time() const {
  return impl_->clock.time;
}
int Simulation::frame_number() const {
  return impl_->clock.frame;
}

void Simulation::cancel() {
  impl_->cancelled = true;
}
bool Simulation::cancelled() const {
  return impl_->cancelled;
}
void Simulation::on_substep(std::function<void(double)> observer) {
  impl_->observer = std::move(observer);
}

void Simulation::save(CheckpointWriter& writer) const {
  writer.metadata["scene"] = impl_->scene.name;
  writer.metadata["scene_xxh3"] = str(stamp_of(impl_->scene.text).xxh3);
  save_progress(impl_->clock, impl_->stats, writer.metadata);
  impl_->packed.add_to(writer, *impl_->model);
}

void Simulation::restore(const Checkpoint& checkpoint) {
  Clock clock = impl_->clock;
  FrameStats stats;
  load_progress(checkpoint, clock, stats);
  unpack_state(checkpoint, *impl_->model);
  impl_->clock = clock;
  impl_->stats = std::move(stats);
  impl_->stable_step.reset();
}

}  // namespace silt
