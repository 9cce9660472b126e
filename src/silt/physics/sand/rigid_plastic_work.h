#pragma once

#include "silt/fields/row_spans.h"
#include "silt/fields/used_rows.h"
#include "silt/physics/sand/friction_stress.h"
#include "silt/physics/sand/rigid_groups.h"
#include "silt/physics/sand/rigid_motion.h"
#include "silt/physics/sand/wall_rub.h"
#include "silt/solve/poisson_solver.h"

namespace silt {

/// Scratch of a substep that only the rigid-plastic model needs.
struct RigidPlasticWork {
  Field<float> phi;  ///< level set of the sand [m]
  Field<unsigned char> air;
  MacField<float> star;
  MacField<float> kick;  ///< what the pressure adds [m/s]; then impulses of walls
  MacField<float> slip;
  FrictionStress stress;
  WallBounds bounds;
  RigidGroups groups;
  RigidMotions motions;
  std::vector<RigidMotion> moving;  ///< each group
  std::vector<double> harder;       ///< how many times as hard as the pressure walls push on each
  Buffer<double> scratch;           ///< of each run
  PoissonSolver poisson;
  RowSpans filled;  ///< cells of sand: pressures are worked out in no others
  UsedRows used;

  explicit RigidPlasticWork(const Layout& layout)
      : phi(layout),
        air(layout),
        star(layout),
        kick(layout),
        slip(layout),
        stress(layout),
        bounds(layout),
        poisson(layout) {}

  /// Other cells are in use now: fields rest at the others.
  void use(const Cells& cells, double h);
  /// The domain with cells of sand alone in use.
  Domain filled_part(const Domain& domain) const;
};

}  // namespace silt
