#include "silt/physics/common/no_slip.h"

#include "silt/core/loops.h"

namespace silt {

namespace {

struct LargestGrip {
  View<const float> grip;
  SILT_HD double operator()(Cell c) const { return grip(c); }
};

struct FaceDistance {
  View<const float> distance;
  Int3 s, t;  ///< the two directions along the face
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    out(c) = 0.25f * ((distance(c) + distance(c + s)) + (distance(c + t) + distance(c + s + t)));
  }
};

/// mirror holds E[d] and becomes d / E[d], between -1 and 0, on faces in solids that fluid sticks to; 1 elsewhere.
struct MirrorFactor {
  View<const float> distance, grip, open;
  Int3 s, t;
  float nearest;  ///< an E[d] below this says nothing [m]
  View<float> mirror;
  SILT_HD void operator()(Cell c) const {
    const float d = 0.25f * ((distance(c) + distance(c + s)) + (distance(c + t) + distance(c + s + t)));
    const bool sticks = (grip(c) + grip(c + s)) + (grip(c + t) + grip(c + s + t)) >= 2;
    if (open(c) > 0 || !sticks) {
      mirror(c) = 1;
      return;
    }
    const float ratio = mirror(c) > nearest ? d / mirror(c) : 0.0f;
    mirror(c) = ratio < -1 ? -1.0f : ratio > 0 ? 0.0f : ratio;
  }
};

struct Mirror {
  View<const float> mirror, solid_velocity;
  View<float> u;
  SILT_HD void operator()(Cell c) const { u(c) = solid_velocity(c) + mirror(c) * (u(c) - solid_velocity(c)); }
};

/// Faces across an axis but those on the domain's boundary, which keep what is prescribed.
Box inner_faces(const Domain& domain, int axis) {
  Box out = domain.faces(axis);
  if (!out.empty() && !domain.periodic(axis)) out.lo[axis] += 1, out.hi[axis] -= 1;
  return out;
}

}  // namespace

FlowInSolids::FlowInSolids(const Exec& exec, const Domain& domain, const CutCells& cut, int layers) {
  for (int a = 0; a < 3; ++a) faces_[a] = extend_faces(domain, a, cut.open, layers);
  if (reduce<Max>(exec, "no_slip.any", domain.corners(), LargestGrip{cut.grip.read(exec)}) <= 0) return;
  mirror_ = MacField<float>(cut.open.layout());
  const Int3 active = domain.lattice.active;
  for (int a = 0; a < 3; ++a) {
    const Int3 s = unit((a + 1) % 3) * active, t = unit((a + 2) % 3) * active;
    for_each_cell(exec, "no_slip.distance", domain.faces(a),
                  FaceDistance{cut.distance.read(exec), s, t, mirror_[a].write(exec)});
    faces_[a].run(exec, mirror_[a]);
    for_each_cell(exec, "no_slip.factor", domain.faces(a),
                  MirrorFactor{cut.distance.read(exec), cut.grip.read(exec), cut.open[a].read(exec), s, t,
                               float(0.1 * domain.lattice.h), mirror_[a].update(exec)});
  }
}

void FlowInSolids::run(const Exec& exec, const Domain& domain, const CutCells& cut, MacField<float>& velocity) const {
  for (int a = 0; a < 3; ++a) {
    faces_[a].run(exec, velocity[a]);
    if (mirror_[a].allocated())
      for_each_cell(exec, "no_slip.mirror", inner_faces(domain, a),
                    Mirror{mirror_[a].read(exec), cut.solid_velocity[a].read(exec), velocity[a].update(exec)});
  }
}

}  // namespace silt
