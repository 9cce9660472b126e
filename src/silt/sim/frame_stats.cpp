#include "silt/sim/frame_stats.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "silt/core/text.h"
#include "silt/sim/json_text.h"

namespace silt {
namespace {

std::string json_of(const std::map<std::string, SolveReport>& solves) {
  JsonLine json;
  for (const auto& [name, solve] : solves)
    json.add_raw(name, JsonLine()
                           .add("iterations", solve.iterations)
                           .add("residual", solve.residual)
                           .add("converged", solve.converged)
                           .add("imbalance", solve.imbalance)
                           .text());
  return json.text();
}

std::string json_of(const Vec3d& v) {
  return str('[', json_number(v.x), ", ", json_number(v.y), ", ", json_number(v.z), ']');
}

std::string json_of(const std::map<std::string, Vec3d>& vectors) {
  JsonLine json;
  for (const auto& [name, v] : vectors) json.add_raw(name, json_of(v));
  return json.text();
}

std::string json_of(const std::map<std::string, double>& numbers) {
  JsonLine json;
  for (const auto& [name, value] : numbers) json.add(name, value);
  return json.text();
}

}  // namespace

void add_seconds(FrameStats& stats, const std::map<std::string, double>& seconds) {
  for (const auto& [stage, s] : seconds) stats.seconds[stage] += s;
}

void add_substep(FrameStats& stats, double dt, const StepReport& report) {
  stats.dt_min = stats.substeps ? std::min(stats.dt_min, dt) : dt;
  stats.dt_max = std::max(stats.dt_max, dt);
  stats.substeps += 1;
  for (const auto& [name, impulse] : report.impulses) stats.impulses[name] += impulse;
  stats.swallowed += report.swallowed;
  stats.refused += report.refused;
  stats.left += report.left;
  add_solves(stats, report);
}

void add_solves(FrameStats& stats, const StepReport& report) {
  for (const auto& [name, solve] : report.solves) keep_worst(stats.solves[name], solve);
}

std::map<std::string, Vec3d> FrameStats::forces() const {
  std::map<std::string, Vec3d> out;
  for (const auto& [name, impulse] : impulses) out[name] = time > since ? impulse * (1 / (time - since)) : Vec3d{};
  return out;
}

double peak_memory_mb() {
  std::ifstream in("/proc/self/status");
  for (std::string key; in >> key; in.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
    if (double kilobytes = 0; key == "VmHWM:" && in >> kilobytes) return 1.024e-3 * kilobytes;
  rusage usage{};  // without /proc; this one remembers what the process was before it became this program
  ::getrusage(RUSAGE_SELF, &usage);
  return 1.024e-3 * double(usage.ru_maxrss);
}

std::string to_json(const FrameStats& s) {
  return JsonLine()
      .add("frame", s.frame)
      .add("time", s.time)
      .add("substeps", s.substeps)
      .add("retries", s.retries)
      .add("dt_min", s.dt_min)
      .add("dt_max", s.dt_max)
      .add("cells", s.cells)
      .add("particles", s.totals.particles)
      .add("mass", s.totals.mass)
      .add_raw("momentum", json_of(s.totals.momentum))
      .add("kinetic_energy", s.totals.kinetic_energy)
      .add("max_speed", s.totals.max_speed)
      .add("max_divergence", s.totals.max_divergence)
      .add("volume", s.totals.volume)
      .add("inside_solid", s.totals.inside_solid)
      .add("swallowed", s.swallowed)
      .add("refused", s.refused)
      .add("squeezed", s.totals.squeezed)
      .add("left", s.left)
      .add_raw("forces", json_of(s.forces()))
      .add_raw("solves", json_of(s.solves))
      .add_raw("seconds", json_of(s.seconds))
      .add("peak_memory_mb", s.peak_memory_mb)
      .add("state_hash", std::string_view(s.state_hash))
      .text();
}

}  // namespace silt
