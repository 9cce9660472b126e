#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/common/step_context.h"
#include "silt/physics/sand/grain_contacts.h"
#include "silt/physics/sand/params.h"
#include "silt/physics/sand/sand_state.h"

/// The stages of the rigid-plastic model of sand, which stand where the constrained one has `Bear`.
///   [ZB05] Zhu & Bridson 2005, Animating sand as a fluid; Zhu 2005, thesis, chapter 2, whose numbers these are
namespace silt::sand {

/// Where the sand is, as a liquid's level set round its particles.
struct FindSurface {
  static constexpr const char* name = "sand.surface";
  const Setting& setting;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// u = P u*, p = 0 on the surface: the pressure of a liquid; masses of faces, and which of them move; how much walls
/// can rub with that pressure.
struct Project {
  static constexpr const char* name = "sand.pressure";
  const SandParams& params;
  const Setting& setting;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// s = rho h^2 D / dt where that is within the yield surface, |s|_F <= sqrt 2 (p tan(phi) + c), and the cell is rigid
/// (2.5, 2.9); else the point of the yield surface that lies along D (2.4).
struct Yield {
  static constexpr const char* name = "sand.yield";
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// U = v + w x r in each connected group of rigid cells, with its momenta (2.6, 2.7), and what walls push; u = U + k (u
/// - U), k = 0 where friction holds the group as a whole.
struct Rigidify {
  static constexpr const char* name = "sand.rigid";
  const Setting& setting;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// u += dt / rho div s where it yields.
struct Slide {
  static constexpr const char* name = "sand.slide";
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;
};

/// u_T = max(0, 1 - mu J / |u_T|) u_T at walls and solids (2.8), J the impulse that pushes on them; of a rigid group,
/// on the motion of the whole. Reports what solids were given in the step.
struct RubWalls {
  static constexpr const char* name = "sand.walls";
  const SandParams& params;
  const Setting& setting;
  SandWorkspace& work;
  void run(SandState& state, StepContext& step) const;

 private:
  /// By what solids alone rub on each face.
  void find_solid_rub(const WallFriction& friction, StepContext& step) const;
  /// `parts`: of what rubs on each group, what acts.
  void report_impulses(const std::vector<double>& parts, StepContext& step) const;
};

}  // namespace silt::sand
