#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "silt/core/exec.h"
#include "silt/fields/field.h"
#include "silt/fields/frame.h"
#include "silt/fields/particles.h"
#include "silt/solve/solve_report.h"

namespace silt {

/// What one substep did.
struct StepReport {
  std::map<std::string, SolveReport> solves;  ///< "pressure": the worst of the substep
  std::map<std::string, double> seconds;      ///< wall time by stage: "smoke.advect"
  std::map<std::string, Vec3d> impulses;      ///< that obstacles of these names were given [N s]; in 2D per metre
  std::int64_t swallowed = 0;                 ///< particles that solids left no room for, and that are gone
  std::int64_t refused = 0;                   ///< particles that sources had no room for, and did not let out
  std::int64_t left = 0;                      ///< particles that went out of reach, and are gone
  std::string problem;                        ///< first NaN or runaway value found; empty when all is well
};

/// Integrals over the state; in 2D per metre of depth.
struct Totals {
  double mass = 0;
  Vec3d momentum{};
  double kinetic_energy = 0;
  double max_speed = 0;
  double max_divergence = 0;  ///< [1/s]
  double volume = 0;          ///< of a level set, and of particles where it is thin; 0 for smoke
  std::int64_t particles = 0;
  std::int64_t inside_solid = 0;  ///< particles within solids: must be 0
  std::int64_t squeezed = 0;      ///< particles that closed rooms hold beyond what they have room for
};

/// Walks what persists of a state, always in the same order.
///   field      `box` is where it means something: what lies outside (halo, padding) is recomputed, and is left out of
///              checkpoints and hashes
///   particles  the first `count` elements of every column, and count, born and died; what is beyond may hold anything
///   values     as many as there are now. Particles and values change in number: going back to an earlier state, or to
///              that of a checkpoint, brings back how many there were.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  /// Whether it puts other values, those of another state, in the place of what it visits.
  virtual bool restores() const { return false; }
  virtual void operator()(std::string_view name, Field<float>& field, const Box& box) = 0;
  virtual void operator()(std::string_view name, Field<double>& field, const Box& box) = 0;
  virtual void operator()(std::string_view name, Particles& particles) = 0;
  virtual void operator()(std::string_view name, Buffer<float>& values) = 0;
  virtual void operator()(std::string_view name, Buffer<double>& values) = 0;
  virtual void operator()(std::string_view name, Buffer<std::int64_t>& values) = 0;
};

/// One material, or one combination of materials, that `sim` advances. One virtual call a substep.
class Model {
 public:
  virtual ~Model() = default;

  /// Puts the state where the scene begins, at t = 0. Called before the first frame, never after a checkpoint.
  virtual StepReport start(const Exec&) { return {}; }
  /// The largest step the flow allows now [s]; infinity when nothing moves.
  virtual double stable_step(const Exec& exec, double time) = 0;
  virtual StepReport substep(const Exec& exec, double time, double dt) = 0;
  virtual void visit(StateVisitor& visitor) = 0;
  virtual Totals totals(const Exec& exec, double time) = 0;
  virtual void snapshot(const Exec& exec, double time, Frame& frame) = 0;
  virtual std::int64_t cells() const = 0;
};

}  // namespace silt
