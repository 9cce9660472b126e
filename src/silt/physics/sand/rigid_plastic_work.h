#pragma once

#include <memory>

#include "silt/fields/row_spans.h"
#include "silt/fields/used_rows.h"
#include "silt/physics/common/surface_beside_solids.h"
#include "silt/physics/sand/friction_stress.h"
#include "silt/physics/sand/rigid_contacts.h"
#include "silt/physics/sand/rigid_groups.h"
#include "silt/physics/sand/rigid_motion.h"
#include "silt/physics/sand/wall_rub.h"
#include "silt/solve/poisson_solver.h"

namespace silt {

/// How solids alone rub, without the domain's walls: for what they feel.
struct SolidRub {
  MacField<float> no_walls, velocity, impulse, slip;
  explicit SolidRub(const Layout& layout) : no_walls(layout), velocity(layout), impulse(layout), slip(layout) {}
};

/// Scratch of a substep that only the rigid-plastic model needs.
struct RigidPlasticWork {
  Field<float> phi, mended;  ///< level set of the sand [m]; scratch of it
  Field<unsigned char> air, released;
  BesideSolidsScratch beside_solids;
  MacField<float> star;
  MacField<float> kick;  ///< what the pressure adds [m/s]; then impulses of walls
  MacField<float> slip;
  FrictionStress stress;
  WallBounds bounds;
  RigidGroups groups;
  RigidMotions motions;
  std::vector<RigidMotion> moving;  ///< each group
  std::vector<double> harder;       ///< how many times as hard as the pressure walls push on each
  std::vector<double> held;         ///< the part of each that moves as it does: 1 - k
  std::vector<double> squeezed;     ///< as often its contacts push each against each other as makes friction give way
  std::vector<RigidContacts> contacts;
  std::unique_ptr<SolidRub> solid_rub;  ///< only where there are solids
  Buffer<double> scratch;               ///< of each run
  PoissonSolver poisson;
  RowSpans filled;  ///< cells of sand: pressures are worked out in no others
  UsedRows used;

  explicit RigidPlasticWork(const Layout& layout)
      : phi(layout),
        mended(layout),
        air(layout),
        released(layout),
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
