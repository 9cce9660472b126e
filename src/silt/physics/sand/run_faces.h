#pragma once

#include "silt/physics/sand/rigid_groups.h"

namespace silt {

/// The faces of a run: the lower ones of its cells, and upper ones where no other cell has them for a lower one.
struct RunFaces {
  const RigidRun* runs;
  Box cells;
  int dims;
  bool periodic[3];
  View<const unsigned char> rigid;
  MacView<const float> star;

  /// visit(face, r), r from the group's origin, in cells, for the faces across an axis.
  template <class Visit>
  SILT_HD void visit(const RigidRun& run, int axis, const Visit& visit) const {
    for (int x = run.begin; x < run.end; ++x) {
      const Cell c{x, run.y, run.z}, up = c + unit(axis);
      Vec3d r = (c - run.origin).as<double>();
      r[axis] -= 0.5;
      if (star[axis](c) > 0) visit(c, r);
      if (rigid(up)) continue;
      Cell upper = up;
      if (periodic[axis] && upper[axis] == cells.hi[axis]) upper[axis] = cells.lo[axis];
      r[axis] += 1;
      if (star[axis](upper) > 0) visit(upper, r);
    }
  }
};

inline RunFaces faces_of(const Exec& exec, const Domain& domain, const RigidGroups& groups,
                         const Field<unsigned char>& rigid, const MacField<float>& star) {
  RunFaces out{groups.runs.read(exec), domain.cells, domain.lattice.dims(), {}, rigid.read(exec), star.read(exec)};
  for (int a = 0; a < 3; ++a) out.periodic[a] = domain.periodic(a);
  return out;
}

}  // namespace silt
